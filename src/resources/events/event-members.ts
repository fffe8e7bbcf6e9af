// Members of records in events: by the columns that a row of the log says have changed.
import type { EventNoun } from "./event-types.ts";

/** Members whose new value is told: words of a record's way through its states. */
export const STATES = ["state", "status", "tokenizationStatus", "tokenStatus"] as const;

/** Columns that no answer about the record shows. */
export const HIDDEN: Readonly<Partial<Record<EventNoun, readonly string[]>>> = {
  organization: ["isNamed", "stakeholderCount", "storedBytes", "openOptions"],
  stakeholder: ["custodialIndex", "searchText", "nameKey"],
  share_class: ["issued", "openOptions", "openWarrants", "nextCertificateNumber", "isImported"],
  security: ["isGated", "chargeBasis", "vestings", "correctedPrice", "statedConsideration"],
  equity_plan: ["openOptions"],
  vesting_milestone: ["heldFrom"],
  api_key: ["keyHash"],
  webhook_endpoint: ["secretVersion", "keyFingerprint"],
};

/** Those that say whose the record is, and when it changed. */
export const ASIDE: readonly string[] = ["seq", "id", "orgId", "updatedAt", "deletedAt", "removedAt"];

const SUMMARY = ["periodLengthUnits", "periodLength", "totalPeriods", "cliffPeriods"];

/** Members that follow from columns of other names. */
export const FOLLOWING: Readonly<Partial<Record<EventNoun, Readonly<Record<string, readonly string[]>>>>> = {
  equity_plan: { planName: ["name"] },
  valuation: { pricePerShare: ["pricePerShareToday"] },
  vesting_terms: {
    allocationMethod: ["allocationType", ...SUMMARY],
    vestingConditions: SUMMARY,
    schedule: SUMMARY,
  },
};

/** The members of a record that changed with these columns, as answers name them; none if no answer shows any. */
export function changedMembers(noun: EventNoun, columns: readonly string[]): readonly string[] {
  const hidden = [...ASIDE, ...(HIDDEN[noun] ?? [])];
  const shown = columns.filter((column) => !hidden.includes(column));
  return [...new Set(shown.flatMap((column) => [column, ...(FOLLOWING[noun]?.[column] ?? [])]))];
}
