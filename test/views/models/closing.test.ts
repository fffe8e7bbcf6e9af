// Closing a round: what the model says is what the ledger then holds, in one commit.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { verifyDatabase } from "../../../src/safekeeping/verify/verify.ts";
import { ClosedAnswer } from "../../../src/views/models/closing/schema.ts";
import { makeShareClass, makeStakeholder } from "../../kit/records.ts";
import { QUICK } from "../../kit/release.ts";
import { startTestServer, type TestServer } from "../../kit/service.ts";
import { answerOf, exportOf, importElsewhere } from "./elsewhere.ts";

setDefaultTimeout(60_000);

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ CAPTABLE_LOG: "off" });
});
afterAll(() => server.stop());

const DAY = "2026-03-31";
const worth = (amount: string) => ({ kind: "PRE_MONEY", amount });

/** OCF holds the legal name only. */
const named = (name: string) => ({ displayName: name, name: { legalName: name } });

async function company() {
  const orgId = await server.newOrganization();
  const where = { orgId };
  const ask = async (method: string, path: string, body?: unknown) => {
    const answer = await server.api(method, path, body, where);
    expect(`${path} ${answer.status} ${answer.status < 300 ? "" : answer.text}`).toMatch(/ 20[01] $/);
    return answer.json.data ?? answer.json;
  };
  const [founder, angel, lead] = [
    await makeStakeholder(server, named("Founder"), where),
    await makeStakeholder(server, named("Angel"), where),
    await makeStakeholder(server, named("Lead"), where),
  ];
  const common = await makeShareClass(server, { initialSharesAuthorized: "100000000" }, where);
  const seed = await makeShareClass(
    server,
    {
      name: "Seed",
      classType: "PREFERRED",
      defaultIdPrefix: "SEED-",
      pricePerShare: "4",
      antiDilution: "BROAD_BASED",
      seniority: 1,
      initialSharesAuthorized: "1000000",
    },
    where,
  );
  const reserve = { planName: "Plan", initialSharesReserved: "500000", stockClassIds: [common] };
  const { id: plan } = await ask("POST", "/equity-plans", reserve);
  await ask("POST", "/transactions/issue-shares", {
    stakeholderId: founder,
    stockClassId: common,
    quantity: "8000000",
    certificateId: "CS-1",
    effectiveDate: "2025-01-01",
  });
  await ask("POST", "/transactions/issue-shares", {
    stakeholderId: angel,
    stockClassId: seed,
    quantity: "1000000",
    certificateId: "SEED-1",
    effectiveDate: "2025-02-01",
  });
  const safe = await ask("POST", "/transactions/issue-convertible", {
    stakeholderId: angel,
    quantity: "400000",
    certificateId: "SAFE-1",
    convertibleTerms: { convertibleType: "SAFE", timing: "POST_MONEY", valuationCap: "5000000" },
    effectiveDate: "2025-06-01",
  });
  const model = {
    closingDate: DAY,
    newClass: { name: "Series A", seniority: 1 },
    shiftSeniority: true,
    valuation: { kind: "PRE_MONEY", amount: "10000000" },
    investors: [{ stakeholderId: lead, amount: "2000000" }],
    pool: { targetPercent: "10" },
  };
  return { orgId, where, ask, model, plan, common, seed, lead, angel, safe: safe.securityId as string };
}

describe("closing a round", () => {
  test("the table of that day is the model's; the terms, classes and the pool follow", async () => {
    const { ask, model, seed, plan, safe } = await company();
    const told = await ask("POST", "/models/round", { asOf: DAY, ...model });
    expect(told.antiDilution).toHaveLength(1);
    const closed = await ask("POST", "/models/round/close", { model, digest: told.digest });
    expect(closed.shareClasses.map(({ name }: { name: string }) => name)).toEqual(["Series A", "Series A-1"]);
    expect(closed.securities.map(({ kind }: { kind: string }) => kind)).toEqual(["CONVERSION", "NEW_MONEY"]);
    expect(closed.securities[0].originSecurityId).toBe(safe);

    const now = await ask("POST", "/models/cap-table", { asOf: DAY });
    const ids = new Map(closed.shareClasses.map(({ id, name }: { id: string; name: string }) => [name, id]));
    const expected = JSON.parse(JSON.stringify(told.after));
    for (const row of [
      ...expected.classes,
      ...expected.holders.flatMap((each: { holdings: unknown[] }) => each.holdings),
    ]) {
      row.stockClassId ??= ids.get(row.name);
    }
    expect(now.before).toEqual(expected);

    const adjusted = await ask("GET", `/share-classes/${seed}`);
    expect([adjusted.seniority, adjusted.conversionRights[0].conversionPrice]).toEqual([
      2,
      told.antiDilution[0].conversionPrice,
    ]);
    expect((await ask("GET", `/equity-plans/${plan}`)).currentSharesReserved).toBe(told.pool.availableAfter);
    expect((await ask("GET", `/securities/${safe}`)).status).toBe("CONVERTED");
    const action = await ask("GET", `/corporate-actions/${closed.corporateActionId}`);
    expect([action.type, action.status, action.title]).toEqual(["Financing Round", "Finalized", "Series A financing"]);
    const before = await ask("POST", "/models/cap-table", { asOf: "2026-03-30" });
    expect(before.before.holders).toEqual(told.before.holders);
  });

  test("three after each other, the last below the price before: every table is the model's, and the export is the same company elsewhere", async () => {
    const { orgId, ask, model, seed, common, plan, safe } = await company();
    const rounds = [
      model,
      { ...model, closingDate: "2026-06-30", newClass: { name: "Series B" }, valuation: worth("50000000") },
      { ...model, closingDate: "2026-08-31", newClass: { name: "Series C" }, valuation: worth("5000000") },
    ];
    for (const each of rounds) {
      const told = await ask("POST", "/models/round", { asOf: each.closingDate, ...each });
      await ask("POST", "/models/round/close", { model: each, digest: told.digest });
      const { before } = await ask("POST", "/models/cap-table", { asOf: each.closingDate });
      expect([before.totals, before.pool]).toEqual([told.after.totals, told.after.pool]);
    }
    const { conversionRights } = await ask("GET", `/share-classes/${seed}`);
    expect(Number(conversionRights[0].conversionPrice)).toBeLessThan(4);
    expect(verifyDatabase(server.app.reader).differences).toEqual([]);
    const { zip, objects } = await exportOf(server, orgId);
    const all = [...objects.values()];
    const conversion = all.find(({ object_type: type }) => type === "TX_CONVERTIBLE_CONVERSION");
    expect(conversion).toMatchObject({
      trigger_id: `${safe}:conversion`,
      capitalization_definition: {
        include_stock_class_ids: [common, seed],
        include_stock_plans_ids: [plan],
        include_security_ids: [safe],
        exclude_security_ids: [],
      },
    });
    expect(all.filter(({ object_type: type }) => String(type).includes("RATIO_ADJUSTMENT"))).toHaveLength(2);

    const other = await importElsewhere(server, zip);
    const days = ["2026-03-30", ...rounds.map(({ closingDate }) => closingDate)];
    const sale = { exitValues: ["3000000", "40000000", "900000000"], detail: "SECURITIES" };
    for (const asOf of days) {
      for (const [path, body] of [
        ["/models/cap-table", { asOf }],
        ["/models/round", { asOf, ...model, closingDate: "2026-12-31", newClass: { name: "Series D" } }],
        ["/models/waterfall", { asOf, ...sale }],
      ] as const) {
        expect(await answerOf(server, other, path, body)).toEqual(await answerOf(server, orgId, path, body));
      }
    }
    expect(await answerOf(server, other, "/cap-table")).toEqual(await answerOf(server, orgId, "/cap-table"));
    expect(verifyDatabase(server.app.reader).differences).toEqual([]);
    expect((await exportOf(server, other)).objects).toEqual(objects);
  });

  test("another digest is refused, and so is a round whose terms changed meanwhile; nothing is written", async () => {
    const { where, ask, model, safe } = await company();
    const told = await ask("POST", "/models/round", { asOf: DAY, ...model });
    const other = await server.api("POST", "/models/round/close", { model, digest: "0".repeat(64) }, where);
    expect([other.status, other.json.type.split("/").at(-1)]).toEqual([409, "model-changed"]);
    await ask("PATCH", `/securities/${safe}`, {
      convertibleTerms: { convertibleType: "SAFE", timing: "POST_MONEY", valuationCap: "6000000" },
    });
    const changed = await server.api("POST", "/models/round/close", { model, digest: told.digest }, where);
    expect([changed.status, changed.json.type.split("/").at(-1)]).toEqual([409, "model-changed"]);
    const classes = await ask("GET", "/share-classes");
    expect(classes.items).toHaveLength(2);
  });

  test("a dry run answers what would be made, without ids, and makes nothing", async () => {
    const { ask, model } = await company();
    const told = await ask("POST", "/models/round", { asOf: DAY, ...model });
    const dry = await ask("POST", "/models/round/close", { model, digest: told.digest, dryRun: true });
    expect([dry.corporateActionId, dry.securities.length, dry.effects.length > 0]).toEqual([null, 2, true]);
    expect((await ask("GET", "/share-classes")).items).toHaveLength(2);
  });

  test("needs everybody on record, and enough authorized shares", async () => {
    const { where, ask, model } = await company();
    const nameless = { ...model, investors: [{ name: "Lead", amount: "2000000" }] };
    const told = await ask("POST", "/models/round", { asOf: DAY, ...nameless });
    const refused = await server.api("POST", "/models/round/close", { model: nameless, digest: told.digest }, where);
    expect([refused.status, refused.json.errors[0].pointer]).toEqual([422, "#/model/investors/0/stakeholderId"]);
    const { digest } = await ask("POST", "/models/round", { asOf: DAY, ...model });
    const few = { model, digest, newClassAuthorized: [{ name: "Series A", sharesAuthorized: "10" }] };
    const short = await server.api("POST", "/models/round/close", few, where);
    expect([short.status, short.json.type.split("/").at(-1)]).toEqual([409, "insufficient-authorized-shares"]);
  });
});

test.skipIf(QUICK)(
  "a closing counts what it does: classes it makes and the pool's increase are operations too",
  async () => {
    const { ask, where, model, angel } = await company();
    const terms = (valuationCap: string) => ({ convertibleType: "SAFE", timing: "PRE_MONEY", valuationCap });
    const issue = (count: number) =>
      ask("POST", "/transactions/issue-convertible", {
        stakeholderId: angel,
        quantity: "100",
        certificateId: `M-${count}`,
        convertibleTerms: terms(String(1_000_000 + 20_000 * count)),
        effectiveDate: "2025-06-02",
      });
    for (let count = 0; count < 248; count++) await issue(count);
    const many = { ...model, pool: { increase: "5" }, pricePlaces: 10 };
    const told = await ask("POST", "/models/round", { asOf: DAY, ...many });
    const [first, ...shadows] = told.classes;
    expect([told.conversions.length, first.role, shadows.length]).toEqual([249, "NEW_MONEY", 249]);
    // 249 conversions, 250 classes, an issuance, an adjustment and the pool.
    const closing = { model: many, digest: told.digest };
    const refused = await server.api("POST", "/models/round/close", closing, where);
    expect([refused.status, refused.json.errors[0].detail]).toEqual([422, "needs 502 operations, and 500 is the most"]);
    const fewer = { ...many, conversion: { exclude: [told.conversions[1].securityId] } };
    const { digest } = await ask("POST", "/models/round", { asOf: DAY, ...fewer });
    const dry = await ask("POST", "/models/round/close", { model: fewer, digest, dryRun: true });
    expect(dry.transactionIds).toHaveLength(251);
  },
);

test("a closing warns of a class whose authorized shares what converts into it needs", async () => {
  const { ask, model, common } = await company();
  const lower = { stockClassId: common, newSharesAuthorized: "11000000", effectiveDate: "2026-01-01" };
  await ask("POST", "/transactions/adjust-authorized", lower);
  const told = await ask("POST", "/models/round", { asOf: DAY, ...model });
  const short = told.authorization.find(({ stockClassId }: { stockClassId: string }) => stockClassId === common);
  const { warnings } = await ask("POST", "/models/round/close", { model, digest: told.digest });
  expect(warnings.map(({ code }: { code: string }) => code)).toEqual(["short-of-reserved"]);
  expect(warnings[0].detail).toContain(`needs ${short.needed} shares`);
  expect(ClosedAnswer.properties.data.properties.warnings.type).toBe("array");
});

test("what has expired counts in a round until it is cancelled, and the round tells it", async () => {
  const { ask, model } = await company();
  const { id: stakeholderId } = await ask("POST", "/stakeholders", { ...named("Grantee"), type: "INDIVIDUAL" });
  const [{ id: stockClassId }] = (await ask("GET", "/share-classes")).items;
  const { id: stockPlanId } = (await ask("GET", "/equity-plans")).items[0];
  const asked = { asOf: DAY, ...model };
  const before = await ask("POST", "/models/round", asked);
  const held = { stakeholderId, quantity: "1000", exercisePrice: "1", effectiveDate: "2025-03-01" };
  const warrant = { ...held, stockClassId, certificateId: "W-1" };
  const late = await ask("POST", "/transactions/issue-warrant", { ...warrant, expirationDate: "2026-03-30" });
  await ask("POST", "/transactions/issue-warrant", { ...warrant, certificateId: "W-2", expirationDate: DAY });
  const option = { ...held, stockPlanId, optionType: "NSO", certificateId: "O-1", expirationDate: "2026-03-01" };
  const option1 = await ask("POST", "/transactions/issue-options", option);
  const { before: table, warnings, digest } = await ask("POST", "/models/round", asked);
  const told = warnings.filter(({ code }: { code: string }) => code === "expired");
  expect(told.map(({ securityId }: { securityId: string }) => securityId)).toEqual([
    late.securityId,
    option1.securityId,
  ]);
  expect([table.totals.warrants, table.totals.options]).toEqual(["2000", "1000"]);
  expect(digest).not.toBe(before.digest);
});

describe("scenarios", () => {
  test("keep an input, compute its result, and are compared", async () => {
    const { where, ask, model, lead, safe } = await company();
    const input = { asOf: DAY, ...model };
    const one = await ask("POST", "/scenarios", { name: "At 10M", model: "ROUND", input });
    const two = await ask("POST", "/scenarios", {
      name: "At 20M",
      model: "ROUND",
      input: { ...input, valuation: { kind: "PRE_MONEY", amount: "20000000" } },
    });
    expect((await ask("GET", `/scenarios/${one.id}`)).input).toEqual(input);
    const { result } = await ask("GET", `/scenarios/${one.id}/result`);
    expect(result.digest).toBe((await ask("POST", "/models/round", input)).digest);
    const compared = await ask("POST", "/scenarios/compare", { scenarioIds: [one.id, two.id] });
    expect(compared.scenarios.map(({ digest }: { digest: string }) => digest)[0]).toBe(result.digest);
    const row = compared.holders.find(({ stakeholderId }: { stakeholderId: string }) => stakeholderId === lead);
    expect(Number(row.values[0].fullyDiluted)).toBeGreaterThan(Number(row.values[1].fullyDiluted));
    const dated = await server.api("GET", `/scenarios/${one.id}/result?asOf=2026-01-01`, undefined, where);
    expect(dated.status).toBe(422);
    const days = { scenarioIds: [one.id, two.id], asOf: "2026-01-01" };
    const refused = await server.api("POST", "/scenarios/compare", days, where);
    expect([refused.status, refused.json.errors?.[0].pointer]).toEqual([422, "#/asOf"]);
    const bad = await server.api("POST", "/scenarios", { name: "x", model: "ROUND", input: { newClass: {} } }, where);
    expect([bad.status, bad.json.errors[0].pointer.startsWith("#/input")]).toEqual([422, true]);
    const unknown = { name: "x", model: "WATERFALL", input: { exitValues: ["1"], accelerate: ["unknown"] } };
    expect((await server.api("POST", "/scenarios", unknown, where)).status).toBe(404);
    const sale = {
      name: "Exit",
      model: "WATERFALL",
      input: { asOf: DAY, exitValues: ["1000000"], rounds: [{ ...model, conversion: { exclude: [safe] } }] },
    };
    const exit = await ask("POST", "/scenarios", sale);
    const same = await ask("POST", "/scenarios", sale);
    const exits = await ask("POST", "/scenarios/compare", { scenarioIds: [exit.id, same.id], exitValue: "50000000" });
    expect(exits.holders[0].values).toHaveLength(2);
    const finer = { scenarioIds: [exit.id, same.id], exitValue: "50000000.001" };
    const places = await server.api("POST", "/scenarios/compare", finer, where);
    expect([places.status, places.json.errors]).toEqual([
      422,
      [{ pointer: "#/exitValue", detail: "must have at most 2 places" }],
    ]);
    await server.api("DELETE", `/scenarios/${exit.id}`, undefined, where);
    expect((await server.api("GET", `/scenarios/${exit.id}/result`, undefined, where)).status).toBe(404);
  });

  test("name by its id what is gone, each kind of it", async () => {
    const { where, ask, model, safe, seed, plan } = await company();
    const sale = { asOf: DAY, exitValues: ["1"] };
    const gone = await makeShareClass(server, { name: "Gone", classType: "PREFERRED", defaultIdPrefix: "G-" }, where);
    const idle = await makeStakeholder(server, {}, where);
    const empty = { planName: "Empty", initialSharesReserved: "5", stockClassIds: [seed] };
    const { id: other } = await ask("POST", "/equity-plans", empty);
    const terms = (stockClassId: string) => ({
      convertibleType: "CONVERTIBLE_SECURITY",
      triggers: [{ type: "ELECTIVE_AT_WILL", stockClassId, mechanism: { type: "FIXED", quantity: "5" } }],
    });
    const added = (stockClassId: string) => ({
      asOf: DAY,
      add: [{ type: "CONVERTIBLE", name: "X", quantity: "1", convertibleTerms: terms(stockClassId) }],
    });
    const named: readonly (readonly [string, string, object])[] = [
      ["CAP_TABLE", gone, added(gone)],
      ["WATERFALL", gone, { ...sale, classOverrides: [{ stockClassId: gone, seniority: 3 }] }],
      [
        "CAP_TABLE",
        idle,
        { asOf: DAY, add: [{ type: "STOCK", stakeholderId: idle, stockClassId: seed, quantity: "1" }] },
      ],
      [
        "ROUND",
        idle,
        { asOf: DAY, ...model, pool: { equityPlanId: plan }, investors: [{ stakeholderId: idle, amount: "1000" }] },
      ],
      ["ROUND", other, { asOf: DAY, ...model, pool: { increase: "1", equityPlanId: other } }],
      ["ROUND", safe, { asOf: DAY, ...model, pool: { equityPlanId: plan }, conversion: { force: [safe] } }],
    ];
    const kept: [string, string][] = [];
    for (const [name, id, input] of named) {
      kept.push([(await ask("POST", "/scenarios", { name, model: name, input })).id, id]);
    }
    const cancelled = {
      securityId: safe,
      quantity: "400000",
      cancellationReason: "TERMINATION",
      effectiveDate: "2025-12-01",
    };
    await ask("POST", "/transactions/cancel", cancelled);
    for (const path of [`/share-classes/${gone}`, `/stakeholders/${idle}`, `/equity-plans/${other}`]) {
      expect((await server.api("DELETE", path, undefined, where)).status).toBe(204);
    }
    for (const [scenario, id] of kept) {
      const answer = await server.api("GET", `/scenarios/${scenario}/result`, undefined, where);
      expect([id, answer.status, answer.json.type?.split("/").at(-1)]).toEqual([id, 409, "invalid-state"]);
      expect(answer.json.detail).toContain(id);
    }
    const unknown = await server.api("POST", "/models/cap-table", added("nothing"), where);
    expect(unknown.status).toBe(404);
  });
});
