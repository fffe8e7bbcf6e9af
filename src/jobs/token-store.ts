// A class's token, what each security has there, and the ledger's side of it. Amounts are counts of 10^-10 shares,
// stored as text; addresses are in checksum form.
import { sql } from "kysely";
import type { Address } from "../chain/port.ts";
import type { TokensTable } from "../database/chain-schema.ts";
import {
  build,
  insertRow,
  type Params,
  type Reader,
  type Row,
  statement,
  type Tx,
  updateRow,
  variants,
} from "../database/sql.ts";
import { type Decimal, parseDecimal, sum } from "../kernel/decimal.ts";

/** What a security has, or is to have, on chain. */
export interface Position {
  readonly securityId: string;
  readonly address: Address;
  readonly quantity: Decimal;
}

interface OfClass {
  readonly orgId: string;
  readonly stockClassId: string;
}

const classById = statement((param: Params<{ orgId: string; id: string }>) =>
  build.selectFrom("share_classes").selectAll().where("orgId", "=", param("orgId")).where("id", "=", param("id")),
);

/** The share class, a deleted one too; null when there is none. */
export function findClass(db: Reader, orgId: string, id: string): Row<"share_classes"> | null {
  return classById.first(db, { orgId, id });
}

/** Notes how far a class's tokenization is. */
export function setTokenization(
  tx: Tx,
  orgId: string,
  id: string,
  changes: Partial<Pick<Row<"share_classes">, "tokenizationStatus" | "tokenAddress" | "tokenError">>,
): void {
  updateRow(tx, "share_classes", orgId, id, changes);
}

const classes = statement((_param: Params<object>) =>
  build
    .selectFrom("share_classes")
    .selectAll()
    .where("tokenizationStatus", "in", ["PENDING", "DEPLOYED"])
    .orderBy("seq"),
);

/** Every class of any organization that has a token or is getting one. */
export function listTokenized(db: Reader): Row<"share_classes">[] {
  return classes.all(db, {});
}

const asked = statement((_param: Params<object>) =>
  build.selectFrom("share_classes").selectAll().where("tokenizationStatus", "<>", "NOT_STARTED").orderBy("seq"),
);

/** Every class of any organization that has, or is to have, a token. */
export function listAskedFor(db: Reader): Row<"share_classes">[] {
  return asked.all(db, {});
}

const overdue = statement((param: Params<{ nowMs: number }>) =>
  build
    .selectFrom("tokens")
    .innerJoin("share_classes as class", (join) =>
      join.onRef("class.orgId", "=", "tokens.orgId").onRef("class.id", "=", "tokens.stockClassId"),
    )
    .select(["tokens.orgId", "tokens.stockClassId"])
    .where("class.tokenizationStatus", "=", "PENDING")
    .where("tokens.deadlineMs", "<=", param("nowMs")),
);

/** The classes whose deployment has taken too long. */
export function listOverdue(db: Reader, nowMs: number): OfClass[] {
  return overdue.all(db, { nowMs });
}

const tokenOf = statement((param: Params<OfClass>) =>
  build
    .selectFrom("tokens")
    .selectAll()
    .where("orgId", "=", param("orgId"))
    .where("stockClassId", "=", param("stockClassId")),
);

/** What is kept of a class's token, or null before its first deployment began. */
export function findToken(db: Reader, orgId: string, stockClassId: string): Row<"tokens"> | null {
  return tokenOf.first(db, { orgId, stockClassId });
}

type TokenFigures = Pick<TokensTable, "deadlineMs" | "authorized" | "totalSupply" | "lastReconciledAt">;
const NO_FIGURES: TokenFigures = { deadlineMs: null, authorized: null, totalSupply: null, lastReconciledAt: null };

const putToken = statement((param: Params<OfClass & TokenFigures>) => {
  const figures = {
    deadlineMs: param("deadlineMs"),
    authorized: param("authorized"),
    totalSupply: param("totalSupply"),
    lastReconciledAt: param("lastReconciledAt"),
  };
  return build
    .insertInto("tokens")
    .values({ orgId: param("orgId"), stockClassId: param("stockClassId"), ...figures })
    .onConflict((conflict) => conflict.columns(["orgId", "stockClassId"]).doUpdateSet(figures));
});

/** Changes some of what is kept of a class's token. */
export function changeToken(tx: Tx, orgId: string, stockClassId: string, changes: Partial<TokenFigures>): void {
  const before = findToken(tx, orgId, stockClassId) ?? NO_FIGURES;
  putToken.run(tx, { ...before, ...changes, orgId, stockClassId });
}

const positionOf = statement((param: Params<OfClass & { securityId: string }>) =>
  build
    .selectFrom("token_positions")
    .selectAll()
    .where("orgId", "=", param("orgId"))
    .where("stockClassId", "=", param("stockClassId"))
    .where("securityId", "=", param("securityId")),
);

/** What a security has in a class's token once every operation is done; null when nothing. */
export function findPosition(db: Reader, orgId: string, stockClassId: string, securityId: string): Position | null {
  const row = positionOf.first(db, { orgId, stockClassId, securityId });
  return row && { securityId, address: row.address as Address, quantity: BigInt(row.quantity) };
}

const putPosition = statement((param: Params<OfClass & { securityId: string; address: string; quantity: string }>) => {
  const place = { address: param("address"), quantity: param("quantity") };
  return build
    .insertInto("token_positions")
    .values({ orgId: param("orgId"), stockClassId: param("stockClassId"), securityId: param("securityId"), ...place })
    .onConflict((conflict) => conflict.columns(["orgId", "stockClassId", "securityId"]).doUpdateSet(place));
});

const dropPosition = statement((param: Params<OfClass & { securityId: string }>) =>
  build
    .deleteFrom("token_positions")
    .where("orgId", "=", param("orgId"))
    .where("stockClassId", "=", param("stockClassId"))
    .where("securityId", "=", param("securityId")),
);

/** Notes what a security has from now on; null: nothing. */
export function storePosition(
  tx: Tx,
  orgId: string,
  stockClassId: string,
  securityId: string,
  position: Position | null,
): void {
  const key = { orgId, stockClassId, securityId };
  if (position === null) dropPosition.run(tx, key);
  else putPosition.run(tx, { ...key, address: position.address, quantity: String(position.quantity) });
}

const dropPositions = statement((param: Params<OfClass>) =>
  build
    .deleteFrom("token_positions")
    .where("orgId", "=", param("orgId"))
    .where("stockClassId", "=", param("stockClassId")),
);

/** Forgets every position of a class, because its token is gone. */
export function forgetPositions(tx: Tx, orgId: string, stockClassId: string): void {
  dropPositions.run(tx, { orgId, stockClassId });
}

const quantities = statement((param: Params<OfClass>) =>
  build
    .selectFrom("token_positions")
    .select("quantity")
    .where("orgId", "=", param("orgId"))
    .where("stockClassId", "=", param("stockClassId")),
);

/** The supply of a class's token once every operation is done. */
export function plannedSupply(db: Reader, orgId: string, stockClassId: string): Decimal {
  return sum(quantities.all(db, { orgId, stockClassId }).map(({ quantity }) => BigInt(quantity)));
}

const securityById = statement((param: Params<{ orgId: string; id: string }>) =>
  build.selectFrom("securities").selectAll().where("orgId", "=", param("orgId")).where("id", "=", param("id")),
);

/** The security, a deleted one too; null when there is none. */
export function findAnySecurity(db: Reader, orgId: string, id: string): Row<"securities"> | null {
  return securityById.first(db, { orgId, id });
}

/** Notes what became of a security's tokens. */
export function setTokenStatus(
  tx: Tx,
  orgId: string,
  id: string,
  changes: Partial<Pick<Row<"securities">, "tokenStatus" | "tokenTransactionHash" | "tokenError" | "isGated">>,
): void {
  updateRow(tx, "securities", orgId, id, changes);
}

const page = statement((param: Params<OfClass & { after: number; limit: number }>) =>
  build
    .selectFrom("securities")
    .select(["seq", "id"])
    .where("orgId", "=", param("orgId"))
    .where("stockClassId", "=", param("stockClassId"))
    .where("type", "=", "STOCK")
    .where("seq", ">", param("after"))
    .orderBy("seq")
    .limit(param("limit")),
);

/** Stock of a class, page by page in the order of making. */
export function pageOfStock(
  db: Reader,
  orgId: string,
  stockClassId: string,
  after: number,
  limit: number,
): { readonly seq: number; readonly id: string }[] {
  return page.all(db, { orgId, stockClassId, after, limit });
}

const activeStock = statement((param: Params<OfClass>) =>
  build
    .selectFrom("securities")
    .innerJoin("stakeholders as holder", (join) =>
      join.onRef("holder.orgId", "=", "securities.orgId").onRef("holder.id", "=", "securities.stakeholderId"),
    )
    .select([
      "securities.id",
      "securities.quantity",
      "securities.isGated",
      sql<string | null>`coalesce("holder"."walletAddress", "holder"."custodialAddress")`.as("address"),
    ])
    .where("securities.orgId", "=", param("orgId"))
    .where("securities.stockClassId", "=", param("stockClassId"))
    .where("securities.type", "=", "STOCK")
    .where("securities.status", "=", "ACTIVE")
    .where("securities.deletedAt", "is", null),
);

/** Every outstanding stock security of a class with its holder's address (null: none is assigned yet). */
export function listActiveStock(db: Reader, orgId: string, stockClassId: string) {
  return activeStock.all(db, { orgId, stockClassId });
}

const waiting = statement((param: Params<OfClass>) =>
  build
    .selectFrom("securities")
    .select("quantity")
    .where("orgId", "=", param("orgId"))
    .where("stockClassId", "=", param("stockClassId"))
    .where("type", "=", "STOCK")
    .where("status", "=", "ACTIVE")
    .where("isGated", "=", 1)
    .where("deletedAt", "is", null),
);

/** How many outstanding shares of a class wait for an approval. */
export function awaitingApproval(db: Reader, orgId: string, stockClassId: string): Decimal {
  return sum(waiting.all(db, { orgId, stockClassId }).map(({ quantity }) => parseDecimal(quantity)));
}

const become = statement((param: Params<OfClass>) =>
  build
    .updateTable("securities")
    .set({ tokenStatus: sql`case "isGated" when 1 then 'PENDING_APPROVAL' else 'PENDING' end`, tokenError: null })
    .where("orgId", "=", param("orgId"))
    .where("stockClassId", "=", param("stockClassId"))
    .where("type", "=", "STOCK")
    .where("status", "=", "ACTIVE")
    .where("deletedAt", "is", null)
    .where("tokenStatus", "in", ["NOT_APPLICABLE", "FAILED"]),
);

/** Shows a class's outstanding stock as about to get tokens, where it has none. */
export function awaitTokens(tx: Tx, orgId: string, stockClassId: string): void {
  become.run(tx, { orgId, stockClassId });
}

const lose = statement((param: Params<OfClass & { reason: string }>) =>
  build
    .updateTable("securities")
    .set({ tokenStatus: "FAILED", tokenError: param("reason"), tokenTransactionHash: null })
    .where("orgId", "=", param("orgId"))
    .where("stockClassId", "=", param("stockClassId"))
    .where("tokenStatus", "in", ["PENDING", "MINTED"]),
);

/** Shows a class's stock as without tokens, because their chain is gone. */
export function loseTokens(tx: Tx, orgId: string, stockClassId: string, reason: string): void {
  lose.run(tx, { orgId, stockClassId, reason });
}

const classesOfHolder = statement((param: Params<{ orgId: string; stakeholderId: string }>) =>
  build
    .selectFrom("securities")
    .select(["id", "stockClassId"])
    .where("orgId", "=", param("orgId"))
    .where("stakeholderId", "=", param("stakeholderId"))
    .where("type", "=", "STOCK")
    .where("status", "=", "ACTIVE")
    .where("deletedAt", "is", null)
    .where("stockClassId", "is not", null),
);

/** The outstanding stock of a holder. */
export function listStockOfHolder(db: Reader, orgId: string, stakeholderId: string) {
  return classesOfHolder.all(db, { orgId, stakeholderId });
}

const gatedBy = statement((param: Params<{ orgId: string; approvalId: string }>) =>
  build
    .selectFrom("securities")
    .select(["id", "stockClassId"])
    .where("orgId", "=", param("orgId"))
    .where("approvalId", "=", param("approvalId"))
    .where("isGated", "=", 1)
    .where("stockClassId", "is not", null),
);

/** The securities that wait for an approval. */
export function listGatedBy(db: Reader, orgId: string, approvalId: string) {
  return gatedBy.all(db, { orgId, approvalId });
}

const holderById = statement((param: Params<{ orgId: string; id: string }>) =>
  build.selectFrom("stakeholders").selectAll().where("orgId", "=", param("orgId")).where("id", "=", param("id")),
);

/** The stakeholder, a deleted one too; null when there is none. */
export function findHolder(db: Reader, orgId: string, id: string): Row<"stakeholders"> | null {
  return holderById.first(db, { orgId, id });
}

/** Notes the address that the service assigned to a holder. */
export function setCustody(tx: Tx, orgId: string, id: string, custodialIndex: number, custodialAddress: string): void {
  updateRow(tx, "stakeholders", orgId, id, { custodialIndex, custodialAddress });
}

/** The address under which a difference of the total supply is noted. */
export const TOTAL = "total";

const differences = statement((param: Params<OfClass>) =>
  build
    .selectFrom("token_differences")
    .selectAll()
    .where("orgId", "=", param("orgId"))
    .where("stockClassId", "=", param("stockClassId"))
    .orderBy("address"),
);

/** Where a class's token was last found to differ from the ledger. */
export function listDifferences(db: Reader, orgId: string, stockClassId: string): Row<"token_differences">[] {
  return differences.all(db, { orgId, stockClassId });
}

const forgetDifferences = variants((param: Params<OfClass>, isComplete: boolean) => {
  const query = build
    .deleteFrom("token_differences")
    .where("orgId", "=", param("orgId"))
    .where("stockClassId", "=", param("stockClassId"));
  return isComplete ? query : query.where("address", "=", TOTAL);
});

/** Forgets a class's differences: all of them, or only the total's. */
export function dropDifferences(tx: Tx, orgId: string, stockClassId: string, isComplete: boolean): void {
  forgetDifferences(isComplete).run(tx, { orgId, stockClassId });
}

/** Notes a difference. */
export function storeDifference(
  tx: Tx,
  orgId: string,
  stockClassId: string,
  difference: Pick<Row<"token_differences">, "address" | "expected" | "found" | "since">,
): void {
  insertRow(tx, "token_differences", { ...difference, orgId, stockClassId });
}

const positions = statement((param: Params<OfClass>) =>
  build
    .selectFrom("token_positions")
    .selectAll()
    .where("orgId", "=", param("orgId"))
    .where("stockClassId", "=", param("stockClassId")),
);

/** What every security has in a class's token once every operation is done. */
export function listPositions(db: Reader, orgId: string, stockClassId: string): Row<"token_positions">[] {
  return positions.all(db, { orgId, stockClassId });
}
