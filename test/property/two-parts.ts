// A package in two parts: a company's export comes into another organization, is edited there, and comes once more,
// grown. What must hold of that is read from the organization itself and from the package, not from the import's code.
import { expect } from "bun:test";
import fc from "fast-check";
import type { Writer } from "../../src/database/writer.ts";
import type { Fields } from "../ocf/objects.ts";
import { type ReadTotals, readTotals } from "../ocf/reader.ts";
import { Company } from "./company.ts";
import { type Cut, cuts, type Exported, exportedFrom, firstPart, objectsOf } from "./cut.ts";
import type { Step } from "./model/step.ts";
import { units } from "./model/units.ts";
import { type Changed, Newcomer, seenIn } from "./newcomer.ts";
import { keyOf, mustBeRefused } from "./refusals.ts";
import { type Choice, histories } from "./steps.ts";
import type { Tally } from "./tally.ts";

const STEPS = 40;
const EDITS = 12;

export interface TwoParts {
  /** What happens in the company that the package is of. */
  readonly there: readonly Choice[];
  readonly cut: Cut;
  /** What happens where it comes in, between the parts. */
  readonly here: readonly Choice[];
}

export const twoParts: fc.Arbitrary<TwoParts> = fc.record({
  there: histories(STEPS),
  cut: cuts,
  here: histories(EDITS),
});

/** What was done, for whoever reads a failure. */
interface Told {
  readonly there: Step[];
  readonly here: Step[];
}

/** Tells the history, where living it fails. */
export async function telling(cut: Cut, live: (told: Told) => Promise<void>): Promise<void> {
  const told: Told = { there: [], here: [] };
  try {
    await live(told);
  } catch (error) {
    const lines = (steps: readonly Step[]) => steps.map((step) => `  ${JSON.stringify(step)}\n`).join("");
    const history = `there\n${lines(told.there)}cut ${JSON.stringify(cut)}, here\n${lines(told.here)}`;
    throw new Error(`${history}${error instanceof Error ? error.message : error}`, { cause: error });
  }
}

/** A company with a history of its own. */
export function companyOf(writer: Writer, choices: readonly Choice[], told: Step[]): Promise<Company> {
  return writer.submit((tx) => {
    const company = new Company(tx);
    for (const choose of choices) {
      const step = choose(seenIn(company));
      if (step !== null && company.run(step).isDone) told.push(step);
    }
    return company;
  });
}

/** A company's export of which a part has come into an organization of its own. */
export interface HalfIn {
  readonly company: Company;
  readonly newcomer: Newcomer;
  readonly whole: Exported;
  readonly first: Exported;
}

/** Exports a company and imports the part before the cut. */
export async function halfIn(writer: Writer, company: Company, cut: Cut): Promise<HalfIn> {
  const whole = exportedFrom(writer.db, company.orgId);
  const first = { ...whole, transactions: firstPart(whole.transactions, cut) };
  const newcomer = await Newcomer.make(writer);
  const { errors } = await newcomer.import(first);
  expect(errors).toEqual([]);
  Object.assign(newcomer.company.ids, { ...company.ids, securities: [], milestones: [] });
  return { company, newcomer, whole, first };
}

/** Imports the whole after edits: what was changed here is refused, and the rest of it is in. */
export async function importWhole({ newcomer, whole, first }: HalfIn, tally: Tally): Promise<void> {
  const between = await newcomer.expectAddsUp();
  const { changed } = newcomer;
  const report = await newcomer.import(whole);
  expectRefusals(report.errors, whole, first, changed);
  for (const { objectType } of report.errors) tally.count(`changed-here ${objectType}`, false);
  const after = await newcomer.expectAddsUp();
  const refused = new Set(report.errors.map(({ objectType, id }) => `${objectType} ${id}`));
  const taken = { ...whole, transactions: whole.transactions.filter((object) => !refused.has(keyOf(object))) };
  const [before, with_] = [readTotals(objectsOf(first)), readTotals(objectsOf(taken))];
  expect(gained(between, after, changed)).toEqual(gained(before, with_, changed));
  const again = await newcomer.import(whole);
  expect(Object.values(again.imported).every((count) => count === 0)).toBe(true);
  expect(again.errors).toEqual(report.errors);
  expect(await newcomer.expectAddsUp()).toEqual(after);
}

interface Refusal {
  readonly code: string;
  readonly objectType: string | null;
  readonly id: string | null;
}

function expectRefusals(errors: readonly Refusal[], whole: Exported, first: Exported, changed: Changed): void {
  const isIn = (object: Fields) => first.transactions.includes(object);
  const expected = mustBeRefused({ transactions: whole.transactions, isIn, plans: objectsOf(whole), changed });
  expect(errors.map(({ objectType, id }) => `${objectType} ${id}`).sort()).toEqual([...expected].sort());
  for (const { code } of errors) expect(["changed-here", "deleted-here"]).toContain(code);
}

/**
 * What holders have more, or less, than before: of what came in, no share from nothing and none lost. Splits made here
 * multiply what comes in later, so classes with such ones are left out.
 */
function gained(before: ReadTotals, after: ReadTotals, { splits }: Changed): Record<string, bigint> {
  const keys = new Set([...Object.keys(before.holdings), ...Object.keys(after.holdings)]);
  const isSplit = (key: string) => splits.some(({ stockClassId }) => key.endsWith(`|STOCK|${stockClassId}`));
  const gains = [...keys]
    .filter((key) => !isSplit(key))
    .map((key) => {
      return [key, units(after.holdings[key] ?? "0") - units(before.holdings[key] ?? "0")] as const;
    });
  return Object.fromEntries(gains.filter(([, gain]) => gain !== 0n));
}

/** Lives a package in two parts with edits between. */
export function liveTwoParts(writer: Writer, { there, cut, here }: TwoParts, tally: Tally): Promise<void> {
  return telling(cut, async (told) => {
    const half = await halfIn(writer, await companyOf(writer, there, told.there), cut);
    await half.newcomer.expectAddsUp();
    await half.newcomer.edit(here, tally, told.here);
    await importWhole(half, tally);
    await expectLeavesAlike(writer, half.newcomer);
  });
}

/** What was imported, edited and imported leaves as a package that brings the same figures elsewhere, and here nothing. */
async function expectLeavesAlike(writer: Writer, newcomer: Newcomer): Promise<void> {
  const [exported, totals] = [newcomer.exported(), await newcomer.totals()];
  const elsewhere = await Newcomer.make(writer);
  expect((await elsewhere.import(exported)).errors).toEqual([]);
  expect((await elsewhere.expectAddsUp()).holdings).toEqual(totals.holdings);
  const { imported, errors } = await newcomer.import(exported);
  expect(errors).toEqual([]);
  expect(Object.values(imported).every((count) => count === 0)).toBe(true);
}
