// A package that comes again, grown, after classes or plans that it names were deleted here: what it issues in them is
// refused, with all that makes or builds on it, and no share is lost on the way.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { startTestServer, type TestServer } from "../../kit/service.ts";
import { grant, stock, tx } from "./objects.ts";
import { Organization } from "./organization.ts";

setDefaultTimeout(120_000);

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const DAY = "2024-01-10";
const MARCH = "2024-03-01";
const APRIL = "2024-04-01";

describe("in a class or under a plan that was deleted here", () => {
  const P = stock("P", DAY, "10", { stock_class_id: "preferred" });
  const converted = [
    tx("STOCK_CONVERSION", MARCH, { security_id: "P", quantity_converted: "10", resulting_security_ids: ["C"] }),
    stock("C", MARCH, "20"),
    tx("STOCK_TRANSFER", APRIL, { security_id: "C", quantity: "20", resulting_security_ids: ["D"] }),
    stock("D", APRIL, "20", { stakeholder_id: "bob" }),
  ];

  test("nothing is issued, and nothing converted into it: the shares stay where they are", async () => {
    const company = await Organization.make(server);
    await company.import(P);
    await company.call("DELETE", "/equity-plans/plan");
    await company.call("DELETE", "/share-classes/common");
    const refused = [...converted, stock("S", MARCH, "5")];
    const { errors } = await company.import(P, ...refused);
    expect(errors.map(({ id }) => String(id)).sort()).toEqual(refused.map(({ id }) => String(id)).sort());
    for (const error of errors) expect(error).toMatchObject({ code: "deleted-here", stockClassId: "common" });
    expect((await company.totals()).holdings).toEqual({ "ada|STOCK|preferred": "10" });
  });

  test("no option is granted, and none exercised", async () => {
    const company = await Organization.make(server);
    await company.import();
    await company.call("DELETE", "/equity-plans/plan");
    const refused = [
      grant("O", DAY, "100"),
      tx("EQUITY_COMPENSATION_EXERCISE", MARCH, { security_id: "O", quantity: "40", resulting_security_ids: ["S"] }),
      stock("S", MARCH, "40"),
    ];
    const { errors, imported } = await company.import(P, ...refused);
    expect(errors).toMatchObject(refused.map(({ id }) => ({ code: "deleted-here", id, equityPlanId: "plan" })));
    expect(imported.issuances).toBe(1);
    expect((await company.totals()).holdings).toEqual({ "ada|STOCK|preferred": "10" });
  });
});
