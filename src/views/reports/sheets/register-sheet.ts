// Shared parts of the registers of securities: their rows, with the figures of each roll-forward. Pure.

import type { CalendarDate } from "../../../kernel/date.ts";
import { type Decimal, formatDecimal, parseDecimal, ZERO } from "../../../kernel/numbers/decimal.ts";
import type { SecurityState } from "../../../ledger/types.ts";
import { sharesIn } from "../../../ledger/vested/vesting-account.ts";
import { stoppedOn } from "../../../ledger/vested/vesting-stops.ts";
import type { SecurityType } from "../../../storage/database/schema.ts";
import { NO_HOLDER } from "../../cap-table/layout/by-holder.ts";
import type { Flow, Taking } from "../flows.ts";
import { amountIn } from "../money.ts";
import type { Company } from "../report-company.ts";
import type { Column } from "../sheet.ts";
import { date, integer, summed, text } from "../sheet-columns.ts";
import type { SecurityRow } from "../store.ts";

/** A security as of the day. */
export interface Registered {
  readonly company: Company;
  readonly flow: Flow;
  readonly state: SecurityState;
  readonly row: SecurityRow | undefined;
}

/** How many descriptions are read at once. */
const AT_ONCE = 200;

/**
 * What a counted entry made of a type, closed ones too: by the day of issue, then by entry. It can be walked again and
 * again, and keeps nothing that was read meanwhile.
 */
export function registered(
  company: Company,
  type: SecurityType,
  isMeant: (state: SecurityState) => boolean = () => true,
): Iterable<Registered> {
  const { securities } = company.view.state;
  const flows = [...company.flows.securities.values()].filter(({ id }) => {
    const state = securities.get(id);
    return state?.type === type && isMeant(state);
  });
  flows.sort((a, b) => (a.date === b.date ? a.sequence - b.sequence : a.date < b.date ? -1 : 1));
  return {
    *[Symbol.iterator]() {
      for (let from = 0; from < flows.length; from += AT_ONCE) {
        const some = flows.slice(from, from + AT_ONCE);
        const rows = company.descriptionsOf(some.map(({ id }) => id));
        for (const flow of some) {
          const state = securities.get(flow.id);
          if (state) yield { company, flow, state, row: rows.get(flow.id) };
        }
      }
    },
  };
}

/** What is outstanding of it. */
export function outstandingOf({ state }: Registered): Decimal {
  return state.status === "ACTIVE" ? state.quantity : ZERO;
}

/** What no kind of entry explains: splits and direct edits. */
export function adjustedOf(security: Registered): Decimal {
  const { issued, taken } = security.flow;
  const { transferred, exercised, converted, repurchased, cancelled } = taken;
  return outstandingOf(security) - issued + transferred + exercised + converted + repurchased + cancelled;
}

/** How it stands, or what closed it. */
export function statusOf({ flow, state }: Registered): string {
  return flow.closedAs ?? state.status;
}

/** What of it has not vested by the day. */
export function unvestedOf({ company, state }: Registered): Decimal {
  return state.status === "ACTIVE" ? company.view.unvested(state) : ZERO;
}

/** The day on which vesting of what is open stopped; null where it goes on. */
export function stoppedOnOf({ company, state }: Registered): CalendarDate | null {
  const vesting = state.status === "ACTIVE" ? company.view.vestingOf(state.id) : null;
  return vesting && stoppedOn(vesting, company.asked.asOf);
}

/** What has vested, what was exercised of that included: as the row's Exercised does, with what a net exercise withheld. */
export function vestedOf(security: Registered): Decimal {
  const { company, flow, state } = security;
  const open = outstandingOf(security) - unvestedOf(security);
  if (flow.taken.exercised === ZERO) return open;
  const vesting = company.view.vestingOf(state.id);
  if (vesting === null) return open + flow.taken.exercised;
  return open + sharesIn(vesting, company.asked.asOf).exercised + flow.withheld;
}

/** What of an option can be exercised on the day. */
export function exercisableOf(security: Registered): Decimal {
  const { company, row } = security;
  const expires = row?.expirationDate ?? null;
  if (expires !== null && company.asked.asOf > expires) return ZERO;
  return outstandingOf(security) - unvestedOf(security);
}

/** The number on its paper, or its id without a number. */
export function numberOf(company: Company, id: string): string {
  return company.numbers.get(id) ?? id;
}

export function holderOf({ company, state }: Registered): string {
  const { stakeholderId: id } = state;
  return id === null ? NO_HOLDER : (company.names.holders.get(id) ?? id);
}

export function classOf({ company, state }: Registered): string | null {
  const { stockClassId: id } = state;
  return id === null ? null : (company.names.classes.get(id) ?? id);
}

export function planOf({ company, state }: Registered): string | null {
  const { equityPlanId: id } = state;
  return id === null ? null : (company.names.plans.get(id) ?? id);
}

/** An amount of the security's, in its own currency where that is not the company's. */
export function moneyOf({ company, row }: Registered, amount: string | null): string | null {
  return amountIn(company, amount, row?.currency ?? null);
}

/** Certificate, grant or warrant, and who holds it. */
export function heading(header: string): Column<Registered>[] {
  return [
    text("number", header, ({ company, state }) => company.numbers.get(state.id)),
    text("holder", "Holder", holderOf),
  ];
}

/** A column of what went out by a kind of entry. */
export function takenColumn(taking: Taking, header: string): Column<Registered> {
  return summed(taking, header, ({ flow }) => formatDecimal(flow.taken[taking]));
}

/** The shares that a register counts in: those issued, and what remains. */
export const adjusted: Column<Registered> = summed("adjusted", "Adjusted", (each) => formatDecimal(adjustedOf(each)));

export const status: Column<Registered> = text("status", "Status", statusOf);
export const closedOn: Column<Registered> = date("closedOn", "Closed on", ({ flow }) => flow.closedOn);
export const howIssued: Column<Registered> = text("how", "How issued", ({ flow }) => flow.how);
export const from: Column<Registered> = text("from", "From", ({ company, flow }) => numbersOf(company, flow.from));
export const to: Column<Registered> = text("to", "To", ({ company, flow }) => numbersOf(company, flow.to));
export const issueDate = (header = "Issue date"): Column<Registered> => date("issueDate", header, issuedOn);
export const expires: Column<Registered> = date("expires", "Expires", ({ row }) => row?.expirationDate);
export const vested: Column<Registered> = summed("vested", "Vested", (each) => formatDecimal(vestedOf(each)));
export const unvested: Column<Registered> = summed("unvested", "Unvested", (each) => formatDecimal(unvestedOf(each)));
export const boardApproval: Column<Registered> = date("board", "Board approval", ({ row }) => row?.boardApprovalDate);

/** What stands last in each register. */
export const ending: readonly Column<Registered>[] = [
  text("comments", "Comments", ({ row }) => row?.comments),
  integer("entry", "Entry", ({ flow }) => flow.sequence),
  text("holderId", "Holder id", ({ state }) => state.stakeholderId),
  text("id", "Security id", ({ state }) => state.id),
];

/** Terms and start of its vesting. */
export const vestingColumns: readonly Column<Registered>[] = [
  text("terms", "Vesting terms", ({ company, row }) => company.names.terms.get(row?.vestingTermsId ?? "")),
  date("vestingStart", "Vesting start", ({ row }) => (row?.vestingTermsId ? row.vestingStartDate : null)),
];

function numbersOf(company: Company, ids: readonly string[]): string | null {
  return ids.length === 0 ? null : ids.map((id) => numberOf(company, id)).join(", ");
}

function issuedOn({ flow }: Registered): CalendarDate {
  return flow.date;
}

/** An optional exact figure that a record has, as a cell. */
export function exact(figure: string | null | undefined): string | null {
  return figure === null || figure === undefined ? null : formatDecimal(parseDecimal(figure));
}
