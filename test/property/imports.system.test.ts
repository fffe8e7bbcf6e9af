// Imports mixed with edits and restores: a random company's export comes into another organization in two parts, with
// random edits there between, or while the second comes in. What was changed there is refused and the rest is in; no
// share comes from nothing, by the count of the API, of the ledger and of a reader of the export.
import { afterAll, expect, setDefaultTimeout, spyOn, test } from "bun:test";
import fc from "fast-check";
import { LedgerWatch } from "../../src/exchange/ocf/import/changed/watch.ts";
import type { Writer } from "../../src/storage/database/writer.ts";
import { firstSeed, mustMeetAll, proved } from "../kit/proof.ts";
import { RELEASE } from "../kit/release.ts";
import { checkHistories } from "./check.ts";
import { Home } from "./home.ts";
import { expectOracleAgrees } from "./oracle.ts";
import { Tally } from "./tally.ts";
import { liveMeanwhile, liveRestored, liveTwoParts, liveUnedited, type TwoParts, twoParts } from "./two-parts.ts";

setDefaultTimeout(3_600_000);

const FILE = "test/property/imports.system.test.ts";
const BETWEEN = { quick: 4, most: 120, release: 2000, from: 239 };
const MEANWHILE = { quick: 2, most: 20, release: 400, from: 16 };
const UNEDITED = { quick: 2, release: 500 };
const RESTORED = { quick: 1, release: 40 };
const ORACLE = { quick: 1, release: 50 };
/** How many histories a planted fault may pass unseen. */
const UNSEEN_MAX = 200;
/** A database of many companies is no slower to write, but to look through. */
const HISTORIES_IN_HOME = 100;

/** What there must be of edits and refusals, where enough histories run. */
const DONE = ["cancel", "transfer", "split", "patch-security", "delete-security", "exercise", "convert", "retract"];
const REFUSED = ["TX_STOCK_ISSUANCE", "TX_VESTING_START", "TX_STOCK_CLASS_SPLIT"].map((type) => `changed-here ${type}`);

let home: Home | null = null;
let lived = 0;
afterAll(() => home?.close());

/** A writer of a database that does not hold too many histories yet. */
async function anyWriter(): Promise<Writer> {
  if (lived++ % HISTORIES_IN_HOME === 0) {
    home?.close();
    home = null;
  }
  home ??= await Home.open();
  return home.writer;
}

/** Checks histories of two parts, one after the other; returns how many. */
function check(
  sizes: { readonly quick: number; readonly most?: number; readonly release: number; readonly from?: number },
  live: (chosen: TwoParts, writer: Writer) => Promise<unknown>,
  missing: () => readonly string[] = () => [],
): Promise<number> {
  const choices = twoParts.map((each) => [each]);
  const run = async (all: readonly TwoParts[]) => {
    for (const chosen of all) await live(chosen, await anyWriter());
  };
  return checkHistories<TwoParts>({ file: FILE, ...sizes, isMet: () => missing().length === 0, choices, run });
}

function prove(what: string, count: number, from = 1): void {
  proved({ fault: "P1, P8", what, count, seed: String(firstSeed(from)), result: "0 differences" });
}

test("a package in two parts with edits between: what was changed is refused, the rest is in, nothing from nothing", async () => {
  const tally = new Tally();
  const missing = () => tally.missing(DONE, REFUSED);
  const count = await check(BETWEEN, (chosen, writer) => liveTwoParts(writer, chosen, tally), missing);
  if (mustMeetAll(count)) expect(missing()).toEqual([]);
  prove(`packages imported in two parts with edits between (done/refused: ${tally})`, count, BETWEEN.from);
});

test("with edits while the second part comes in", async () => {
  const tally = new Tally();
  const missing = () => tally.missing(["cancel", "transfer"], []);
  const count = await check(MEANWHILE, (chosen, writer) => liveMeanwhile(writer, chosen, tally), missing);
  if (mustMeetAll(count)) expect(missing()).toEqual([]);
  prove("packages imported in two parts with edits while the second comes in", count, MEANWHILE.from);
});

test("with nothing between: the figures and the vesting are those of the company that it is of", async () => {
  const count = await check(UNEDITED, (chosen, writer) => liveUnedited(writer, chosen));
  prove("packages imported in two parts with nothing between, compared with their company", count);
});

test("with a restore of a backup between", async () => {
  const count = await check(RESTORED, (chosen) => liveRestored(chosen, new Tally()));
  prove("packages imported in two parts with edits and a restore between", count);
});

test("the oracle counts what the summary does", async () => {
  const count = await check(ORACLE, async (chosen, writer) => {
    await expectOracleAgrees(writer, await liveTwoParts(writer, chosen, new Tally()));
  });
  prove("exports of those, counted by the oracle", count);
});

/**
 * An import that does not see that something was changed here; and the seed at which a quick run begins to look, near
 * the first history that shows it.
 */
const BLIND = [
  ["changeOf", 1],
  ["changeInClass", 100],
  ["factOf", 10],
] as const;

test.each(BLIND)("an import that does not see %s is found out", async (name, from) => {
  const blind = spyOn(LedgerWatch.prototype, name).mockReturnValue(null);
  try {
    const first = RELEASE ? 1 : from;
    for (let seed = first; seed < first + UNSEEN_MAX; seed++) {
      const [chosen] = fc.sample(twoParts, { numRuns: 1, seed, unbiased: true } as fc.Parameters<TwoParts>);
      const writer = await anyWriter();
      const isFound = await liveTwoParts(writer, chosen as TwoParts, new Tally()).then(
        () => false,
        () => true,
      );
      if (isFound) return;
    }
  } finally {
    blind.mockRestore();
  }
  throw new Error(`${UNSEEN_MAX} histories passed`);
});
