// How many statements an import runs for an issuance that is new: each look-up more makes every import longer.
import { afterAll, expect, test } from "bun:test";
import Database from "better-sqlite3";
import { importPackage } from "../../../src/exchange/ocf/import/run.ts";
import { commandLineCall } from "../../../src/kernel/call.ts";
import { systemRuntime } from "../../../src/kernel/runtime.ts";
import { newCompany, packageWith } from "./import-support.ts";
import { type Fields, grant, RECORDS, stock } from "./objects.ts";

let executions = 0;
const { prepare } = Database.prototype;
Database.prototype.prepare = function (this: Database.Database, text: string) {
  return new Proxy(prepare.call(this, text), {
    get(statement, name) {
      const member = Reflect.get(statement, name);
      if (typeof member !== "function") return member;
      if (["run", "get", "all", "iterate"].includes(String(name))) executions++;
      return member.bind(statement);
    },
  });
} as typeof prepare;
afterAll(() => {
  Database.prototype.prepare = prepare;
});

const DAY = "2024-01-02";
const shares = (n: number) => stock(`security-${n}`, DAY, "100");
/** Of the plan's class, which the object does not name. */
const option = (n: number) => {
  const members = { stock_class_id: undefined, compensation_type: "OPTION_ISO", expiration_date: "2034-01-02" };
  return grant(`security-${n}`, DAY, "100", members);
};

/** The statements of an import of so many, into an organization that has nothing. */
async function executionsOf(count: number, issuance: (n: number) => Fields): Promise<number> {
  const company = await newCompany();
  try {
    const issued = Array.from({ length: count }, (_, n) => issuance(n));
    const before = executions;
    const call = () => commandLineCall(systemRuntime, company.orgId);
    const target = { writer: company.writer, call, chunkMs: LONG_MS };
    const { errors, imported } = await importPackage(target, packageWith([...RECORDS, ...issued]));
    expect([errors, imported.issuances]).toEqual([[], count]);
    return executions - before;
  } finally {
    company.close();
  }
}

/** All in one transaction: each takes statements of its own. */
const LONG_MS = 600_000;
const FEW = 50;
const MORE = 150;

test.each([
  ["stock", shares, 3],
  ["incentive options", option, 4],
] as const)("an issuance of %s takes few statements", async (_what, issuance, most) => {
  const more = (await executionsOf(MORE, issuance)) - (await executionsOf(FEW, issuance));
  // And a part of the statements that insert many entries.
  expect(Math.floor(more / (MORE - FEW))).toBe(most);
});
