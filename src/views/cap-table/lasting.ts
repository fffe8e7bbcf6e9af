// Lifetimes of classes and plans: the days on which they exist. Creating and deleting one is not a ledger entry, yet a
// view shows it from some day on. Pure.

import type { CalendarDate } from "../../kernel/date.ts";
import { utcDayOf } from "../../kernel/runtime.ts";
import type { Row } from "../../storage/database/sql.ts";
import type { Moment } from "./view.ts";

type ClassRow = Row<"share_classes">;
type PlanRow = Row<"equity_plans">;

/** Whether a class counts at a moment by its own days; `isNamed` says whether an entry names it that counts then. */
export function classCounts(row: ClassRow, moment: Moment, isNamed: boolean): boolean {
  return counts(row, beginOfClass(row), moment, isNamed);
}

/** The same of a plan. */
export function planCounts(row: PlanRow, moment: Moment, isNamed: boolean): boolean {
  return counts(row, beginOfPlan(row), moment, isNamed);
}

/** The days on which classes and plans begin, and on which they are deleted. */
export function daysOfLasting(classes: readonly ClassRow[], plans: readonly PlanRow[]): CalendarDate[] {
  const deletions = [...classes, ...plans].flatMap(({ deletedAt }) =>
    deletedAt === null ? [] : [utcDayOf(deletedAt)],
  );
  return [...classes.map(beginOfClass), ...plans.map(beginOfPlan), ...deletions];
}

/** The earlier of a class's approvals, else the day on which it was made. */
function beginOfClass({ boardApprovalDate: board, stockholderApprovalDate: holders, createdAt }: ClassRow) {
  if (board === null || holders === null) return board ?? holders ?? utcDayOf(createdAt);
  return board < holders ? board : holders;
}

/** Whether a plan has no date of adoption or approval: the day of its making counts. */
export function isUndatedPlan({ adoptedDate, boardApprovalDate }: PlanRow): boolean {
  return adoptedDate === null && boardApprovalDate === null;
}

function beginOfPlan({ adoptedDate, boardApprovalDate, createdAt }: PlanRow): CalendarDate {
  return adoptedDate ?? boardApprovalDate ?? utcDayOf(createdAt);
}

/**
 * Whether a class or plan counts: it was known, its day has come, or that of the first counted entry which names it,
 * and it is not deleted. One that is deleted counts before its deletion where a counted entry names it: no view of a
 * day may show shares of a class that it does not show.
 */
function counts(row: ClassRow | PlanRow, begins: CalendarDate, moment: Moment, isNamed: boolean): boolean {
  if (row.createdAt > moment.knownAt) return false;
  if (begins > moment.asOf && !isNamed) return false;
  if (row.deletedAt === null || row.deletedAt > moment.knownAt) return true;
  return isNamed && utcDayOf(row.deletedAt) > moment.asOf;
}
