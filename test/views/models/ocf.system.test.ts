// What models know of classes and convertibles goes out in OCF and comes back: rights to convert, anti-dilution,
// dividends, splits, adjustments, triggers.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { verifyDatabase } from "../../../src/safekeeping/verify/verify.ts";
import { makeShareClass, makeStakeholder } from "../../kit/records.ts";
import { startTestServer, type TestServer } from "../../kit/service.ts";
import { answerOf, exportOf, importElsewhere, type Objects } from "./elsewhere.ts";

setDefaultTimeout(60_000);

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ CAPTABLE_LOG: "off" });
});
afterAll(() => server.stop());

type Given = Readonly<Record<string, unknown>>;

async function company(preferred: Given = {}) {
  const orgId = await server.newOrganization();
  const ask = async (method: string, path: string, body?: unknown) => {
    const answer = await server.api(method, path, body, { orgId });
    expect(`${path} ${answer.status} ${answer.status < 300 ? "" : answer.text}`).toMatch(/ 20[01] $/);
    return answer.json.data ?? answer.json;
  };
  const holder = await makeStakeholder(server, {}, { orgId });
  const common = await makeShareClass(server, { initialSharesAuthorized: "100000000" }, { orgId });
  const given = { name: "Seed", classType: "PREFERRED", defaultIdPrefix: "SEED-", pricePerShare: "3", ...preferred };
  const seed = await makeShareClass(server, given, { orgId });
  for (const [stockClassId, quantity] of [
    [common, "8000000"],
    [seed, "900000"],
  ]) {
    const certificateId = `C-${stockClassId}`;
    const issued = { stakeholderId: holder, stockClassId, quantity, certificateId, effectiveDate: "2025-01-01" };
    await ask("POST", "/transactions/issue-shares", issued);
  }
  return { orgId, ask, holder, common, seed };
}

const DAYS = ["2025-02-01", "2025-07-01", "2025-10-01", "2026-01-01"];
const round = {
  newClass: { name: "Series A" },
  valuation: { kind: "PRE_MONEY", amount: "1000000" },
  investors: [{ name: "Lead", amount: "500000" }],
};

/** What models say of an organization on several days. */
async function told(orgId: string) {
  const answers = DAYS.flatMap((asOf) => [
    answerOf(server, orgId, "/models/cap-table", { asOf }),
    answerOf(server, orgId, "/models/round", { asOf, ...round }),
    answerOf(server, orgId, "/models/waterfall", { asOf, exitValues: ["5000000", "90000000"] }),
  ]);
  return [await answerOf(server, orgId, "/cap-table"), ...(await Promise.all(answers))];
}

/** Exports, imports elsewhere, and says what differs: nothing, of the answers of models and the objects. */
async function goesRound(orgId: string): Promise<Objects> {
  const { zip, objects } = await exportOf(server, orgId);
  const other = await importElsewhere(server, zip);
  expect(await told(other)).toEqual(await told(orgId));
  expect(verifyDatabase(server.app.reader).differences).toEqual([]);
  expect((await exportOf(server, other)).objects).toEqual(objects);
  return objects;
}

describe("a class of preferred stock", () => {
  test("goes round with its rights and what only a comment can say", async () => {
    const { orgId, common, seed, ask } = await company({
      conversionRights: [{ ratio: { numerator: "3", denominator: "2" }, conversionPrice: "2", rounding: "NORMAL" }],
      antiDilution: "BROAD_BASED_WITH_POOL",
      antiDilutionCounts: "NEW_MONEY_ONLY",
      isParticipating: true,
      dividendType: "CUMULATIVE",
      dividendRatePercent: "8",
      dividendCompounding: "ANNUAL",
      comments: "Voted on in January.",
    });
    const capped = { name: "Capped", classType: "PREFERRED", defaultIdPrefix: "K-", pricePerShare: "7" };
    const other = await makeShareClass(
      server,
      {
        ...capped,
        isParticipating: true,
        participationCapMultiple: "2",
        participationCapBasis: "TOTAL",
        conversionRights: [{ stockClassId: common, ratio: { numerator: "3", denominator: "1" } }],
      },
      { orgId },
    );
    const objects = await goesRound(orgId);
    const guarded = { antiDilution: "BROAD_BASED_WITH_POOL", antiDilutionCounts: "NEW_MONEY_ONLY" };
    const own = { isParticipating: true, ...guarded, dividendType: "CUMULATIVE" };
    const members = { ...own, dividendRatePercent: "8", dividendCompounding: "ANNUAL" };
    expect(objects.get(`STOCK_CLASS ${seed}`)).toMatchObject({
      conversion_rights: [
        {
          type: "STOCK_CLASS_CONVERSION_RIGHT",
          conversion_mechanism: {
            type: "RATIO_CONVERSION",
            ratio: { numerator: "3", denominator: "2" },
            conversion_price: { amount: "2", currency: "USD" },
            rounding_type: "NORMAL",
          },
        },
      ],
      comments: ["Voted on in January.", `captable:${JSON.stringify(members)}`],
    });
    const right = { conversion_mechanism: { conversion_price: { amount: "2.3333333333" } } };
    expect(objects.get(`STOCK_CLASS ${other}`)).toMatchObject({ conversion_rights: [right] });
    const imported = await importElsewhere(server, (await exportOf(server, orgId)).zip);
    const { json } = await server.api("GET", `/share-classes/${seed}`, undefined, { orgId: imported });
    expect(json).toMatchObject({ ...members, comments: "Voted on in January." });
    const { json: second } = await server.api("GET", `/share-classes/${other}`, undefined, { orgId: imported });
    expect(second.conversionRights[0].conversionPrice).toBeNull();
    expect((await ask("GET", `/share-classes/${common}`)).conversionRights).toEqual([]);
  });

  test("a comment that does not fit stays one, and so does one of a common class", async () => {
    const { orgId, seed, common, ask } = await company();
    await ask("PATCH", `/share-classes/${common}`, { comments: 'captable:{"antiDilution":"FULL_RATCHET"}' });
    await ask("PATCH", `/share-classes/${seed}`, { comments: 'captable:{"dividendType":"CUMULATIVE"}' });
    const other = await importElsewhere(server, (await exportOf(server, orgId)).zip);
    for (const id of [common, seed]) {
      const [here, there] = [orgId, other].map((org) =>
        server.api("GET", `/share-classes/${id}`, undefined, { orgId: org }),
      );
      const [was, is] = [(await here)?.json, (await there)?.json];
      expect([is.comments, is.antiDilution, is.dividendType]).toEqual([was.comments, "NONE", "NONE"]);
    }
  });

  test("splits follow the figures of before them, adjustments and patches count from their day", async () => {
    const { orgId, ask, seed, common, holder } = await company({
      conversionRights: [{ ratio: { numerator: "1", denominator: "1" }, conversionPrice: "3" }],
    });
    const fixed = { type: "FIXED", quantity: "1000" };
    const triggers = [{ type: "ELECTIVE_AT_WILL", mechanism: fixed }];
    const terms = { convertibleType: "CONVERTIBLE_SECURITY", triggers };
    const safe = { stakeholderId: holder, quantity: "5000", certificateId: "N-1", convertibleTerms: terms };
    const { securityId } = await ask("POST", "/transactions/issue-convertible", {
      ...safe,
      effectiveDate: "2025-01-02",
    });
    const half = { numerator: 1, denominator: 3 };
    await ask("POST", "/transactions/split", {
      stockClassId: common,
      numerator: 7,
      denominator: 2,
      effectiveDate: "2025-03-01",
    });
    await ask("POST", "/transactions/adjust-conversion", {
      stockClassId: seed,
      ratio: { numerator: "4", denominator: "1" },
      conversionPrice: "0.75",
      rounding: "CEILING",
      effectiveDate: "2025-08-01",
    });
    await ask("POST", "/transactions/split", { stockClassId: seed, ...half, effectiveDate: "2025-09-01" });
    await ask("POST", "/transactions/split", { stockClassId: common, ...half, effectiveDate: "2025-11-01" });
    const objects = await goesRound(orgId);
    const mechanism = { ratio: { numerator: "1", denominator: "1" }, rounding_type: "FLOOR" };
    expect(objects.get(`STOCK_CLASS ${seed}`)).toMatchObject({
      price_per_share: { amount: "3" },
      conversion_rights: [{ conversion_mechanism: { ...mechanism, conversion_price: { amount: "3" } } }],
    });
    const [adjustment] = [...objects.values()].filter(({ object_type: type }) => String(type).includes("RATIO"));
    expect(adjustment).toMatchObject({
      date: "2025-08-01",
      stock_class_id: seed,
      new_ratio_conversion_mechanism: { ratio: { numerator: "4", denominator: "1" }, rounding_type: "CEILING" },
    });
    const issuance = [...objects.values()].find(({ security_id: id }) => id === securityId);
    expect(issuance).toMatchObject({
      conversion_triggers: [{ conversion_right: { conversion_mechanism: { converts_to_quantity: "1000" } } }],
    });
    const rights = [{ ratio: { numerator: "9", denominator: "1" }, conversionPrice: "1", rounding: "NORMAL" }];
    await ask("PATCH", `/share-classes/${seed}`, { conversionRights: rights });
    const patched = [...(await goesRound(orgId)).values()].filter(({ object_type: type }) =>
      String(type).includes("RATIO"),
    );
    expect(patched).toHaveLength(2);
    expect(patched[1]).toMatchObject({
      new_ratio_conversion_mechanism: { ratio: { numerator: "9", denominator: "1" } },
    });
    const { zip } = await exportOf(server, orgId);
    const { json } = await server.api("GET", `/share-classes/${seed}`, undefined, {
      orgId: await importElsewhere(server, zip),
    });
    expect(json.conversionRights[0]).toMatchObject(rights[0] as Given);
  });

  test("a class without rights gets none by a split that comes and goes with its package", async () => {
    const { orgId, ask, common, seed } = await company();
    await ask("POST", "/transactions/split", {
      stockClassId: common,
      numerator: 2,
      denominator: 1,
      effectiveDate: "2025-03-01",
    });
    const objects = await goesRound(orgId);
    expect(objects.get(`STOCK_CLASS ${seed}`)?.conversion_rights).toBeUndefined();
    const [now] = (await ask("GET", `/share-classes/${seed}`)).conversionRights;
    expect(now.ratio).toEqual({ numerator: "2", denominator: "1" });
  });

  test("one that was made after a split of common is written in shares of after it", async () => {
    const { orgId, ask, holder, common, seed } = await company();
    const split = { numerator: 3, denominator: 1 };
    await ask("POST", "/transactions/split", { stockClassId: common, ...split, effectiveDate: "2025-03-01" });
    const given = { name: "Later", classType: "PREFERRED", defaultIdPrefix: "L-", pricePerShare: "5" };
    const later = await makeShareClass(server, given, { orgId });
    const unissued = await makeShareClass(server, { ...given, name: "Unissued", defaultIdPrefix: "U-" }, { orgId });
    const on = { stakeholderId: holder, stockClassId: later, quantity: "1000", certificateId: "L-1" };
    await ask("POST", "/transactions/issue-shares", { ...on, effectiveDate: "2025-03-01" });
    const second = { numerator: 2, denominator: 1, effectiveDate: "2025-09-01" };
    await ask("POST", "/transactions/split", { stockClassId: common, ...second });
    const rightOf = async (id: string) => (await ask("GET", `/share-classes/${id}`)).conversionRights[0].ratio;
    expect([await rightOf(seed), await rightOf(later), await rightOf(unissued)]).toEqual([
      { numerator: "6", denominator: "1" },
      { numerator: "2", denominator: "1" },
      { numerator: "2", denominator: "1" },
    ]);
    const objects = await goesRound(orgId);
    const isAdjustment = (key: string) => key.startsWith("TX_STOCK_CLASS_CONVERSION_RATIO_ADJUSTMENT ");
    const adjusted = [...objects].filter(([key]) => isAdjustment(key));
    expect(adjusted.map(([, { stock_class_id: id }]) => id)).toEqual([unissued]);
  });

  test("an older adjustment that comes later does not take the place of a newer one, and that is told", async () => {
    const { orgId, ask, seed } = await company();
    const other = await importElsewhere(server, (await exportOf(server, orgId)).zip);
    const adjust = (numerator: string, effectiveDate: string) => {
      const ratio = { numerator, denominator: "1" };
      return { stockClassId: seed, ratio, conversionPrice: String(3 / Number(numerator)), effectiveDate };
    };
    const newer = adjust("4", "2025-08-01");
    const made = await server.api("POST", "/transactions/adjust-conversion", newer, { orgId: other });
    expect(made.status).toBe(200);
    await ask("POST", "/transactions/adjust-conversion", adjust("2", "2025-05-01"));
    const headers = { "content-type": "application/zip" };
    const importing = async () => {
      const { zip } = await exportOf(server, orgId);
      const { json } = await server.api("POST", "/cap-table/ocf-import", zip, { orgId: other, headers });
      return [json.data.errors, json.data.warnings.map(({ code }: { code: string }) => code)];
    };
    const ratio = async () => {
      const { json } = await server.api("GET", `/share-classes/${seed}`, undefined, { orgId: other });
      return json.conversionRights[0].ratio.numerator;
    };
    expect([await importing(), await ratio()]).toEqual([[[], ["older-terms"]], "4"]);
    await ask("POST", "/transactions/adjust-conversion", adjust("5", "2025-09-01"));
    expect([await importing(), await ratio()]).toEqual([[[], []], "5"]);
  });

  test("a price corrected after a split is exported as it was before", async () => {
    const { orgId, ask, seed } = await company();
    await ask("POST", "/transactions/split", {
      stockClassId: seed,
      numerator: 2,
      denominator: 1,
      effectiveDate: "2025-03-01",
    });
    await ask("PATCH", `/share-classes/${seed}`, { pricePerShare: "2" });
    const { zip, objects } = await exportOf(server, orgId);
    expect(objects.get(`STOCK_CLASS ${seed}`)).toMatchObject({ price_per_share: { amount: "4" } });
    const { json } = await server.api("GET", `/share-classes/${seed}`, undefined, {
      orgId: await importElsewhere(server, zip),
    });
    expect(json.pricePerShare).toBe("2");
  });
});

test("an imported trigger that is edited goes out with that member patched, and all else as it came", async () => {
  const { orgId, ask, holder } = await company();
  const terms = { convertibleType: "SAFE", timing: "POST_MONEY", valuationCap: "5000000", minimumProceeds: "1000000" };
  const safe = { stakeholderId: holder, quantity: "5000", certificateId: "S-1", convertibleTerms: terms };
  const { securityId } = await ask("POST", "/transactions/issue-convertible", { ...safe, effectiveDate: "2025-01-02" });
  const made = await exportOf(server, orgId);
  const other = await importElsewhere(server, made.zip);
  const { json } = await server.api("GET", `/securities/${securityId}`, undefined, { orgId: other });
  const { valuationCap: _, ...full } = json.convertibleTerms;
  const [trigger] = full.triggers;
  const edited = { ...trigger, nickname: "Next round", mechanism: { ...trigger.mechanism, valuationCap: "6000000" } };
  const patch = { convertibleTerms: { ...full, triggers: [edited] } };
  const answer = await server.api("PATCH", `/securities/${securityId}`, patch, { orgId: other });
  expect([answer.status, answer.status === 200 ? "" : answer.text]).toEqual([200, ""]);
  const { objects } = await exportOf(server, other);
  const [key, was] = [...made.objects].find(([, { security_id: id }]) => id === securityId) ?? [];
  const [before] = (was?.conversion_triggers ?? []) as Given[];
  const right = before?.conversion_right as Given;
  const mechanism = {
    ...(right.conversion_mechanism as Given),
    conversion_valuation_cap: { amount: "6000000", currency: "USD" },
  };
  expect(objects.get(key ?? "")).toEqual({
    ...was,
    conversion_triggers: [
      { ...before, nickname: "Next round", conversion_right: { ...right, conversion_mechanism: mechanism } },
    ],
  });
  for (const [each, object] of made.objects) if (each !== key) expect(objects.get(each)).toEqual(object);
});
