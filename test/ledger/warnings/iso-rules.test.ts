// What keeps an option from being an incentive stock option: by the rules, and in the answers of grants and changes.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { ONE } from "../../../src/kernel/numbers/decimal.ts";
import { hasTenthOfVotes, type IsoFacts, isoFaults } from "../../../src/ledger/warnings/iso-rules.ts";
import { makeShareClass, makeStakeholder } from "../../kit/records.ts";
import { startTestServer, type TestServer } from "../../kit/service.ts";

setDefaultTimeout(60_000);

const FINE: IsoFacts = {
  grantDate: "2024-02-29",
  expirationDate: "2034-02-28",
  strike: "1.1",
  fairValue: "1",
  holder: { displayName: "Ada", relationships: ["ADVISOR", "EMPLOYEE"] },
  hasTenth: false,
  plan: { planName: "Plan", adoptedDate: "2024-01-31", stockholderApprovalDate: "2025-01-31" },
  asOf: "2026-01-01",
};
const plan = (adoptedDate: string | null, stockholderApprovalDate: string | null): Partial<IsoFacts> => ({
  plan: { planName: "Plan", adoptedDate, stockholderApprovalDate },
});
const tenth = { hasTenth: true, expirationDate: "2029-02-28" };

const CASES: readonly (readonly [what: string, given: Partial<IsoFacts>, codes: readonly string[]])[] = [
  ["an employee", {}, []],
  ["an executive", { holder: { displayName: "Ada", relationships: ["EXECUTIVE"] } }, []],
  ["nothing on record of the holder", { holder: { displayName: "Ada", relationships: [] } }, []],
  ["an adviser", { holder: { displayName: "Ada", relationships: ["ADVISOR"] } }, ["iso-to-non-employee"]],
  ["a day more than ten years", { expirationDate: "2034-03-01" }, ["iso-term"]],
  ["no expiry on record", { expirationDate: null }, []],
  ["a tenth, 110 % and five years", tenth, []],
  ["a tenth, a cent below 110 %", { ...tenth, strike: "1.09" }, ["iso-ten-percent-holder"]],
  ["a tenth, a day more than five years", { ...tenth, expirationDate: "2029-03-01" }, ["iso-ten-percent-holder"]],
  ["a tenth, and no valuation", { ...tenth, strike: "0.01", fairValue: null }, []],
  ["less than a tenth at any strike", { strike: "0.01" }, []],
  ["approved twelve months before", plan("2024-01-31", "2023-01-31"), []],
  ["approved a day earlier than that", plan("2024-01-31", "2023-01-30"), ["iso-plan-approval"]],
  ["approved a day too late", plan("2024-01-31", "2025-02-01"), ["iso-plan-approval"]],
  ["not approved, and time is left", { ...plan("2024-01-31", null), asOf: "2025-01-31" }, []],
  ["not approved in time", { ...plan("2024-01-31", null), asOf: "2025-02-01" }, ["iso-plan-approval"]],
  ["no day of adoption", plan(null, null), []],
  ["ten years after the approval", plan("2014-06-01", "2014-02-28"), ["iso-plan-age"]],
  ["ten years after the day of adoption, to the day", plan("2014-02-28", "2014-06-01"), ["iso-plan-age"]],
  ["within ten years", plan("2014-03-01", "2014-06-01"), []],
];

test.each(CASES)("%s", (_what, given, codes) => {
  expect(isoFaults({ ...FINE, ...given }).map(({ code }) => code)).toEqual([...codes] as never);
});

test("votes of preferred stock are as converted, unless its class votes by the share; a tenth is not more than one", () => {
  const common = { id: "c", classType: "COMMON", votesPerShare: "1", issued: "900", ratio: ratio("1", "1") };
  const preferred = { id: "p", classType: "PREFERRED", votesPerShare: "1", issued: "100", ratio: ratio("3", "2") };
  const has = (classes: Parameters<typeof hasTenthOfVotes>[0]) =>
    hasTenthOfVotes(classes, new Map([["p", 100n * ONE]]));
  expect(has([common, preferred])).toBe(true);
  expect(has([common, { ...preferred, votesBasis: "PER_SHARE" }])).toBe(false);
  expect(has([common, { ...preferred, ratio: ratio("1", "1") }])).toBe(false);
});

function ratio(numerator: string, denominator: string) {
  return { numerator, denominator };
}

describe("in answers", () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ CAPTABLE_LOG: "off" });
  });
  afterAll(() => server.stop());

  test("of grants, dry runs, records and their changes; never of NSOs", async () => {
    const where = { orgId: await server.newOrganization() };
    const call = async (method: string, path: string, body: unknown) => {
      const answer = await server.api(method, path, body, where);
      expect(`${path} ${answer.status} ${answer.status < 300 ? "" : answer.text}`).toMatch(/ 20[01] $/);
      return answer.json.data ?? answer.json;
    };
    const codes = ({ warnings }: { readonly warnings: readonly { readonly code: string }[] }) =>
      warnings.map(({ code }) => code).filter((code) => code.startsWith("iso-"));
    const stakeholderId = await makeStakeholder(server, { relationships: ["INVESTOR"] }, where);
    const common = await makeShareClass(server, { initialSharesAuthorized: "100000000" }, where);
    const given = { planName: "Plan", initialSharesReserved: "1000000", stockClassIds: [common] };
    const { id: stockPlanId } = await call("POST", "/equity-plans", { ...given, adoptedDate: "2010-01-01" });
    await call("POST", "/valuations", {
      ...{ type: "409A", status: "APPROVED", stockClassId: common, pricePerShare: "10" },
      effectiveDate: "2025-01-01",
    });
    const stock = { stakeholderId, stockClassId: common, quantity: "1000", certificateId: "S-1" };
    await call("POST", "/transactions/issue-shares", { ...stock, effectiveDate: "2025-01-01" });
    await call("POST", "/transactions/split", {
      ...{ stockClassId: common, numerator: 10, denominator: 1, effectiveDate: "2025-02-01" },
    });
    const option = { stakeholderId, stockPlanId, quantity: "10", certificateId: "O-1", effectiveDate: "2025-03-01" };
    const bad = { ...option, optionType: "ISO", exercisePrice: "1.05", expirationDate: "2040-01-01" };
    const all = ["iso-to-non-employee", "iso-term", "iso-ten-percent-holder", "iso-plan-approval", "iso-plan-age"];
    const issue = (body: object) => call("POST", "/transactions/issue-options", body);
    expect(codes(await issue({ ...bad, dryRun: true }))).toEqual(all);
    expect(codes(await issue({ ...bad, optionType: "NSO" }))).toEqual([]);
    const { securityId, ...made } = await issue({ ...bad, certificateId: "O-2" });
    expect(codes(made)).toEqual(all);
    const change = (body: object) => call("PATCH", `/securities/${securityId}`, body);
    expect(codes(await change({ expirationDate: "2030-03-01" }))).toEqual(all.filter((code) => code !== "iso-term"));
    await call("PATCH", `/stakeholders/${stakeholderId}`, { relationships: ["EMPLOYEE"] });
    await call("PATCH", `/equity-plans/${stockPlanId}`, {
      adoptedDate: "2024-06-01",
      stockholderApprovalDate: "2024-06-02",
    });
    // 409A of 10 before a split 10:1, so that 1.1 is 110 %.
    expect(codes(await change({ exercisePrice: "1.1" }))).toEqual([]);
    expect(codes(await change({ exercisePrice: "1.09" }))).toEqual(["iso-ten-percent-holder"]);
    expect(codes(await change({ boardApprovalDate: "2025-03-01" }))).toEqual([]);
    const { effectiveDate: grantDate, ...record } = bad;
    expect(
      codes(await call("POST", "/securities", { ...record, grantDate, type: "STOCK_OPTION", certificateId: "O-3" })),
    ).toEqual(["iso-term", "iso-ten-percent-holder"]);
  });
});
