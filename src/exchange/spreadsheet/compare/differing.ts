// Compares a row with the existing record: differences are reported, and the record stays.

import { isSameFigure } from "../../../kernel/numbers/decimal.ts";
import { foldName } from "../../../kernel/text/names.ts";
import { findAny } from "../../../storage/database/records.ts";
import type { Row } from "../../../storage/database/sql.ts";
import type { Importing } from "../record/importing.ts";
import type { Directory } from "../rows/directory.ts";
import type { Meant } from "../rows/row-holders.ts";
import type { SheetRow } from "../rows/understand.ts";

/** A record's values by the fields of the row; several if each is as good. Null: it has no value. */
export type Recorded = Readonly<Record<string, string | null | undefined | readonly (string | null)[]>>;

const yesNo = (bit: 0 | 1) => (bit === 1 ? "true" : "false");

interface Schedule {
  readonly totalMonths?: number;
  readonly cliffMonths?: number;
  readonly vestingFrequency?: string;
}

const RECORDED = {
  stakeholders(row: Row<"stakeholders">): Recorded {
    const {
      legalName = null,
      firstName = null,
      lastName = null,
    } = JSON.parse(row.name) as Record<string, string | null>;
    return {
      holder: legalName,
      holderEmail: row.email,
      displayName: row.displayName,
      firstName,
      lastName,
      type: row.type,
      relationships: listText(JSON.parse(row.relationships) as string[]),
      email: row.email,
      holderNumber: row.issuerAssignedId,
      status: row.status,
      comments: row.comments,
    };
  },
  share_classes(row: Row<"share_classes">): Recorded {
    return {
      classType: row.classType,
      prefix: row.defaultIdPrefix,
      authorized: [row.initialSharesAuthorized, row.currentSharesAuthorized],
      votes: row.votesPerShare,
      seniority: String(row.seniority),
      parValue: row.parValue,
      issuePrice: row.pricePerShare,
      liquidationMultiple: row.liquidationPreferenceMultiple,
      participating: yesNo(row.isParticipating),
      participationCap: row.participationCapMultiple,
      boardApproval: row.boardApprovalDate,
      stockholderApproval: row.stockholderApprovalDate,
      comments: row.comments,
      legends: idsText(row.stockLegendIds),
    };
  },
  equity_plans(row: Row<"equity_plans">): Recorded {
    return {
      reserved: [row.initialSharesReserved, row.totalSharesReserved],
      classes: idsText(row.stockClassIds),
      planType: row.planType,
      adopted: row.adoptedDate,
      expires: row.expirationDate,
      cancellation: row.defaultCancellationBehavior,
      boardApproval: row.boardApprovalDate,
      stockholderApproval: row.stockholderApprovalDate,
      comments: row.comments,
    };
  },
  vesting_terms(row: Row<"vesting_terms">): Recorded {
    const schedule = (row.schedule === null ? {} : JSON.parse(row.schedule)) as Schedule;
    const { totalMonths, cliffMonths, vestingFrequency } = schedule;
    const known = { months: totalMonths, cliffMonths, frequency: vestingFrequency };
    const said = Object.entries(known).flatMap(([field, value]) => (value == null ? [] : [[field, String(value)]]));
    return { allocation: row.allocationMethod, description: row.description, ...Object.fromEntries(said) };
  },
  valuations(row: Row<"valuations">): Recorded {
    return {
      expires: row.expirationDate,
      status: row.status,
      provider: row.provider,
      report: row.reportId,
      fairMarketValue: row.fairMarketValue,
      enterpriseValue: row.enterpriseValue,
      boardApproval: row.boardApprovalDate,
      comments: row.comments,
    };
  },
} as const;

/** A table whose records rows are compared with. */
export type ComparedTable = keyof typeof RECORDED;

/** A record's values by the fields of its row. */
export function recordedOf(table: ComparedTable, record: Row<ComparedTable>): Recorded {
  return RECORDED[table](record as never);
}

/** A stored list of ids. */
export function idsText(list: string): string {
  return listText(JSON.parse(list) as string[]);
}

function listText(parts: readonly string[]): string {
  return [...parts].sort().join(";");
}

/** Warns of each field in which the row differs from the record with this id; returns whether there is any. */
export function tellDiffering(
  importing: Importing,
  row: SheetRow,
  { table, id }: { readonly table: ComparedTable; readonly id: string },
): boolean {
  const record = findAny(importing.tx, table, importing.orgId, id);
  // The same file has the record that it just made once more.
  if (record === null) return false;
  return tellOthers(importing, row, recordedOf(table, record));
}

/** Lists of names, each with the look-up of a name. */
const LISTED: Readonly<Record<string, (directory: Directory, name: string) => string>> = {
  relationships: (_directory, name) => name,
  classes: (directory, name) => idOf(directory.stockClass(name)) ?? name,
  legends: (directory, name) => directory.legend(name) ?? name,
};

function idOf(meant: Meant): string | null {
  return typeof meant === "object" ? meant.id : null;
}

/** Warns of each field that is recorded otherwise, with both values; returns whether there is any. */
export function tellOthers({ directory, options, found }: Importing, row: SheetRow, recorded: Recorded): boolean {
  let isAny = false;
  for (const [field, was] of Object.entries(recorded)) {
    const here = row.fields.get(field);
    if (!here) continue;
    const all = Array.isArray(was) ? was : [was];
    const look = LISTED[field];
    const value = look ? listText(here.value.split(";").map((name) => look(directory, name))) : here.value;
    if (all.some((each) => each != null && isSame(each, value))) continue;
    const shown = all[0] == null ? null : look ? namesOf(directory, all[0]) : directory.nameOf(all[0]);
    const recordedAs = shown === null || shown === "" ? "is not recorded yet" : `is recorded as ${shown}`;
    const detail = `${here.value} ${recordedAs}${options.existing === "SKIP" ? "; it stays" : ""}`;
    const fix = "The record is not changed. Edit it if the file is right.";
    found.warning("differs", here.place, detail, fix);
    isAny = true;
  }
  return isAny;
}

function namesOf(directory: Directory, list: string): string {
  return list
    .split(";")
    .map((id) => directory.nameOf(id))
    .join(", ");
}

function isSame(recorded: string, value: string): boolean {
  return isSameFigure(recorded, value) || foldName(recorded) === foldName(value);
}
