// The sheets Pool history and Authorized: the first figure of each plan and class, then each change of it. Pure.

import type { CalendarDate } from "../../../kernel/date.ts";
import { formatDecimal } from "../../../kernel/numbers/decimal.ts";
import { utcDayOf } from "../../../kernel/runtime.ts";
import { classesInOrder } from "../../cap-table/layout/holder-columns.ts";
import type { FigureChange } from "../flows.ts";
import { type Company, layoutOf } from "../report-company.ts";
import { type Column, type Sheet, sheetOf } from "../sheet.ts";
import { date, integer, quantity, text } from "../sheet-columns.ts";

/** A change, and whose it is. */
interface Line extends FigureChange {
  readonly name: string;
  /** What stands where there is no limit. */
  readonly word: string | null;
}

function columnsOf(header: string): Column<Line>[] {
  return [
    text("name", header, ({ name }) => name),
    date("date", "Date", (line) => line.date),
    text("what", "Change", ({ what }) => what),
    quantity("before", "Before", (line) => shown(line.before, null)),
    quantity("difference", "Difference", difference),
    quantity("after", "After", (line) => shown(line.after, line.word)),
    date("board", "Board approval", ({ boardApprovalDate }) => boardApprovalDate),
    date("holders", "Stockholder approval", ({ stockholderApprovalDate }) => stockholderApprovalDate),
    integer("entry", "Entry", ({ sequence }) => sequence),
  ];
}

function shown(figure: bigint | null, word: string | null): string | null {
  return figure === null ? word : formatDecimal(figure);
}

function difference({ before, after }: Line): string | null {
  return after === null ? null : formatDecimal(after - (before ?? 0n));
}

/** The first figure is of the day of the plan or class itself. */
function dated(
  change: FigureChange,
  made: { readonly on: CalendarDate; readonly board: string | null; readonly holders: string | null },
): FigureChange {
  if (change.sequence !== null) return change;
  return { ...change, date: made.on, boardApprovalDate: made.board, stockholderApprovalDate: made.holders };
}

/** Lays Pool history out. */
export function poolHistorySheet(company: Company): Sheet {
  const shownIds = new Set(company.table.equityPlans.map(({ id }) => id));
  const rows = company.view.names.plans
    .filter(({ id }) => shownIds.has(id))
    .flatMap((plan): Line[] => {
      const on = plan.adoptedDate ?? plan.boardApprovalDate ?? utcDayOf(plan.createdAt);
      const made = { on, board: plan.boardApprovalDate, holders: plan.stockholderApprovalDate };
      const changes = company.flows.reserves.get(plan.id) ?? [];
      return changes.map((change) => ({ ...dated(change, made), name: plan.planName, word: null }));
    });
  return sheet("pool-history", "Pool history", columnsOf("Plan"), rows);
}

/** Lays Authorized out. */
export function authorizedSheet(company: Company): Sheet {
  const classes = new Map(company.view.names.classes.map((row) => [row.id, row]));
  const rows = classesInOrder(layoutOf(company)).flatMap(({ id }): Line[] => {
    const row = classes.get(id);
    if (!row) return [];
    const { boardApprovalDate: board, stockholderApprovalDate: holders } = row;
    const on = board ?? holders ?? utcDayOf(row.createdAt);
    const changes = company.flows.authorized.get(row.id) ?? [];
    return changes.map((change) => ({
      ...dated(change, { on, board, holders }),
      name: row.name,
      word: row.initialSharesAuthorized,
    }));
  });
  return sheet("authorized", "Authorized", columnsOf("Class"), rows);
}

function sheet(key: string, name: string, columns: readonly Column<Line>[], rows: readonly Line[]): Sheet {
  return sheetOf({ key, name, isSnapshot: false, frozen: 1, columns, rows: () => rows });
}
