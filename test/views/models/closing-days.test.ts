// Days of closings, of adjustments of conversion and of splits: what is recorded late stands for its own day, or is
// refused; and what a closing tells when it cannot be done as it was modelled.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { addDays } from "../../../src/kernel/date.ts";
import { makeShareClass, makeStakeholder } from "../../kit/records.ts";
import { startTestServer, type TestServer } from "../../kit/service.ts";

setDefaultTimeout(60_000);

const TODAY = new Date().toISOString().slice(0, 10);
const [TOMORROW, LATER] = [addDays(TODAY, 1), addDays(TODAY, 40)];

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ CAPTABLE_LOG: "off" });
});
afterAll(() => server.stop());

type Given = Readonly<Record<string, unknown>>;

/** 8,000,000 common shares; a million of Seed at 1, protected; a SAFE that stays out of the rounds below. */
async function newCompany() {
  const where = { orgId: await server.newOrganization() };
  const [founder, lead] = [await makeStakeholder(server, {}, where), await makeStakeholder(server, {}, where)];
  const common = await makeShareClass(server, { initialSharesAuthorized: "900000000" }, where);
  const preferred = { classType: "PREFERRED", pricePerShare: "1", antiDilution: "FULL_RATCHET" };
  const seed = await makeShareClass(server, { ...preferred, name: "Seed", defaultIdPrefix: "SEED-" }, where);
  const tell = async (method: string, path: string, body?: Given) => {
    const { status, json } = await server.api(method, path, body, where);
    const kind = status < 300 ? "" : ` ${json.type.split("/").at(-1)} ${json.errors?.[0]?.pointer ?? ""}`.trimEnd();
    return { told: `${status}${kind}`, json, data: json.data ?? json };
  };
  const ask = async (method: string, path: string, body?: Given) => {
    const { told, data } = await tell(method, path, body);
    expect(`${path} ${told}`).toMatch(/ 20[01]$/);
    return data;
  };
  const operate = (route: string, body: Given) => tell("POST", `/transactions/${route}`, body);
  const issue = (stockClassId: string, quantity: string, effectiveDate = "2025-01-01") =>
    operate("issue-shares", {
      stakeholderId: founder,
      stockClassId,
      quantity,
      certificateId: crypto.randomUUID(),
      effectiveDate,
    });
  for (const [id, quantity] of [
    [common, "8000000"],
    [seed, "1000000"],
  ] as const) {
    expect((await issue(id, quantity)).told).toBe("201");
  }
  const split = (stockClassId: string, effectiveDate: string) =>
    operate("split", { stockClassId, numerator: 10, denominator: 1, effectiveDate });
  const adjust = (numerator: string, conversionPrice: string, effectiveDate: string) =>
    operate("adjust-conversion", {
      stockClassId: seed,
      ratio: { numerator, denominator: "1" },
      conversionPrice,
      effectiveDate,
    });
  const round = (closingDate: string, amount = "18000000", more: Given = {}) => ({
    closingDate,
    newClass: { name: "Series A" },
    valuation: { kind: "PRE_MONEY", amount },
    investors: [{ stakeholderId: lead, amount: "2000000" }],
    ...more,
  });
  const close = async (model: Given & { readonly closingDate: string }) => {
    const { digest } = await ask("POST", "/models/round", { asOf: model.closingDate, ...model });
    return tell("POST", "/models/round/close", { model, digest });
  };
  const seedOn = async (asOf: string) => {
    const { after } = await ask("POST", "/models/cap-table", { asOf });
    return after.classes.find(({ name }: { name: string }) => name === "Seed").asConverted;
  };
  return { where, founder, lead, common, seed, tell, ask, operate, issue, split, adjust, round, close, seedOn };
}

describe("a closing", () => {
  test("is not dated before a split of what its class converts into", async () => {
    const { common, split, round, close } = await newCompany();
    await split(common, "2025-06-01");
    const refused = await close(round("2025-05-31"));
    expect([refused.told, refused.json.detail]).toEqual([
      "409 invalid-state",
      "The ledger has an entry of 2025-06-01 on it; 2025-06-01 is the earliest day to take.",
    ]);
    expect((await close(round("2025-06-01"))).told).toBe("201");
  });

  test("nor before one of tomorrow, which would leave its shares as they are; a split of another class is nothing to it", async () => {
    const { where, common, split, round, close } = await newCompany();
    const other = await makeShareClass(server, { defaultIdPrefix: "CB-", name: "Common B" }, where);
    expect((await split(other, "2025-06-01")).told).toBe("200");
    const model = round("2025-05-31");
    expect((await close(model)).told).toBe("201");
    expect((await split(common, TOMORROW)).told).toBe("200");
    expect((await close(round(TODAY, "18000000", { newClass: { name: "Series B" } }))).told).toBe("409 invalid-state");
  });

  test("nor, where it adjusts a class, before the last entry that set how that converts", async () => {
    const { adjust, round, close, seedOn } = await newCompany();
    expect((await adjust("2", "0.5", "2025-08-01")).told).toBe("200");
    const low = (closingDate: string) => round(closingDate, "", { valuation: { kind: "PRICE", amount: "0.4" } });
    expect((await close(low("2025-07-01"))).told).toBe("409 invalid-state");
    expect((await close(low("2025-08-01"))).told).toBe("201");
    expect([await seedOn("2025-07-31"), await seedOn("2025-08-01")]).toEqual(["1000000", "2500000"]);
  });

  test("names the member where it is dated too late, before it says that the model differs", async () => {
    const { tell, ask, round } = await newCompany();
    const model = round(LATER);
    const { digest } = await ask("POST", "/models/round", model);
    const late = await tell("POST", "/models/round/close", { model, digest });
    expect(late.told).toBe("422 validation-failed #/model/closingDate");
  });

  test("says as of which day to model, where the digest is of another", async () => {
    const { operate, tell, ask, round, common, founder } = await newCompany();
    const model = round(TOMORROW);
    const shares = { stakeholderId: founder, stockClassId: common, quantity: "7", certificateId: "CS-T" };
    expect((await operate("issue-shares", { ...shares, effectiveDate: TOMORROW })).told).toBe("201");
    const { digest } = await ask("POST", "/models/round", model);
    const other = await tell("POST", "/models/round/close", { model, digest });
    expect(other.told).toBe("409 model-changed");
    expect(other.json.detail).toContain(`with asOf ${TOMORROW}`);
    const { digest: right } = await ask("POST", "/models/round", { ...model, asOf: TOMORROW });
    expect((await tell("POST", "/models/round/close", { model, digest: right })).told).toBe("201");
  });

  test("is done once, and says so the second time", async () => {
    const { tell, ask, round } = await newCompany();
    const model = round("2025-03-31");
    const { digest } = await ask("POST", "/models/round", { asOf: model.closingDate, ...model });
    const { data } = await tell("POST", "/models/round/close", { model, digest });
    const again = await tell("POST", "/models/round/close", { model, digest });
    expect(again.told).toBe("409 invalid-state");
    expect(again.json.detail).toContain(data.corporateActionId);
    // A class of that name that no closing of that day made is a name that is taken, as ever.
    const other = await tell("POST", "/models/round/close", { model: round("2025-04-30"), digest });
    expect(other.told).toBe("422 validation-failed #/model/newClass/name");
  });

  test("gives no investor nothing for money: the model warns, closing refuses", async () => {
    const { tell, ask, round, lead } = await newCompany();
    const dear = { kind: "PRICE", amount: "5000" };
    const model = round("2025-03-31", "1", {
      valuation: dear,
      investors: [{ stakeholderId: lead, amount: "4999.99" }],
    });
    const told = await ask("POST", "/models/round", { asOf: model.closingDate, ...model });
    expect([told.newShares, told.warnings.map(({ code }: { code: string }) => code)]).toEqual(["0", ["no-shares"]]);
    const refused = await tell("POST", "/models/round/close", { model, digest: told.digest });
    expect(refused.told).toBe("422 validation-failed #/model/investors/0/amount");
    const enough = { ...model, investors: [{ stakeholderId: lead, amount: "5000" }] };
    const bought = await ask("POST", "/models/round", { asOf: model.closingDate, ...enough });
    expect([bought.newShares, bought.warnings]).toEqual(["1", []]);
  });
});

test("a closing authorizes shares of the classes that it makes, and of each class once", async () => {
  const { tell, ask, round, common } = await newCompany();
  const model = round("2025-03-31");
  const { digest } = await ask("POST", "/models/round", { asOf: model.closingDate, ...model });
  const tried = async (more: Given) => {
    const { told } = await tell("POST", "/models/round/close", { model, digest, dryRun: true, ...more });
    return told;
  };
  const made = { name: "Series A", sharesAuthorized: "9000000" };
  const raised = { stockClassId: common, newSharesAuthorized: "910000000" };
  expect(await tried({ newClassAuthorized: [made], authorizedShares: [raised] })).toBe("200");
  expect(await tried({ newClassAuthorized: [{ ...made, name: "Series AA" }] })).toBe(
    "422 validation-failed #/newClassAuthorized/0/name",
  );
  expect(await tried({ newClassAuthorized: [made, made] })).toBe("422 validation-failed #/newClassAuthorized/1/name");
  expect(await tried({ authorizedShares: [raised, raised] })).toBe(
    "422 validation-failed #/authorizedShares/1/stockClassId",
  );
});

describe("how a class converts", () => {
  test("is not adjusted before the last entry that set it: by an adjustment, a split, or a user's change", async () => {
    const { adjust, split, common, seed, ask, seedOn } = await newCompany();
    expect((await adjust("2", "0.5", "2025-07-01")).told).toBe("200");
    expect((await adjust("4", "0.25", "2025-06-30")).told).toBe("409 invalid-state");
    expect((await adjust("4", "0.25", "2025-07-01")).told).toBe("200");
    expect([await seedOn("2025-06-30"), await seedOn("2025-07-01")]).toEqual(["1000000", "4000000"]);
    expect((await split(common, "2025-08-01")).told).toBe("200");
    expect((await adjust("50", "0.02", "2025-07-31")).told).toBe("409 invalid-state");
    expect((await adjust("50", "0.02", "2025-08-01")).told).toBe("200");
    const right = { stockClassId: common, ratio: { numerator: "60", denominator: "1" }, conversionPrice: null };
    await ask("PATCH", `/share-classes/${seed}`, { conversionRights: [right] });
    expect((await adjust("70", "0.0142857", addDays(TODAY, -1))).told).toBe("409 invalid-state");
    expect((await adjust("70", "0.0142857", TODAY)).told).toBe("200");
    // What tomorrow brings would take the place of what is set today.
    expect((await adjust("80", "0.0125", TOMORROW)).told).toBe("200");
    expect((await adjust("90", "0.0111111", TODAY)).told).toBe("409 invalid-state");
    expect(await seedOn(TODAY)).toBe("70000000");
  });

  test("is not split before it either; what authorizes shares is nothing to it", async () => {
    const { adjust, split, operate, common, seed, seedOn } = await newCompany();
    expect((await adjust("2", "0.5", "2025-07-01")).told).toBe("200");
    expect((await split(common, "2025-06-30")).told).toBe("409 invalid-state");
    const more = { stockClassId: seed, newSharesAuthorized: "5000000", effectiveDate: "2025-10-01" };
    expect((await operate("adjust-authorized", more)).told).toBe("200");
    expect((await split(common, "2025-09-01")).told).toBe("200");
    expect((await adjust("30", "0.0333333333", "2025-09-15")).told).toBe("200");
    const days = ["2025-06-30", "2025-07-01", "2025-09-01", "2025-09-15"];
    expect(await Promise.all(days.map(seedOn))).toEqual(["1000000", "2000000", "20000000", "30000000"]);
  });

  test("is not changed by hand while one of tomorrow is in the ledger", async () => {
    const { adjust, tell, common, seed } = await newCompany();
    const right = (numerator: string) => ({
      conversionRights: [{ stockClassId: common, ratio: { numerator, denominator: "1" }, conversionPrice: null }],
    });
    expect((await tell("PATCH", `/share-classes/${seed}`, right("2"))).told).toBe("200");
    expect((await adjust("4", "0.25", TOMORROW)).told).toBe("200");
    expect((await tell("PATCH", `/share-classes/${seed}`, right("3"))).told).toBe("409 invalid-state");
    expect((await tell("PATCH", `/share-classes/${seed}`, { pricePerShare: "2" })).told).toBe("200");
  });

  test("leaves a price corrected later corrected on all days, through splits", async () => {
    const { adjust, split, ask, seed } = await newCompany();
    const preference = async (asOf: string) => {
      const { points } = await ask("POST", "/models/waterfall", { asOf, exitValues: ["1"], detail: "UNITS" });
      return points[0].units.find(({ name }: { name: string }) => name === "Seed").claim;
    };
    const days = ["2025-05-01", "2025-09-01"] as const;
    expect((await adjust("2", "0.5", "2025-07-01")).told).toBe("200");
    await ask("PATCH", `/share-classes/${seed}`, { pricePerShare: "3" });
    expect([await preference(days[0]), await preference(days[1])]).toEqual(["3000000", "3000000"]);
    expect((await split(seed, "2025-08-01")).told).toBe("200");
    await ask("PATCH", `/share-classes/${seed}`, { pricePerShare: "0.4" });
    // Of before the split in shares of before it.
    expect([await preference(days[0]), await preference(days[1])]).toEqual(["4000000", "4000000"]);
  });

  test("needs a ratio and a price above zero, and warns of a price that the ratio does not come to", async () => {
    const { operate, seed } = await newCompany();
    const dated = { stockClassId: seed, effectiveDate: "2025-07-01", dryRun: true };
    const tried = async (numerator: string, denominator: string, conversionPrice: string) => {
      const { told, data } = await operate("adjust-conversion", {
        ...dated,
        ratio: { numerator, denominator },
        conversionPrice,
      });
      return [told, ...(data.warnings ?? []).map(({ code }: { code: string }) => code)];
    };
    expect(await tried("0", "1", "0.5")).toEqual(["422 validation-failed #/ratio/numerator"]);
    expect(await tried("1", "0", "0.5")).toEqual(["422 validation-failed #/ratio/denominator"]);
    expect(await tried("2", "1", "0")).toEqual(["422 validation-failed #/conversionPrice"]);
    expect(await tried("2", "1", "0.5")).toEqual(["200", "ratio-not-one"]);
    // A ratio of four places, and a price of as many.
    expect(await tried("1.2346", "1", "0.81")).toEqual(["200", "ratio-not-one"]);
    expect(await tried("1", "0.8333", "0.8333")).toEqual(["200", "ratio-not-one"]);
    expect(await tried("1", "3", "5")).toEqual(["200", "conversion-price-differs", "ratio-not-one"]);
    expect(await tried("20", "1", "0.5")).toEqual(["200", "conversion-price-differs", "ratio-not-one"]);
  });
});

test("what is dated before a split of its shares is told that it is not split", async () => {
  const { operate, issue, split, common, seed, founder, lead } = await newCompany();
  const { data: before } = await issue(common, "100", "2025-02-01");
  await split(common, "2025-06-01");
  const codes = ({ data }: { readonly data: { readonly warnings?: readonly { readonly code: string }[] } }) =>
    (data.warnings ?? []).map(({ code }) => code);
  const late = await issue(common, "100", "2025-05-31");
  expect([late.told, codes(late)]).toEqual(["201", ["dated-before-split"]]);
  expect(late.data.warnings[0].detail).toContain("2025-06-01");
  expect(codes(await issue(common, "100", "2025-06-01"))).toEqual([]);
  expect(codes(await issue(seed, "100", "2025-05-31"))).toEqual([]);
  const warrant = { stakeholderId: founder, stockClassId: common, quantity: "1", exercisePrice: "1" };
  const issued = { ...warrant, certificateId: "W-1", effectiveDate: "2025-05-31" };
  expect(codes(await operate("issue-warrant", issued))).toEqual(["dated-before-split"]);
  const given = (securityId: string, effectiveDate: string) =>
    operate("transfer", {
      securityId,
      fromStakeholderId: founder,
      toStakeholderId: lead,
      quantity: "1",
      effectiveDate,
    });
  expect(codes(await given(before.securityId, "2025-05-31"))).toEqual(["dated-before-split"]);
  expect(codes(await given(before.securityId, "2025-06-01"))).toEqual([]);
  // It came after the split in the ledger, and is in the shares of after it.
  expect(codes(await given(late.data.securityId, "2025-05-31"))).toEqual([]);
});

test("an exit whose percentages take more than all of it says so", async () => {
  const { ask } = await newCompany();
  const sale = (...percents: readonly string[]) => ({
    exitValues: ["10"],
    deductions: percents.map((percent, index) => ({ name: `Fee ${index}`, percent })),
  });
  const codes = async (...percents: readonly string[]) =>
    (await ask("POST", "/models/waterfall", sale(...percents))).warnings.map(({ code }: { code: string }) => code);
  expect(await codes("100")).not.toContain("deductions-exceed");
  expect(await codes("60", "40.00000001")).toContain("deductions-exceed");
});
