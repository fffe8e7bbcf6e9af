// An approval releases only what it is for: a security newly names one that fits its type, and an approval that is named
// keeps a purpose that fits. What a security inherited stands.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { Answer } from "../kit/service.ts";
import {
  type Company,
  convertible,
  done,
  foundCompany,
  freshCertificate,
  option,
  stock,
  warrant,
} from "../ledger/support.ts";
import { refusal } from "./support.ts";

setDefaultTimeout(60_000);

const FITTING = {
  STOCK: ["Stock Issuance", "Stock Transfer", "Exercise", "Conversion", "Other"],
  STOCK_OPTION: ["Option Grant", "RSU Grant", "Other"],
  WARRANT: ["Warrant Issuance", "Other"],
  CONVERTIBLE: ["Convertible Issuance", "Other"],
} as const;
type SecurityType = keyof typeof FITTING;
const TYPES = Object.keys(FITTING) as SecurityType[];
const PURPOSES = [
  ...["Stock Issuance", "Option Grant", "RSU Grant", "Warrant Issuance", "Convertible Issuance", "Stock Transfer"],
  ...["Exercise", "Conversion", "Cancellation", "Repurchase", "Valuation", "Equity Plan", "Stock Split", "Other"],
];

let company: Company;
beforeAll(async () => {
  company = await foundCompany();
});
afterAll(() => company.server.stop());

const api: Company["server"]["api"] = (...call) => company.server.api(...call);

async function approvalFor(entityType: string): Promise<string> {
  return (await api("POST", "/approvals", { title: entityType, entityType })).json.data.id;
}

function create(type: SecurityType, approvalId: string | null): Promise<Answer> {
  const plan = type === "STOCK_OPTION" ? { stockPlanId: company.plan, optionType: "NSO" } : {};
  const what = { type, stakeholderId: company.holder, stockClassId: company.common, ...plan };
  const rest = { quantity: "10", grantDate: "2026-01-15", certificateId: freshCertificate(), approvalId };
  return api("POST", "/securities", { ...what, ...rest });
}

const make = { STOCK: stock, STOCK_OPTION: option, WARRANT: warrant, CONVERTIBLE: convertible };

describe.each(TYPES)("a %s security", (type) => {
  test.each(PURPOSES)("names an approval for %s only where that fits, on create and on PATCH", async (purpose) => {
    const approvalId = await approvalFor(purpose);
    const isFitting = (FITTING[type] as readonly string[]).includes(purpose);
    const wrong = [422, "validation-failed", "#/approvalId"];
    const created = await create(type, approvalId);
    expect(isFitting ? created.status : refusal(created)).toEqual(isFitting ? 201 : wrong);
    const id = await make[type](company);
    const patched = await api("PATCH", `/securities/${id}`, { approvalId });
    expect(isFitting ? patched.status : refusal(patched)).toEqual(isFitting ? 200 : wrong);
    expect((await api("GET", `/securities/${id}`)).json.approvalId).toBe(isFitting ? approvalId : null);
  });
});

describe("what stands", () => {
  test("is the approval that a security inherited, and one that is sent again", async () => {
    const approvalId = await approvalFor("Option Grant");
    const granted = (await create("STOCK_OPTION", approvalId)).json.id;
    const terms = { quantity: "10", exercisePrice: "0", effectiveDate: "2026-02-01" };
    const exercise = await done(company, "exercise", { securityId: granted, ...terms }).catch(() => null);
    const id = exercise?.newSecurityId ?? "";
    expect((await api("GET", `/securities/${id}`)).json).toMatchObject({ type: "STOCK", approvalId });
    expect((await api("PATCH", `/securities/${id}`, { approvalId, comments: "As it was" })).status).toBe(200);
    expect((await api("PATCH", `/securities/${id}`, { approvalId: null })).status).toBe(200);
    expect(refusal(await api("PATCH", `/securities/${id}`, { approvalId }))).toEqual([
      422,
      "validation-failed",
      "#/approvalId",
    ]);
  });

  test("is not one of an unknown approval, nor more than the record's state allows", async () => {
    const unknown = "0190f5a2-6c1e-7b3a-9d4e-000000000000";
    expect((await create("STOCK", unknown)).status).toBe(404);
    const id = await stock(company);
    const both = await api("PATCH", `/securities/${id}`, {
      approvalId: await approvalFor("Valuation"),
      type: "WARRANT",
    });
    expect(refusal(both)).toEqual([422, "validation-failed", "#/type", "#/approvalId"]);
  });
});

describe("a new purpose of an approval", () => {
  const change = (id: string, entityType: string) => api("PATCH", `/approvals/${id}`, { entityType });

  test.each(TYPES)("must fit the %s security that names it", async (type) => {
    const [first = ""] = FITTING[type];
    const approvalId = await approvalFor(first);
    expect((await change(approvalId, "Valuation")).status).toBe(200);
    expect((await change(approvalId, first)).status).toBe(200);
    const id = (await create(type, approvalId)).json.id;
    for (const purpose of PURPOSES) {
      const isFitting = purpose === first || (FITTING[type] as readonly string[]).includes(purpose);
      const answer = await change(approvalId, purpose);
      expect([purpose, ...(isFitting ? [answer.status] : refusal(answer))]).toEqual(
        isFitting ? [purpose, 200] : [purpose, 422, "validation-failed", "#/entityType"],
      );
    }
    expect((await api("DELETE", `/securities/${id}`)).status).toBe(204);
    expect((await change(approvalId, "Valuation")).status).toBe(200);
  });

  test("is looked at only where it is new, and after the state", async () => {
    const approvalId = await approvalFor("Option Grant");
    const granted = (await create("STOCK_OPTION", approvalId)).json.id;
    await done(company, "exercise", {
      securityId: granted,
      quantity: "4",
      exercisePrice: "0",
      effectiveDate: "2026-02-01",
    });
    // The stock that came of it inherited an approval that does not fit it.
    expect(
      (await api("PATCH", `/approvals/${approvalId}`, { title: "Grant", entityType: "Option Grant" })).status,
    ).toBe(200);
    expect(refusal(await change(approvalId, "RSU Grant"))).toEqual([422, "validation-failed", "#/entityType"]);
    expect((await change(approvalId, "Other")).status).toBe(200);
    await api("POST", `/approvals/${approvalId}/submit`);
    expect((await change(approvalId, "Valuation")).status).toBe(409);
  });
});
