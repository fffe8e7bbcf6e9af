// Warnings about effective dates that are allowed but unusual: before the security was issued, or before a split that
// is in the ledger already. The routes of the interface accept any day.

import type { CalendarDate } from "../../kernel/date.ts";
import type { Warning } from "../../kernel/warning.ts";
import type { Reader, Row } from "../../storage/database/sql.ts";
import { membersOf } from "../members.ts";
import { splitIn } from "../replay/replay.ts";
import { listSplits, spanOnSecurity } from "../replay/replay-store.ts";
import { splitsThrough } from "../rules/dates.ts";
import { CountingClasses } from "../rules/required-authorization.ts";
import type { EntryDraft } from "../types.ts";
import { listClassesFor, listPlansFor } from "./warning-store.ts";

type Command = Readonly<Record<string, unknown>>;

/** A completed operation: its body, and the securities that it named as they were before. */
interface Done {
  readonly route: string;
  readonly command: Command;
  readonly securities: ReadonlyMap<string, Row<"securities">>;
  readonly entries: readonly Pick<EntryDraft, "metadata">[];
}

/** A member that is text; null for what is left out. */
export function asText(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

/** The first day that needs no question: a field for dates takes 26 for the year 0026. */
const LIKELY_FROM: CalendarDate = "1900-01-01";

/** The warning of an entry dated after today, or in a year that is probably a slip. */
export function dayWarnings(date: string | null, today: CalendarDate): readonly Warning[] {
  if (date === null) return [];
  if (date < LIKELY_FROM) {
    const detail = `It is dated ${date}, in the year ${Number(date.slice(0, 4))}: check whether another year was meant.`;
    return [{ code: "dated-long-ago", detail }];
  }
  if (date <= today) return [];
  const detail = `It is dated ${date}, in the future: it counts from then on, and tables of earlier days leave it out.`;
  return [{ code: "dated-ahead", detail }];
}

/** Warnings about the day of an operation. */
export function datedWarnings(db: Reader, orgId: string, done: Done): readonly Warning[] {
  const date = asText(done.command.effectiveDate);
  if (date === null) return [];
  const warnings: Warning[] = [];
  const security = done.securities.get(asText(done.command.securityId) ?? "");
  if (security && date < security.grantDate) {
    const detail = `It is dated ${date}, before the security was issued on ${security.grantDate}.`;
    warnings.push({ code: "dated-before-issue", detail });
  }
  const last = splitsBehind(db, listSplits(db, orgId, date), done)
    .map(({ effectiveDate }) => effectiveDate)
    .sort()
    .at(-1);
  if (last !== undefined) {
    const detail =
      `It is dated ${date}, before the split of ${last} that is in the ledger already and does not change it: its ` +
      "shares count as shares of after the split.";
    warnings.push({ code: "dated-before-split", detail });
  }
  const [from] = done.entries.map((entry) => membersOf(entry).countsFrom).filter((day) => day !== null);
  if (from !== undefined) {
    const detail =
      `It is dated ${date}, and counts from ${from} on: what is recorded before it leaves too few shares for it on ` +
      "days between the two.";
    warnings.push({ code: "counts-later", detail });
  }
  return warnings;
}

const MAKING: ReadonlySet<string> = new Set(["issue-shares", "issue-options", "issue-warrant", "convert"]);

type Splits = readonly Row<"transactions">[];

/** The given splits after which an entry recorded now stands, whatever its day. */
function splitsBehind(db: Reader, splits: Splits, { route, command, securities }: Done): Splits {
  const [first] = splits;
  if (!first) return [];
  if (!MAKING.has(route)) {
    const security = securities.get(asText(command.securityId) ?? "");
    return security ? splitsThrough(splits, security, spanOnSecurity(db, first.orgId, security.id).first) : [];
  }
  const stockClassId = asText(command.stockClassId) ?? classOfPlan(db, first.orgId, asText(command.stockPlanId));
  const isStock = route === "issue-shares" || route === "convert";
  return splits.filter((row) => {
    const split = splitIn(row);
    return split !== null && split.stockClassId === stockClassId && (isStock || !split.isStockOnly);
  });
}

function classOfPlan(db: Reader, orgId: string, equityPlanId: string | null): string | null {
  const counting = new CountingClasses(listClassesFor(db, { orgId }), listPlansFor(db, { orgId }));
  return counting.ofOption({ stockClassId: null, equityPlanId });
}
