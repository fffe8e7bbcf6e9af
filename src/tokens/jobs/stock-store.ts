// Store of stock for tokens: the stock of a class, its holders, and the token status of each security.
import { sql } from "kysely";
import type { Call } from "../../kernel/call.ts";
import { type Decimal, parseDecimal, sum } from "../../kernel/numbers/decimal.ts";
import { changeLogged } from "../../storage/database/log/logged.ts";
import {
  abandonLongWrite,
  beginLongWrite,
  endOfPiece,
  isWaiting,
  PIECE,
  type TakePiece,
} from "../../storage/database/long-writes.ts";
import {
  all,
  ofOrganization,
  type Params,
  type Reader,
  type Row,
  statement,
  type Tx,
} from "../../storage/database/sql.ts";

interface OfClass {
  readonly orgId: string;
  readonly stockClassId: string;
}

/** Records the token status of a security. */
export function setTokenStatus(
  tx: Tx,
  call: Call,
  id: string,
  changes: Partial<Pick<Row<"securities">, "tokenStatus" | "tokenTransactionHash" | "tokenError" | "isGated">>,
): void {
  changeLogged(tx, call, "securities", id, changes);
}

/** Stock of a class, page by page in the order of creation. */
export const pageOfStock = all((param: Params<OfClass & { after: number; limit: number }>) =>
  ofOrganization("securities", param)
    .select(["seq", "id"])
    .where("stockClassId", "=", param("stockClassId"))
    .where("type", "=", "STOCK")
    .where("seq", ">", param("after"))
    .orderBy("seq")
    .limit(param("limit")),
);

/** Securities of a holder, page by page in the order of creation. */
export const pageOfHolder = all(
  (param: Params<{ orgId: string; stakeholderId: string; after: number; limit: number }>) =>
    ofOrganization("securities", param)
      .select(["seq", "id", "type", "stockClassId"])
      .where("stakeholderId", "=", param("stakeholderId"))
      .where("seq", ">", param("after"))
      .orderBy("seq")
      .limit(param("limit")),
);

/** Every outstanding stock security of a class with its holder's address (null: not assigned yet). */
export const listActiveStock = all((param: Params<OfClass>) =>
  ofOrganization("securities", param)
    .innerJoin("stakeholders as holder", (join) =>
      join.onRef("holder.orgId", "=", "securities.orgId").onRef("holder.id", "=", "securities.stakeholderId"),
    )
    .select([
      "securities.id",
      "securities.quantity",
      "securities.isGated",
      sql<string | null>`coalesce("holder"."walletAddress", "holder"."custodialAddress")`.as("address"),
    ])
    .where("securities.stockClassId", "=", param("stockClassId"))
    .where("securities.type", "=", "STOCK")
    .where("securities.status", "=", "ACTIVE")
    .where("securities.deletedAt", "is", null),
);

const waiting = statement((param: Params<OfClass>) =>
  ofOrganization("securities", param)
    .select("quantity")
    .where("stockClassId", "=", param("stockClassId"))
    .where("type", "=", "STOCK")
    .where("status", "=", "ACTIVE")
    .where(isWaiting)
    .where("deletedAt", "is", null),
);

/** How many outstanding shares of a class wait for an approval. */
export function awaitingApproval(db: Reader, orgId: string, stockClassId: string): Decimal {
  return sum(waiting.all(db, { orgId, stockClassId }).map(({ quantity }) => parseDecimal(quantity)));
}

const statusOfStock = statement((param: Params<OfClass & { after: number; limit: number }>) =>
  ofOrganization("securities", param)
    .select(["seq", "id", "status", "deletedAt", "tokenStatus"])
    .select(isWaiting.as("isWaiting"))
    .where("stockClassId", "=", param("stockClassId"))
    .where("type", "=", "STOCK")
    .where("seq", ">", param("after"))
    .orderBy("seq")
    .limit(param("limit")),
);

/** Marks a class's outstanding stock without tokens as awaiting them. */
export function markTokensPending(tx: Tx, call: Call, stockClassId: string): void {
  beginLongWrite(tx, call, { kind: "expect-tokens", subject: stockClassId }, markPiece);
}

/** Marks the next stock of a class so. */
export const markPiece: TakePiece = (tx, call, stockClassId, after) => {
  const rows = statusOfStock.all(tx, { orgId: call.orgId, stockClassId, after, limit: PIECE });
  for (const { id, status, deletedAt, tokenStatus: was, isWaiting } of rows) {
    const isOutstanding = status === "ACTIVE" && deletedAt === null;
    if (!isOutstanding || (was !== "NOT_APPLICABLE" && was !== "FAILED")) continue;
    setTokenStatus(tx, call, id, { tokenStatus: isWaiting ? "PENDING_APPROVAL" : "PENDING", tokenError: null });
  }
  return endOfPiece(rows);
};

const withTokens = statement((param: Params<OfClass>) =>
  ofOrganization("securities", param)
    .select("id")
    .where("stockClassId", "=", param("stockClassId"))
    .where("tokenStatus", "in", ["PENDING", "MINTED"]),
);

/** Marks a class's stock as without tokens, because their chain is gone. */
export function markTokensLost(tx: Tx, call: Call, stockClassId: string, reason: string): void {
  abandonTokens(tx, call, stockClassId);
  const lost = { tokenStatus: "FAILED", tokenError: reason, tokenTransactionHash: null } as const;
  for (const { id } of withTokens.all(tx, { orgId: call.orgId, stockClassId })) setTokenStatus(tx, call, id, lost);
}

/** Also drops the long write that was to mark stock as awaiting tokens. */
function abandonTokens(tx: Tx, { orgId }: Call, stockClassId: string): void {
  for (const kind of ["expect-tokens", "retry-tokens"] as const) abandonLongWrite(tx, orgId, kind, stockClassId);
}

const expecting = statement((param: Params<OfClass>) =>
  ofOrganization("securities", param)
    .select("id")
    .where("stockClassId", "=", param("stockClassId"))
    .where("tokenStatus", "<>", "NOT_APPLICABLE"),
);

/** Marks a class's stock as without tokens, because the class will have none. */
export function expectNoTokens(tx: Tx, call: Call, stockClassId: string): void {
  abandonTokens(tx, call, stockClassId);
  const none = { tokenStatus: "NOT_APPLICABLE", tokenError: null, tokenTransactionHash: null } as const;
  for (const { id } of expecting.all(tx, { orgId: call.orgId, stockClassId })) setTokenStatus(tx, call, id, none);
}

/** The holder's custodial wallet: the index of the address under the holders' seed, and the address. */
export interface Custody {
  readonly custodialIndex: number;
  readonly custodialAddress: string;
}

/** Records the address assigned to a holder. */
export function setCustody(tx: Tx, call: Call, id: string, custody: Custody): void {
  changeLogged(tx, call, "stakeholders", id, custody);
}
