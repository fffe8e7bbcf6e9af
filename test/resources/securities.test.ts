// Securities made, corrected and deleted by hand: each with the ledger entries that say so.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { makeShareClass, makeStakeholder } from "../kit/records.ts";
import type { Answer } from "../kit/service.ts";
import {
  available,
  type Company,
  differences,
  done,
  foundCompany,
  freshCertificate,
  type Given,
  get,
  lastEntries,
  makePlan,
  makeTerms,
  option,
  outcome,
  standing,
  stock,
} from "../ledger/support.ts";

const missing = "00000000-0000-7000-8000-000000000000";
let company: Company;
beforeAll(async () => {
  company = await foundCompany({ CAPTABLE_CHAIN: "on" });
});
afterAll(async () => {
  expect(differences(company)).toEqual([]);
  await company.server.stop();
});

function create(given: Given): Promise<Answer> {
  const body = {
    type: "STOCK",
    stakeholderId: company.holder,
    stockClassId: company.common,
    certificateId: freshCertificate(),
    quantity: "100",
    grantDate: "2024-01-01",
  };
  return company.server.api("POST", "/securities", { ...body, ...given });
}

async function created(given: Given = {}): Promise<string> {
  const answer = await create(given);
  if (answer.status !== 201) throw new Error(answer.text);
  return answer.json.id;
}

function patch(id: string, body: Given): Promise<Answer> {
  return company.server.api("PATCH", `/securities/${id}`, body);
}

async function sequence(): Promise<number> {
  const [newest] = await lastEntries(company, 1);
  return Number(newest?.sequence ?? 0);
}

/** Type, quantity, before and after of the entries that a change appends. */
async function entriesOf(change: () => Promise<unknown>): Promise<unknown[][]> {
  const before = await sequence();
  await change();
  const entries = await lastEntries(company, Math.max(1, (await sequence()) - before));
  return entries
    .filter((entry) => Number(entry.sequence) > before)
    .map(({ type, quantity, metadata }) => {
      const { directEdit, before: was, after } = (metadata ?? {}) as Record<string, unknown>;
      return [type, quantity, directEdit, was, after];
    });
}

describe("POST /securities", () => {
  test("makes the security as sent, records its issuance, and points at it", async () => {
    const vestingTermsId = await makeTerms(company.server, [
      { id: "c", trigger: { type: "EVENT_BASED" }, portion: { numerator: 1, denominator: 1 } },
    ]);
    const valuation = { type: "409A", stockClassId: company.common, pricePerShare: "1", effectiveDate: "2024-01-01" };
    const valuationId = (await company.server.api("POST", "/valuations", valuation)).json.id;
    const legend = (await company.server.api("POST", "/stock-legends", { name: "L", text: "Restricted" })).json.id;
    const document = { title: "Grant", uri: "https://example.com/grant" };
    const sourceDocumentId = (await company.server.api("POST", "/documents", document)).json.id;
    const sent = {
      type: "STOCK_OPTION",
      vestingTermsId,
      certificateId: "EX-1",
      quantity: "0100.50",
      pricePerShare: "0.10",
      exercisePrice: "0.250",
      optionType: "NSO",
      grantDate: "2024-01-01",
      expirationDate: "2030-01-01",
      vestingStartDate: "2023-12-01",
      valuationId,
      boardApprovalDate: "2023-12-31",
      comments: "First\nsecond",
      sourceDocumentId,
      stockLegendIds: [legend],
    };
    const answer = await create({
      ...sent,
      stockClassId: null,
      stockPlanId: company.plan,
      totalConsideration: "10.00",
    });
    expect(answer.status).toBe(201);
    expect(answer.headers.get("location")).toBe(`/api/v1/securities/${answer.json.id}`);
    const { warnings, ...made } = answer.json;
    expect(warnings).toEqual([]);
    expect(made).toEqual({
      ahead: [],
      currency: "USD",
      ...sent,
      id: answer.json.id,
      orgId: answer.json.orgId,
      status: "ACTIVE",
      stakeholderId: company.holder,
      stockClassId: company.common,
      equityPlanId: company.plan,
      planCharge: "100.5",
      purchasePrice: "10.00",
      stockholderApprovalDate: null,
      approvalId: null,
      originSecurityId: null,
      vestingStoppedOn: null,
      convertibleTerms: null,
      tokenStatus: "NOT_APPLICABLE",
      tokenTransactionHash: null,
      tokenError: null,
      verificationStatus: "UNVERIFIED",
      ...{ asksAcceptance: false, acceptanceStatus: "NOT_ASKED", acceptanceAskedAt: null, acceptedAt: null },
      createdAt: answer.json.createdAt,
      updatedAt: answer.json.createdAt,
    });
    expect(await get(company, `/securities/${answer.json.id}`)).toEqual(made);
    const issuance = { type: "STOCK_OPTION_ISSUANCE", securityId: answer.json.id, quantity: "0100.50" };
    expect(await lastEntries(company, 1)).toMatchObject([{ ...issuance, effectiveDate: "2024-01-01" }]);
  });

  const rows: [string, Given, string][] = [
    ["the least that stock needs", {}, "201"],
    ["a warrant without a class", { type: "WARRANT", stockClassId: null }, "201"],
    ["a convertible", { type: "CONVERTIBLE", stockClassId: null }, "201"],
    ["stock without a class", { stockClassId: null }, "422 #/stockClassId"],
    ["an option without plan and kind", { type: "STOCK_OPTION" }, "422 #/stockPlanId #/optionType"],
    ["an unknown type", { type: "RSU" }, "422 #/type"],
    ["an unknown status", { status: "VOID" }, "422 #/status"],
    ["no status, which has a default", { status: null }, "422 #/status"],
    ["no vesting start, which has a default", { vestingStartDate: null }, "422 #/vestingStartDate"],
    ["no certificate", { certificateId: null }, "422 #/certificateId"],
    ["a long certificate", { certificateId: "x".repeat(51) }, "422 #/certificateId"],
    ["nothing", { quantity: "0" }, "422 #/quantity"],
    ["what only answers show", { equityPlanId: missing }, "422 #/equityPlanId"],
    ["what only PATCH takes", { verificationStatus: "VERIFIED" }, "422 #/verificationStatus"],
    ["a legend twice", { stockLegendIds: [missing, missing] }, "422 #/stockLegendIds"],
    ["an unknown holder", { stakeholderId: missing }, "404 not-found"],
    ["an unknown class", { stockClassId: missing }, "404 not-found"],
    ["an unknown plan", { stockPlanId: missing }, "404 not-found"],
    ["unknown terms", { vestingTermsId: missing }, "404 not-found"],
    ["an unknown valuation", { valuationId: missing }, "404 not-found"],
    ["an unknown approval", { approvalId: missing }, "404 not-found"],
    ["an unknown document", { sourceDocumentId: missing }, "404 not-found"],
    ["an unknown legend", { stockLegendIds: [missing] }, "404 not-found"],
    ["more than is authorized", { quantity: "1000001" }, "409 insufficient-authorized-shares"],
    ["more than is authorized, but closed", { quantity: "1000001", status: "CANCELLED" }, "201"],
    ["a certificate that another has", { certificateId: "EX-1" }, "409 duplicate-certificate-id"],
  ];
  test.each(rows)("with %s", async (_what, given, expected) => {
    expect(outcome(await create(given))).toBe(expected);
  });

  const statuses: [string, string, string][] = [
    ["STOCK", "REPURCHASED", "STOCK_REPURCHASE"],
    ["STOCK", "EXERCISED", "STOCK_CANCELLATION"],
    ["STOCK_OPTION", "EXERCISED", "STOCK_OPTION_EXERCISE"],
    ["WARRANT", "TRANSFERRED", "WARRANT_TRANSFER"],
    ["CONVERTIBLE", "CONVERTED", "CONVERTIBLE_CONVERSION"],
    ["CONVERTIBLE", "CANCELLED", "CONVERTIBLE_CANCELLATION"],
  ];
  test.each(statuses)("of %s as %s appends the issuance and a %s", async (type, status, entryType) => {
    const grant = type === "STOCK_OPTION" ? { stockPlanId: company.plan, optionType: "ISO" } : {};
    const entries = await entriesOf(() => created({ type, status, ...grant }));
    expect(entries).toEqual([
      [`${type}_ISSUANCE`, "100", undefined, undefined, undefined],
      [entryType, "100", true, { status: "ACTIVE" }, { status }],
    ]);
  });

  test("with one Idempotency-Key twice makes one", async () => {
    const headers = { "idempotency-key": "security-once" };
    const body = { type: "STOCK", stakeholderId: company.holder, stockClassId: company.common, quantity: "1" };
    const sent = { ...body, certificateId: freshCertificate(), grantDate: "2024-01-01" };
    const answers = [
      await company.server.api("POST", "/securities", sent, { headers }),
      await company.server.api("POST", "/securities", sent, { headers }),
    ];
    expect(answers[0]?.json.id).toBe(answers[1]?.json.id);
    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
  });
});

describe("the gate of an approval", () => {
  async function approval(isLocked: boolean, entityType = "Stock Issuance"): Promise<string> {
    const body = { title: "Grant", entityType, steps: [{ name: "Board" }] };
    const { id } = (await company.server.api("POST", "/approvals", body)).json.data;
    if (isLocked) await lock(id);
    return id;
  }
  async function lock(id: string): Promise<void> {
    const steps = (await company.server.api("GET", `/approvals/${id}/steps`)).json.data;
    await company.server.api("POST", `/approvals/${id}/submit`);
    await company.server.api("PATCH", `/approvals/${id}/steps/${steps[0].id}`, { status: "APPROVED" });
    expect(outcome(await company.server.api("POST", `/approvals/${id}/lock`))).toBe("200");
  }
  const tokenStatus = async (id: string) => (await get(company, `/securities/${id}`)).tokenStatus;

  test("holds stock made here until its approval is locked; issue-shares knows none", async () => {
    const [open, locked] = [await approval(false), await approval(true)];
    const [none, waiting, free] = [
      await created(),
      await created({ approvalId: open }),
      await created({ approvalId: locked }),
    ];
    const issued = await stock(company);
    const option = await created({
      type: "STOCK_OPTION",
      stockPlanId: company.plan,
      optionType: "ISO",
      approvalId: await approval(false, "Option Grant"),
    });
    const now = () => Promise.all([none, waiting, free, issued, option].map(tokenStatus));
    expect(await now()).toEqual(["PENDING_APPROVAL", "PENDING_APPROVAL", "PENDING", "PENDING", "NOT_APPLICABLE"]);
    await lock(open);
    expect(await now()).toEqual(["PENDING_APPROVAL", "PENDING", "PENDING", "PENDING", "NOT_APPLICABLE"]);
    await patch(none, { approvalId: locked });
    expect(await tokenStatus(none)).toBe("PENDING");
  });

  test("goes along with a transfer", async () => {
    const approvalId = await approval(false);
    const securityId = await created({ approvalId });
    const parties = { fromStakeholderId: company.holder, toStakeholderId: company.other };
    const transfer = { securityId, ...parties, quantity: "40", effectiveDate: "2024-02-01" };
    const { newSecurityId } = await done(company, "transfer", transfer);
    expect(await get(company, `/securities/${newSecurityId}`)).toMatchObject({
      approvalId,
      tokenStatus: "PENDING_APPROVAL",
    });
    await lock(approvalId);
    expect(await tokenStatus(newSecurityId ?? "")).toBe("PENDING");
  });
});

describe("PATCH /securities/{id}", () => {
  test("of plain members changes them, and the ledger not", async () => {
    const id = await created();
    const change = {
      certificateId: freshCertificate(),
      pricePerShare: "2.50",
      totalConsideration: "250",
      exercisePrice: "0.10",
      grantDate: "2024-02-01",
      expirationDate: "2031-01-01",
      vestingStartDate: "2024-03-01",
      boardApprovalDate: "2024-01-31",
      comments: "New",
      verificationStatus: "VERIFIED",
    };
    const { totalConsideration: purchasePrice, ...shown } = change;
    expect(await entriesOf(() => patch(id, change))).toEqual([]);
    expect(await get(company, `/securities/${id}`)).toMatchObject({ ...shown, purchasePrice, quantity: "100" });
    const nulls = { pricePerShare: null, totalConsideration: null, exercisePrice: null, comments: null };
    expect(outcome(await patch(id, nulls))).toBe("200");
    expect(await get(company, `/securities/${id}`)).toMatchObject({
      pricePerShare: null,
      purchasePrice: null,
      comments: null,
    });
  });

  test("of prices goes over into what is made of the security, and the ledger still explains it", async () => {
    const securityId = await option(company, { quantity: "100", pricePerShare: undefined });
    await patch(securityId, { exercisePrice: "0.30", pricePerShare: "0.01" });
    const parties = { fromStakeholderId: company.holder, toStakeholderId: company.other };
    const transfer = { securityId, ...parties, quantity: "40", effectiveDate: "2024-02-01" };
    const moved = (await done(company, "transfer", transfer)).newSecurityId;
    expect(await get(company, `/securities/${moved}`)).toMatchObject({ exercisePrice: "0.30", pricePerShare: "0.01" });
    await patch(securityId, { exercisePrice: null, pricePerShare: null });
    const exercise = { securityId, quantity: "10", exercisePrice: "7", effectiveDate: "2024-02-01" };
    const made = (await done(company, "exercise", exercise)).newSecurityId;
    expect(await get(company, `/securities/${made}`)).toMatchObject({ exercisePrice: null, pricePerShare: "7" });
    expect(differences(company)).toEqual([]);
  });

  test("of nothing, or of what is so already, leaves no trace", async () => {
    const id = await created({ comments: "As it is" });
    const before = await get(company, `/securities/${id}`);
    for (const body of [{}, { type: "STOCK", status: "ACTIVE", quantity: "100", comments: "As it is" }]) {
      expect(await entriesOf(() => patch(id, body))).toEqual([]);
    }
    expect(await get(company, `/securities/${id}`)).toEqual(before);
  });

  test("of the same quantity written otherwise shows it as sent and moves nothing", async () => {
    const id = await created();
    expect(await entriesOf(() => patch(id, { quantity: "100.00" }))).toEqual([]);
    expect(await standing(company, id)).toBe("ACTIVE 100.00");
    expect(await entriesOf(() => patch(id, { stakeholderId: company.other }))).toHaveLength(1);
    expect(await standing(company, id)).toBe("ACTIVE 100.00");
  });

  const edits: [string, Given, unknown[][]][] = [
    ["a rise", { quantity: "150.0" }, [["STOCK_ISSUANCE", "50", true, { quantity: "100" }, { quantity: "150.0" }]]],
    ["a fall", { quantity: "60" }, [["STOCK_CANCELLATION", "40", true, { quantity: "100" }, { quantity: "60" }]]],
    [
      "a status",
      { status: "REPURCHASED" },
      [["STOCK_REPURCHASE", "100", true, { status: "ACTIVE" }, { status: "REPURCHASED" }]],
    ],
    [
      "a status that stock has no entry for",
      { status: "CONVERTED" },
      [["STOCK_CANCELLATION", "100", true, { status: "ACTIVE" }, { status: "CONVERTED" }]],
    ],
  ];
  test.each(edits)("of %s is a direct edit", async (_what, body, expected) => {
    const id = await created();
    expect(await entriesOf(() => patch(id, body))).toEqual(expected);
    expect(await get(company, `/securities/${id}`)).toMatchObject(body);
  });

  test("of several appends them in the order holder, class or plan, quantity, status", async () => {
    const id = await created();
    const plan = await makePlan(company.server);
    const body = {
      status: "CANCELLED",
      quantity: "70",
      stockPlanId: plan,
      stockClassId: company.preferred,
      stakeholderId: company.other,
    };
    const [classBefore, classAfter] = [
      { stockClassId: company.common, equityPlanId: null },
      { stockClassId: company.preferred, equityPlanId: plan },
    ];
    expect(await entriesOf(() => patch(id, body))).toEqual([
      ["STOCK_TRANSFER", "100", true, { stakeholderId: company.holder }, { stakeholderId: company.other }],
      ["STOCK_CANCELLATION", "100", true, classBefore, classAfter],
      ["STOCK_ISSUANCE", "100", true, classBefore, classAfter],
      ["STOCK_CANCELLATION", "30", true, { quantity: "100" }, { quantity: "70" }],
      ["STOCK_CANCELLATION", "70", true, { status: "ACTIVE" }, { status: "CANCELLED" }],
    ]);
    expect(await get(company, `/securities/${id}`)).toMatchObject({
      ...classAfter,
      quantity: "70",
      status: "CANCELLED",
    });
    expect(await available(company, plan)).toBe("99930");
    const back = [["STOCK_ISSUANCE", "70", true, { status: "CANCELLED" }, { status: "ACTIVE" }]];
    expect(await entriesOf(() => patch(id, { status: "ACTIVE" }))).toEqual(back);
  });

  const refused: [string, Given, string][] = [
    ["another type", { type: "WARRANT" }, "422 #/type"],
    ["no class", { stockClassId: null }, "422 #/stockClassId"],
    ["no holder", { stakeholderId: null }, "422 #/stakeholderId"],
    ["no status", { status: null }, "422 #/status"],
    ["no vesting start", { vestingStartDate: null }, "422 #/vestingStartDate"],
    ["no legends", { stockLegendIds: null }, "422 #/stockLegendIds"],
    ["a source document", { sourceDocumentId: null }, "422 #/sourceDocumentId"],
    ["a token status", { tokenStatus: "MINTED" }, "422 #/tokenStatus"],
    ["an unknown holder", { stakeholderId: missing }, "404 not-found"],
    ["an unknown class", { stockClassId: missing }, "404 not-found"],
    ["an unknown plan", { stockPlanId: missing }, "404 not-found"],
    ["an unknown approval", { approvalId: missing }, "404 not-found"],
    ["an unknown legend", { stockLegendIds: [missing] }, "404 not-found"],
    ["a taken certificate", { certificateId: "EX-1" }, "409 duplicate-certificate-id"],
    ["more than is authorized", { quantity: "1000001" }, "409 insufficient-authorized-shares"],
    ["more under a plan than it has", { quantity: "100001", stockPlanId: "plan" }, "409 insufficient-plan-reserve"],
  ];
  test.each(refused)("to %s is refused and changes nothing", async (_what, body, expected) => {
    const id = await created();
    const before = await get(company, `/securities/${id}`);
    const sent = body.stockPlanId === "plan" ? { ...body, stockPlanId: company.plan } : body;
    let answered = "";
    expect(
      await entriesOf(async () => {
        answered = outcome(await patch(id, { comments: "Changed", ...sent }));
      }),
    ).toEqual([]);
    expect(answered).toBe(expected);
    expect(await get(company, `/securities/${id}`)).toEqual(before);
  });

  test("an option keeps needing its plan and kind, and without a class takes its plan's only one", async () => {
    const id = await option(company, { stockClassId: company.preferred, quantity: "10" });
    expect(outcome(await patch(id, { stockPlanId: null, optionType: null }))).toBe("422 #/stockPlanId #/optionType");
    expect((await patch(id, { stockClassId: null })).json.stockClassId).toBe(company.common);
  });

  test("cannot make a security ACTIVE again whose class is gone, but can describe it", async () => {
    const stockClassId = await makeShareClass(company.server, { defaultIdPrefix: "GO-" });
    const stakeholderId = await makeStakeholder(company.server);
    const id = await created({ stockClassId, stakeholderId, status: "CANCELLED" });
    await company.server.api("DELETE", `/share-classes/${stockClassId}`);
    expect(outcome(await patch(id, { comments: "Old" }))).toBe("200");
    expect(outcome(await patch(id, { status: "ACTIVE" }))).toBe("409 invalid-state");
    expect(outcome(await patch(id, { status: "ACTIVE", stockClassId: company.common }))).toBe("200");
  });
});

describe("DELETE /securities/{id}", () => {
  const types: [string, string][] = [
    ["STOCK", "STOCK_RETRACTION"],
    ["STOCK_OPTION", "STOCK_OPTION_CANCELLATION"],
    ["WARRANT", "WARRANT_CANCELLATION"],
    ["CONVERTIBLE", "CONVERTIBLE_CANCELLATION"],
  ];
  test.each(types)("of ACTIVE %s appends a %s; then it is gone, and its number is free", async (type, entryType) => {
    const grant = type === "STOCK_OPTION" ? { stockPlanId: company.plan, optionType: "ISO" } : {};
    const certificateId = freshCertificate();
    const id = await created({ type, certificateId, ...grant });
    const before = Number((await get(company, "/cap-table/summary")).totalIssued);
    const remove = () => company.server.api("DELETE", `/securities/${id}`);
    const entries = await entriesOf(async () => expect((await remove()).status).toBe(204));
    expect(entries.map((entry) => entry.slice(0, 2))).toEqual([[entryType, "100"]]);
    expect(outcome(await company.server.api("GET", `/securities/${id}`))).toBe("404 not-found");
    expect(outcome(await patch(id, {}))).toBe("404 not-found");
    expect(outcome(await remove())).toBe("404 not-found");
    const after = Number((await get(company, "/cap-table/summary")).totalIssued);
    expect(before - after).toBe(type === "STOCK" ? 100 : 0);
    expect(outcome(await create({ certificateId }))).toBe("201");
  });

  test("of a closed one appends nothing", async () => {
    const id = await created({ status: "CANCELLED" });
    expect(await entriesOf(() => company.server.api("DELETE", `/securities/${id}`))).toEqual([]);
    expect(outcome(await company.server.api("GET", `/securities/${id}`))).toBe("404 not-found");
  });
});
