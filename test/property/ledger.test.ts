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
import { verifyDatabase, verifyOrganization } from "../../src/verify/verify.ts";
import { type CapTable, expectSound, sum } from "../support/cap-table.ts";
import { firstSeed, proved } from "../support/proof.ts";
import { RELEASE } from "../support/release.ts";
import { Company } from "./company.ts";
import { decide, issuedOf, type Kind, type Model, type Step, show, units } from "./model.ts";
import { type Choice, DATES, emptyModel, histories } from "./steps.ts";

const HISTORIES = RELEASE ? 10_000 : 300;
const PAIRS = RELEASE ? 1_000 : 60;
const STEPS = 30;
const TIMEOUT_MS = 1_200_000;

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

/** Checks histories of choices; each runs in one item of the real writer. */
function check(numRuns: number, run: (tx: Tx, choices: readonly Choice[]) => void): Promise<void> {
  const property = fc.asyncProperty(histories(STEPS), (choices) => writer.submit((tx) => run(tx, choices)));
  return fc.assert(property, { numRuns, seed: firstSeed() });
}

/** Does one choice in a company and its model; they must agree on whether it is allowed, and on all that follows. */
function advance(company: Company, model: Model, choose: Choice): Model {
  const step = choose(model);
  if (step === null) return model;
  const decided = decide(model, step);
  expectOutcome(company, step, decided);
  const after = "after" in decided ? decided.after : model;
  company.expectEqual(after);
  return after;
}

function expectOutcome(company: Company, step: Step, decided: ReturnType<typeof decide>, isDry = false): void {
  const outcome = company.run(step, isDry);
  const said = outcome.isDone ? "done" : outcome.slug;
  const allowed = "refused" in decided ? decided.refused : ["done"];
  if (!allowed.includes(said)) throw new Error(`${JSON.stringify(step)} came to ${said}, not ${allowed.join(" or ")}`);
}

function differencesOf(tx: Tx, company: Company): Difference[] {
  const differences: Difference[] = [];
  verifyOrganization(tx, getOrganization(tx, company.orgId), { differences, notes: [] });
  return differences;
}

function openQuantity(model: Model, kind: Kind): string {
  const open = model.securities.filter((security) => security.kind === kind && security.status === "ACTIVE");
  return show(open.reduce((total, security) => total + (security.isDeleted ? 0n : security.quantity), 0n));
}

/** When every entry counts, the view is the cap table itself. */
function expectWhole(table: CapTable, model: Model): void {
  const { totals, equityPlans, shareClasses } = table;
  expect(totals.outstanding).toBe(openQuantity(model, "STOCK"));
  expect(totals.options).toBe(openQuantity(model, "STOCK_OPTION"));
  expect(totals.warrants).toBe(openQuantity(model, "WARRANT"));
  expect(sum(table.convertibles.map(({ quantity }) => quantity))).toBe(openQuantity(model, "CONVERTIBLE"));
  const plans = equityPlans.map(({ reserved, available }) => [reserved, available]);
  expect(plans).toEqual(model.plans.map(({ reserved, available }) => [show(reserved), show(available)]));
  const classes = shareClasses.map(({ authorized, issued }) => [authorized, issued]);
  expect(classes).toEqual(
    model.classes.map(({ authorized }, index) => [show(authorized), show(issuedOf(model, index))]),
  );
}

test(
  `every step of ${HISTORIES} random histories is as the specification says, and the ledger explains it`,
  async () => {
    await check(HISTORIES, (tx, choices) => {
      const company = new Company(tx);
      let model = emptyModel(units);
      for (const choose of choices) model = advance(company, model, choose);
      expect(differencesOf(tx, company)).toEqual([]);
      for (const date of DATES) expectSound(company.tableAsOf(date));
      for (const date of ["2025-06-30", "9999-12-31"]) company.expectVestingAddsUp(model, date);
      expectWhole(company.tableAsOf("9999-12-31"), model);
    });
    expect(verifyDatabase(db).differences).toEqual([]);
    const what = "random histories against a second cap table";
    proved({ fault: "P1, P2", what, count: HISTORIES, seed: String(firstSeed()), result: "0 differences" });
  },
  TIMEOUT_MS,
);

test(
  `${PAIRS} histories give the same tables in two organizations that take turns`,
  async () => {
    await check(PAIRS, (tx, choices) => {
      const companies = [new Company(tx), new Company(tx)] as const;
      const models: [Model, Model] = [emptyModel(units), emptyModel(units)];
      for (const choose of choices) {
        models[0] = advance(companies[0], models[0], choose);
        models[1] = advance(companies[1], models[1], choose);
      }
      expect(models[1]).toEqual(models[0]);
      for (const company of companies) expect(differencesOf(tx, company)).toEqual([]);
    });
  },
  TIMEOUT_MS,
);

test(
  `a dry run says what the operation would and changes nothing, in ${PAIRS} histories`,
  async () => {
    await check(PAIRS, (tx, choices) => {
      const company = new Company(tx);
      let model = emptyModel(units);
      for (const choose of choices) {
        const step = choose(model);
        if (step !== null && "date" in step && step.op !== "post-security" && step.op !== "record-only") {
          expectOutcome(company, step, decide(model, step), true);
          company.expectEqual(model);
        }
        model = advance(company, model, choose);
      }
      expect(differencesOf(tx, company)).toEqual([]);
    });
  },
  TIMEOUT_MS,
);
