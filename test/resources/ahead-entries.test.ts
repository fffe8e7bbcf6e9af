// Entries dated ahead are reported: a warning with the write, and the day on the security. What cannot be true both
// of the record, which counts it, and of the cap table of today, which does not, is refused and names it.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Shape } from "../exchange/ocf/export/company.ts";
import { Service } from "../kit/in-process.ts";

const TODAY = "2026-06-15";
const LATER = "2026-12-29";

let home: Service;
let orgId: string;
beforeAll(async () => {
  home = await Service.start(1);
  orgId = await home.newOrganization("Ahead, Inc.");
});
afterAll(() => home.stop());

async function call(method: string, path: string, body?: object): Promise<Shape> {
  const { status, json, text } = await home.api(method, path, body, { orgId });
  if (status >= 300) throw new Error(text);
  return json.data ?? json;
}

test("an entry dated after today is warned of, and stands in ahead[] of what it is on and what it makes", async () => {
  const holder = (name: string) =>
    call("POST", "/stakeholders", { displayName: name, name: { legalName: name }, type: "INDIVIDUAL" });
  const [{ id: ann }, { id: bob }] = [await holder("Ann"), await holder("Bob")];
  const terms = { classType: "COMMON", votesPerShare: "1", seniority: 1, defaultIdPrefix: "CS-" };
  const shares = { name: "Common", ...terms, initialSharesAuthorized: "100000" };
  const { id: stockClassId } = await call("POST", "/share-classes", shares);
  const stock = { type: "STOCK", stockClassId, stakeholderId: ann, quantity: "1000" };
  const codes = ({ warnings }: Shape) => warnings.map(({ code }: Shape) => code);
  const now = await call("POST", "/securities", { ...stock, certificateId: "CS-1", grantDate: TODAY });
  expect(codes(now)).not.toContain("dated-ahead");
  expect(now.ahead).toEqual([]);
  const later = await call("POST", "/securities", { ...stock, certificateId: "CS-2", grantDate: LATER });
  expect(codes(later)).toContain("dated-ahead");
  expect(later.ahead).toMatchObject([{ type: "STOCK_ISSUANCE", effectiveDate: LATER }]);
  const sale = {
    securityId: now.id,
    fromStakeholderId: ann,
    toStakeholderId: bob,
    quantity: "10",
    effectiveDate: LATER,
  };
  expect(codes(await call("POST", "/transactions/transfer", { ...sale, dryRun: true }))).toContain("dated-ahead");
  const sold = await call("POST", "/transactions/transfer", sale);
  expect(codes(sold)).toContain("dated-ahead");
  const ahead = [{ transactionId: sold.transactionId, type: "STOCK_TRANSFER", effectiveDate: LATER }];
  for (const id of [now.id, sold.newSecurityId]) expect((await call("GET", `/securities/${id}`)).ahead).toEqual(ahead);
  const { items } = await call("GET", "/securities?limit=100");
  expect(items.find(({ id }: Shape) => id === now.id).ahead).toEqual(ahead);
  const position = await call("GET", `/stakeholders/${ann}/position`);
  expect(position.securities.find(({ id }: Shape) => id === now.id).ahead).toEqual(ahead);
});

/** A company of its own: Ann's 1,000 of Common, of which an entry of a day to come moves some. */
async function withMove(route: string, quantity: string, effectiveDate = LATER) {
  const own = { orgId: await home.newOrganization("Ahead, Inc.") };
  const ask = (method: string, path: string, body?: object) => home.api(method, path, body, own);
  const send = async (method: string, path: string, body?: object): Promise<Shape> => {
    const { status, json, text } = await ask(method, path, body);
    if (status >= 300) throw new Error(text);
    return json?.data ?? json;
  };
  const holder = async (name: string): Promise<string> =>
    (await send("POST", "/stakeholders", { displayName: name, name: { legalName: name }, type: "INDIVIDUAL" })).id;
  const [ann, bob] = [await holder("Ann"), await holder("Bob")];
  const terms = { classType: "COMMON", votesPerShare: "1", seniority: 1, initialSharesAuthorized: "100000" };
  const { id: common } = await send("POST", "/share-classes", { name: "Common", defaultIdPrefix: "CS-", ...terms });
  const stock = { type: "STOCK", stockClassId: common, stakeholderId: ann, quantity: "1000", certificateId: "CS-1" };
  const { id } = await send("POST", "/securities", { ...stock, grantDate: "2025-01-01" });
  const sale =
    route === "transfer" ? { fromStakeholderId: ann, toStakeholderId: bob } : { cancellationReason: "TERMINATION" };
  const moved = await send("POST", `/transactions/${route}`, { securityId: id, quantity, effectiveDate, ...sale });
  const held = async (day: string) => {
    const { stakeholders } = await send("GET", `/cap-table?asOf=${day}`);
    return Object.fromEntries(stakeholders.map((each: Shape) => [each.displayName, each.outstanding]));
  };
  return { id, ann, bob, common, entry: moved.transactionId, ask, send, held };
}

describe("beside an entry of a day to come that moves shares of a security", () => {
  for (const route of ["transfer", "cancel"]) {
    test(`after a ${route}, what would make the record and today's cap table differ is refused and names it`, async () => {
      const { id, entry, ask, send, held } = await withMove(route, "100");
      const before = [await held(TODAY), await held(LATER)];
      const refused = [
        ["PATCH", `/securities/${id}`, { quantity: "950" }],
        ["PATCH", `/securities/${id}`, { status: "CANCELLED" }],
        ["DELETE", `/securities/${id}`, undefined],
      ] as const;
      for (const [method, path, body] of refused) {
        const { status, json } = await ask(method, path, body);
        expect([method, status, json?.type, json?.detail]).toEqual([
          method,
          409,
          expect.stringContaining("invalid-state"),
          expect.stringContaining(`${LATER} on it (${entry})`),
        ]);
      }
      expect([await held(TODAY), await held(LATER)]).toEqual(before);
      await send("PATCH", `/securities/${id}`, { quantity: "900.0", comments: "The same number" });
      await send("POST", "/transactions/cancel", {
        securityId: id,
        quantity: "50",
        cancellationReason: "TERMINATION",
        effectiveDate: TODAY,
      });
      expect((await held(TODAY)).Ann).toBe("950");
    });
  }

  test("the holder and the class of what is closed by it stay until then", async () => {
    const { ann, common, ask, held } = await withMove("cancel", "1000");
    for (const path of [`/stakeholders/${ann}`, `/share-classes/${common}`]) {
      const { status, json } = await ask("DELETE", path);
      expect([path, status, json?.type]).toEqual([path, 409, expect.stringContaining("in-use")]);
    }
    expect(await held(TODAY)).toEqual({ Ann: "1000" });
  });

  test("a split of tomorrow, whose shares the record counts, refuses it as well; what is only issued ahead does not", async () => {
    const tomorrow = "2026-06-16";
    const { id, common, ann, ask, send, held } = await withMove("cancel", "100", TODAY);
    await send("POST", "/transactions/split", {
      stockClassId: common,
      numerator: 2,
      denominator: 1,
      effectiveDate: tomorrow,
    });
    for (const [method, body] of [
      ["PATCH", { quantity: "2000" }],
      ["DELETE", undefined],
    ] as const) {
      expect((await ask(method, `/securities/${id}`, body)).status).toBe(409);
    }
    const later = { type: "STOCK", stockClassId: common, stakeholderId: ann, quantity: "7", certificateId: "CS-9" };
    const issued = await send("POST", "/securities", { ...later, grantDate: LATER });
    await send("PATCH", `/securities/${issued.id}`, { quantity: "8" });
    expect([await held(TODAY), await held(tomorrow), await held(LATER)]).toEqual([
      { Ann: "900" },
      { Ann: "1800" },
      { Ann: "1808" },
    ]);
    expect((await ask("DELETE", `/securities/${issued.id}`)).status).toBe(204);
    expect(await held(LATER)).toEqual({ Ann: "1800" });
  });

  const TOMORROW = "2026-06-16";
  const double = (stockClassId: string) => ({ stockClassId, numerator: 2, denominator: 1, effectiveDate: TOMORROW });
  const closing = {
    cancel: () => ({ cancellationReason: "TERMINATION" }),
    repurchase: () => ({ pricePerShare: "1" }),
    transfer: ({ ann, bob }: Shape) => ({ fromStakeholderId: ann, toStakeholderId: bob }),
  };

  for (const [route, how] of Object.entries(closing)) {
    test(`what a ${route} closes after a split of tomorrow was in that split: the record does not change until then`, async () => {
      const company = await withMove("cancel", "100", TODAY);
      const { id, ann, bob, common, ask, send, held } = company;
      await send("POST", "/transactions/split", double(common));
      const whole = { securityId: id, quantity: "1800", effectiveDate: TODAY, ...how({ ann, bob }) };
      await send("POST", `/transactions/${route}`, whole);
      const then = route === "transfer" ? { Bob: "1800" } : {};
      expect([await held(TODAY), await held(TOMORROW)]).toEqual([{ Ann: "900" }, then]);
      for (const [method, path, body, slug] of [
        ["PATCH", `/securities/${id}`, { quantity: "500" }, "invalid-state"],
        ["PATCH", `/securities/${id}`, { status: "ACTIVE", quantity: "500" }, "invalid-state"],
        ["DELETE", `/securities/${id}`, undefined, "invalid-state"],
        ["DELETE", `/stakeholders/${ann}`, undefined, "in-use"],
        ["DELETE", `/share-classes/${common}`, undefined, "in-use"],
      ] as const) {
        const { status, json } = await ask(method, path, body);
        expect([method, path, status, json?.type]).toEqual([method, path, 409, expect.stringContaining(slug)]);
      }
      expect([await held(TODAY), await held(TOMORROW)]).toEqual([{ Ann: "900" }, then]);
    });
  }

  test("what was closed before a split of tomorrow is not in it, and can be changed", async () => {
    const { id, ann, common, ask, send, held } = await withMove("cancel", "1000", TODAY);
    await send("POST", "/transactions/split", double(common));
    await send("PATCH", `/securities/${id}`, { status: "ACTIVE", quantity: "300" });
    expect([await held(TODAY), await held(TOMORROW)]).toEqual([{ Ann: "300" }, { Ann: "300" }]);
    await send("PATCH", `/securities/${id}`, { status: "CANCELLED" });
    expect((await ask("DELETE", `/securities/${id}`)).status).toBe(204);
    expect((await ask("DELETE", `/stakeholders/${ann}`)).status).toBe(204);
    expect([await held(TODAY), await held(TOMORROW)]).toEqual([{}, {}]);
  });

  test("what moved to another class after a split of tomorrow was in that split, what moved in was not", async () => {
    const { id, ann, common, ask, send, held } = await withMove("cancel", "100", TODAY);
    const terms = { classType: "COMMON", votesPerShare: "1", seniority: 2, initialSharesAuthorized: "100000" };
    const { id: other } = await send("POST", "/share-classes", { name: "Other", defaultIdPrefix: "OT-", ...terms });
    const stock = { type: "STOCK", stockClassId: other, stakeholderId: ann, quantity: "7", grantDate: TODAY };
    const { id: second } = await send("POST", "/securities", { ...stock, certificateId: "OT-1" });
    await send("POST", "/transactions/split", double(common));
    await send("PATCH", `/securities/${id}`, { stockClassId: other });
    await send("PATCH", `/securities/${second}`, { stockClassId: common });
    const { status, json } = await ask("PATCH", `/securities/${id}`, { quantity: "500" });
    expect([status, json.type]).toEqual([409, expect.stringContaining("invalid-state")]);
    await send("PATCH", `/securities/${second}`, { quantity: "8" });
    expect([await held(TODAY), await held(TOMORROW)]).toEqual([{ Ann: "908" }, { Ann: "1808" }]);
  });
});

test("an entry of a year like 0026 is warned of, by operations and as a record", async () => {
  const holder = { displayName: "Cy", name: { legalName: "Cy" }, type: "INDIVIDUAL" };
  const { id: stakeholderId } = await call("POST", "/stakeholders", holder);
  const terms = { classType: "COMMON", votesPerShare: "1", seniority: 1, defaultIdPrefix: "OLD-" };
  const shares = { name: "Common of a slip", ...terms, initialSharesAuthorized: "100000" };
  const { id: stockClassId } = await call("POST", "/share-classes", shares);
  const codesOn = async (day: string) => {
    const grown = { stakeholderId, stockClassId, quantity: "10", certificateId: `OLD-${day}`, effectiveDate: day };
    const paid = { pricePerShare: "1", dryRun: true };
    const record = {
      stakeholderId,
      stockClassId,
      type: "STOCK",
      quantity: "10",
      certificateId: `R-${day}`,
      grantDate: day,
    };
    const answers = [
      await call("POST", "/transactions/issue-shares", { ...grown, ...paid }),
      await call("POST", "/securities", record),
    ];
    return answers.map(({ warnings }) =>
      warnings.map(({ code }: Shape) => code).filter((code: string) => code.startsWith("dated-")),
    );
  };
  expect(await codesOn("0026-03-01")).toEqual([["dated-long-ago"], ["dated-long-ago"]]);
  expect(await codesOn("1899-12-31")).toEqual([["dated-long-ago"], ["dated-long-ago"]]);
  expect(await codesOn("1900-01-01")).toEqual([[], []]);
});
