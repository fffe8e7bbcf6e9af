// What the program told its clients that it had kept, and whether a data directory still has it: the record, the line
// of the audit log, and the answer that a retry gets. Reads SQLite itself: the program's own word is what is checked.
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { hashKey } from "../../../src/resources/api-keys/key.ts";
import type { Reader } from "../../../src/storage/database/sql.ts";
import { bytesOf, type SystemCall } from "./trace.ts";

/** Something that was promised to be kept. */
export interface Promised {
  readonly what: string;
  /** The request's id, where it was one; its answer's first bytes are the moment of the promise. */
  readonly requestId: string | null;
  /** Text that a command printed at the moment of the promise, for what was no request. */
  readonly printed: string | null;
  /** Records that must be there. */
  readonly ids: readonly string[];
  /** The stored answer that must be there. */
  readonly answer: { readonly key: string; readonly body: string } | null;
  /** A file that must be there: its path below the traced folder, and its SHA-256. */
  readonly file: { readonly path: string; readonly sha256: string } | null;
}

/** What a database holds, as far as promises speak of it. */
export interface Contents {
  readonly ids: ReadonlySet<string>;
  readonly requests: ReadonlySet<string>;
  readonly answers: ReadonlyMap<string, string>;
  /** Ledger entries with their hashes, and the audit log: both only grow. */
  readonly ledger: readonly string[];
  readonly audit: readonly string[];
  readonly keyHashes: ReadonlySet<string>;
}

/** Reads what an opened database holds. */
export function contentsOf({ sqlite }: Reader): Contents {
  const column = (sql: string) => sqlite.prepare<[], string>(sql).pluck().all();
  const withIds = column(
    "select m.name from sqlite_master m, pragma_table_info(m.name) c where m.type = 'table' and c.name = 'id'",
  );
  const ids = withIds.flatMap((table) => column(`select cast(id as text) from "${table}"`));
  const answers = sqlite.prepare<[], [string, string]>("select key, body from idempotency_keys").raw().all();
  return {
    ids: new Set(ids),
    requests: new Set(column("select requestId from audit_log where requestId is not null")),
    answers: new Map(answers),
    ledger: column("select orgId || sequence || hash from transactions order by seq"),
    audit: column("select id from audit_log order by seq"),
    keyHashes: new Set(column("select keyHash from api_keys")),
  };
}

/** What of `promised` is not kept in `contents`, and in the files below `folder`. */
export function broken(promised: readonly Promised[], contents: Contents, folder: string): string[] {
  return promised
    .filter(({ requestId, ids, answer, file }) => {
      const isKept =
        (requestId === null || contents.requests.has(requestId)) &&
        ids.every((id) => contents.ids.has(id)) &&
        (answer === null || contents.answers.get(answer.key) === answer.body) &&
        (file === null || hasFile(join(folder, file.path), file.sha256));
      return !isKept;
    })
    .map(({ what }) => `lost: ${what}`);
}

function hasFile(path: string, sha256: string): boolean {
  return existsSync(path) && createHash("sha256").update(readFileSync(path)).digest("hex") === sha256;
}

/** What is wrong with the history of `contents`, given what it was to become: it must be its beginning. */
export function misremembered(contents: Contents, later: Contents): string[] {
  const isBeginning = (part: readonly string[], whole: readonly string[]) =>
    part.every((text, at) => whole[at] === text);
  return [
    ...(isBeginning(contents.ledger, later.ledger) ? [] : ["the ledger is not a beginning of the later one"]),
    ...(isBeginning(contents.audit, later.audit) ? [] : ["the audit log is not a beginning of the later one"]),
  ];
}

/** Whether a data directory with an organization has the first key, in a form that opens it. */
export function lacksFirstKey(contents: Contents, dataDir: string): string[] {
  if (contents.keyHashes.size === 0) return [];
  const file = join(dataDir, "admin.key");
  const key = existsSync(file) ? readFileSync(file, "utf8").trim() : "";
  return contents.keyHashes.has(hashKey(key)) ? [] : ["the first key is not in admin.key, and nowhere else"];
}

/** When each promise was given, from a trace: the moment its first byte was handed to the system. */
export function momentsOf(promised: readonly Promised[], calls: readonly SystemCall[]): Map<Promised, number> {
  const answered = new Map<string, number>();
  const spoken: { at: number; text: string }[] = [];
  for (const { name, args, at } of calls) {
    if (!/^(sendto|sendmsg|writev?)$/.test(name)) continue;
    const text = bytesOf(args[1]?.slice(0, 8000)).toString("latin1");
    spoken.push({ at, text });
    const id = /^HTTP\/1\.1 2[\s\S]*?\r\nx-request-id: (\S+)/i.exec(text)?.[1];
    if (id !== undefined && !answered.has(id)) answered.set(id, at);
  }
  const moment = ({ requestId, printed, what }: Promised) => {
    const at =
      requestId === null ? spoken.find(({ text }) => text.includes(printed ?? "")) : { at: answered.get(requestId) };
    if (at?.at === undefined) throw new Error(`the trace does not show the answer of ${what}`);
    return at.at;
  };
  return new Map(promised.map((one) => [one, moment(one)]));
}
