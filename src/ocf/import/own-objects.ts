// Recognizes an organization's own export when it comes back: balances, returns to a pool and the like exist in OCF
// only, so that no record here bears their ids.
import type { Reader } from "../../database/sql.ts";
import { transactionObjects } from "../export/package.ts";
import { findOriginal } from "./store.ts";

const YIELD_EVERY = 200;

/** Whether the issuer of a package is the organization itself, by its own id or by that of an earlier import. */
export function isIssuerOf(db: Reader, orgId: string, id: string): boolean {
  return id === orgId || findOriginal(db, orgId, "ISSUER", id) !== null;
}

/** The transactions that the organization exports, but for imported originals, as `TX_STOCK_ISSUANCE id`. */
export function* ownTransactions(db: Reader, orgId: string): Generator<void, ReadonlySet<string>> {
  const own = new Set<string>();
  let walked = 0;
  for (const object of transactionObjects(db, orgId)) {
    if (typeof object !== "string") own.add(`${object.object_type} ${object.id}`);
    if (++walked % YIELD_EVERY === 0) yield;
  }
  return own;
}
