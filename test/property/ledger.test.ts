// The ledger against a second cap table, written from the rules alone (model/): random histories of every operation
// over the real write path, compared after each step.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { verifyDatabase } from "../../src/safekeeping/verify/verify.ts";
import type { Tx } from "../../src/storage/database/sql.ts";
import { firstSeed, mustMeetAll, proved } from "../kit/proof.ts";
import { checkHistories } from "./check.ts";
import type { Choice } from "./choosing.ts";
import { Company } from "./company.ts";
import { expectRows } from "./compare.ts";
import { History } from "./history.ts";
import { expectVerified } from "./invariants.ts";
import { LEAVING, MATTERS } from "./matters.ts";
import { decide } from "./model/decide.ts";
import { newModel } from "./model/start.ts";
import { openPlace, type Place } from "./place.ts";
import { choiceOfAll, histories, KINDS } from "./steps.ts";
import { Tally } from "./tally.ts";

const FILE = "test/property/ledger.test.ts";
const HISTORIES = { quick: 24, most: 400, release: 18_000, from: 581 };
/** Histories in which people leave and come back. */
const LEAVERS = { quick: 8, most: 400, release: 6_000, from: 237 };
const OF_LEAVERS = [
  ...["issue-shares", "transfer", "convert", "split", "repurchase", "terminate-service", "start-vesting"],
  ...["accelerate-vesting", "add-milestone", "complete-milestone"],
];
const PAIRS = { quick: 6, most: 100, release: 500, from: 521 };
const STEPS = 25;
const TIMEOUT_MS = 3_600_000;

let place: Place;
beforeAll(async () => {
  place = await openPlace();
});
afterAll(() => place.close());

/** Checks histories of choices; each runs in one item of the real writer. */
function check(
  sizes: typeof HISTORIES,
  run: (tx: Tx, choices: readonly Choice[]) => void,
  isMet?: () => boolean,
  choices = histories(STEPS),
): Promise<number> {
  return checkHistories({
    file: FILE,
    ...sizes,
    ...(isMet && { isMet }),
    choices,
    run: (chosen) => place.writer.submit((tx) => run(tx, chosen)),
  });
}

/** Does all choices and looks at everything at the end; a failure tells the history. */
function live(history: History, choices: readonly Choice[]): void {
  try {
    for (const choose of choices) history.advance(choose);
    history.finish();
  } catch (error) {
    throw new Error(`after\n${history.told()}\n${error instanceof Error ? error.message : error}`, { cause: error });
  }
}

test(
  "every step of random histories is as in the second cap table, and the ledger explains it",
  async () => {
    const tally = new Tally();
    const missing = () => tally.missing([...KINDS.done, ...MATTERS], KINDS.refused);
    const count = await check(
      HISTORIES,
      (tx, choices) => live(new History(new Company(tx), newModel(), { tally }), choices),
      () => missing().length === 0,
    );
    expect(verifyDatabase(place.db)).toMatchObject({ differences: [], notes: [] });
    if (mustMeetAll(count)) expect(missing()).toEqual([]);
    const what = `random histories against a second cap table (done/refused: ${tally})`;
    proved({ fault: "P1, P2", what, count, seed: String(firstSeed(HISTORIES.from)), result: "0 differences" });
  },
  TIMEOUT_MS,
);

test(
  "what stops where people leave, in whosever hands, and goes on where they come back is as in the second cap table",
  async () => {
    const tally = new Tally();
    const missing = () => tally.missing(LEAVING, []);
    const count = await check(
      LEAVERS,
      (tx, choices) => live(new History(new Company(tx), newModel(), { tally }), choices),
      () => missing().length === 0,
      histories(STEPS, choiceOfAll(OF_LEAVERS)),
    );
    expect(verifyDatabase(place.db)).toMatchObject({ differences: [], notes: [] });
    if (mustMeetAll(count)) expect(missing()).toEqual([]);
    const what = `random histories of leavers against a second cap table (done/refused: ${tally})`;
    proved({ fault: "P1", what, count, seed: String(firstSeed(LEAVERS.from)), result: "0 differences" });
  },
  TIMEOUT_MS,
);

test(
  "histories give the same tables in two organizations that take turns",
  async () => {
    await check(PAIRS, (tx, choices) => {
      const pair = [new History(new Company(tx), newModel()), new History(new Company(tx), newModel())] as const;
      for (const choose of choices) for (const history of pair) history.advance(choose);
      expect(pair[1].model).toEqual(pair[0].model);
      for (const { company } of pair) expectVerified(company);
    });
  },
  TIMEOUT_MS,
);

test(
  "a dry run says what the operation would and changes nothing",
  async () => {
    const dry = new Tally();
    const missing = () => dry.missing(KINDS.dry, []);
    const run = (tx: Tx, choices: readonly Choice[]) => {
      const history = new History(new Company(tx), newModel());
      for (const choose of choices) {
        const step = choose(history.model);
        if (step !== null && KINDS.dry.includes(step.op)) {
          const decided = decide(history.model, step);
          dry.count(step.op, "after" in decided);
          history.expectOutcome(step, decided, true);
          expectRows(history.company, history.model);
        }
        history.advance(choose);
      }
    };
    const count = await check(PAIRS, run, () => missing().length === 0);
    if (mustMeetAll(count)) expect(missing()).toEqual([]);
  },
  TIMEOUT_MS,
);
