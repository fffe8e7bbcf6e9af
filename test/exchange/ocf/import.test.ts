// Imports of whole packages against the oracle, an independent calculator; and of the project's own small package,
// which is always there.
import { afterAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isObject, textOf } from "../../../src/exchange/ocf/json.ts";
import { itemsOf, type OcfPackage } from "../../../src/exchange/ocf/package.ts";
import { verifyDatabase } from "../../../src/safekeeping/verify/verify.ts";
import { GENERATOR, MATERIAL, ORACLE, PACKAGES } from "../../kit/ocf-material.ts";
import { runTool } from "../../kit/tool.ts";
import { SMALL } from "./fixture.ts";
import { type Company, newCompany, oracleTotals, storedTotals } from "./import-support.ts";
import { readPackage } from "./reading.ts";

const scratch = mkdtempSync(join(tmpdir(), "captable-packages-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

async function oracle(path: string, ocf: OcfPackage) {
  const printed = JSON.parse(await runTool(ORACLE, [path, "--partial=reduce", "--all"]));
  const objects = [...itemsOf(ocf)].map(({ value }) => value).filter(isObject);
  const holders = objects.filter((each) => each.object_type === "STAKEHOLDER").map((each) => textOf(each, "id") ?? "");
  return oracleTotals(printed, new Set(holders));
}

/** Imports twice: the totals are the oracle's, nothing comes in again, and the ledger explains every row. */
async function expectSameTotals(path: string): Promise<void> {
  const ocf = await readPackage(path);
  const company = await newCompany();
  try {
    const first = await company.import(ocf);
    const totals = storedTotals(company);
    expect(totals).toEqual(await oracle(path, ocf));
    const again = await company.import(await readPackage(path));
    expect(Object.values(again.imported).every((count) => count === 0)).toBe(true);
    const came = Object.values(first.imported).reduce((sum, count) => sum + count, 0);
    expect(again.conflicts.length).toBeGreaterThanOrEqual(came);
    expect(storedTotals(company)).toEqual(totals);
    expect(verifyDatabase(company.db, company.orgId).differences).toEqual([]);
    expectOriginalsKept(company, ocf, first.errors.length);
  } finally {
    company.close();
  }
}

/** Every object that was not refused is kept as it came. */
function expectOriginalsKept({ db, orgId }: Company, ocf: OcfPackage, refused: number): void {
  const find = db.sqlite.prepare<[string, string, string], { raw: string }>(
    "select raw from ocf_objects where orgId = ? and objectType = ? and id = ?",
  );
  const objects = [...itemsOf(ocf)].map(({ value }) => value).filter(isObject);
  const missing = objects.filter((object) => {
    const kept = find.get(orgId, String(object.object_type), String(object.id));
    return kept?.raw !== JSON.stringify(object);
  });
  expect(missing.length).toBe(refused);
}

describe("the oracle agrees on", () => {
  for (const path of PACKAGES) {
    test(path.slice(MATERIAL.length + 1), () => expectSameTotals(path), 60_000);
  }
  for (const [seed, layout] of [
    [1, "ocf"],
    [2, "plain"],
    [3, "ocf"],
  ] as const) {
    test(`a generated package, seed ${seed}`, async () => {
      const path = join(scratch, `seed-${seed}.zip`);
      await runTool(GENERATOR, ["400", String(seed), path, ...(layout === "ocf" ? ["--layout=ocf"] : [])]);
      await expectSameTotals(path);
    });
  }
});

test("the project's own package comes in whole", async () => {
  const company = await newCompany();
  const report = await company.import(await readPackage(SMALL));
  expect(report.errors).toEqual([]);
  expect(report.warnings.map(({ code, id }) => `${code} ${id}`)).toEqual(["votes-basis-assumed seed"]);
  expect(report.conflicts).toEqual([]);
  expect(verifyDatabase(company.db, company.orgId).differences).toEqual([]);
  company.close();
});
