// Reading: computes one long read at a time, with a connection of its own, and answers the questions of the pool.

import { dirname } from "node:path";
import { ocfExportRoute } from "../../../exchange/ocf/export/routes.ts";
import { readFileRoute } from "../../../exchange/reading/thread-route.ts";
import { present } from "../../../kernel/assert.ts";
import type { NoQuestions } from "../../../kernel/threads/peer.ts";
import type { ThreadWork } from "../../../kernel/threads/thread.ts";
import {
  type AskRoute,
  type FileReply,
  loading,
  type ReadRoute,
  type ReadTask,
  type Reply,
} from "../../../resources/route.ts";
import { previewTerms } from "../../../resources/vesting-terms/preview.ts";
import { openSigningKey } from "../../../safekeeping/checkpoint/signing-key.ts";
import { proofRoutes } from "../../../safekeeping/tree/routes.ts";
import { openReadOnly } from "../../../storage/database/open.ts";
import type { Reader } from "../../../storage/database/sql.ts";
import { capTableAsOf } from "../../../views/cap-table/as-of-route.ts";
import { capTableHistory } from "../../../views/cap-table/history-route.ts";
import { stakeholderPosition } from "../../../views/cap-table/position-route.ts";
import { readCalendar } from "../../../views/dates/calendar-route.ts";
import { dateRoutes } from "../../../views/dates/routes.ts";
import { capTableHealth } from "../../../views/health/health-route.ts";
import { closingPlanRoute } from "../../../views/models/closing/closing-route.ts";
import { modelAskRoutes, modelReadRoutes } from "../../../views/models/routes.ts";
import { portalAcceptanceReads } from "../../../views/portal/acceptance-routes.ts";
import { portalPaperRoutes } from "../../../views/portal/paper.ts";
import { getPortal } from "../../../views/portal/routes.ts";
import { loadListCsv, madeRoutes } from "../../../views/reports/thread-routes.ts";
import type { Circumstances, Piece, ReadAnswer, ReadQuestions } from "./read-questions.ts";

/** The routes that may take long. */
function routesIn({ fontDir, database, ...intervals }: Circumstances): ReadonlyMap<string, ReadRoute | AskRoute> {
  const health = capTableHealth(intervals);
  const views = [
    capTableAsOf,
    capTableHistory,
    stakeholderPosition,
    health,
    ocfExportRoute,
    getPortal,
    ...dateRoutes,
    readCalendar,
  ];
  const computed: readonly (ReadRoute | AskRoute)[] = [
    ...modelReadRoutes,
    ...modelAskRoutes,
    closingPlanRoute,
    previewTerms,
    readFileRoute,
    ...madeRoutes(fontDir),
    ...portalPaperRoutes(fontDir),
    ...proofRoutes(() => openSigningKey(dirname(database))),
    ...portalAcceptanceReads(fontDir),
  ];
  const routes = [...views, ...computed];
  return new Map(routes.map((route) => [route.operationId, route]));
}

const encoder = new TextEncoder();

/** What one thread has open. */
class Reading {
  readonly #db: Reader;
  readonly #routes: ReadonlyMap<string, ReadRoute | AskRoute>;
  #file: AsyncIterator<Uint8Array> | null = null;
  #trailers: FileReply["trailers"];

  constructor(circumstances: Circumstances) {
    this.#db = openReadOnly(circumstances.database);
    this.#routes = routesIn(circumstances);
  }

  async read({ operationId, ...request }: ReadTask): Promise<ReadAnswer> {
    const route = this.#routes.get(operationId) ?? (await loadListCsv(operationId));
    const { json, text, bytes, file, plain } = await this.#answer(present(route, operationId), request);
    if (plain !== undefined) return { plain };
    if (!file) return { bytes: bytes ?? encoder.encode(text ?? JSON.stringify(json)), isWhole: true };
    const { fileName, contentType, content, headers = {}, trailers } = file;
    const told = { fileName, contentType, headers };
    if (content instanceof Uint8Array) return { ...told, content };
    this.#file = content[Symbol.asyncIterator]();
    this.#trailers = trailers;
    return { ...told, content: null };
  }

  /** A read with a body computes over one snapshot. */
  async #answer(route: ReadRoute | AskRoute, { body, ...request }: Omit<ReadTask, "operationId">): Promise<Reply> {
    await loading(route.method === "GET" ? route.run : route.ask);
    if (route.method === "GET") return route.run(this.#db, request);
    return route.ask(this.#db, { ...request, body: body as Readonly<Record<string, unknown>> });
  }

  async next(): Promise<Piece> {
    const { value, done } = await present(this.#file, "a file under way").next();
    if (!done) return { bytes: value };
    this.#file = null;
    return { bytes: null, trailers: this.#trailers?.() ?? {} };
  }

  async close(): Promise<void> {
    await this.#file?.return?.();
    this.#file = null;
  }

  end(): void {
    this.#db.sqlite.close();
  }
}

/** What answers the questions of one pool, and what ends that, after what is under way. */
export function reader(): { readonly work: ThreadWork<NoQuestions, ReadQuestions>; end(): void } {
  let reading: Reading | null = null;
  let last: Promise<unknown> = Promise.resolve();
  const carryOut = <A>(work: (reading: Reading) => Promise<A>): Promise<A> => {
    const answer = work(present(reading, "opened circumstances"));
    last = answer.catch(() => undefined);
    return answer;
  };
  return {
    work: () => ({
      open(circumstances) {
        reading = new Reading(circumstances);
      },
      read: (task) => carryOut((opened) => opened.read(task)),
      next: () => carryOut((opened) => opened.next()),
      close: () => carryOut((opened) => opened.close()),
    }),
    end: () => void last.then(() => reading?.end()),
  };
}
