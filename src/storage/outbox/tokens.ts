// Share classes with tokens: changes of their shares are queued for the chain, those of other classes are not.

import type { Call } from "../../kernel/call.ts";
import { findAny } from "../database/records.ts";
import { findSetting } from "../database/settings.ts";
import { all, ofOrganization, type Params, type Reader, type Row, type Tx } from "../database/sql.ts";
import { tell } from "./tell.ts";

/** The setting that records that the chain is off; then {@link CHAIN_IS_OFF}. */
export const CHAIN_SETTING = "chain.off";
export const CHAIN_IS_OFF = "1";

/**
 * Whether tokenization is off for every share class: `CAPTABLE_CHAIN=off`, as the last start of the server found it.
 */
export function isChainOff(db: Reader): boolean {
  return findSetting(db, CHAIN_SETTING) === CHAIN_IS_OFF;
}

/**
 * Whether a class has a token, or gets one automatically. Imported classes, and those made with the chain off, need a
 * request.
 */
export function isTokenized(stockClass: Row<"share_classes"> | null | undefined): boolean {
  if (!stockClass) return false;
  return !(stockClass.isImported === 1 && stockClass.tokenizationStatus === "NOT_STARTED");
}

/** Queues a created or changed class: both start tokenization, and the job finds out what to do. */
export function tellOfClass(tx: Tx, call: Call, stockClassId: string): void {
  if (!isTokenized(findAny(tx, "share_classes", call.orgId, stockClassId))) return;
  tell(tx, call, { kind: "tokenize-class", subject: { stockClassId } });
}

const classes = all((param: Params<{ orgId: string }>) =>
  ofOrganization("share_classes", param).selectAll().where("deletedAt", "is", null).orderBy("seq"),
);

/** Queues a check of all stock of a holder, once for each class that it may belong to. */
export function tellOfHolder(tx: Tx, call: Call, stakeholderId: string): void {
  for (const stockClass of classes(tx, { orgId: call.orgId })) {
    if (!isTokenized(stockClass)) continue;
    tell(tx, call, { kind: "mirror-holder", subject: { stockClassId: stockClass.id }, payload: { stakeholderId } });
  }
}

/** Queues a check of the named securities, once for each class. Securities without a class have no tokens. */
export function tellOfSecurities(
  tx: Tx,
  call: Call,
  securities: readonly Pick<Row<"securities">, "id" | "stockClassId">[],
): void {
  const byClass = Map.groupBy(securities, ({ stockClassId }) => stockClassId);
  for (const [stockClassId, members] of byClass) {
    if (stockClassId === null || !isTokenized(findAny(tx, "share_classes", call.orgId, stockClassId))) continue;
    const securityIds = members.map(({ id }) => id);
    const subject = { stockClassId, securityId: securityIds[0] };
    tell(tx, call, { kind: "mirror-securities", subject, payload: { securityIds } });
  }
}
