// The interface between the ledger's export and the rest: exported records, originals, and later corrections of earlier
// entries. And the current entry, with the cap table around it.

import type { Decimal } from "../../../kernel/numbers/decimal.ts";
import type { Row } from "../../../storage/database/sql.ts";
import type { Note } from "../codec/values-to-ocf.ts";
import type { NamedConditions } from "../codec/vesting-terms.ts";
import type { JsonObject } from "../json.ts";
import type { LaterCorrections } from "./adjustments/later-corrections.ts";
import type { VestingSource } from "./adjustments/parcels.ts";
import type { DayWalk, Walked } from "./day-walk.ts";

/** The sources of the ledger's export. */
export interface LedgerSource extends VestingSource {
  readonly orgId: string;
  /** The ledger from day to day. */
  readonly walk: DayWalk;
  readonly corrections: LaterCorrections;
  findSecurity(id: string): Row<"securities"> | null;
  /** A security with the terms that it had after an entry. */
  asOf(row: Row<"securities">, sequence: number): Row<"securities">;
  /** The imported issuance of a security as it goes out, or null for one that was made here. */
  findOriginalIssuance(id: string): JsonObject | null;
  /** The place of the last entry on a security that an import brought; null for none. */
  lastImported(id: string): number | null;
  /** Classes and plans that the export holds although they were deleted, and the days on which they were. */
  readonly deletedClasses: ReadonlyMap<string, string>;
  readonly deletedPlans: ReadonlyMap<string, string>;
  /** Whether the export holds the plan. */
  hasPlan(id: string): boolean;
  returnsByDefault(planId: string): boolean;
  /** The class that the export has a plan for alone; null for several, or no, classes. */
  readonly onlyClassOf: (planId: string) => string | null;
  classPrice(stockClassId: string | null): string | null;
  /** Of a class's amounts. */
  currencyOfClass(stockClassId: string): string;
  /** Of a security's amounts. */
  currencyOf(security: Row<"securities"> | null, note: Note): string;
  /** The conditions of exported vesting terms; null without any. */
  conditionsOf(vestingTermsId: string | null): NamedConditions | null;
}

/** One entry that was just applied, with the cap table around it. */
export interface Step extends Omit<Walked, "recordedAs"> {
  /** The shares that the security's plan got back by it, negative for those that it gave. */
  readonly returned: Decimal;
}
