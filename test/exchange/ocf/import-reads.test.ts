// How many statements an import runs for an issuance that is new: each look-up more makes every import longer.
import { afterAll, expect, test } from "bun:test";
import Database from "better-sqlite3";
import { importPackage } from "../../../src/exchange/ocf/import/run.ts";
import { commandLineCall } from "../../../src/kernel/call.ts";
import { systemRuntime } from "../../../src/kernel/runtime.ts";
import { newCompany, packageWith } from "./import-support.ts";

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

const RECORDS = [
  { object_type: "STAKEHOLDER", id: "zoe", name: { legal_name: "Zoe" }, stakeholder_type: "INDIVIDUAL" },
  {
    object_type: "STOCK_CLASS",
    id: "common",
    name: "Common",
    class_type: "COMMON",
    default_id_prefix: "CS-",
    initial_shares_authorized: "1000000",
    votes_per_share: "1",
    seniority: "1",
  },
  {
    object_type: "STOCK_PLAN",
    id: "plan",
    plan_name: "Plan",
    initial_shares_reserved: "100000",
    stock_class_ids: ["common"],
  },
];
const common = (n: number) => ({ date: "2024-01-02", stakeholder_id: "zoe", custom_id: `N-${n}`, quantity: "100" });
const price = { amount: "1.50", currency: "USD" };

const stock = (n: number) => ({
  ...common(n),
  object_type: "TX_STOCK_ISSUANCE",
  id: `issued-${n}`,
  security_id: `security-${n}`,
  stock_class_id: "common",
  share_price: price,
  security_law_exemptions: [],
  stock_legend_ids: [],
});
const option = (n: number) => ({
  ...common(n),
  object_type: "TX_EQUITY_COMPENSATION_ISSUANCE",
  id: `issued-${n}`,
  security_id: `security-${n}`,
  stock_plan_id: "plan",
  compensation_type: "OPTION_ISO",
  exercise_price: price,
  expiration_date: "2034-01-02",
  termination_exercise_windows: [],
  security_law_exemptions: [],
});

/** The statements of an import of so many, into an organization that has nothing. */
async function executionsOf(count: number, issuance: (n: number) => object): Promise<number> {
  const company = await newCompany();
  try {
    const issued = Array.from({ length: count }, (_, n) => issuance(n) as Record<string, unknown>);
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
  ["stock", stock, 9],
  ["incentive options", option, 12],
] as const)("an issuance of %s takes few statements", async (_what, issuance, most) => {
  const more = (await executionsOf(MORE, issuance)) - (await executionsOf(FEW, issuance));
  expect(more / (MORE - FEW)).toBe(most);
});
