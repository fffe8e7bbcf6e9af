// Executes changes in the thread that has the writer: handler → one transaction with its idempotent answer, so that a
// crash leaves both or neither.

import { takeLines } from "../../exchange/reading/answer-lines.ts";
import { present } from "../../kernel/assert.ts";
import { type Call, callWithoutRequest } from "../../kernel/call.ts";
import type { Fault } from "../../kernel/check.ts";
import { type FieldError, problem } from "../../kernel/problem.ts";
import { type Runtime, toTimestamp, toUtcDate, utcDayOf } from "../../kernel/runtime.ts";
import { pointerFragment } from "../../kernel/text/text.ts";
import { type AccountCall, VISITOR, type Visitor } from "../../people/call.ts";
import type { AnyCommand } from "../../people/command.ts";
import { touchSession } from "../../people/stores/session-store.ts";
import { touchKey } from "../../resources/api-keys/store.ts";
import {
  type AskRoute,
  isReading,
  loading,
  needing,
  type ReadRoute,
  type Reply,
  type Route,
  type SeriesRoute,
  type UploadRoute,
  type WriteRoute,
} from "../../resources/route.ts";
import { refuseClosedIn } from "../../storage/database/closed.ts";
import { findAnswer, type IdempotentRequest, insertAnswer } from "../../storage/database/idempotency.ts";
import { recordExport } from "../../storage/database/log/audit.ts";
import { openReadOnly } from "../../storage/database/open.ts";
import { storeSetting } from "../../storage/database/settings.ts";
import type { Tx } from "../../storage/database/sql.ts";
import { RollBack, type Writer, type WriterStatistics } from "../../storage/database/writer.ts";
import type { AnyFollowTask, FollowCall } from "../../storage/follow/follow-task.ts";
import { toAnswer, type WireAnswer } from "./answer.ts";
import { type Demand, type DemandedTags, requireTag } from "./tags.ts";
import type {
  Asked,
  Changes,
  CommandTask,
  ExportTask,
  FollowTaskData,
  SeriesTask,
  UploadTask,
  Use,
  WriteTask,
} from "./task.ts";

/** What the executor of changes needs. */
export interface LocalParts {
  readonly writer: Writer;
  readonly runtime: Runtime;
  readonly routes: readonly Route[];
  /** The changes of accounts, by name. */
  readonly commands: Readonly<Record<string, AnyCommand>>;
  /** Those of the follow thread; none unless given. */
  readonly followTasks?: ReadonlyMap<string, AnyFollowTask>;
}

/** Changes by the writer of this thread. */
export class LocalChanges implements Changes {
  readonly #writer: Writer;
  readonly #runtime: Runtime;
  readonly #routes: ReadonlyMap<string, Exclude<Route, ReadRoute | AskRoute>>;
  readonly #commands: Readonly<Record<string, AnyCommand>>;
  readonly #followTasks: ReadonlyMap<string, AnyFollowTask>;
  #lastWriteMs = Number.NEGATIVE_INFINITY;

  constructor({ writer, runtime, routes, commands, followTasks = new Map() }: LocalParts) {
    this.#followTasks = followTasks;
    this.#commands = commands;
    this.#writer = writer;
    this.#runtime = runtime;
    const changing = routes.flatMap((route) => (isReading(route) ? [] : [route]));
    this.#routes = new Map(changing.map((route) => [route.operationId, route]));
  }

  /** When a write last began, on the clock of `performance.now()`. */
  get lastWriteMs(): number {
    return this.#lastWriteMs;
  }

  get statistics(): Readonly<WriterStatistics> {
    return this.#writer.statistics;
  }

  write(task: WriteTask): Promise<WireAnswer> {
    const { operationId, asked, body, ifMatch, plan } = task;
    const own = this.#route(operationId) as WriteRoute;
    const route = plan === undefined ? own : byPlan(own, plan);
    const isLoading = this.#load(route, ifMatch);
    if (isLoading) return isLoading.then(() => this.write(task));
    if (route.prepare === undefined || body.dryRun === true) return this.#write(route, task);
    const open = () => openReadOnly(this.#writer.db.sqlite.name);
    return route
      .prepare(open, asked.orgId, body)
      .then((run) => this.#write(run === null ? route : { ...route, run }, task));
  }

  #write(route: WriteRoute, { asked, params, query = {}, body, ifMatch, idempotency }: WriteTask): Promise<WireAnswer> {
    const { orgId, method, path } = asked;
    this.#lastWriteMs = performance.now();
    const idempotent = idempotency && { orgId, method, path, ...idempotency };
    const work = (tx: Tx) => {
      const call = this.#call(asked);
      // What a route writes may be in no log.
      refuseClosedIn(tx, orgId);
      return runOnce(tx, idempotent, call, () => {
        this.#requireTag(tx, route, { orgId, params, demanded: ifMatch });
        return route.run(tx, call, { params, query, body });
      });
    };
    // A dry run is always undone.
    if (body.dryRun === true || route.isOnce) return this.#writer.submit(work, "once");
    return this.#writer.submit(work, route.rowsMayWait ? "waiting" : "repeatable");
  }

  upload(task: UploadTask): Promise<WireAnswer> {
    const { operationId, asked, params, ifMatch, content, contentType } = task;
    const route = this.#route(operationId) as UploadRoute;
    const isLoading = this.#load(route, ifMatch);
    if (isLoading) return isLoading.then(() => this.upload(task));
    const call = this.#call(asked);
    const work = (tx: Tx) => {
      refuseClosedIn(tx, asked.orgId);
      this.#requireTag(tx, route, { orgId: asked.orgId, params, demanded: ifMatch });
      return toAnswer(route.run(tx, call, { params, content, contentType }));
    };
    return this.#writer.submit(work, "repeatable");
  }

  async series({ operationId, asked, query, pieces }: SeriesTask): Promise<WireAnswer> {
    const route = this.#route(operationId) as SeriesRoute;
    const intake = await present(route.open, "a route that takes packages")(query);
    await takeLines(pieces, (line) => intake.take(line));
    return toAnswer(await intake.run(this.#writer, () => this.#call(asked)));
  }

  execute({ name, visitor, data }: CommandTask): Promise<WireAnswer> {
    const run = present(this.#commands[name], name);
    this.#lastWriteMs = performance.now();
    const work = (tx: Tx) =>
      toAnswer({ status: 200, json: run(tx, this.#accountCall(visitor), data as never) ?? null });
    return this.#writer.submit(work, "repeatable");
  }

  follow({ name, data }: FollowTaskData): Promise<unknown> {
    const task = present(this.#followTasks.get(name), name);
    return this.#writer.submit((tx) => task(tx, this.#followCall(), data as never) ?? null, "repeatable");
  }

  recordExport({ asked, exported }: ExportTask): Promise<void> {
    return this.#writer.submit((tx) => recordExport(tx, this.#call(asked), exported), "repeatable");
  }

  noteUse({ orgId, id, address }: Use, at: string): void {
    const work = (tx: Tx) => (orgId === null ? touchSession(tx, { id, at }) : touchKey(tx, { orgId, id, at, address }));
    // A full disk must not stop a read.
    this.#writer.submit(work).catch(() => undefined);
  }

  tryToWrite(): Promise<void> {
    return this.#writer.submit((tx) => storeSetting(tx, "probedAtMs", String(this.#runtime.nowMs())));
  }

  /** Loads what a change runs; null if nothing is left to load. */
  #load({ run, record, whole }: WriteRoute | UploadRoute, ifMatch: DemandedTags | undefined): Promise<void> | null {
    const demanded = (route: ReadRoute | undefined) => (route && ifMatch !== undefined ? loading(route.run) : null);
    return loading(run) ?? demanded(record) ?? demanded(whole);
  }

  #requireTag(tx: Tx, { record, whole }: Route, demand: Omit<Demand, "record" | "whole" | "nowMs">): void {
    requireTag(tx, { ...demand, record, whole, nowMs: this.#runtime.nowMs() });
  }

  #route(operationId: string): Exclude<Route, ReadRoute> {
    return present(this.#routes.get(operationId), operationId);
  }

  #accountCall(visitor: Visitor): AccountCall {
    const nowMs = this.#runtime.nowMs();
    const when = { nowMs, at: toTimestamp(nowMs), today: toUtcDate(nowMs) };
    return { ...visitor, ...when, by: VISITOR, newId: () => this.#runtime.newId() };
  }

  #followCall(): FollowCall {
    const nowMs = this.#runtime.nowMs();
    return {
      nowMs,
      at: toTimestamp(nowMs),
      newId: () => this.#runtime.newId(),
      callIn: (orgId) => callWithoutRequest(this.#runtime, orgId, "job"),
    };
  }

  /**
   * Dates a change when it is recorded, not when the request began: what was known at an instant must never change
   * later.
   */
  #call(asked: Asked): Call {
    const at = toTimestamp(this.#runtime.nowMs());
    return {
      ...asked,
      at,
      today: utcDayOf(at),
      newId: () => this.#runtime.newId(),
    };
  }
}

/** The route as it is carried out by what was worked out beforehand. */
function byPlan(route: WriteRoute, plan: unknown): WriteRoute {
  const { run } = present(route.plan, "a route that is planned");
  return { ...route, run: needing<WriteRoute["run"]>(run, (tx, call, request) => run(tx, call, request, plan)) };
}

/** An error of one member of the body. */
export function pointAt(fault: Fault): FieldError {
  return { pointer: pointerFragment(fault.path), detail: fault.detail };
}

/** Runs a write at most once for its idempotency key: a later request with the key gets the stored answer. */
function runOnce(tx: Tx, idempotent: IdempotentRequest | null, call: Call, run: () => Reply): WireAnswer {
  const stored = idempotent && findAnswer(tx, idempotent);
  if (stored && !stored.isSameBody) {
    throw problem("idempotency-key-reused", "This Idempotency-Key was used for a request with another body.");
  }
  if (stored) return { ...stored, isReplayed: true };
  const answer = toAnswer(runDry(run));
  if (idempotent) insertAnswer(tx, idempotent, answer, call.at);
  return answer;
}

/** A dry run's reply becomes the answer that is given after everything was rolled back. */
function runDry(run: () => Reply): Reply {
  try {
    return run();
  } catch (thrown) {
    throw thrown instanceof RollBack ? new RollBack(toAnswer(thrown.value as Reply)) : thrown;
  }
}
