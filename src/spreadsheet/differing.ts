// What a row says of a record that is there already, and the record does not: it is told, and the record stays.
import { findAny } from "../database/records.ts";
import type { Row } from "../database/sql.ts";
import { isSameFigure } from "../kernel/decimal.ts";
import { foldName } from "../kernel/names.ts";
import type { Importing } from "./importing.ts";
import type { SheetRow } from "./understand.ts";

/** What a record says by the fields of the row; several values where each is as good. Null: it says nothing. */
type Recorded = Readonly<Record<string, string | null | readonly (string | null)[]>>;

const yesNo = (bit: 0 | 1) => (bit === 1 ? "true" : "false");

interface Schedule {
  readonly totalMonths?: number;
  readonly cliffMonths?: number;
  readonly vestingFrequency?: string;
}

const RECORDED = {
  stakeholders(row: Row<"stakeholders">): Recorded {
    const { firstName = null, lastName = null } = JSON.parse(row.name) as Record<string, string | null>;
    return {
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
    };
  },
  equity_plans(row: Row<"equity_plans">): Recorded {
    return {
      reserved: [row.initialSharesReserved, row.totalSharesReserved],
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

function listText(parts: readonly string[]): string {
  return [...parts].sort().join(";");
}

/** Warns of each field of the row that the record with this id says otherwise, or not at all. */
export function tellDiffering(
  { tx, orgId, options, found }: Importing,
  row: SheetRow,
  { table, id }: { readonly table: ComparedTable; readonly id: string },
): void {
  const record = findAny(tx, table, orgId, id);
  // What this very file made just now is in it once more.
  if (record === null) return;
  const recorded: Recorded = RECORDED[table](record as never);
  for (const [field, was] of Object.entries(recorded)) {
    const here = row.fields.get(field);
    if (!here) continue;
    const all = Array.isArray(was) ? was : [was];
    const value = field === "relationships" ? listText(here.value.split(";")) : here.value;
    if (all.some((each) => each !== null && isSame(each, value))) continue;
    const detail = all[0] == null ? "is not recorded so far" : `is recorded as ${all[0]}`;
    const fix = "Nothing that is recorded is changed; change it there if the file is right.";
    found.warning("differs", here.place, `${detail}${options.existing === "SKIP" ? "; it stays" : ""}`, fix);
  }
}

function isSame(recorded: string, value: string): boolean {
  return isSameFigure(recorded, value) || foldName(recorded) === foldName(value);
}
