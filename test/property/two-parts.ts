// A package in two parts: a company's export comes into another organization, is edited there, and comes once more,
// grown. What must hold of that is read from the organization itself and from the package, not from the import's code.
import { expect } from "bun:test";
import fc from "fast-check";
import type { ImportReport } from "../../src/exchange/ocf/import/report.ts";
import type { Writer } from "../../src/storage/database/writer.ts";
import type { Fields } from "../exchange/ocf/objects.ts";
import { type ReadTotals, readTotals } from "../exchange/ocf/reader.ts";
import { inSteps } from "../exchange/ocf/stepwise.ts";
import type { Choice } from "./choosing.ts";
import { Company } from "./company.ts";
import { settledIn } from "./comparable.ts";
import { type Cut, cuts, type Exported, exportedFrom, firstPart, objectsOf } from "./cut.ts";
import { Home } from "./home.ts";
import { expectBoundPools } from "./invariants.ts";
import type { Step } from "./model/step.ts";
import { type Units, units } from "./model/units.ts";
import { type Changed, Newcomer } from "./newcomer.ts";
import { keyOf, mustBeRefused } from "./refusals.ts";
import { expectSameFigures } from "./same-figures.ts";
import { seenIn } from "./seen.ts";
import { histories } from "./steps.ts";
import { gainOf } from "./sums.ts";
import { Tally } from "./tally.ts";

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

/** What was done, for the reader of a failure. */
interface Told {
  readonly there: Step[];
  readonly here: Step[];
}

/** Tells the history, where living it fails. */
async function telling<T>(cut: Cut, live: (told: Told) => Promise<T>): Promise<T> {
  const told: Told = { there: [], here: [] };
  try {
    return await live(told);
  } catch (error) {
    const lines = (steps: readonly Step[]) => steps.map((step) => `  ${JSON.stringify(step)}\n`).join("");
    const history = `there\n${lines(told.there)}cut ${JSON.stringify(cut)}, here\n${lines(told.here)}`;
    throw new Error(`${history}${error instanceof Error ? error.message : error}`, { cause: error });
  }
}

/** A company with a history of its own. */
function companyOf(writer: Writer, choices: readonly Choice[], told: Step[]): Promise<Company> {
  return writer.submit((tx) => {
    const company = new Company(tx);
    for (const choose of choices) {
      const step = choose(seenIn(company));
      if (step !== null && company.run(step).isDone) told.push(step);
    }
    expectBoundPools(company);
    return company;
  });
}

/** A company's export of which a part has come into an organization of its own. */
interface HalfIn {
  readonly company: Company;
  readonly newcomer: Newcomer;
  readonly whole: Exported;
  readonly first: Exported;
}

/** Exports a company and imports the part before the cut. */
async function halfIn(writer: Writer, company: Company, cut: Cut): Promise<HalfIn> {
  const whole = exportedFrom(writer.db, company.orgId);
  const first = { ...whole, transactions: firstPart(whole.transactions, cut) };
  const newcomer = await Newcomer.make(writer);
  const { errors } = await newcomer.import(first);
  expect(errors).toEqual([]);
  Object.assign(newcomer.company.ids, { ...company.ids, securities: [], milestones: [] });
  return { company, newcomer, whole, first };
}

/** Imports the whole after edits: what was changed here is refused, and the rest of it is in. */
async function importWhole(half: HalfIn, tally: Tally): Promise<void> {
  const { newcomer, whole, first } = half;
  await newcomer.expectAddsUp();
  const { changed } = newcomer;
  const isIn = (object: Fields) => first.transactions.includes(object);
  const expected = mustBeRefused({ transactions: whole.transactions, isIn, plans: objectsOf(whole), changed });
  const report = await takingIn(half, () => newcomer.import(whole));
  expect(report.errors.map(nameOf).sort()).toEqual([...expected].sort());
  for (const { objectType } of report.errors) tally.count(`changed-here ${objectType}`, false);
}

/** Imports the whole while choices are made here, each before a transaction of the import. */
async function importMeanwhile(writer: Writer, half: HalfIn, here: readonly Choice[], tally: Tally, told: Told) {
  const { newcomer, whole } = half;
  const size = objectsOf(whole).length;
  const edit = (number: number) => {
    const due = here.filter((_, index) => Math.round((size * (index + 1)) / (here.length + 1)) === number);
    return newcomer.edit(due, tally, told.here);
  };
  await takingIn(half, () => inSteps(writer, edit, (slow) => newcomer.import(whole, slow)));
}

/**
 * Runs an import of the whole, and expects holders to have as much more, or less, as what came in gives them beside
 * what edits did: no share comes from nothing, and none is lost. To import once more brings nothing.
 */
async function takingIn({ newcomer, whole, first }: HalfIn, run: () => Promise<ImportReport>): Promise<ImportReport> {
  const [before, edits] = [await newcomer.totals(), new Map(newcomer.gained)];
  const report = await run();
  for (const { code } of report.errors) expect(["changed-here", "deleted-here"]).toContain(code);
  const after = await newcomer.expectAddsUp();
  const refused = new Set(report.errors.map(nameOf));
  const taken = { ...whole, transactions: whole.transactions.filter((object) => !refused.has(keyOf(object))) };
  const { splits } = newcomer.changed;
  const gained = gainOf(gainOf(edits, newcomer.gained), gainOf(unitsOf(before), unitsOf(after)));
  const brought = gainOf(unitsOf(readTotals(objectsOf(first))), unitsOf(readTotals(objectsOf(taken))));
  expect(withoutSplit(gained, splits)).toEqual(withoutSplit(brought, splits));
  const again = await newcomer.import(whole);
  expect(Object.values(again.imported).every((count) => count === 0)).toBe(true);
  expect(again.errors.map(nameOf).sort()).toEqual(report.errors.map(nameOf).sort());
  expect(await newcomer.expectAddsUp()).toEqual(after);
  return report;
}

const nameOf = ({ objectType, id }: { readonly objectType: string | null; readonly id: string | null }) =>
  `${objectType} ${id}`;

const unitsOf = ({ holdings }: ReadTotals) =>
  new Map(Object.entries(holdings).map(([key, held]) => [key, units(held)]));

/** Splits made here multiply what comes in later, so stock of their classes is left out. */
function withoutSplit(gains: ReadonlyMap<string, Units>, splits: Changed["splits"]): Record<string, Units> {
  const isSplit = (key: string) => splits.some(({ stockClassId }) => key.endsWith(`|STOCK|${stockClassId}`));
  return Object.fromEntries([...gains].filter(([key, gain]) => gain !== 0n && !isSplit(key)));
}

/** Lives a package in two parts with edits between; answers the organization that it came into. */
export function liveTwoParts(writer: Writer, { there, cut, here }: TwoParts, tally: Tally): Promise<Newcomer> {
  return telling(cut, async (told) => {
    const half = await halfIn(writer, await companyOf(writer, there, told.there), cut);
    await half.newcomer.expectAddsUp();
    await half.newcomer.edit(here, tally, told.here);
    await importWhole(half, tally);
    await expectLeavesAlike(writer, half.newcomer);
    return half.newcomer;
  });
}

/** Lives a package in two parts with edits while the second comes in. */
export function liveMeanwhile(writer: Writer, { there, cut, here }: TwoParts, tally: Tally): Promise<void> {
  return telling(cut, async (told) => {
    const half = await halfIn(writer, await companyOf(writer, there, told.there), cut);
    await importMeanwhile(writer, half, here, tally, told);
    await expectLeavesAlike(writer, half.newcomer);
  });
}

/** Lives a package in two parts, with a restore of a backup between, which undoes what was done after it was taken. */
export function liveRestored({ there, cut, here }: TwoParts, tally: Tally): Promise<void> {
  return telling(cut, async (told) => {
    let home = await Home.open();
    try {
      const half = await halfIn(home.writer, await companyOf(home.writer, there, told.there), cut);
      const [lost, kept] = [here.slice(0, here.length / 3), here.slice(here.length / 3)];
      await half.newcomer.edit(kept, tally, told.here);
      const recall = half.newcomer.remembered();
      home = await home.restored(() => half.newcomer.edit(lost, new Tally(), []));
      await importWhole({ ...half, newcomer: await recall(home.writer) }, tally);
    } finally {
      home.close();
    }
  });
}

/** Lives a package in two parts with nothing between: the figures are those of the company that it is of. */
export function liveUnedited(writer: Writer, { there, cut }: TwoParts): Promise<void> {
  return telling(cut, async (told) => {
    const { company, newcomer, whole } = await halfIn(writer, await companyOf(writer, there, told.there), cut);
    expect((await newcomer.import(whole)).errors).toEqual([]);
    await newcomer.expectAddsUp();
    expectSameFigures(company, newcomer, settledIn(whole));
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
