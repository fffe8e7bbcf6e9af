// A view that goes on against one by a replay of the whole ledger, over random companies: after every write, whatever it
// is, both say the same.

import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import fc from "fast-check";
import { Problem } from "../../../src/kernel/problem.ts";
import { END_OF_TIME } from "../../../src/kernel/runtime.ts";
import { Fold, viewOfToday } from "../../../src/views/cap-table/fold.ts";
import { readHolderPosition } from "../../../src/views/cap-table/position.ts";
import { layOutTable } from "../../../src/views/cap-table/table.ts";
import { readView, type View } from "../../../src/views/cap-table/view.ts";
import { firstSeed } from "../../kit/proof.ts";
import { RELEASE } from "../../kit/release.ts";
import { Company } from "../../property/company.ts";
import { TODAY } from "../../property/model/dates.ts";
import { decide } from "../../property/model/decide.ts";
import { newModel } from "../../property/model/start.ts";
import type { Step } from "../../property/model/step.ts";
import { openPlace, type Place } from "../../property/place.ts";
import { histories } from "../../property/steps.ts";

setDefaultTimeout(1_200_000);

const HISTORIES = RELEASE ? 4_000 : 10;
const STEPS = 30;

let place: Place;
beforeAll(async () => {
  place = await openPlace();
});
afterAll(() => place.close());

/** All that a view says: of everybody, and of each holder. */
function allOf(company: Company, view: View): string {
  const positions = company.ids.holders.map((id) =>
    readHolderPosition(company.tx, company.orgId, view, { id, today: TODAY }),
  );
  return JSON.stringify([layOutTable(view), positions]);
}

/** What a replay of the whole ledger says of a day. */
function replayed(company: Company, day: string): string {
  return allOf(company, readView(company.tx, company.orgId, { asOf: day, knownAt: END_OF_TIME }));
}

/** Changes of records that are no steps of the histories. */
function changeRecords(company: Company, turn: number): void {
  const { classes, holders, securities } = company.ids;
  const name = `Another ${turn}`;
  const asked = [
    { name: "PATCH /api/v1/stakeholders/:id", id: holders[turn % holders.length], body: { displayName: name } },
    { name: "POST /api/v1/stakeholders", body: { displayName: name, name: { legalName: name }, type: "INDIVIDUAL" } },
    {
      name: "POST /api/v1/share-classes",
      body: {
        ...{ name, classType: "COMMON", defaultIdPrefix: "N-", votesPerShare: "1", seniority: 1 },
        initialSharesAuthorized: "1000",
      },
    },
    {
      name: "POST /api/v1/equity-plans",
      body: { planName: name, initialSharesReserved: "50", stockClassIds: [classes[0]], adoptedDate: "2020-01-01" },
    },
    {
      name: "PATCH /api/v1/securities/:id",
      id: securities[turn % securities.length],
      body: { grantDate: "2024-02-03" },
    },
  ][turn % 5];
  if (!asked || ("id" in asked && asked.id === undefined)) return;
  try {
    company.call(asked);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
  }
}

/** Does a random step, and now and then changes a record otherwise. */
class Life {
  readonly company: Company;
  #model = newModel();

  constructor(company: Company) {
    this.company = company;
  }

  live(choose: (model: ReturnType<typeof newModel>) => Step | null, turn: number): void {
    const step = choose(this.#model);
    const decided = step === null ? null : decide(this.#model, step);
    const isDone = step !== null && decided !== null && this.company.run(step).isDone;
    if (isDone && "after" in decided) this.#model = decided.after;
    if (turn % 4 === 3) changeRecords(this.company, Math.floor(turn / 4));
  }
}

const DAYS = fc.array(fc.constantFrom(TODAY, "2025-03-15"), { minLength: STEPS, maxLength: STEPS });

test(`${HISTORIES} random companies: a view that goes on says after every write what a replay says`, async () => {
  let [steps, goneOn] = [0, 0];
  const property = fc.asyncProperty(histories(STEPS), DAYS, (choices, days) =>
    place.writer.submit((tx) => {
      const life = new Life(new Company(tx));
      const { company } = life;
      const folds = new Map<string, Fold>();
      for (const [turn, choose] of choices.entries()) {
        life.live(choose, turn);
        const day = days[turn] ?? TODAY;
        const known = folds.get(day);
        const goesOn = known?.holds(tx) ? known : null;
        const fold = goesOn ?? new Fold(tx, company.orgId, day);
        folds.set(day, fold);
        const told = allOf(company, fold.view(tx));
        expect({ turn, day, told }).toEqual({ turn, day, told: replayed(company, day) });
        expect(allOf(company, viewOfToday(tx, company.orgId, TODAY, 0))).toBe(replayed(company, TODAY));
        if (known) steps++;
        if (goesOn) goneOn++;
      }
    }),
  );
  await fc.assert(property, { numRuns: HISTORIES, seed: firstSeed() });
  // Else nothing was shown but that a replay is a replay.
  expect(goneOn).toBeGreaterThan(steps / 2);
});

test("and one that went on whatever was written would be found out", async () => {
  let foundOut = 0;
  const property = fc.asyncProperty(histories(STEPS), (choices) =>
    place.writer.submit((tx) => {
      const life = new Life(new Company(tx));
      const { company } = life;
      const blind = new Fold(tx, company.orgId, TODAY);
      for (const [turn, choose] of choices.entries()) {
        life.live(choose, turn);
        if (allOf(company, blind.view(tx)) === replayed(company, TODAY)) continue;
        foundOut++;
        return;
      }
    }),
  );
  await fc.assert(property, { numRuns: HISTORIES, seed: firstSeed() });
  expect(foundOut).toBeGreaterThan(0);
});
