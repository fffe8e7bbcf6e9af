// A start of vesting that is recorded after a split counts for the days before it, too: the copy vests the same on
// every day, whether the grant was imported or not, and whatever other starts there were.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { importPackage } from "../../../../src/exchange/ocf/import/run.ts";
import { commandLineCall } from "../../../../src/kernel/call.ts";
import { Service } from "../../../kit/in-process.ts";
import { readZip } from "../reading.ts";
import type { Shape } from "./company.ts";
import { dayAfter } from "./random-company.ts";

setDefaultTimeout(120_000);

let home: Service;
beforeAll(async () => {
  home = await Service.start(1);
});
afterAll(() => home.stop());

const MONTHLY = {
  id: "m",
  trigger: { type: "TIME_BASED", periodLength: 1, periodType: "MONTHS" },
  portion: { numerator: 1, denominator: 48 },
  nextConditionId: "m",
};

async function send(orgId: string, method: string, path: string, body?: object): Promise<Shape> {
  const { status, json, text } = await home.api(method, path, body, { orgId });
  if (status >= 300) throw new Error(`${method} ${path}: ${text}`);
  return json.data ?? json;
}

/** A company with 1,001 options and 1,001 shares that vest in 48 months from 2025-01-01 on. */
async function newCompany() {
  const orgId = await home.newOrganization("Started, Inc.");
  const post = (path: string, body: object) => send(orgId, "POST", path, body);
  const ann = { displayName: "Ann", name: { legalName: "Ann" }, type: "INDIVIDUAL" };
  const { id: stakeholderId } = await post("/stakeholders", ann);
  const terms = { classType: "COMMON", votesPerShare: "1", seniority: 1, defaultIdPrefix: "CS-" };
  const stockClass = { name: "Common", ...terms, initialSharesAuthorized: "100000" };
  const { id: stockClassId } = await post("/share-classes", stockClass);
  const plan = { planName: "Plan", initialSharesReserved: "10000", stockClassIds: [stockClassId] };
  const { id: stockPlanId } = await post("/equity-plans", plan);
  const monthly = { name: "Monthly", description: "48 months", vestingConditions: [MONTHLY] };
  const { id: vestingTermsId } = await post("/vesting-terms", monthly);
  const issued = { stakeholderId, quantity: "1001", vestingTermsId, effectiveDate: "2025-01-01" };
  const grant = { ...issued, stockPlanId, certificateId: "ES-1", optionType: "NSO", exercisePrice: "1" };
  const { securityId: option } = await post("/transactions/issue-options", grant);
  const shares = { ...issued, stockClassId, certificateId: "CS-1" };
  const { securityId: stock } = await post("/transactions/issue-shares", shares);
  return { orgId, stockClassId, ids: [option, stock] as string[] };
}

async function copyOf(orgId: string): Promise<string> {
  const archive = await home.download("/cap-table/ocf-export", orgId);
  const copy = await home.newOrganization("Copy, Inc.");
  const target = { writer: home.writer, call: () => commandLineCall(home.runtime, copy) };
  const { errors } = await importPackage(target, await readZip(archive));
  expect(errors).toEqual([]);
  return copy;
}

const SPLIT_ON = "2026-03-15";

async function vestedOn(orgId: string, day: string) {
  const { stakeholders } = await send(orgId, "GET", `/cap-table?asOf=${day}`);
  const seen = stakeholders.map(({ outstanding, options, vested }: Shape) => [outstanding, options, vested]);
  return [day, ...seen];
}

const START = "2025-06-01";

for (const [name, starts, isImported] of [
  ["of a grant made here", [START], false],
  ["of a grant that an import brought", [START], true],
  ["that another one of an earlier day replaces", ["2026-06-01", START], false],
  ["after one from before the split", ["before", START], false],
  ["back to before the grant", ["2024-06-01"], false],
] as const) {
  test(`a start recorded after a split ${name}: vested is the same in a copy on every day`, async () => {
    const made = await newCompany();
    const orgId = isImported ? await copyOf(made.orgId) : made.orgId;
    const { ids, stockClassId } = made;
    const run = (route: string, body: object) => send(orgId, "POST", `/transactions/${route}`, body);
    const start = async (effectiveDate: string) => {
      for (const securityId of ids) await run("start-vesting", { securityId, effectiveDate });
    };
    if (starts[0] === "before") await start("2025-09-09");
    await run("split", { stockClassId, numerator: 3, denominator: 2, effectiveDate: SPLIT_ON });
    for (const day of starts) if (day !== "before") await start(day);
    const copy = await copyOf(orgId);
    const first = dayAfter("2024-12-31", 1);
    const days = Array.from({ length: 30 }, (_, month) => dayAfter(first, month * 53));
    const ours: unknown[] = [];
    for (const day of [...days, dayAfter(SPLIT_ON, -1), SPLIT_ON]) {
      const here = await vestedOn(orgId, day);
      expect(await vestedOn(copy, day)).toEqual(here);
      ours.push(here);
    }
    expect(ours).toContainEqual([dayAfter(SPLIT_ON, -1), ["1001", "1001", starts.at(-1) === START ? "376" : "876"]]);
  });
}
