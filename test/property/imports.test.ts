// Imports mixed with edits (TRUTH section 3): a random company's export comes into another organization in two parts, with
// random edits there between.
import { afterAll, beforeAll, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDataDirectory, prepareDatabase } from "../../src/bootstrap.ts";
import type { Reader } from "../../src/database/sql.ts";
import { Writer } from "../../src/database/writer.ts";
import { firstSeed, proved } from "../support/proof.ts";
import { checkHistories } from "./check.ts";
import { Tally } from "./tally.ts";
import { liveTwoParts, type TwoParts, twoParts } from "./two-parts.ts";

const FILE = "test/property/imports.test.ts";
const TIMEOUT_MS = 3_600_000;

let dataDir: string;
let db: Reader;
let writer: Writer;

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "captable-property-"));
  db = openDataDirectory(dataDir);
  db.sqlite.pragma("synchronous = OFF");
  await prepareDatabase(db, "test");
  writer = new Writer(db, (error) => {
    throw error;
  });
});

afterAll(() => {
  db.sqlite.close();
  rmSync(dataDir, { recursive: true, force: true });
});

test(
  "a package in two parts with edits between",
  async () => {
    const tally = new Tally();
    const run = ([chosen]: readonly TwoParts[]) => (chosen ? liveTwoParts(writer, chosen, tally) : Promise.resolve());
    const count = await checkHistories({
      file: FILE,
      quick: 50,
      release: 2000,
      choices: twoParts.map((each) => [each]),
      run,
    });
    process.stdout.write(`${count} in two parts, edits done/refused: ${tally}\n`);
    proved({
      fault: "P1",
      what: "packages imported in two parts with edits between",
      count,
      seed: String(firstSeed()),
      result: "0 differences",
    });
  },
  TIMEOUT_MS,
);
