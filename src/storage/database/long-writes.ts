// Long writes: changes of more rows than one commit should take. The deciding commit records which rows change and how;
// the rows follow in small pieces (server/long-writes/), each logged as usual. Until its turn comes, a row must be read
// as decided: code that shows one of these columns takes it from `decided`.
import { sql } from "kysely";
import type { Call, Principal } from "../../kernel/call.ts";
import { insertRow } from "./row-writes.ts";
import { acrossOrganizations, build, exists, first, type Params, type Reader, type Row, run, type Tx } from "./sql.ts";

/**
 * `release`: the stock that waits for the approval `subject` stops waiting. `forget-valuation`: securities no longer
 * name the valuation. `expect-tokens`: outstanding stock of the class gets tokens if it has none yet. `retry-tokens`:
 * the failed operations of its token run again. `split`: securities are multiplied as the entry says (split-view.ts).
 */
export type LongWriteKind = Row<"long_writes">["kind"];

/** A long write under way. */
export type LongWrite = Row<"long_writes">;

/** The kind of write, and its subject's id. */
type Named = Pick<LongWrite, "kind" | "subject">;

/** The author, for each log row. */
type Origin = Pick<Call, keyof Principal | "requestId" | "method" | "path">;

/**
 * Changes the next few rows after `after`, in the order of `seq`; returns the last one processed, or null at the end.
 */
export type TakePiece = (tx: Tx, call: Call, subject: string, after: number) => number | null;

/** Rows of one piece: two or three milliseconds, the most that another request waits for it. */
export const PIECE = 100;

/** Does the first piece of a write and records the rest, which is done after others had their turn. */
export function beginLongWrite(tx: Tx, call: Call, { kind, subject }: Named, takePiece: TakePiece): void {
  const after = takePiece(tx, call, subject, 0);
  if (after === null) drop(tx, { orgId: call.orgId, kind, subject });
  else note(tx, call, { kind, subject, after });
}

/** Records a write to be done from its first row on, after those recorded before it. */
export function postponeLongWrite(tx: Tx, call: Call, named: Named): void {
  note(tx, call, { ...named, after: 0 });
}

/** Records a write, replacing one of the same kind and subject. */
function note(tx: Tx, call: Call, { kind, subject, after }: Pick<LongWrite, "kind" | "subject" | "after">): void {
  const { orgId, actor, apiKeyId, accountId, actorName, sessionId, requestId, method, path } = call;
  const origin: Origin = { actor, apiKeyId, accountId, actorName, sessionId, requestId, method, path };
  drop(tx, { orgId, kind, subject });
  insertRow(tx, "long_writes", { orgId, kind, subject, after, origin: JSON.stringify(origin) });
}

/**
 * Does the next piece of a write that was found, with the author that requested it; nothing if others have finished it
 * meanwhile: its row number may be that of another write then.
 */
export function continueLongWrite(
  tx: Tx,
  call: Call,
  found: Pick<LongWrite, "seq" | "orgId" | "kind" | "subject">,
  takePiece: TakePiece,
): void {
  const { seq, orgId, kind, subject } = found;
  const write = bySeq(tx, { seq });
  if (write?.orgId !== orgId || write.kind !== kind || write.subject !== subject) return;
  const { after, origin } = write;
  const last = takePiece(tx, { ...call, ...(JSON.parse(origin) as Origin) }, subject, after);
  if (last === null) drop(tx, { orgId, kind, subject });
  else advance(tx, { seq, after: last });
}

/** The last row of a piece; null if the piece was not full, so that it was the last one. */
export function endOfPiece(rows: readonly { readonly seq: number }[]): number | null {
  return rows.length < PIECE ? null : (rows.at(-1)?.seq ?? null);
}

const bySeq = first((param: Params<{ seq: number }>) =>
  acrossOrganizations.selectFrom("long_writes").selectAll().where("seq", "=", param("seq")),
);

/** Drops the rest of a write. */
export function abandonLongWrite(tx: Tx, orgId: string, kind: LongWriteKind, subject: string): void {
  drop(tx, { orgId, kind, subject });
}

const drop = run((param: Params<Pick<LongWrite, "orgId" | "kind" | "subject">>) =>
  build
    .deleteFrom("long_writes")
    .where("orgId", "=", param("orgId"))
    .where("kind", "=", param("kind"))
    .where("subject", "=", param("subject")),
);

const advance = run((param: Params<{ seq: number; after: number }>) =>
  build
    .updateTable("long_writes")
    .set({ after: param("after") })
    .where("seq", "=", param("seq")),
);

/** The oldest write under way of any organization, or null. */
export const findLongWrite = first(() =>
  acrossOrganizations.selectFrom("long_writes").selectAll().orderBy("seq").limit(1),
);

/** Whether any write is under way. */
export const hasLongWrite = exists(() => acrossOrganizations.selectFrom("long_writes").select("seq").limit(1));

const under = exists((param: Params<Pick<LongWrite, "orgId" | "kind" | "subject">>) =>
  acrossOrganizations
    .selectFrom("long_writes")
    .select("seq")
    .where("orgId", "=", param("orgId"))
    .where("kind", "=", param("kind"))
    .where("subject", "=", param("subject")),
);

/** Whether the write is under way. */
export function isUnderWay(db: Reader, orgId: string, kind: LongWriteKind, subject: string): boolean {
  return under(db, { orgId, kind, subject });
}

/**
 * Whether a row of `securities` is still to come in a write of the kind whose subject is in `column`. In the usual
 * case, without a long write, SQLite finds that out once for all rows.
 */
function isToCome(kind: LongWriteKind, column: "approvalId" | "valuationId" | "stockClassId") {
  return sql<boolean>`exists (select 1 from long_writes) and exists (
    select 1 from long_writes where long_writes."orgId" = securities."orgId"
    and long_writes.kind = ${sql.lit(kind)} and long_writes.subject = securities.${sql.ref(column)}
    and long_writes."after" < securities.seq)`;
}

/** Whether stock still counts as waiting for an approval. */
export const isWaiting = sql<boolean>`(securities."isGated" = 1 and not (${isToCome("release", "approvalId")}))`;

const isExpectingTokens = sql<boolean>`(securities."tokenStatus" in ('FAILED', 'NOT_APPLICABLE')
  and securities.type = 'STOCK' and securities.status = 'ACTIVE' and securities."deletedAt" is null
  and ${isToCome("expect-tokens", "stockClassId")})`;

/** The decided values of the columns of `securities` that long writes change. */
export const decided = {
  tokenStatus: sql<Row<"securities">["tokenStatus"]>`case
    when securities."tokenStatus" = 'PENDING_APPROVAL' and not ${isWaiting} then 'PENDING'
    when ${isExpectingTokens} then iif(${isWaiting}, 'PENDING_APPROVAL', 'PENDING')
    else securities."tokenStatus" end`,
  tokenError: sql<string | null>`iif(${isExpectingTokens}, null, securities."tokenError")`,
  valuationId: sql<string | null>`iif(securities."valuationId" is not null
    and ${isToCome("forget-valuation", "valuationId")}, null, securities."valuationId")`,
} as const;
