// What was paid, and corrections: one act has one figure, on every day and in every place, and a correction holds from the
// first day on as if the security had been issued so.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { verifyWhole } from "../../src/safekeeping/verify/whole.ts";
import { makeShareClass, makeStakeholder } from "../kit/records.ts";
import { startTestServer, type TestServer } from "../kit/service.ts";

setDefaultTimeout(60_000);

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ CAPTABLE_LOG: "off" });
});
afterAll(() => server.stop());

type Given = Readonly<Record<string, unknown>>;

async function newCompany() {
  const where = { orgId: await server.newOrganization("Corrected, Inc.") };
  const [ann, bob] = [await makeStakeholder(server, {}, where), await makeStakeholder(server, {}, where)];
  const common = await makeShareClass(server, { initialSharesAuthorized: "1000000" }, where);
  const ask = (method: string, path: string, body?: Given) => server.api(method, path, body, where);
  const send = async (method: string, path: string, body?: Given) => {
    const answer = await ask(method, path, body);
    expect(`${path} ${answer.status} ${answer.status < 300 ? "" : answer.text}`).toMatch(/ 20[01] $/);
    return answer.json.data ?? answer.json;
  };
  const issue = async (more: Given = {}) => {
    const shares = { stakeholderId: ann, stockClassId: common, quantity: "10000", pricePerShare: "1" };
    const body = { ...shares, certificateId: crypto.randomUUID(), effectiveDate: "2025-01-01", ...more };
    return (await send("POST", "/transactions/issue-shares", body)).securityId as string;
  };
  const correct = (securityId: string, more: Given) =>
    send("POST", "/transactions/correct", { securityId, reason: "As the certificate says", ...more });
  /** What a day shows of a security: quantity, price, paid in all. */
  const seenOn = async (holder: string, query: string) => {
    const { securities } = await send("GET", `/stakeholders/${holder}/position?${query}`);
    return securities.map(({ quantity, pricePerShare }: Given) => `${quantity} at ${pricePerShare}`);
  };
  const consideration = async (query: string) => {
    const csv = await ask("GET", `/reports/stock-ledger.csv?bom=false&${query}`);
    const [header = "", ...rows] = csv.text.trim().split("\r\n");
    const at = header.split(",").findIndex((name) => name.startsWith("Consideration"));
    return rows.map((row) => row.split(",")[at]);
  };
  const codes = ({ warnings }: { readonly warnings: readonly { readonly code: string }[] }) =>
    warnings.map(({ code }) => code);
  return { ...{ where, ann, bob, common, ask, send, issue, correct, seenOn, consideration, codes } };
}

describe("what was paid", () => {
  test("follows a corrected price, in the record and in the ledger's sheet", async () => {
    const { send, issue, consideration } = await newCompany();
    const id = await issue({ quantity: "1000", pricePerShare: "2" });
    expect((await send("GET", `/securities/${id}`)).purchasePrice).toBe("2000");
    expect((await send("PATCH", `/securities/${id}`, { pricePerShare: "3" })).purchasePrice).toBe("3000");
    expect(await consideration("asOf=2025-12-31")).toEqual(["3000"]);
  });

  test("a total that was said stays, and one that is taken back gives way to price × quantity", async () => {
    const { send, ann, common } = await newCompany();
    const stock = { type: "STOCK", stakeholderId: ann, stockClassId: common, certificateId: "CS-9" };
    const made = await send("POST", "/securities", {
      ...{ ...stock, quantity: "1000", pricePerShare: "2", totalConsideration: "1999.99", grantDate: "2025-01-01" },
    });
    expect(made).toMatchObject({ purchasePrice: "1999.99", warnings: [] });
    expect((await send("PATCH", `/securities/${made.id}`, { pricePerShare: "3" })).purchasePrice).toBe("1999.99");
    expect((await send("PATCH", `/securities/${made.id}`, { totalConsideration: null })).purchasePrice).toBe("3000");
  });

  test("without a total a record has price × quantity, and after a split that of its first day", async () => {
    const { send, ann, common } = await newCompany();
    const stock = { type: "STOCK", stakeholderId: ann, stockClassId: common, certificateId: "CS-9" };
    const priced = { quantity: "1000", pricePerShare: "2", grantDate: "2025-01-01" };
    const made = await send("POST", "/securities", { ...stock, ...priced });
    expect(made.purchasePrice).toBe("2000");
    await send("POST", "/transactions/split", {
      ...{ stockClassId: common, numerator: 2, denominator: 1, effectiveDate: "2026-01-01" },
    });
    expect((await send("GET", `/securities/${made.id}`)).purchasePrice).toBe("2000");
    expect((await send("PATCH", `/securities/${made.id}`, { pricePerShare: "1.5" })).purchasePrice).toBe("3000");
  });

  test("an exercise is paid strike × gross, also where part of it is withheld", async () => {
    const { send, ann, common } = await newCompany();
    const plan = { planName: "Plan", initialSharesReserved: "10000", stockClassIds: [common] };
    const stockPlanId = (await send("POST", "/equity-plans", plan)).id;
    const grant = { stakeholderId: ann, stockPlanId, quantity: "1000", exercisePrice: "1", optionType: "NSO" };
    const { securityId } = await send("POST", "/transactions/issue-options", {
      ...{ ...grant, certificateId: "ES-1", effectiveDate: "2025-01-01" },
    });
    const exercise = { securityId, quantity: "1000", exercisePrice: "1", paymentMethod: "NET_EXERCISE" };
    const { newSecurityId } = await send("POST", "/transactions/exercise", {
      ...{ ...exercise, fairMarketValue: "4", effectiveDate: "2026-01-01" },
    });
    const stock = await send("GET", `/securities/${newSecurityId}`);
    expect(stock).toMatchObject({ quantity: "750", purchasePrice: "1000" });
    expect((await send("PATCH", `/securities/${newSecurityId}`, { pricePerShare: "2" })).purchasePrice).toBe("2000");
  });

  test.each([
    ["100000", "1.25", "7", true],
    ["100000", "1.25", "125000", false],
    // The price is written to the cent, so that half a cent a share may be missing.
    ["100000", "1.25", "125499.99", false],
    ["100000", "1.25", "125500.01", true],
    ["1", "1.25", "1.26", false],
    ["1", "1.25", "1.261", true],
    ["1000000", "0.0001", "99", false],
    ["1000000", "0.0001", "49", true],
  ])("%s at %s for %s: warned of %p", async (quantity, pricePerShare, totalConsideration, isWarned) => {
    const { send, ann, common, codes } = await newCompany();
    await send("PATCH", `/share-classes/${common}`, { initialSharesAuthorized: "10000000" });
    const stock = { type: "STOCK", stakeholderId: ann, stockClassId: common, certificateId: "CS-9" };
    const priced = { quantity, pricePerShare, totalConsideration, grantDate: "2025-01-01" };
    const made = await send("POST", "/securities", { ...stock, ...priced });
    expect(codes(made).includes("consideration-differs")).toBe(isWarned);
    const changed = await send("PATCH", `/securities/${made.id}`, { totalConsideration: "1" });
    expect(codes(changed)).toContain("consideration-differs");
  });
});

describe("correct", () => {
  test("shows every past day as corrected, and what was known before it as it was", async () => {
    const { ann, send, issue, correct, seenOn, consideration } = await newCompany();
    const id = await issue();
    const knownAt = (await send("GET", "/cap-table")).knownAt;
    await Bun.sleep(2);
    const { transactionIds } = await correct(id, { quantity: "1000", pricePerShare: "2" });
    expect(transactionIds).toHaveLength(1);
    const entry = await send("GET", `/transactions/${transactionIds[0]}`);
    expect(entry).toMatchObject({
      ...{ effectiveDate: "2025-01-01", quantity: "9000" },
      metadata: { correction: true, reason: "As the certificate says", prices: { before: "1", after: "2" } },
    });
    expect(await seenOn(ann, "asOf=2025-12-31")).toEqual(["1000 at 2"]);
    expect(await seenOn(ann, "")).toEqual(["1000 at 2"]);
    expect(await seenOn(ann, `asOf=2025-12-31&knownAt=${knownAt}`)).toEqual(["10000 at 1"]);
    expect((await send("GET", `/securities/${id}`)).purchasePrice).toBe("2000");
    expect(await consideration("asOf=2025-12-31")).toEqual(["2000"]);
  });

  test("a PATCH of the quantity alone counts from today, and says so; correct after a transfer names the transfer", async () => {
    const { ann, bob, ask, send, issue, seenOn, codes } = await newCompany();
    const id = await issue();
    const changed = await send("PATCH", `/securities/${id}`, { quantity: "1000" });
    expect(changed.warnings).toEqual([
      {
        code: "counts-from-today",
        detail: "Past days keep 10000. To correct the record from its first day: correct.",
      },
    ]);
    expect(await seenOn(ann, "asOf=2025-12-31")).toEqual(["10000 at 1"]);
    expect(await seenOn(ann, "")).toEqual(["1000 at 1"]);
    const moved = { securityId: id, fromStakeholderId: ann, toStakeholderId: bob, quantity: "100" };
    const today = new Date().toISOString().slice(0, 10);
    const { transactionId } = await send("POST", "/transactions/transfer", { ...moved, effectiveDate: today });
    const refused = await ask("POST", "/transactions/correct", { securityId: id, reason: "x", quantity: "5" });
    expect([refused.status, refused.json.detail]).toEqual([409, expect.stringContaining(transactionId)]);
    expect(codes(await send("PATCH", `/securities/${id}`, { comments: "Nothing moves" }))).toEqual([]);
  });

  test("takes earlier direct edits back, each on its own day", async () => {
    const { ann, bob, send, issue, correct, seenOn } = await newCompany();
    const id = await issue();
    await send("PATCH", `/securities/${id}`, { quantity: "4000" });
    await send("PATCH", `/securities/${id}`, { stakeholderId: bob });
    await correct(id, { stakeholderId: ann, quantity: "2500" });
    for (const query of ["asOf=2025-01-01", "asOf=2025-12-31", "", "asOf=2099-01-01"]) {
      expect({ query, seen: await seenOn(ann, query) }).toEqual({ query, seen: ["2500 at 1"] });
      expect(await seenOn(bob, query)).toEqual([]);
    }
    expect((await send("GET", "/cap-table")).totals.outstanding).toBe("2500");
  });

  test("a status that is edited counts from today", async () => {
    const { send, issue } = await newCompany();
    const ended = await send("PATCH", `/securities/${await issue()}`, { status: "CANCELLED" });
    expect(ended.warnings).toMatchObject([{ code: "counts-from-today" }]);
    expect(ended.warnings[0].detail).toContain("Past days keep ACTIVE.");
  });

  test("takes an edit of class back that the correction does not name", async () => {
    const { ann, bob, send, issue, correct, where } = await newCompany();
    const other = await makeShareClass(server, { initialSharesAuthorized: "1000000" }, where);
    const id = await issue();
    await send("PATCH", `/securities/${id}`, { stockClassId: other });
    await correct(id, { stakeholderId: bob });
    for (const day of ["2025-01-01", "2099-01-01"]) {
      const { stakeholders } = await send("GET", `/cap-table?asOf=${day}`);
      expect(stakeholders).toMatchObject([{ id: bob, holdings: [{ stockClassId: other, quantity: "10000" }] }]);
    }
    expect(ann).not.toBe(bob);
  });

  test("takes an edit of class, and one of class and quantity at once, back", async () => {
    const { where, ann, common, send, issue, correct } = await newCompany();
    const other = await makeShareClass(server, { initialSharesAuthorized: "1000000" }, where);
    const id = await issue();
    await send("PATCH", `/securities/${id}`, { stockClassId: other });
    await send("PATCH", `/securities/${id}`, { stockClassId: common, quantity: "50" });
    await correct(id, { stockClassId: other, quantity: "70" });
    for (const day of ["2025-01-01", "2025-12-31", "2099-01-01"]) {
      const { stakeholders } = await send("GET", `/cap-table?asOf=${day}`);
      const [{ id: holder, holdings }] = stakeholders;
      expect([holder, holdings]).toMatchObject([ann, [{ stockClassId: other, quantity: "70" }]]);
      expect(stakeholders).toHaveLength(1);
    }
    expect((await verifyWhole(server.app.reader, where.orgId)).differences).toEqual([]);
  });

  test("a class that was edited, kept by one correction and taken back by the next, was never another", async () => {
    const { common, where, send, issue, correct } = await newCompany();
    const other = await makeShareClass(server, { initialSharesAuthorized: "1000000" }, where);
    const id = await issue();
    await send("PATCH", `/securities/${id}`, { stockClassId: other });
    await correct(id, { quantity: "500" });
    await correct(id, { quantity: "400", stockClassId: common });
    for (const query of ["asOf=2025-12-31", ""]) {
      const { shareClasses: classes } = await send("GET", `/cap-table?${query}`);
      const held = classes.filter(({ issued }: Given) => issued !== "0");
      expect(held.map(({ id: of, issued }: Given) => [of, issued])).toEqual([[common, "400"]]);
    }
  });

  test("a PATCH of quantity and price is a correction, so that no day shows a row that was never true", async () => {
    const { ann, send, issue, seenOn } = await newCompany();
    const id = await issue();
    const changed = await send("PATCH", `/securities/${id}`, { quantity: "1000", pricePerShare: "2" });
    expect(changed).toMatchObject({ quantity: "1000", purchasePrice: "2000", warnings: [] });
    expect(await seenOn(ann, "asOf=2025-12-31")).toEqual(["1000 at 2"]);
  });

  test("of a price alone has an entry that says why, and what was known before it stays known", async () => {
    const { ann, where, send, issue, correct, seenOn } = await newCompany();
    const id = await issue();
    const known: string[] = [];
    for (const pricePerShare of ["2", "3"]) {
      known.push((await send("GET", "/cap-table")).knownAt);
      await Bun.sleep(2);
      const { transactionIds } = await correct(id, { pricePerShare });
      expect((await send("GET", `/transactions/${transactionIds[0]}`)).metadata).toMatchObject({
        ...{ correction: true, reason: "As the certificate says", prices: { after: pricePerShare } },
      });
    }
    const seen = await Promise.all(known.map((knownAt) => seenOn(ann, `asOf=2025-12-31&knownAt=${knownAt}`)));
    expect(seen).toEqual([["10000 at 1"], ["10000 at 2"]]);
    expect(await seenOn(ann, "asOf=2025-12-31")).toEqual(["10000 at 3"]);
    expect((await correct(id, { pricePerShare: "3.0" })).transactionIds).toEqual([]);
    expect((await verifyWhole(server.app.reader, where.orgId)).differences).toEqual([]);
  });

  test("keeps what was known of a price where taking edits back leaves what was issued", async () => {
    const { ann, send, issue, correct, seenOn } = await newCompany();
    const id = await issue();
    await send("PATCH", `/securities/${id}`, { quantity: "4000" });
    const { knownAt } = await send("GET", "/cap-table");
    await Bun.sleep(2);
    await correct(id, { quantity: "10000", pricePerShare: "2" });
    expect(await seenOn(ann, `asOf=2025-12-31&knownAt=${knownAt}`)).toEqual(["10000 at 1"]);
    expect(await seenOn(ann, "")).toEqual(["10000 at 2"]);
  });

  test("a PATCH that repeats the price beside another quantity counts from today: it corrects no price", async () => {
    const { ann, send, issue, seenOn, codes } = await newCompany();
    const id = await issue();
    const said = { quantity: "1000", pricePerShare: "1", totalConsideration: "10000" };
    expect(codes(await send("PATCH", `/securities/${id}`, said))).toContain("counts-from-today");
    expect(await seenOn(ann, "asOf=2025-12-31")).toEqual(["10000 at 1"]);
    expect(await seenOn(ann, "")).toEqual(["1000 at 1"]);
  });

  test("a PATCH of the holder says whom past days keep", async () => {
    const { bob, ann, send, issue } = await newCompany();
    const changed = await send("PATCH", `/securities/${await issue()}`, { stakeholderId: bob });
    const { displayName } = await send("GET", `/stakeholders/${ann}`);
    expect(changed.warnings[0].detail).toStartWith(`Past days keep ${displayName}. `);
  });

  test("a PATCH of quantity, price and status corrects from the first day and closes from today", async () => {
    const { ann, where, send, issue, seenOn } = await newCompany();
    const id = await issue();
    await send("PATCH", `/securities/${id}`, { quantity: "1000", pricePerShare: "2", status: "CANCELLED" });
    expect(await seenOn(ann, "asOf=2025-12-31")).toEqual(["1000 at 2"]);
    expect(await seenOn(ann, "")).toEqual([]);
    expect((await verifyWhole(server.app.reader, where.orgId)).differences).toEqual([]);
  });

  test("vests as if it had been issued so, where an edit would have cancelled", async () => {
    const { send, issue, correct } = await newCompany();
    const condition = {
      id: "month",
      trigger: { type: "TIME_BASED", periodLength: 1, periodType: "MONTHS", occurrences: 48 },
      portion: { numerator: 1, denominator: 48 },
    };
    const terms = { name: "Monthly", description: "Monthly", vestingConditions: [condition] };
    const vestingTermsId = (await send("POST", "/vesting-terms", terms)).id;
    const id = await issue({ quantity: "9600", vestingTermsId });
    await send("PATCH", `/securities/${id}`, { quantity: "9000" });
    await correct(id, { quantity: "4800" });
    const asOf = async (day: string) => {
      const { quantity, vested, unvested } = await send("GET", `/securities/${id}/vesting?asOf=${day}`);
      return { quantity, vested, unvested };
    };
    expect(await asOf("2026-01-01")).toEqual({ quantity: "4800", vested: "1200", unvested: "3600" });
    expect(await asOf("2029-01-01")).toEqual({ quantity: "4800", vested: "4800", unvested: "0" });
  });

  test("moves charge and pool with it, and keeps the ledger verifiable", async () => {
    const { where, ann, common, send, correct } = await newCompany();
    const plan = { planName: "Plan", initialSharesReserved: "10000", stockClassIds: [common] };
    const stockPlanId = (await send("POST", "/equity-plans", { ...plan, adoptedDate: "2024-01-01" })).id;
    const grant = { stakeholderId: ann, stockPlanId, quantity: "1000", exercisePrice: "1", optionType: "NSO" };
    const { securityId } = await send("POST", "/transactions/issue-options", {
      ...{ ...grant, certificateId: "ES-1", effectiveDate: "2025-01-01" },
    });
    await correct(securityId, { quantity: "400", exercisePrice: "2" });
    expect(await send("GET", `/securities/${securityId}`)).toMatchObject({ planCharge: "400", exercisePrice: "2" });
    const available = async (day: string) => {
      const table = await send("GET", `/cap-table?asOf=${day}`);
      return table.equityPlans.map((each: { readonly available: string }) => each.available);
    };
    expect([await available("2025-06-01"), await available("2099-01-01")]).toEqual([["9600"], ["9600"]]);
    const { differences } = await verifyWhole(server.app.reader, where.orgId);
    expect(differences).toEqual([]);
  });

  test("a dry run tells the effects and writes nothing; nothing to correct, a split and a closed security are refused", async () => {
    const { ann, common, ask, send, issue, correct, seenOn } = await newCompany();
    const id = await issue();
    const dry = await correct(id, { quantity: "5", dryRun: true });
    expect(dry).toMatchObject({ transactionIds: [null], warnings: [] });
    expect(dry.effects).toContainEqual({
      ...{ resourceType: "security", id, field: "quantity", before: "10000", after: "5" },
    });
    expect(await seenOn(ann, "")).toEqual(["10000 at 1"]);
    const refusal = async (body: Given) => {
      const { status, json } = await ask("POST", "/transactions/correct", { reason: "x", ...body });
      return [status, json.errors?.[0]?.pointer ?? json.type.split("/").at(-1)];
    };
    expect(await refusal({ securityId: id })).toEqual([422, "#/"]);
    expect(await refusal({ securityId: id, status: "CANCELLED" })).toEqual([422, "#/status"]);
    const split = { stockClassId: common, numerator: 2, denominator: 1, effectiveDate: "2026-01-01" };
    await send("POST", "/transactions/split", split);
    expect(await refusal({ securityId: id, quantity: "5" })).toEqual([409, "invalid-state"]);
    const other = await issue({ effectiveDate: "2026-02-01" });
    const cancel = { securityId: other, quantity: "10000", cancellationReason: "FORFEITURE" };
    await send("POST", "/transactions/cancel", { ...cancel, effectiveDate: "2026-02-02" });
    expect(await refusal({ securityId: other, quantity: "5" })).toEqual([409, "invalid-state"]);
  });

  test("a retraction dated after the issue says until when the mistake stays", async () => {
    const { send, issue, codes } = await newCompany();
    const taken = { securityId: await issue(), reason: "Twice" };
    const dry = (effectiveDate: string) =>
      send("POST", "/transactions/retract", { ...taken, effectiveDate, dryRun: true });
    expect(codes(await dry("2025-06-01"))).toEqual(["counts-until"]);
    expect(codes(await dry("2025-01-01"))).toEqual([]);
  });
});
