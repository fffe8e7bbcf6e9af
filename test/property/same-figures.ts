// Whether an organization that a package came into shows what the company shows that the package is of: the cap table,
// and how shares vest, on several days. Partial operations end a security in OCF, so securities differ; sums do not.
import { expect } from "bun:test";
import { iterateSecurityRows } from "../../src/verify/store.ts";
import type { CapTable } from "../support/cap-table.ts";
import type { Company } from "./company.ts";
import type { VestingAnswer } from "./compare-vesting.ts";
import { LAST_DAY, TODAY } from "./model/dates.ts";
import { show, type Units, units } from "./model/units.ts";
import type { Newcomer } from "./newcomer.ts";

/** Expects the same figures. */
export function expectSameFigures(company: Company, newcomer: Newcomer): void {
  // Corrections reach back in OCF, and days of adoption have no word in it: the past may differ.
  for (const day of newcomer.days().filter((each) => each >= TODAY)) {
    expect({ day, ...figuresOn(newcomer.company, day) }).toEqual({ day, ...figuresOn(company, day) });
  }
  for (const day of [TODAY, "2027-01-31", "2028-06-15", LAST_DAY]) {
    expect({ day, ...vestingOn(newcomer.company, day) }).toEqual({ day, ...vestingOn(company, day) });
  }
}

function figuresOn(company: Company, asOf: string) {
  const { data } = company.read("/cap-table", { asOf }) as { readonly data: CapTable };
  const { shareClasses, equityPlans, stakeholders, convertibles, totals } = data;
  const byId = <T extends { readonly id: string | null }>(lines: readonly T[]) =>
    Object.fromEntries(lines.map(({ id, ...line }) => [id ?? "", plain(line)]));
  return {
    classes: byId(shareClasses),
    plans: byId(equityPlans),
    holders: byId(stakeholders),
    convertibles: convertibles.map(({ stakeholderId, quantity }) => `${stakeholderId} ${quantity}`).sort(),
    totals,
  };
}

/** A line of a table with numbers in one form. */
function plain(line: object): unknown {
  return JSON.parse(JSON.stringify(line), (_, value) => (isNumber(value) ? show(units(value)) : value));
}

const isNumber = (value: unknown): value is string => typeof value === "string" && /^[0-9]+(\.[0-9]+)?$/.test(value);

/** What is outstanding and what of it has vested, by `holder|type|class`. */
function vestingOn(company: Company, asOf: string): Record<string, string> {
  const sums = new Map<string, readonly [Units, Units]>();
  for (const row of [...iterateSecurityRows(company.tx, company.orgId)]) {
    if (row.status !== "ACTIVE" || row.deletedAt !== null) continue;
    const answer = company.read("/securities/:id/vesting", { asOf }, row.id) as VestingAnswer;
    const kept = units(answer.exercised) - units(answer.earlyExercised);
    const key = `${row.stakeholderId}|${row.type}|${row.type === "STOCK" ? row.stockClassId : ""}`;
    const [held, vested] = sums.get(key) ?? [0n, 0n];
    sums.set(key, [held + units(answer.quantity) - kept, vested + units(answer.vested) - kept]);
  }
  return Object.fromEntries([...sums].map(([key, [held, vested]]) => [key, `${show(vested)} of ${show(held)}`]));
}
