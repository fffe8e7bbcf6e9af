// Recognizes an organization's own export when it is imported: balances, returns to a pool and the like exist in OCF
// only, so that no record here has their ids.

import { membersOf } from "../../../../ledger/members.ts";
import { splitIn } from "../../../../ledger/replay/replay.ts";
import { findEntry, findHead } from "../../../../ledger/store.ts";
import { hasRecord } from "../../../../storage/database/records.ts";
import type { Reader } from "../../../../storage/database/sql.ts";
import { derivedId } from "../../codec/values-to-ocf.ts";
import { transactionObjects } from "../../export/package-files.ts";
import { listAcceptances } from "../../export/store.ts";
import { textOf } from "../../json.ts";
import { isEvent } from "../../story/story-event.ts";
import { type ImportPlan, namedSecurities, type Step } from "../plan.ts";
import { findOriginal } from "../store.ts";
import type { Cause } from "./refused.ts";
import type { LedgerWatch } from "./watch.ts";
import { listIdsOfClass, listWatched, type WatchedEntry } from "./watch-store.ts";

const YIELD_EVERY = 200;

/** What an organization exports that comes back in a package. */
export interface OwnObjects {
  /** Transactions, but for imported originals, as `TX_STOCK_ISSUANCE id`. */
  readonly transactions: ReadonlySet<string>;
  /** Securities that are balances of the organization's, and what left them over. */
  readonly balances: ReadonlyMap<string, Cause>;
}

/** Whether the issuer of a package is the organization itself, by its own id or by that of an earlier import. */
export function isIssuerOf(db: Reader, orgId: string, id: string): boolean {
  return id === orgId || findOriginal(db, orgId, "ISSUER", id) !== null;
}

/** What of the package the organization has exported itself. */
export function* ownObjectsIn(
  db: Reader,
  orgId: string,
  plan: ImportPlan,
  watch: LedgerWatch,
): Generator<void, OwnObjects> {
  const isIssuer = plan.issuer !== null && isIssuerOf(db, orgId, plan.issuer.id);
  const isOwn = isIssuer || (watch.isAnyMadeHere && (yield* holdsOwnEntry(db, orgId, plan)));
  const transactions = isOwn ? yield* ownTransactions(db, orgId, plan) : new Set<string>();
  const balances = watch.isAnyMadeHere ? yield* ownBalances(db, orgId, plan, isOwn) : new Map<string, Cause>();
  return { transactions, balances };
}

/** Whether the package has a transaction with the id of an entry that was made here. */
function* holdsOwnEntry(db: Reader, orgId: string, { steps }: ImportPlan): Generator<void, boolean> {
  for (const [i, step] of steps.entries()) {
    if (i % YIELD_EVERY === 0) yield;
    if (isEvent(step) && isMadeHere(db, orgId, step.id)) return true;
  }
  return false;
}

/** Whether the ledger has an entry with this id that no import brought. */
export function isMadeHere(db: Reader, orgId: string, id: string): boolean {
  const entry = findEntry(db, orgId, id);
  return entry !== null && !entry.metadata?.includes('"ocfObjectType"');
}

/** What it exports now, and the acceptances of the package that it exported before they ended. */
function* ownTransactions(db: Reader, orgId: string, { steps }: ImportPlan): Generator<void, ReadonlySet<string>> {
  const own = new Set<string>();
  const given = new Set(listAcceptances(db, orgId).flatMap(({ id, kind }) => (kind === "IMPORTED" ? [] : [id])));
  for (const { type, objectType, id } of steps) {
    if (type.action === "ACCEPTANCE" && given.has(id)) own.add(`${objectType} ${id}`);
  }
  let walked = 0;
  for (const object of transactionObjects(db, orgId)) {
    if (typeof object !== "string") own.add(`${object.object_type} ${object.id}`);
    if (++walked % YIELD_EVERY === 0) yield;
  }
  return own;
}

/** Entries looked at between two turns of the event loop. */
const PAGE = 500;

/** The securities of the package that are balances here: the export derives their ids from the entries that left them. */
function* ownBalances(
  db: Reader,
  orgId: string,
  plan: ImportPlan,
  isOwn: boolean,
): Generator<void, ReadonlyMap<string, Cause>> {
  const balances = new Map<string, Cause>();
  const strangers = yield* strangersIn(db, orgId, plan, isOwn);
  if (strangers.size === 0) return balances;
  const { sequence } = findHead(db, orgId);
  const add = (id: string, cause: Cause) => void (strangers.has(id) && balances.set(id, cause));
  for (let after = 0; after < sequence; after += PAGE) {
    for (const entry of listWatched(db, orgId, after, Math.min(after + PAGE, sequence))) {
      const { id: transactionId, securityId } = entry;
      if (securityId !== null) add(derivedId(transactionId, "balance"), { securityId, transactionId });
      for (const each of concernedBySplit(db, orgId, entry)) {
        add(derivedId(transactionId, `balance ${each}`), { securityId: each, transactionId });
      }
    }
    yield;
  }
  return balances;
}

function concernedBySplit(db: Reader, orgId: string, entry: WatchedEntry): readonly string[] {
  const split = splitIn(entry);
  const isImported = membersOf({ metadata: JSON.parse(entry.metadata ?? "{}") }).imported.objectType !== null;
  if (split === null || isImported) return [];
  const { stockClassId, inferredSecurityIds } = split;
  return [...listIdsOfClass(db, orgId, stockClassId), ...inferredSecurityIds];
}

/**
 * The securities that the package names or issues and the organization does not have; unless it is the organization's
 * own export, none where all that it names it also issues.
 */
function* strangersIn(
  db: Reader,
  orgId: string,
  plan: ImportPlan,
  isOwn: boolean,
): Generator<void, ReadonlySet<string>> {
  const named = yield* namedSecurities(plan.steps);
  const isForeign = (id: string) => !hasRecord(db, "securities", orgId, id);
  const strangers = new Set<string>();
  for (const [i, id] of [...named, ...(isOwn ? plan.issuances.keys() : [])].entries()) {
    if (i % YIELD_EVERY === 0) yield;
    if ((isOwn || !plan.issuances.has(id)) && isForeign(id)) strangers.add(id);
  }
  return strangers;
}

/** Whether an issuance is of one of the organization's own balances. */
export function issuesOwnBalance({ balances }: OwnObjects, { type, value }: Step): boolean {
  return type.action === "ISSUANCE" && balances.has(textOf(value, "security_id") ?? "");
}
