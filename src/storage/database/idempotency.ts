// Stored answers of idempotent requests: committed with the record that they report, so that a crash can never separate
// the two. Scope: organization, method, path, key.

import { toTimestamp } from "../../kernel/runtime.ts";
import { build, ofOrganization, type Params, type Reader, statement, type Tx } from "./sql.ts";
import { adding } from "./waiting-rows.ts";

const KEPT_DAYS = 30;

/** The answer of a write, as it goes over the wire. */
export interface Answer {
  readonly status: number;
  /** JSON text; empty for `204`. */
  readonly body: string;
  readonly location: string | null;
}

/** The identity of an idempotent request. */
export interface IdempotentRequest {
  readonly orgId: string;
  readonly key: string;
  readonly method: string;
  readonly path: string;
  /** A digest of the body as a JSON value. */
  readonly bodyHash: string;
}

const find = statement((param: Params<Omit<IdempotentRequest, "bodyHash">>) =>
  ofOrganization("idempotency_keys", param)
    .select(["bodyHash", "status", "body", "location"])
    .where("key", "=", param("key"))
    .where("method", "=", param("method"))
    .where("path", "=", param("path")),
);

/** The stored answer of an earlier success with this key and whether its body was the same; null if the key is new. */
export function findAnswer(
  db: Reader & Pick<Tx, "waiting">,
  request: IdempotentRequest,
): (Answer & { readonly isSameBody: boolean }) | null {
  // Whether or not its path is the same: then what waits is stored first.
  const isNew = db.waiting?.has(nameOf(request)) === false;
  const row = isNew ? find.firstStored(db, request) : find.first(db, request);
  return row && { ...row, isSameBody: row.bodyHash === request.bodyHash };
}

const addAnswer = adding("idempotency_keys", [
  ...(["orgId", "key", "method", "path", "bodyHash", "status", "body", "location", "createdAt"] as const),
]);

/** Stores the answer of a success at the instant `at`. */
export function insertAnswer(tx: Tx, request: IdempotentRequest, answer: Answer, at: string): void {
  addAnswer(tx, { ...request, ...answer, createdAt: at });
  tx.waiting?.note(nameOf(request));
}

function nameOf({ key }: IdempotentRequest): string {
  return `key ${key}`;
}

/** Of the oldest answers alone: where none is old enough, the others need not be read. */
const prune = statement((param: Params<{ before: string; most: number }>) =>
  build
    .deleteFrom("idempotency_keys")
    .where("seq", "in", (rows) => rows.selectFrom("idempotency_keys").select("seq").orderBy("seq").limit(param("most")))
    .where("createdAt", "<", param("before")),
);

/** Deletes at most `most` answers older than 30 days before `nowMs`; returns how many. */
export function pruneAnswers(tx: Tx, nowMs: number, most: number): number {
  return prune.run(tx, {
    before: toTimestamp(nowMs - KEPT_DAYS * 86_400_000),
    most,
  });
}
