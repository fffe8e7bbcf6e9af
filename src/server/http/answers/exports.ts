// Export log: before a file of many records is sent, the organization's log records who takes it. The file waits a
// moment for its row and no longer: no read fails or hangs because the log cannot be written.

import { readInstant } from "../../../kernel/instant.ts";
import { Problem } from "../../../kernel/problem.ts";
import type { Runtime } from "../../../kernel/runtime.ts";
import type { FileReply, ReadRoute } from "../../../resources/route.ts";
import { EXPORT_COVERED_MS, type Exported } from "../../../storage/database/log/audit.ts";
import type { Changes } from "../../changes/task.ts";
import { askedBy, type Exchange } from "../exchange.ts";
import { readQuery } from "../query.ts";

/** How long a file waits for its row. A row that takes longer is written all the same. */
const WAIT_MS = 2000;
const STILL_WAITING = `it was not written within ${WAIT_MS / 1000} seconds, and still waits`;
/** How many rows are remembered. The oldest is forgotten first; the next export that it covered writes another row. */
const REMEMBERED_MAX = 10_000;

/** A row of the log, which covers what the same caller takes from the same address within an hour. */
interface Row {
  readonly atMs: number;
  readonly bytes: number;
  /** Settles when it is on disk; rejects if it could not be written. */
  readonly written: Promise<void>;
}

/**
 * Records files of many records: a row an hour for a caller (a key, or a person in all sessions) and an address (a
 * route and its ids). A query makes no address of its own, else a program that asks for the `knownAt` of each moment
 * would fill the log. But a file of more than twice the bytes of that hour's row adds a row: a short list that is taken
 * first does not hide the whole.
 */
export class Exports {
  readonly #parts: { readonly changes: Changes; readonly runtime: Runtime };
  readonly #rows = new Map<string, Row>();

  constructor(parts: { readonly changes: Changes; readonly runtime: Runtime }) {
    this.#parts = parts;
  }

  /**
   * Records that a file is sent, if its route exports many records. Resolves once that is on disk, or with the reason
   * why it is not, in words for the operator; never rejects.
   */
  async record(route: ReadRoute, exchange: Exchange, file: FileReply): Promise<string | undefined> {
    // HEAD transfers no records.
    if (route.exports === undefined || exchange.request.method === "HEAD") return undefined;
    const bytes = file.bytes ?? (file.content instanceof Uint8Array ? file.content.byteLength : null);
    const exported = { route: route.path, format: route.exports, bytes, ...momentOf(route, exchange) };
    const name = nameOf(route, exchange);
    const nowMs = this.#parts.runtime.nowMs();
    const known = this.#rows.get(name);
    const row = known && covers(known, nowMs, bytes ?? 0) ? known : this.#write(name, nowMs, exchange, exported);
    return await reasonAgainst(row.written);
  }

  #write(name: string, atMs: number, exchange: Exchange, exported: Exported): Row {
    const asked = askedBy(exchange);
    const row = { atMs, bytes: exported.bytes ?? 0, written: this.#parts.changes.recordExport({ asked, exported }) };
    this.#rows.delete(name);
    const [oldest] = this.#rows.keys();
    if (this.#rows.size >= REMEMBERED_MAX && oldest !== undefined) this.#rows.delete(oldest);
    this.#rows.set(name, row);
    row.written.catch(() => {
      // The next export tries again.
      if (this.#rows.get(name) === row) this.#rows.delete(name);
    });
    return row;
  }
}

/** A clock that was set back starts a new hour. */
function covers(row: Row, nowMs: number, bytes: number): boolean {
  const age = nowMs - row.atMs;
  return age >= 0 && age < EXPORT_COVERED_MS && bytes <= 2 * row.bytes;
}

/** Parameters are compared decoded: a letter that is written `%61` makes no other address. */
function nameOf({ path, operationId }: ReadRoute, { params, caller: { orgId, accountId, id } }: Exchange): string {
  // A path without parameters has none at all.
  const ids = path.includes(":") ? Object.values(params) : [];
  return JSON.stringify([orgId, accountId ?? id, operationId, ...ids]);
}

/** The day and the instant of the view. */
function momentOf(route: ReadRoute, { request }: Exchange): Pick<Exported, "asOf" | "knownAt"> {
  const { asOf = null, knownAt } = readQuery(route.query, request.url).query;
  return { asOf, knownAt: knownAt === undefined ? null : readInstant(knownAt) };
}

/** Why a row is not on disk yet, or was not to be written. */
async function reasonAgainst(written: Promise<void>): Promise<string | undefined> {
  const late = Promise.withResolvers<string>();
  const timer = setTimeout(() => late.resolve(STILL_WAITING), WAIT_MS);
  try {
    const reason = await Promise.race([written, late.promise]);
    return reason === undefined ? undefined : inWords(reason);
  } catch (thrown) {
    const cause = thrown instanceof Problem ? (thrown.cause ?? thrown.detail) : thrown;
    return inWords(cause instanceof Error ? (cause.stack ?? cause.message) : String(cause));
  } finally {
    clearTimeout(timer);
  }
}

function inWords(reason: string): string {
  return `the audit log does not record this export: ${reason}`;
}
