// Whether what a round was modelled from is still the same, though the ledger or the log went on: most writes beside it
// move one of them, and few what a model reads. All that it reads is an entry of the ledger or a row of the log.
import type { CalendarDate } from "../../../kernel/date.ts";
import { END_OF_TIME } from "../../../kernel/runtime.ts";
import { namedBy } from "../../../ledger/replay/counting.ts";
import { readEntry } from "../../../ledger/replay/event.ts";
import { toDraft } from "../../../ledger/replay/replay.ts";
import { iterateKnownEntries } from "../../../ledger/replay/replay-store.ts";
import { findHead } from "../../../ledger/store.ts";
import { findLogHead } from "../../../storage/database/log/audit.ts";
import { type ChangedRecord, listChangedSince } from "../../../storage/database/log/log-since.ts";
import type { Reader } from "../../../storage/database/sql.ts";
import { FOLDED, goesOn, NOT_FOLDED, type Stand } from "../../cap-table/basis.ts";
import { NAME_COLUMNS } from "../../cap-table/store.ts";
import { FACT_COLUMNS } from "./store.ts";

/** Records of which a model reads a few columns alone, with these; all that changes of others is taken for read. */
const COLUMNS_READ: Readonly<Record<string, readonly string[]>> = {
  security: [...FACT_COLUMNS, ...(FOLDED.security ?? [])],
  stakeholder: NAME_COLUMNS,
};

/** Records of which a round reads nothing. */
const NOT_READ = new Set(
  [...NOT_FOLDED, "scenario"].filter((kind) => kind !== "stakeholder" && kind !== "organization"),
);

/**
 * Whether a round of `asOf`, by all that is known, is modelled from the same as where ledger and log stood. False where
 * that is not certain, and where one of them grew by more than `most`: the round is then modelled anew.
 */
export function isUnchanged(
  db: Reader,
  orgId: string,
  stand: Stand,
  { asOf, most }: { readonly asOf: CalendarDate; readonly most: number },
): boolean {
  const { ledger, log } = stand;
  if (!goesOn(db, orgId, stand)) return false;
  const [moved, told] = [
    findHead(db, orgId).sequence - ledger.sequence,
    findLogHead(db, orgId).sequence - log.sequence,
  ];
  if (told > most || moved > most) return false;
  if (!listChangedSince(db, { orgId, after: log.sequence, limit: told }).every(leavesRound)) return false;
  return moved === 0 || !hasCountedSince(db, { orgId, asOf, after: ledger.sequence });
}

/** Whether a replay of the day takes up an entry after a place that moves or says something of what it shows. */
function hasCountedSince(
  db: Reader,
  since: { readonly orgId: string; readonly asOf: CalendarDate; readonly after: number },
): boolean {
  for (const row of iterateKnownEntries(db, { ...since, knownAt: END_OF_TIME })) {
    const draft = toDraft(row);
    if (draft === null) return true;
    const { kind, entry, said } = readEntry(draft);
    if (kind !== "noted" || entry.securityId !== null || namedBy(said).length > 0) return true;
  }
  return false;
}

/** A new record may be the origin of one that was there, even if it counts on a later day. */
function leavesRound({ resourceType, isNew, columns }: ChangedRecord): boolean {
  if (NOT_READ.has(resourceType)) return true;
  const read = COLUMNS_READ[resourceType];
  return !isNew && read !== undefined && !columns.some((column) => read.includes(column));
}
