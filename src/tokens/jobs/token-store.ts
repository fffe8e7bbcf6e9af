// Store of tokens: a class's token, each security's position in it, and its differences from the ledger. Amounts are
// counts of 10^-10 shares, stored as text; addresses are in checksum form.

import type { Call } from "../../kernel/call.ts";
import { type Decimal, sum } from "../../kernel/numbers/decimal.ts";
import type { Address } from "../../kernel/text/wallet-address.ts";
import { isOfOpen } from "../../storage/database/closed.ts";
import { changeLogged } from "../../storage/database/log/logged.ts";
import { insertRow } from "../../storage/database/row-writes.ts";
import {
  acrossOrganizations,
  all,
  build,
  first,
  ofOrganization,
  type Params,
  type Reader,
  type Row,
  run,
  statement,
  type Tx,
  variants,
} from "../../storage/database/sql.ts";
import type { TokensTable } from "../../storage/database/tables/chain-schema.ts";

/** A security's present or wanted position on chain. */
export interface Position {
  readonly securityId: string;
  readonly address: Address;
  readonly quantity: Decimal;
}

interface OfClass {
  readonly orgId: string;
  readonly stockClassId: string;
}

/** Records the progress of a class's tokenization. */
export function setTokenization(
  tx: Tx,
  call: Call,
  id: string,
  changes: Partial<Pick<Row<"share_classes">, "isImported" | "tokenizationStatus" | "tokenAddress" | "tokenError">>,
): void {
  changeLogged(tx, call, "share_classes", id, changes);
}

/** Every class of any organization that has a token or is getting one. */
export const listTokenized = all(() =>
  acrossOrganizations
    .selectFrom("share_classes")
    .selectAll()
    .where("tokenizationStatus", "in", ["PENDING", "DEPLOYED"])
    .orderBy("seq"),
);

/** Every class of any organization that has, or is to have, a token. */
export const listAskedFor = all(() =>
  acrossOrganizations
    .selectFrom("share_classes")
    .selectAll()
    .where("tokenizationStatus", "<>", "NOT_STARTED")
    .orderBy("seq"),
);

/** Every class of any organization that should have a token, and has neither one nor a deployment under way. */
export const listWithoutToken = all(() =>
  acrossOrganizations
    .selectFrom("share_classes")
    .selectAll()
    .where("deletedAt", "is", null)
    .where((where) =>
      where.or([
        where("tokenizationStatus", "=", "FAILED"),
        where.and([where("tokenizationStatus", "=", "NOT_STARTED"), where("isImported", "=", 0)]),
      ]),
    )
    .orderBy("seq"),
);

/** `cross join` keeps the order: few tokens have a deadline, and every organization has classes. */
const overdue = statement((param: Params<{ nowMs: number; latestMs: number }>) =>
  acrossOrganizations
    .selectFrom("tokens")
    .crossJoin("share_classes as class")
    .whereRef("class.orgId", "=", "tokens.orgId")
    .whereRef("class.id", "=", "tokens.stockClassId")
    .select(["tokens.orgId", "tokens.stockClassId", "tokens.deadlineMs"])
    .where("class.tokenizationStatus", "=", "PENDING")
    .where(isOfOpen("tokens.orgId"))
    .where((where) =>
      where.or([where("tokens.deadlineMs", "<=", param("nowMs")), where("tokens.deadlineMs", ">", param("latestMs"))]),
    ),
);

/** The longest deployment before it counts as failed, whatever the cause, and may be started again. */
export const DEPLOYMENT_MS_MAX = 10 * 60_000;

/** The classes whose deployment has exceeded that, or whose deadline is too far away: then the clock was set back. */
export function listOverdue(db: Reader, nowMs: number): (OfClass & { readonly isTooFarOff: boolean })[] {
  const found = overdue.all(db, { nowMs, latestMs: nowMs + DEPLOYMENT_MS_MAX });
  return found.map(({ orgId, stockClassId, deadlineMs }) => {
    return { orgId, stockClassId, isTooFarOff: deadlineMs !== null && deadlineMs > nowMs };
  });
}

/** The record of a class's token, or null before its first deployment began. */
export const findToken = first((param: Params<OfClass>) =>
  ofOrganization("tokens", param).selectAll().where("stockClassId", "=", param("stockClassId")),
);

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

/** Changes some columns of a class's token. */
export function changeToken(tx: Tx, orgId: string, stockClassId: string, changes: Partial<TokenFigures>): void {
  const before = findToken(tx, { orgId, stockClassId }) ?? NO_FIGURES;
  putToken.run(tx, { ...before, ...changes, orgId, stockClassId });
}

/** A security in a class's token. */
export interface PositionKey extends OfClass {
  readonly securityId: string;
}

const positionOf = statement((param: Params<PositionKey>) =>
  ofOrganization("token_positions", param)
    .selectAll()
    .where("stockClassId", "=", param("stockClassId"))
    .where("securityId", "=", param("securityId")),
);

/** A security's position in a class's token once every operation is done; null if it has none. */
export function findPosition(db: Reader, key: PositionKey): Position | null {
  const row = positionOf.first(db, key);
  return row && { securityId: key.securityId, address: row.address as Address, quantity: BigInt(row.quantity) };
}

const putPosition = statement((param: Params<PositionKey & { address: string; quantity: string }>) => {
  const place = { address: param("address"), quantity: param("quantity") };
  return build
    .insertInto("token_positions")
    .values({ orgId: param("orgId"), stockClassId: param("stockClassId"), securityId: param("securityId"), ...place })
    .onConflict((conflict) => conflict.columns(["orgId", "stockClassId", "securityId"]).doUpdateSet(place));
});

const dropPosition = statement((param: Params<PositionKey>) =>
  build
    .deleteFrom("token_positions")
    .where("orgId", "=", param("orgId"))
    .where("stockClassId", "=", param("stockClassId"))
    .where("securityId", "=", param("securityId")),
);

/** Records a security's position; null deletes it. */
export function storePosition(tx: Tx, key: PositionKey, position: Position | null): void {
  if (position === null) dropPosition.run(tx, key);
  else putPosition.run(tx, { ...key, address: position.address, quantity: String(position.quantity) });
}

/** Deletes every position of a class, because its token is gone. */
export const forgetPositions = run((param: Params<OfClass>) =>
  build
    .deleteFrom("token_positions")
    .where("orgId", "=", param("orgId"))
    .where("stockClassId", "=", param("stockClassId")),
);

const quantities = statement((param: Params<OfClass>) =>
  ofOrganization("token_positions", param).select("quantity").where("stockClassId", "=", param("stockClassId")),
);

/** The supply of a class's token once every operation is done. */
export function plannedSupply(db: Reader, orgId: string, stockClassId: string): Decimal {
  return sum(quantities.all(db, { orgId, stockClassId }).map(({ quantity }) => BigInt(quantity)));
}

/** The address under which a difference of the total supply is recorded. */
export const TOTAL = "total";

/** A class's recorded differences between token and ledger. */
export const listDifferences = all((param: Params<OfClass>) =>
  ofOrganization("token_differences", param)
    .selectAll()
    .where("stockClassId", "=", param("stockClassId"))
    .orderBy("address"),
);

const forgetDifferences = variants((param: Params<OfClass>, isComplete: boolean) => {
  const query = build
    .deleteFrom("token_differences")
    .where("orgId", "=", param("orgId"))
    .where("stockClassId", "=", param("stockClassId"));
  return isComplete ? query : query.where("address", "=", TOTAL);
});

/** Deletes a class's differences: all of them, or only the total's. */
export function dropDifferences(tx: Tx, orgId: string, stockClassId: string, isComplete: boolean): void {
  forgetDifferences(isComplete).run(tx, { orgId, stockClassId });
}

/** Records a difference. */
export function storeDifference(
  tx: Tx,
  orgId: string,
  stockClassId: string,
  difference: Pick<Row<"token_differences">, "address" | "expected" | "found" | "since">,
): void {
  insertRow(tx, "token_differences", { ...difference, orgId, stockClassId });
}

/** Every security's position in a class's token once every operation is done. */
export const listPositions = all((param: Params<OfClass>) =>
  ofOrganization("token_positions", param).selectAll().where("stockClassId", "=", param("stockClassId")),
);
