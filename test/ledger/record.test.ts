// The generic POST /transactions and GET /transactions/{id}.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Company, differences, foundCompany, type Given, get, outcome, standing, stock } from "./support.ts";

const missing = "00000000-0000-7000-8000-000000000000";
let company: Company;
beforeAll(async () => {
  company = await foundCompany();
});
afterAll(async () => {
  expect(differences(company)).toEqual([]);
  await company.server.stop();
});

function record(given: Given) {
  const body = { type: "STOCK_CANCELLATION", effectiveDate: "2019-05-04" };
  return company.server.api("POST", "/transactions", { ...body, ...given });
}

describe("POST /transactions", () => {
  test("records the entry, shows it at its Location, and changes nothing else", async () => {
    const securityId = await stock(company);
    const metadata = {
      reason: "Paper ledger",
      directEdit: true,
      after: { quantity: "1" },
      nested: { deep: [1, null] },
    };
    const given = { securityId, stakeholderId: company.other, quantity: "10.50", metadata };
    const answer = await record(given);
    expect(answer.status).toBe(201);
    expect(answer.json.data).toMatchObject({ ...given, recordOnly: true, effectiveDate: "2019-05-04" });
    expect(answer.headers.get("location")).toBe(`/api/v1/transactions/${answer.json.data.id}`);
    const { warnings, ...entry } = answer.json.data;
    expect(warnings).toEqual([]);
    expect(await get(company, `/transactions/${entry.id}`)).toEqual(entry);
    expect(await standing(company, securityId)).toBe("ACTIVE 1000");
  });

  const rows: [string, Given, string][] = [
    ["the least that it takes", {}, "201"],
    ["nulls for what is optional", { securityId: null, stakeholderId: null, quantity: null, metadata: null }, "201"],
    ["an unknown type", { type: "STOCK_GIFT" }, "422 #/type"],
    ["no date", { effectiveDate: undefined }, "422 #/effectiveDate"],
    ["a quantity of zero", { quantity: "0" }, "422 #/quantity"],
    ["a list for metadata", { metadata: [] }, "422 #/metadata"],
    ["more metadata than is kept", { metadata: { text: "x".repeat(17_000) } }, "422 #/metadata"],
    ["an unknown security", { securityId: missing }, "404 not-found"],
    ["an unknown stakeholder", { stakeholderId: missing }, "404 not-found"],
    ["a dry run, which only typed routes do", { dryRun: true }, "422 #/dryRun"],
  ];
  test.each(rows)("with %s", async (_what, given, expected) => {
    expect(outcome(await record(given))).toBe(expected);
  });

  test("keeps empty metadata and absent metadata apart", async () => {
    const [empty, absent] = [await record({ metadata: {} }), await record({})];
    expect([empty.json.data.metadata, absent.json.data.metadata]).toEqual([{}, null]);
  });

  test("is told in the audit log", async () => {
    const { id } = (await record({ quantity: "7" })).json.data;
    const [newest] = (await company.server.api("GET", "/audit-log?limit=1")).json.items;
    expect(newest).toMatchObject({ resourceType: "transaction", resourceId: id, method: "POST" });
  });
});

describe("GET /transactions/{id}", () => {
  test("is 404 for an unknown id and for another organization's", async () => {
    const { id } = (await record({})).json.data;
    const orgId = await company.server.newOrganization("Other, Inc.");
    expect(outcome(await company.server.api("GET", `/transactions/${missing}`))).toBe("404 not-found");
    expect(outcome(await company.server.api("GET", `/transactions/${id}`, undefined, { orgId }))).toBe("404 not-found");
  });
});
