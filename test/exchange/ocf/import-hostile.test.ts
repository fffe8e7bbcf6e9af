// Hostile packages: whatever stands in one object, the others are imported, the ledger explains every row,
// and the program goes on.
import { expect, test } from "bun:test";
import { join } from "node:path";
import * as fc from "fast-check";
import { isObject } from "../../../src/exchange/ocf/json.ts";
import { itemsOf } from "../../../src/exchange/ocf/package.ts";
import { verifyDatabase } from "../../../src/safekeeping/verify/verify.ts";
import { newCompany, packageWith } from "./import-support.ts";
import { readPackage } from "./reading.ts";

const SMALL = join(import.meta.dir, "../../fixtures/ocf/small");
const objects = [...itemsOf(await readPackage(SMALL))].map(({ value }) => value).filter(isObject);
const names = [...new Set(objects.flatMap((object) => Object.keys(object)))];

const value = fc.oneof(
  fc.constantFrom(null, "", "0", "-1", "1e3", "999999999999999", "99999999999999999999", "0.00000000001", "NaN"),
  fc.constantFrom(
    "2026-02-30",
    "0000-00-00",
    "9999-12-31",
    "UNLIMITED",
    "\u0000",
    "\ud800",
    "__proto__",
    "x".repeat(300),
  ),
  fc.constantFrom(...objects.map((object) => String(object.security_id ?? object.id))),
  fc.constantFrom({ amount: "1" }, { amount: {} }, { numerator: "0", denominator: "0" }, [], [null], [[]], [{}]),
  fc.jsonValue({ maxDepth: 3 }),
);

/** Some of the objects, in any order, some of them with a member changed, added or taken away. */
const hostile = fc
  .tuple(
    fc.shuffledSubarray(objects, { minLength: Math.floor(objects.length / 2) }),
    fc.array(fc.record({ at: fc.nat(), name: fc.constantFrom(...names, "object_type"), value: fc.option(value) }), {
      maxLength: 25,
    }),
  )
  .map(([chosen, changes]) => {
    const copies: Record<string, unknown>[] = chosen.map((object) => ({ ...object }));
    for (const { at, name, value } of changes) {
      const copy = copies[at % copies.length];
      if (copy && value === null) delete copy[name];
      else if (copy) copy[name] = value;
    }
    return copies;
  });

test("whatever the objects say, each comes in, is skipped, or is refused", async () => {
  await fc.assert(
    fc.asyncProperty(hostile, async (changed) => {
      const company = await newCompany();
      try {
        const report = await company.import(packageWith(changed));
        const came = Object.values(report.imported).reduce((sum, count) => sum + count, 0);
        expect(came + report.conflicts.length + report.errors.length).toBe(changed.length);
        expect(report.errors.filter(({ code }) => code === "inapplicable")).toEqual([]);
        expect(verifyDatabase(company.db, company.orgId).differences).toEqual([]);
        const again = await company.import(packageWith(changed));
        expect(Object.values(again.imported).every((count) => count === 0)).toBe(true);
      } finally {
        company.close();
      }
    }),
    { numRuns: 25 },
  );
}, 60_000);

test("an unpaired surrogate is refused, its escaped name is not", async () => {
  const company = await newCompany();
  const holder = { object_type: "STAKEHOLDER", stakeholder_type: "INDIVIDUAL" };
  const { imported, errors } = await company.import(
    packageWith([
      { ...holder, id: "half", name: { legal_name: "Ada \ud83d" } },
      { ...holder, id: "whole", name: { legal_name: "Ada \ud83d\ude00" } },
      { ...holder, id: "words", name: { legal_name: "Ada \\ud83d" } },
      { ...holder, id: "odd", name: { legal_name: "Ada \\\ud83d" } },
    ]),
  );
  expect(imported.stakeholders).toBe(2);
  expect(errors.map(({ id }) => id)).toEqual(["half", "odd"]);
  company.close();
});

test("vesting terms without end are refused", async () => {
  const condition = { id: "c", trigger: { type: "VESTING_EVENT" }, next_condition_ids: [] };
  const vesting_conditions = Array.from({ length: 1001 }, (_, i) => ({ ...condition, id: `c${i}` }));
  const company = await newCompany();
  const terms = { object_type: "VESTING_TERMS", id: "t", name: "Long", description: "", vesting_conditions };
  const { errors } = await company.import(packageWith([terms]));
  expect(errors.map(({ pointer }) => pointer)).toEqual(["#/vesting_conditions"]);
  company.close();
});
