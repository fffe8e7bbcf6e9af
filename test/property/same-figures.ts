// Whether an organization that a package came into shows what the company shows that the package is of: the cap table,
// and how shares vest, on several days. Partial operations end a security in OCF, so securities differ; sums do not.
import { expect } from "bun:test";
import { iterateSecurityRows } from "../../src/safekeeping/verify/store.ts";
import type { CapTable } from "../kit/cap-table.ts";
import type { Company } from "./company.ts";
import type { VestingAnswer } from "./compare-vesting.ts";
import { LAST_DAY, TODAY, TOMORROW } from "./model/dates.ts";
import { show, type Units, units } from "./model/units.ts";
import type { Newcomer } from "./newcomer.ts";

const DAYS = [TODAY, TOMORROW, "2026-12-31", "2028-06-15", "2031-01-01", "2033-01-01", LAST_DAY] as const;

/**
 * Expects the same figures on the day of the last entry and later ones. Before it they may differ: OCF applies by date,
 * so that the export moves days where the ledger's order goes against the calendar's. The plans in `settled` are left
 * out: the export had to write another reserve.
 */
export function expectSameFigures(company: Company, newcomer: Newcomer, settled: ReadonlySet<unknown>): void {
  const last = newcomer.days().findLast((day) => day < LAST_DAY) ?? TODAY;
  for (const day of DAYS.filter((each) => each >= last)) {
    const [lines, copied] = [linesOn(company, day), linesOn(newcomer.company, day)];
    for (const id of settled) for (const each of [lines, copied]) each.delete(String(id));
    for (const [id, line] of lines) expect({ day, id, line: copied.get(id) }).toEqual({ day, id, line });
    expect({ day, ...vestingOn(newcomer.company, day) }).toEqual({ day, ...vestingOn(company, day) });
  }
}

/** The cap table's lines by id, its convertibles and its totals. */
function linesOn(company: Company, asOf: string): Map<string, unknown> {
  const { data } = company.read("/cap-table", { asOf }) as { readonly data: CapTable };
  const { shareClasses, equityPlans, stakeholders, convertibles, totals } = data;
  const lines = [...shareClasses, ...equityPlans, ...stakeholders];
  const byHolder = new Map<string, Units>();
  for (const { stakeholderId, quantity } of convertibles) {
    byHolder.set(String(stakeholderId), (byHolder.get(String(stakeholderId)) ?? 0n) + units(quantity));
  }
  return new Map<string, unknown>([
    ...lines.map((line) => [line.id ?? "", plain(line)] as const),
    ["convertibles", Object.fromEntries(byHolder)],
    ["totals", plain(totals)],
  ]);
}

/** A line of a table with numbers in one form. */
function plain(line: object): unknown {
  return JSON.parse(JSON.stringify(line), (_, value) => (isNumber(value) ? show(units(value)) : value));
}

const isNumber = (value: unknown): value is string => typeof value === "string" && /^[0-9]+(\.[0-9]+)?$/.test(value);

/** What is outstanding and what of it has vested, by `holder|type|class`. */
function vestingOn(company: Company, asOf: string): Record<string, string> {
  const sums = new Map<string, readonly [Units, Units]>();
  for (const row of [...iterateSecurityRows(company.tx, { orgId: company.orgId })]) {
    // The format has no word for how convertibles vest.
    if (row.status !== "ACTIVE" || row.deletedAt !== null || row.type === "CONVERTIBLE") continue;
    const answer = company.read("/securities/:id/vesting", { asOf }, row.id) as VestingAnswer;
    const kept = units(answer.exercised) - units(answer.earlyExercised);
    const key = `${row.stakeholderId}|${row.type}|${row.type === "STOCK" ? row.stockClassId : ""}`;
    const [held, vested] = sums.get(key) ?? [0n, 0n];
    sums.set(key, [held + units(answer.quantity) - kept, vested + units(answer.vested) - kept]);
  }
  const held = [...sums].filter(([, [quantity]]) => quantity > 0n);
  return Object.fromEntries(held.map(([key, [quantity, vested]]) => [key, `${show(vested)} of ${show(quantity)}`]));
}
