// One history of a package in two parts: a company's export comes into another organization, is edited there, and comes
// once more, grown. What must hold is read from that organization alone.
import { expect } from "bun:test";
import fc from "fast-check";
import type { Writer } from "../../src/database/writer.ts";
import type { Fields } from "../ocf/objects.ts";
import { Company } from "./company.ts";
import { type Cut, cuts, exportedFrom, firstPart } from "./cut.ts";
import type { Step } from "./model/step.ts";
import { Newcomer, seenIn } from "./newcomer.ts";
import { mustBeRefused } from "./refusals.ts";
import { type Choice, histories } from "./steps.ts";
import type { Tally } from "./tally.ts";

const STEPS = 25;
const EDITS = 10;

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

/** A company with a history of its own, exported. */
function companyOf(writer: Writer, choices: readonly Choice[], told: Step[]): Promise<Company> {
  return writer.submit((tx) => {
    const company = new Company(tx);
    for (const choose of choices) {
      const step = choose(seenIn(company));
      if (step !== null && company.run(step).isDone) told.push(step);
    }
    return company;
  });
}

/** Lives such a history; a failure tells it. */
export async function liveTwoParts(writer: Writer, chosen: TwoParts, tally: Tally): Promise<void> {
  const told = { there: [] as Step[], here: [] as Step[] };
  try {
    await live(writer, chosen, tally, told);
  } catch (error) {
    const lines = (steps: readonly Step[]) => steps.map((step) => `  ${JSON.stringify(step)}\n`).join("");
    const history = `there\n${lines(told.there)}cut ${JSON.stringify(chosen.cut)}, here\n${lines(told.here)}`;
    throw new Error(`${history}${error instanceof Error ? error.message : error}`, { cause: error });
  }
}

async function live(writer: Writer, { there, cut, here }: TwoParts, tally: Tally, told: Told): Promise<void> {
  const company = await companyOf(writer, there, told.there);
  const whole = exportedFrom(writer.db, company.orgId);
  const first = firstPart(whole.transactions, cut);
  const newcomer = await Newcomer.make(writer);
  const report = await newcomer.import({ ...whole, transactions: first });
  expect(report.errors).toEqual([]);
  await newcomer.expectAddsUp();
  Object.assign(newcomer.company.ids, { ...company.ids, securities: [], milestones: [] });
  await newcomer.edit(here, tally, told.here);
  await newcomer.expectAddsUp();
  const { changed } = newcomer;
  const grown = await newcomer.import(whole);
  const isIn = (object: Fields) => first.includes(object);
  const plans = Object.values(whole.records).flatMap(({ items }) => items as Fields[]);
  const expected = mustBeRefused({ transactions: whole.transactions, isIn, plans, changed });
  expect(grown.errors.map(({ objectType, id }) => `${objectType} ${id}`).sort()).toEqual([...expected].sort());
  for (const { code } of grown.errors) expect(["changed-here", "deleted-here"]).toContain(code);
  const after = await newcomer.expectAddsUp();
  const again = await newcomer.import(whole);
  expect(Object.values(again.imported).every((count) => count === 0)).toBe(true);
  expect(again.errors).toEqual(grown.errors);
  expect(await newcomer.expectAddsUp()).toEqual(after);
}

interface Told {
  readonly there: Step[];
  readonly here: Step[];
}
