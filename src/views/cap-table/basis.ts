// Basis of what is kept of a ledger: where the ledger and the log stood, and whether what came since leaves what was
// made of it valid. Every change that a view shows is an entry of the ledger or a row of the log.

import { findHead, isEntry } from "../../ledger/store.ts";
import { findLogHead, isLogRow } from "../../storage/database/log/audit.ts";
import { type ChangedRecord, listChangedSince } from "../../storage/database/log/log-since.ts";
import type { ChainHead, Reader } from "../../storage/database/sql.ts";

/** Rows of the log that may have come since: more are sooner folded anew. */
const CHANGES_MAX = 2000;

/** Records of which nothing is folded, whatever changes of them. Names are read each time. */
export const NOT_FOLDED: ReadonlySet<string> = new Set([
  ...["stakeholder", "valuation", "approval", "approval step", "document", "stock legend", "corporate action"],
  ...["transaction", "api key", "organization", "member", "invitation", "reset link", "account"],
  ...["acceptance", "webhook endpoint"],
]);

/** What is folded of records that change otherwise than by entries. */
export const FOLDED: Readonly<Record<string, readonly string[]>> = {
  security: [
    "type",
    "grantDate",
    "vestingStartDate",
    "vestingTermsId",
    "vestings",
    "originSecurityId",
    "correctedPrice",
  ],
  "share class": ["initialSharesAuthorized"],
  "equity plan": ["initialSharesReserved", "stockClassIds"],
};

/** Records of which new ones change nothing that was folded. */
const ADDED = new Set(["security", "share class", "equity plan", "vesting terms"]);

/** Where an organization's ledger and log stood. */
export interface Stand {
  readonly ledger: ChainHead;
  readonly log: ChainHead;
}

/** Where they stand. */
export function standOf(db: Reader, orgId: string): Stand {
  return { ledger: findHead(db, orgId), log: findLogHead(db, orgId) };
}

/** Whether they are still there, or have gone on from there. */
export function goesOn(db: Reader, orgId: string, { ledger, log }: Stand): boolean {
  if (ledger.sequence > 0 && !isEntry(db, { orgId, ...ledger })) return false;
  return log.sequence === 0 || isLogRow(db, { orgId, ...log });
}

const NOTHING: Stand = { ledger: { sequence: 0, hash: "" }, log: { sequence: 0, hash: "" } };

/** What is kept of an organization's ledger and log was made where they stood then. */
export class Basis {
  readonly #orgId: string;
  #stand = NOTHING;

  /** Before the first entry. */
  constructor(orgId: string) {
    this.#orgId = orgId;
  }

  /** How long the ledger was. */
  get sequence(): number {
    return this.#stand.ledger.sequence;
  }

  /** Whether the ledger and the records go on from there, so that only the entries since have to be added. */
  holds(db: Reader): boolean {
    const [orgId, { log }] = [this.#orgId, this.#stand];
    if (!goesOn(db, orgId, this.#stand)) return false;
    const changes = listChangedSince(db, { orgId, after: log.sequence, limit: CHANGES_MAX + 1 });
    return changes.length <= CHANGES_MAX && changes.every(leavesFolded);
  }

  /** Moves it to what the database holds. */
  move(db: Reader): void {
    this.#stand = standOf(db, this.#orgId);
  }
}

/** Whether a change of a record leaves what was folded as it is. */
function leavesFolded({ resourceType, isNew, columns }: ChangedRecord): boolean {
  if (NOT_FOLDED.has(resourceType)) return true;
  if (isNew) return ADDED.has(resourceType);
  const folded = FOLDED[resourceType];
  return folded !== undefined && !columns.some((column) => folded.includes(column));
}
