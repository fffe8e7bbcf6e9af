// Two requests that exclude each other, sent at once, and many that together want more than there is: exactly as many win
// as may, the rest are refused in words, and the ledger explains the rest. Then several programs on one data directory.
// (Two transfers of the whole of one security: test/ledger/races.test.ts.)
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { newDataDir, runProgram, type Served, serveProgram } from "../kit/program.ts";
import { proved } from "../kit/proof.ts";
import { makeShareClass, makeStakeholder } from "../kit/records.ts";
import { RELEASE } from "../kit/release.ts";
import type { Answer } from "../kit/service.ts";
import {
  available,
  type Company,
  convertible,
  differences,
  done,
  foundCompany,
  freshCertificate,
  type Given,
  get,
  option,
  outcome,
  run,
  standing,
  stock,
} from "../ledger/support.ts";

const ROUNDS = RELEASE ? 1000 : 6;
const VAST = "900000000000";

let company: Company;
let api: Company["server"]["api"];

beforeAll(async () => {
  company = await foundCompany({ CAPTABLE_CHAIN: "on" });
  api = company.server.api;
  await done(company, "adjust-authorized", { stockClassId: company.common, newSharesAuthorized: VAST, ...DATED });
  await done(company, "adjust-reserve", { equityPlanId: company.plan, newSharesReserved: VAST, ...DATED });
});
afterAll(() => company.server.stop());

const DATED = { effectiveDate: "2026-03-01" };

/** Two requests for one record, and what may come of them: outcomes in the order of the requests, and what is left. */
interface Pair {
  readonly name: string;
  readonly make: () => Promise<string>;
  readonly first: (id: string) => Promise<Answer>;
  readonly second: (id: string) => Promise<Answer>;
  readonly leaves: (id: string) => Promise<unknown>;
  readonly allowed: readonly string[];
}

const exercise = (quantity: string) => (securityId: string) =>
  run(company, "exercise", { securityId, quantity, exercisePrice: "0.25", ...DATED });
const cancel = (quantity: string) => (securityId: string) =>
  run(company, "cancel", { securityId, quantity, cancellationReason: "FORFEITURE", ...DATED });
const transfer = (quantity: string) => (securityId: string) => {
  const parties = { fromStakeholderId: company.holder, toStakeholderId: company.other };
  return run(company, "transfer", { securityId, quantity, ...parties, ...DATED });
};
const retract = (securityId: string) => run(company, "retract", { securityId, reason: "In error", ...DATED });
const convert = (securityId: string) =>
  run(company, "convert", { securityId, stockClassId: company.common, resultingQuantity: "5", ...DATED });
const remove = (path: string) => (id: string) => api("DELETE", `/${path}/${id}`);
const left = (securityId: string) => standing(company, securityId);

const PAIRS: readonly Pair[] = [
  {
    name: "exercise of all against cancellation of all",
    make: () => option(company),
    first: exercise("1000"),
    second: cancel("1000"),
    leaves: left,
    allowed: ["201, 409 invalid-state: EXERCISED 0", "409 invalid-state, 200: CANCELLED 0"],
  },
  {
    name: "exercise of most against cancellation of most",
    make: () => option(company),
    first: exercise("600"),
    second: cancel("700"),
    leaves: left,
    allowed: ["201, 422 #/quantity: ACTIVE 400", "422 #/quantity, 200: ACTIVE 300"],
  },
  {
    name: "two exercises of all",
    make: () => option(company),
    first: exercise("1000"),
    second: exercise("1000"),
    leaves: left,
    allowed: ["201, 409 invalid-state: EXERCISED 0", "409 invalid-state, 201: EXERCISED 0"],
  },
  {
    name: "two exercises that together take all",
    make: () => option(company),
    first: exercise("400"),
    second: exercise("600"),
    leaves: left,
    allowed: ["201, 201: EXERCISED 0"],
  },
  {
    name: "retraction against transfer of all",
    make: () => stock(company),
    first: retract,
    second: transfer("1000"),
    leaves: left,
    allowed: ["200, 409 invalid-state: CANCELLED 0", "409 invalid-state, 201: TRANSFERRED 0"],
  },
  {
    name: "deletion against transfer of a part",
    make: () => stock(company),
    first: remove("securities"),
    second: transfer("400"),
    leaves: async (id) => (await api("GET", `/securities/${id}`)).status,
    allowed: ["204, 404 not-found: 404", "204, 201: 404"],
  },
  {
    name: "a direct edit against a cancellation",
    make: () => stock(company),
    first: (id) => api("PATCH", `/securities/${id}`, { quantity: "10" }),
    second: cancel("500"),
    leaves: left,
    allowed: ["200, 422 #/quantity: ACTIVE 10", "200, 200: ACTIVE 10"],
  },
  {
    name: "two conversions of a convertible",
    make: () => convertible(company),
    first: convert,
    second: convert,
    leaves: left,
    allowed: ["201, 409 invalid-state: CONVERTED 0", "409 invalid-state, 201: CONVERTED 0"],
  },
  {
    name: "an issuance against the deletion of whom it is for",
    make: () => makeStakeholder(company.server),
    first: (stakeholderId) => run(company, "issue-shares", { ...issuance(), stakeholderId }),
    second: remove("stakeholders"),
    leaves: async (id) => (await api("GET", `/stakeholders/${id}`)).status,
    allowed: ["201, 409 in-use: 200", "404 not-found, 204: 404"],
  },
  {
    name: "two completions of a milestone",
    make: async () => (await api("POST", "/vesting-milestones", { name: "First customer" })).json.id,
    first: (id) => api("POST", `/vesting-milestones/${id}/complete`, {}),
    second: (id) => api("POST", `/vesting-milestones/${id}/complete`, {}),
    leaves: async (id) => (await get(company, `/vesting-milestones/${id}`)).status,
    allowed: ["200, 409 invalid-state: COMPLETED", "409 invalid-state, 200: COMPLETED"],
  },
];

function issuance(given: Given = {}): Given {
  const where = { stakeholderId: company.holder, stockClassId: company.common };
  return { ...where, quantity: "1", certificateId: freshCertificate(), ...DATED, ...given };
}

describe(`sent at once, ${ROUNDS} rounds each:`, () => {
  test.each(PAIRS)(
    "$name",
    async ({ make, first, second, leaves, allowed }) => {
      const seen = new Set<string>();
      for (let round = 0; round < ROUNDS; round++) {
        const id = await make();
        // Which of the two arrives first is turned round, so that both ends are seen.
        const answers = round % 2 ? [first(id), second(id)] : [second(id), first(id)].reverse();
        const [one, other] = (await Promise.all(answers)).map(outcome);
        seen.add(`${one}, ${other}: ${await leaves(id)}`);
      }
      expect([...seen].filter((end) => !allowed.includes(end))).toEqual([]);
      expect(seen.size).toBeGreaterThan(0);
    },
    300_000,
  );

  test("what a large run proved of pairs", () => {
    const what = `pairs of requests that exclude each other, of ${PAIRS.length} kinds`;
    proved({ fault: "C6", what, count: ROUNDS * PAIRS.length, seed: "-", result: "one wins, the other is refused" });
  });
});

/** How often each outcome came of ten requests at once. */
async function ofTen(request: (n: number) => Promise<Answer>): Promise<Record<string, number>> {
  const answers = await Promise.all(Array.from({ length: 10 }, (_, n) => request(n)));
  const groups = Object.groupBy(answers.map(outcome), (end) => end);
  return Object.fromEntries(Object.entries(groups).map(([end, all = []]) => [end, all.length]));
}

describe(`ten at once want twice what there is, ${ROUNDS} rounds each:`, () => {
  test("shares that may be issued", async () => {
    const stockClassId = await makeShareClass(company.server, { initialSharesAuthorized: "1" });
    for (let round = 1; round <= ROUNDS; round++) {
      const limit = { stockClassId, newSharesAuthorized: String(round * 5), ...DATED };
      await done(company, "adjust-authorized", limit);
      const ends = await ofTen(() => run(company, "issue-shares", issuance({ stockClassId })));
      expect(ends).toEqual({ 201: 5, "409 insufficient-authorized-shares": 5 });
    }
    const [row] = (await api("GET", "/cap-table")).json.data.shareClasses.filter(
      (each: Given) => each.id === stockClassId,
    );
    expect([row.issued, row.available]).toEqual([String(ROUNDS * 5), "0"]);
  }, 300_000);

  test("options that a plan may grant", async () => {
    const body = { planName: "Small", initialSharesReserved: "1", stockClassIds: [company.common] };
    const equityPlanId = (await api("POST", "/equity-plans", body)).json.id;
    const terms = { stakeholderId: company.holder, exercisePrice: "1", optionType: "NSO", ...DATED };
    for (let round = 1; round <= ROUNDS; round++) {
      await done(company, "adjust-reserve", { equityPlanId, newSharesReserved: String(round * 5), ...DATED });
      const grant = () => ({ ...terms, stockPlanId: equityPlanId, quantity: "1", certificateId: freshCertificate() });
      expect(await ofTen(() => run(company, "issue-options", grant()))).toEqual({
        201: 5,
        "409 insufficient-plan-reserve": 5,
      });
    }
    expect(await available(company, equityPlanId)).toBe("0");
  }, 300_000);

  test("shares of one holding, by transfer, cancellation and repurchase", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const securityId = await stock(company, { quantity: "5" });
      const ways = [
        transfer("1"),
        cancel("1"),
        (id: string) => run(company, "repurchase", { securityId: id, quantity: "1", pricePerShare: "1", ...DATED }),
      ];
      const ends = await ofTen((n) => (ways[n % 3] ?? cancel("1"))(securityId));
      expect((ends[200] ?? 0) + (ends[201] ?? 0)).toBe(5);
      expect(ends["409 invalid-state"]).toBe(5);
    }
  }, 300_000);

  test("one certificate number", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const certificateId = freshCertificate();
      const ends = await ofTen(() => run(company, "issue-shares", issuance({ certificateId })));
      expect(ends).toEqual({ 201: 1, "409 duplicate-certificate-id": 9 });
    }
  }, 300_000);

  test("and all ten get what there is for all, so that it is the limit that refuses five", async () => {
    const stockClassId = await makeShareClass(company.server, { initialSharesAuthorized: "10" });
    expect(await ofTen(() => run(company, "issue-shares", issuance({ stockClassId })))).toEqual({ 201: 10 });
  }, 60_000);

  test("and the ledger explains what all of them left", () => {
    expect(differences(company)).toEqual([]);
    const what = "rounds of ten requests for twice what there is";
    const result = "exactly what there is was given, never more";
    proved({ fault: "C6", what, count: ROUNDS * 4, seed: "-", result });
  }, 120_000);
});

const COMMANDS = RELEASE ? 40 : 1;
const PACKAGE = join(import.meta.dir, "../fixtures/ocf/small");

/** Calls a served program. */
async function call(served: Served, method: string, path: string, body?: unknown, key = served.key) {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const init: RequestInit = body === undefined ? { method, headers } : { method, headers, body: JSON.stringify(body) };
  const response = await fetch(`${served.url}/api/v1${path}`, init);
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of every shape
  return { status: response.status, json: (await response.json()) as any };
}

test(`a server under load, ${COMMANDS} rounds of commands that write, and second servers share a data directory`, async () => {
  const dataDir = newDataDir();
  const served = await serveProgram(dataDir);
  const person = { displayName: "Ada", name: { legalName: "Ada" }, type: "INDIVIDUAL" };
  const stakeholderId = (await call(served, "POST", "/stakeholders", person)).json.id;
  const shareClass = { name: "C", classType: "COMMON", defaultIdPrefix: "C-", votesPerShare: "1", seniority: 1 };
  const initialSharesAuthorized = VAST;
  const made = await call(served, "POST", "/share-classes", { ...shareClass, initialSharesAuthorized });
  const issue = { stakeholderId, stockClassId: made.json.id, quantity: "1", effectiveDate: "2026-01-15" };
  // Named, or the first `org create` would only give it its name.
  const orgId = (await call(served, "PATCH", "/organization", { legalName: "Acme" })).json.id;
  let isOver = false;
  const statuses: number[] = [];
  const waits: number[] = [];
  const clients = Array.from({ length: 4 }, async (_, client) => {
    for (let n = 0; !isOver; n++) {
      const started = performance.now();
      const body = { ...issue, certificateId: `c${client}-${n}` };
      statuses.push((await call(served, "POST", "/transactions/issue-shares", body)).status);
      waits.push(performance.now() - started);
    }
  });

  for (let round = 0; round < COMMANDS; round++) {
    const org = await runProgram(["org", "create", "--name", `Org ${round}`, "--data-dir", dataDir, "--json"]);
    expect([round, org.status, org.stderr]).toEqual([round, 0, ""]);
    const importInto = ["ocf", "import", PACKAGE, "--org", JSON.parse(org.stdout).id, "--data-dir", dataDir, "--json"];
    const createKey = ["keys", "create", "--org", orgId, "--name", `k${round}`, "--role", "VIEWER", "--json"];
    const [imported, created, second] = await Promise.all([
      runProgram(importInto),
      runProgram([...createKey, "--data-dir", dataDir]),
      runProgram(["serve", "--data-dir", dataDir, "--port", "0"]),
    ]);
    expect([imported.status, imported.stderr, created.status, created.stderr]).toEqual([0, "", 0, ""]);
    expect(JSON.parse(imported.stdout).errors).toEqual([]);
    expect([second.status, second.stderr.includes("another captable serves")]).toEqual([3, true]);
    const { id, key } = JSON.parse(created.stdout);
    expect((await call(served, "GET", "/organization", undefined, key)).status).toBe(200);
    expect((await runProgram(["keys", "revoke", id, "--data-dir", dataDir])).status).toBe(0);
    expect((await call(served, "GET", "/organization", undefined, key)).status).toBe(401);
  }

  isOver = true;
  await Promise.all(clients);
  expect(new Set(statuses)).toEqual(new Set([201]));
  const [newest] = (await call(served, "GET", "/transactions?limit=1")).json.data;
  expect(newest.sequence).toBe(statuses.length);
  expect(await served.end("SIGTERM")).toBe(0);
  expect((await runProgram(["verify", "--data-dir", dataDir])).status).toBe(0);
  rmSync(dirname(dataDir), { recursive: true, force: true });
  const slowest = Math.round(Math.max(...waits));
  const what = "commands that wrote, and second servers refused, beside a server under load";
  const result = `${statuses.length.toLocaleString("en")} writes of clients kept, none refused, slowest ${slowest} ms`;
  proved({ fault: "F11", what, count: COMMANDS * 5, seed: "-", result });
}, 600_000);
