// What holds for every typed route: a dry run tells and changes nothing, the real run answers as documented, and
// between them and the edits all 25 ledger types are reached.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { LedgerOperation } from "../../src/ledger/operation.ts";
import { OPERATIONS } from "../../src/ledger/registry.ts";
import { TRANSACTION_TYPES } from "../../src/ledger/types.ts";
import { makeStakeholder } from "../kit/records.ts";
import {
  type Company,
  convertible,
  differences,
  foundCompany,
  freshCertificate,
  type Given,
  get,
  makeTerms,
  option,
  run,
  stock,
  warrant,
} from "./support.ts";

let company: Company;
let bodies: Readonly<Record<string, () => Promise<Given>>>;
beforeAll(async () => {
  company = await foundCompany();
  const conditions = [{ id: "sale", trigger: { type: "EVENT_BASED" }, portion: { numerator: 1, denominator: 1 } }];
  const vestingTermsId = await makeTerms(company.server, conditions, { triggerType: "EVENT_BASED" });
  const { holder: stakeholderId, other, common: stockClassId, preferred, plan } = company;
  const issue = () => ({ stakeholderId, quantity: "10", certificateId: freshCertificate() });
  const on = async (securityId: Promise<string>, more: Given) => ({ securityId: await securityId, ...more });
  bodies = {
    "issue-shares": async () => ({ ...issue(), stockClassId }),
    "issue-options": async () => ({ ...issue(), stockPlanId: plan, exercisePrice: "1", optionType: "NSO" }),
    "issue-warrant": async () => ({ ...issue(), exercisePrice: "1" }),
    "issue-convertible": async () => ({ ...issue(), convertibleType: "SAFE" }),
    transfer: () => on(stock(company), { fromStakeholderId: stakeholderId, toStakeholderId: other, quantity: "10" }),
    exercise: () => on(option(company), { quantity: "10", exercisePrice: "0.25" }),
    cancel: () => on(stock(company), { quantity: "10", cancellationReason: "EXPIRATION" }),
    convert: () => on(convertible(company), { stockClassId: preferred, resultingQuantity: "10" }),
    repurchase: () => on(stock(company), { quantity: "10", pricePerShare: "1" }),
    retract: () => on(stock(company), { reason: "Never approved" }),
    split: async () => ({ stockClassId, numerator: 2, denominator: 1 }),
    "adjust-authorized": async () => ({ stockClassId, newSharesAuthorized: "3000000" }),
    "adjust-conversion": async () => ({
      stockClassId: preferred,
      ratio: { numerator: "2", denominator: "1" },
      conversionPrice: "0.5",
    }),
    "adjust-reserve": async () => ({ equityPlanId: plan, newSharesReserved: "300000" }),
    "start-vesting": () => on(option(company, { vestingTermsId }), {}),
    "accelerate-vesting": () => on(option(company, { vestingTermsId }), { quantity: "10", reason: "Sale" }),
    "record-vesting-event": () => on(option(company, { vestingTermsId }), { conditionId: "sale" }),
    "terminate-service": async () => {
      const leaver = await makeStakeholder(company.server);
      await option(company, { stakeholderId: leaver, vestingTermsId });
      return { stakeholderId: leaver };
    },
  };
});
afterAll(async () => {
  expect(differences(company)).toEqual([]);
  await company.server.stop();
});

const CHANGES_NO_RECORD = ["accelerate-vesting", "record-vesting-event"];

const FROM_THE_CHAIN = ["tokenStatus", "tokenTransactionHash", "tokenizationStatus", "tokenAddress", "updatedAt"];

/** Everything that a write could leave, but for what the background work goes on to do meanwhile. */
async function everything(route: string): Promise<unknown> {
  const paths = ["/transactions?limit=1", "/securities?limit=100", "/share-classes", "/equity-plans"];
  const lists = await Promise.all(paths.map(async (path) => (await company.server.api("GET", path)).json));
  const records = lists.flatMap(({ data, items }) => data ?? items) as Record<string, unknown>[];
  const own = records.map((record) => Object.entries(record).filter(([name]) => !FROM_THE_CHAIN.includes(name)));
  return [own, await auditRows(route)];
}

/** How many rows the audit log has of a route's requests. The background work writes rows of its own in between. */
async function auditRows(route: string): Promise<number> {
  const { items } = (await company.server.api("GET", "/audit-log?limit=100")).json;
  return items.filter((row: Given) => row.path === `/api/v1/transactions/${route}`).length;
}

/** The members of an operation's answer, in order. */
function membersOf({ data, answers }: LedgerOperation): string[] {
  return [...(data ? Object.keys(data.schema.properties) : ["transactionId", ...answers]), "warnings"];
}

describe.each(OPERATIONS.map((operation) => [operation.route, operation] as const))("%s", (route, operation) => {
  test("in a dry run answers what would happen, its ids null, and changes nothing", async () => {
    const body = { ...(await bodies[route]?.()), effectiveDate: "2024-06-30" };
    const before = await everything(route);
    const answer = await run(company, route, { ...body, dryRun: true });
    expect([answer.status, answer.headers.get("location")]).toEqual([200, null]);
    const { effects, vesting, ...ids } = answer.json.data;
    expect(Object.keys(ids)).toEqual(membersOf(operation));
    for (const [name, value] of Object.entries(ids)) expect(value === null).toBe(name.endsWith("Id"));
    expect(effects.length > 0).toBe(!CHANGES_NO_RECORD.includes(route));
    for (const effect of effects)
      expect(Object.keys(effect)).toEqual(["resourceType", "id", "field", "before", "after"]);
    expect(await everything(route)).toEqual(before);
    expect(vesting !== undefined).toBe(operation.isOfVesting === true);
    if (vesting === undefined) return;
    const path = `/securities/${(body as Given).securityId}/vesting`;
    // What waits for an event does so from another start on as well.
    expect(Bun.deepEquals(await get(company, path), vesting)).toBe(route === "start-vesting");
    await run(company, route, body);
    expect(await get(company, path)).toEqual(vesting);
  });

  test("answers its ids and Location, once for one Idempotency-Key, and is told in the audit log", async () => {
    const body = { ...(await bodies[route]?.()), effectiveDate: "2024-06-30", description: "First\nsecond" };
    const headers = { "idempotency-key": `every-${route}` };
    const told = await auditRows(route);
    const first = await company.server.api("POST", `/transactions/${route}`, body, { headers });
    const again = await company.server.api("POST", `/transactions/${route}`, body, { headers });
    expect([first.status, again.status]).toEqual([operation.status, operation.status]);
    expect(again.json).toEqual(first.json);
    const { data } = first.json;
    expect(Object.keys(data)).toEqual(membersOf(operation));
    const made = data.securityId ?? data.newSecurityId;
    expect(first.headers.get("location")).toBe(made ? `/api/v1/securities/${made}` : null);
    const entry = await get(company, `/transactions/${data.transactionId ?? data.transactionIds[0]}`);
    expect(entry).toMatchObject({ effectiveDate: "2024-06-30", metadata: { description: "First\nsecond" } });
    expect(await auditRows(route)).toBeGreaterThan(told);
  });

  test("needs the role EDITOR", async () => {
    const answer = await company.server.api("POST", `/transactions/${route}`, {}, { role: "VIEWER" });
    expect(answer.status).toBe(403);
  });
});

test("all 25 types are reached by a typed route or by an edit", async () => {
  const { server, holder, other } = company;
  const move = { fromStakeholderId: holder, toStakeholderId: other, quantity: "10", effectiveDate: "2024-06-30" };
  for (const make of [option, warrant, convertible]) {
    await run(company, "transfer", { ...move, securityId: await make(company) });
    await run(company, "retract", { securityId: await make(company), reason: "x", effectiveDate: "2024-06-30" });
  }
  const exercise = { securityId: await warrant(company), quantity: "1", exercisePrice: "1.5" };
  await run(company, "exercise", { ...exercise, effectiveDate: "2024-06-30" });
  await server.api("PATCH", `/stakeholders/${holder}`, { comments: "Moved" });
  const valuation = { type: "409A", stockClassId: company.common, pricePerShare: "1", effectiveDate: "2024-01-01" };
  const { id } = (await server.api("POST", "/valuations", valuation)).json;
  await server.api("PATCH", `/valuations/${id}`, { status: "APPROVED" });
  for (const type of TRANSACTION_TYPES) {
    const { data } = (await server.api("GET", `/transactions?type=${type}&limit=1`)).json;
    expect([type, data.length]).toEqual([type, 1]);
  }
});
