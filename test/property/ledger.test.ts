// The ledger against a second cap table written from the specification (model.ts): random histories of every operation
// over the real write path, compared after each step.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { openDataDirectory, prepareDatabase } from "../../src/bootstrap.ts";
import type { Reader, Tx } from "../../src/database/sql.ts";
import { Writer } from "../../src/database/writer.ts";
import { getOrganization } from "../../src/resources/organization/store.ts";
import type { Difference } from "../../src/verify/report.ts";
import { verifyOrganization } from "../../src/verify/verify.ts";
import { RELEASE } from "../support/release.ts";
import { Company } from "./company.ts";
import { decide, type Model, units } from "./model.ts";
import { type Choice, emptyModel, histories } from "./steps.ts";

const HISTORIES = RELEASE ? 10_000 : 300;
const STEPS = 25;

let dataDir: string;
let db: Reader;
let writer: Writer;

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "captable-property-"));
  db = openDataDirectory(dataDir);
  await prepareDatabase(db, "test");
  writer = new Writer(db, (error) => {
    throw error;
  });
});

afterAll(() => {
  db.sqlite.close();
  rmSync(dataDir, { recursive: true, force: true });
});

/** Does one choice in a company and its model; they must agree on whether it is allowed, and on all that follows. */
function advance(company: Company, model: Model, choose: Choice): Model {
  const step = choose(model);
  if (step === null) return model;
  const decided = decide(model, step);
  const outcome = company.run(step);
  if ("refused" in decided) {
    const said = outcome.isDone ? "done" : outcome.slug;
    if (!decided.refused.includes(said)) throw new Error(`${JSON.stringify(step)}: ${said}, not ${decided.refused}`);
    company.expectEqual(model);
    return model;
  }
  if (!outcome.isDone) throw new Error(`${JSON.stringify(step)}: ${outcome.slug}, not done`);
  company.expectEqual(decided.after);
  return decided.after;
}

function differencesOf(tx: Tx, company: Company): Difference[] {
  const differences: Difference[] = [];
  verifyOrganization(tx, getOrganization(tx, company.orgId), differences);
  return differences;
}

test(`every step of ${HISTORIES} random histories is as the specification says, and the ledger explains it`, async () => {
  const property = fc.asyncProperty(histories(STEPS), async (choices) => {
    await writer.submit((tx) => {
      const company = new Company(tx);
      let model = emptyModel(units);
      for (const choose of choices) model = advance(company, model, choose);
      expect(differencesOf(tx, company)).toEqual([]);
    });
  });
  await fc.assert(property, { numRuns: HISTORIES });
}, 1_200_000);
