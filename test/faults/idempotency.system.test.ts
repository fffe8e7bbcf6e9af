// One key, one effect: however many requests carry it at once, whatever becomes of their answers, and whatever happens
// to the process in between. The routes are taken from the service's own table, so a new one is tried too.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Route } from "../../src/resources/route.ts";
import { verifyDatabase } from "../../src/safekeeping/verify/verify.ts";
import { ExampleBook } from "../../src/server/http/openapi/example.ts";
import { runCommand } from "../kit/command.ts";
import { newDataDir, type Served, serveProgram } from "../kit/program.ts";
import { firstSeed, proved, seedCount } from "../kit/proof.ts";
import { seeded } from "../kit/random.ts";
import { issueShares, makeShareClass, makeStakeholder } from "../kit/records.ts";
import { RELEASE } from "../kit/release.ts";
import { type Answer, startTestServer, type TestServer } from "../kit/service.ts";
import { NAMES_RECORDS_OF } from "../matrix/expectations.ts";
import { fill, makeRecords, nameOf, pathIds, type Records, ROUTES } from "../matrix/world.ts";

type Json = Record<string, unknown>;

const ROUNDS = RELEASE ? 200 : 1;
const AT_ONCE = 50;
const IDEMPOTENT = ROUTES.filter((route) => "isIdempotent" in route && route.isIdempotent === true);
const VAST = "900000000000";

let server: TestServer;
let records: Records;
let counter = 0;
/** Holdings that no round uses up; one of them vests, and nothing else happens to it. */
let stock = "";
let vesting = "";
let options = "";

beforeAll(async () => {
  server = await startTestServer({ CAPTABLE_CHAIN: "on" });
  const made = await makeRecords(server, server.orgId);
  const stockClassId = await makeShareClass(server, { initialSharesAuthorized: VAST, defaultIdPrefix: "V-" });
  const plan = { planName: "Vast", initialSharesReserved: VAST, stockClassIds: [stockClassId] };
  const planId = (await server.api("POST", "/equity-plans", plan)).json.id;
  records = { ...made, "share-classes": stockClassId, "equity-plans": planId };
  const vestingTermsId = made["vesting-terms"];
  const vast = { stakeholderId: made.stakeholders, stockClassId, quantity: "1000000000" };
  stock = await issueShares(server, vast);
  vesting = await issueShares(server, { ...vast, vestingTermsId });
  const grant = { stakeholderId: made.stakeholders, stockPlanId: planId, quantity: "1000000000", exercisePrice: "0.5" };
  const body = { ...grant, optionType: "ISO", certificateId: "VAST", effectiveDate: "2026-01-15" };
  options = (await server.api("POST", "/transactions/issue-options", body)).json.data.securityId;
});
afterAll(() => server.stop());

const examples = new ExampleBook(ROUTES);

/** What a route's example does not say, or what each round needs afresh. */
const PREPARED: Readonly<Record<string, () => Json | Promise<Json>>> = {
  "POST /securities": () => ({ status: "ACTIVE", quantity: "1" }),
  "POST /documents": () => ({ relatedObjects: [] }),
  "POST /imports": () => ({ documentId: records.imported }),
  "POST /securities/{id}/acceptances": () => ({ documentId: undefined }),
  "PATCH /corporate-actions/{id}": () => ({ title: `Version ${++counter}` }),
  "POST /transactions/issue-shares": () => ({ quantity: "1" }),
  "POST /transactions/issue-options": () => ({ quantity: "1" }),
  "POST /transactions/transfer": async () => ({
    securityId: stock,
    quantity: "1",
    fromStakeholderId: records.stakeholders,
    toStakeholderId: await makeStakeholder(server),
  }),
  "POST /transactions/exercise": () => ({ securityId: options, quantity: "1", exercisePrice: "0.5" }),
  "POST /transactions/cancel": () => ({ securityId: stock, quantity: "1" }),
  "POST /transactions/convert": async () => ({
    securityId: stock,
    quantity: "1",
    stockClassId: await makeShareClass(server),
  }),
  "POST /transactions/repurchase": async () => ({ securityId: await another(), quantity: "1" }),
  "POST /transactions/retract": async () => ({ securityId: await another() }),
  "POST /transactions/split": async () => ({ stockClassId: await makeShareClass(server) }),
  "POST /transactions/adjust-authorized": () => ({ newSharesAuthorized: VAST }),
  "POST /transactions/adjust-reserve": () => ({ newSharesReserved: VAST }),
  "POST /transactions/adjust-conversion": async () => ({
    stockClassId: await makeShareClass(server, { classType: "PREFERRED", pricePerShare: "1" }),
  }),
  "POST /transactions/start-vesting": () => ({ securityId: vesting, conditionId: "month" }),
  "POST /transactions/accelerate-vesting": () => ({ securityId: vesting, quantity: "1" }),
  "POST /transactions/record-vesting-event": () => ({ securityId: vesting, quantity: "1", conditionId: undefined }),
  "POST /transactions/terminate-service": async () => ({
    stakeholderId: await makeStakeholder(server, { relationships: ["EMPLOYEE"] }),
  }),
};

/** A round to close, in an organization of its own: a model reads up to 100 classes, and each round makes one. */
async function modelledRound(): Promise<{ readonly orgId: string; readonly body: unknown }> {
  const orgId = await server.newOrganization();
  const stakeholderId = await makeStakeholder(server, {}, { orgId });
  const stockClassId = await makeShareClass(server, {}, { orgId });
  await issueShares(server, { stakeholderId, stockClassId }, { orgId });
  const investors = [{ stakeholderId, amount: "5000" }];
  const day = new Date().toISOString().slice(0, 10);
  const valuation = { kind: "PRE_MONEY", amount: "10000" };
  const model = { closingDate: day, newClass: { name: "Series A" }, valuation, investors };
  const modelled = await server.api("POST", "/models/round", { asOf: day, ...model }, { orgId });
  if (modelled.status !== 200) throw new Error(modelled.text);
  return { orgId, body: { model, digest: modelled.json.data.digest } };
}

function another(): Promise<string> {
  const stockClassId = records["share-classes"];
  return issueShares(server, { stakeholderId: records.stakeholders, stockClassId, quantity: "1" });
}

interface Request {
  readonly path: string;
  readonly body: unknown;
  readonly orgId?: string;
}

async function requestOf(route: Route): Promise<Request> {
  if (nameOf(route) === "POST /models/round/close") return { path: fill(route, {}), ...(await modelledRound()) };
  const body = { ...(examples.body(route as never) as Json | undefined) };
  for (const name of Object.keys(body)) {
    const segment = NAMES_RECORDS_OF[name];
    if (segment) body[name] = name.endsWith("Ids") ? [records[segment]] : records[segment];
    if (name === "certificateId") body[name] = `C-${++counter}`;
  }
  Object.assign(body, await PREPARED[nameOf(route)]?.());
  const ids: Record<string, string> = pathIds(route, records);
  if (nameOf(route) === "POST /vesting-milestones/{id}/complete") {
    ids.id = (await server.api("POST", "/vesting-milestones", { name: "Another" })).json.id;
  }
  // A holder accepts a security once.
  if (nameOf(route) === "POST /securities/{id}/acceptances") ids.id = await another();
  return { path: fill(route, ids), body };
}

/** How many writes the audit log and the ledger hold: what a request did shows in both, in its own commit. */
function effects(): { readonly audited: number; readonly entries: number; readonly imports: number } {
  const count = (table: string) =>
    (server.app.reader.sqlite.prepare(`select max(seq) as n from ${table}`).get() as Count).n ?? 0;
  return { audited: count("audit_log"), entries: count("transactions"), imports: count("imports") };
}

interface Count {
  readonly n: number | null;
}

/** The requests that took effect after `audited`. */
function requestsSince(audited: number): string[] {
  const rows = server.app.reader.sqlite
    .prepare("select distinct requestId from audit_log where seq > ? and actor = 'api-key'")
    .all(audited) as { requestId: string }[];
  return rows.map(({ requestId }) => requestId);
}

const isReplayed = (answer: Answer) => answer.headers.get("idempotent-replayed") === "true";
const shown = ({ status, text, headers }: Answer) => [status, text, headers.get("location")].join("\n");

describe(`${AT_ONCE} identical requests with one key at once take effect once, and all get its answer`, () => {
  let seconds = 0;
  for (const route of IDEMPOTENT) {
    test(`${nameOf(route)}, ${ROUNDS} rounds`, async () => {
      const started = performance.now();
      for (let round = 0; round < ROUNDS; round++) {
        const { path, body, orgId = server.orgId } = await requestOf(route);
        await server.key("ADMIN", orgId);
        const before = effects();
        const headers = { "idempotency-key": `c1-${++counter}` };
        const call = () => server.api(route.method, path, body, { headers, orgId });
        const answers = await Promise.all(Array.from({ length: AT_ONCE }, call));
        expect(answers.map(({ status }) => status)).toEqual(answers.map(() => route.status));
        expect(new Set(answers.map(shown)).size).toBe(1);
        expect(answers.filter(isReplayed)).toHaveLength(AT_ONCE - 1);
        const first = answers.find((answer) => !isReplayed(answer))?.headers.get("x-request-id") ?? "";
        // A file that is looked at is no change of the record, and not in the log.
        const isOfFile = nameOf(route) === "POST /imports";
        expect(requestsSince(before.audited)).toEqual(isOfFile ? [] : [first]);
        expect(effects().imports - before.imports).toBe(isOfFile ? 1 : 0);
      }
      seconds += (performance.now() - started) / 1000;
    }, 600_000);
  }

  test("and the ledger explains what they made", () => {
    expect(IDEMPOTENT.length).toBeGreaterThanOrEqual(30);
    expect(verifyDatabase(server.app.reader).differences).toEqual([]);
    const what = `rounds of ${AT_ONCE} identical requests with one key, on ${IDEMPOTENT.length} routes`;
    const result = `one effect and 50 equal answers each, ${Math.round(seconds)} s`;
    proved({ fault: "C1", what, count: ROUNDS * IDEMPOTENT.length, seed: "-", result });
  });
});

test("an answer that was forgotten, so that a request takes effect twice, would be seen", async () => {
  const before = effects();
  const headers = { "idempotency-key": `forgotten-${++counter}` };
  const call = () => server.api("POST", "/stock-legends", { name: "Twice", text: "Twice." }, { headers });
  const first = await call();
  await server.app.writer.submit((tx) => tx.sqlite.prepare("delete from idempotency_keys").run());
  const again = await call();
  expect([first, again].filter(isReplayed)).toEqual([]);
  expect(new Set([first, again].map(shown)).size).toBe(2);
  expect(requestsSince(before.audited)).toHaveLength(2);
}, 60_000);

describe("one key with different bodies at once", () => {
  test(`takes effect for exactly one; the others are told that the key is used, ${ROUNDS} rounds`, async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const headers = { "idempotency-key": `c2-${round}` };
      const before = effects();
      const issue = (_: unknown, n: number) =>
        server.api("POST", "/transactions/issue-shares", issuance(`c2-${round}-${n}`), { headers });
      const answers = await Promise.all(Array.from({ length: 20 }, issue));
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
      const refusals = answers.filter(({ status }) => status !== 201);
      expect(new Set(refusals.map(({ status, json }) => `${status} ${json.type.split("/").at(-1)}`))).toEqual(
        new Set(["422 idempotency-key-reused"]),
      );
      expect(effects().entries - before.entries).toBe(1);
    }
    const result = "one accepted, 19 refused in each round";
    proved({ fault: "C2", what: "rounds of 20 bodies with one key", count: ROUNDS, seed: "-", result });
  }, 120_000);

  test("a body that is refused does not use the key up for the one that is not", async () => {
    const headers = { "idempotency-key": "refused-first" };
    const call = (quantity: string) =>
      server.api("POST", "/transactions/issue-shares", { ...issuance("mixed"), quantity }, { headers });
    const answers = await Promise.all(["0", "999999999999999", "1", "0", "1"].map(call));
    expect(answers.map(({ status }) => status)).toEqual([422, 409, 201, 422, 201]);
  });
});

function issuance(certificateId: string): Json {
  const where = { stakeholderId: records.stakeholders, stockClassId: records["share-classes"] };
  return { ...where, quantity: "1", certificateId, effectiveDate: "2026-01-15" };
}

test(`one key in two organizations at once means two things, ${ROUNDS} rounds`, async () => {
  const orgId = await server.newOrganization();
  const body = { name: "Restricted", text: "Not registered." };
  for (let round = 0; round < ROUNDS; round++) {
    const headers = { "idempotency-key": `c3-${round}` };
    const call = (_: unknown, n: number) =>
      server.api("POST", "/stock-legends", body, n % 2 ? { headers, orgId } : { headers });
    const answers = await Promise.all(Array.from({ length: 10 }, call));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
    expect(new Set(answers.map(({ json }) => json.id)).size).toBe(2);
    expect(answers.filter(isReplayed)).toHaveLength(8);
  }
  proved({
    fault: "C3",
    what: "rounds of one key in two organizations",
    count: ROUNDS,
    seed: "-",
    result: "two records",
  });
}, 120_000);

/** Calls a served program with a key. */
async function call(served: Pick<Served, "url" | "key">, body: Json, key: string, path = "/transactions/issue-shares") {
  const headers = { authorization: `Bearer ${served.key}`, "content-type": "application/json", "idempotency-key": key };
  const init = { method: "POST", headers, body: JSON.stringify(body) };
  const response = await fetch(`${served.url}/api/v1${path}`, init);
  const isAgain = response.headers.get("idempotent-replayed") === "true";
  return { status: response.status, text: await response.text(), isAgain };
}

const LEGEND = { name: "Restricted", text: "Not registered." };

describe("a key that was used is known", () => {
  test("after a stop, a crash, and a restore from a backup taken since", async () => {
    const dataDir = newDataDir();
    let served = await serveProgram(dataDir);
    const legend = (key = "kept") => call(served, LEGEND, key, "/stock-legends");
    const first = await legend();
    expect([first.status, first.isAgain]).toEqual([201, false]);
    for (const signal of ["SIGTERM", "SIGKILL"] as const) {
      await served.end(signal);
      served = await serveProgram(dataDir);
      expect(await legend()).toEqual({ ...first, isAgain: true });
    }
    const file = join(dirname(dataDir), "b.captable");
    expect((await runCommand(["backup", "--data-dir", dataDir, "--out", file])).status).toBe(0);
    const later = await legend("later");
    await served.end("SIGKILL");
    const restored = join(dirname(dataDir), "restored");
    expect((await runCommand(["restore", file, "--data-dir", restored])).status).toBe(0);
    served = { ...(await serveProgram(restored)), key: served.key };
    expect(await legend()).toEqual({ ...first, isAgain: true });
    // What came after the backup is not in it: the retry makes it again, and that is the only one.
    const again = await legend("later");
    expect([again.status, again.isAgain, again.text === later.text]).toEqual([201, false, false]);
    const reused = await call(served, { ...LEGEND, name: "Other" }, "kept", "/stock-legends");
    expect([reused.status, JSON.parse(reused.text).type.split("/").at(-1)]).toEqual([422, "idempotency-key-reused"]);
    expect(await served.end("SIGTERM")).toBe(0);
    rmSync(dirname(dataDir), { recursive: true, force: true });
  }, 60_000);
});

/** Where a line breaks: while the request is on its way, once the service has it, or within the answer. */
const BREAKS = ["request", "before the answer", "within the answer"] as const;

/** A way to a server that breaks each connection at a chosen place. */
function breakingLine(port: number) {
  let where: (typeof BREAKS)[number] = "request";
  interface Line {
    upstream: Bun.Socket | null;
    waiting: Buffer[];
  }
  const listener = Bun.listen<Line>({
    hostname: "127.0.0.1",
    port: 0,
    socket: {
      open(client) {
        client.data = { upstream: null, waiting: [] };
        void Bun.connect({
          hostname: "127.0.0.1",
          port,
          socket: {
            open(upstream) {
              client.data.upstream = upstream;
              for (const chunk of client.data.waiting.splice(0)) forward(client, chunk);
            },
            data(upstream, chunk) {
              if (where === "within the answer") client.write(chunk.subarray(0, Math.floor(chunk.length / 2)));
              client.end();
              upstream.end();
            },
            close: () => void client.end(),
          },
        });
      },
      data(client, chunk) {
        if (client.data.upstream === null) client.data.waiting.push(Buffer.from(chunk));
        else forward(client, chunk);
      },
      close: (client) => void client.data.upstream?.end(),
    },
  });

  function forward(client: Bun.Socket<Line>, chunk: Uint8Array): void {
    client.data.upstream?.write(where === "request" ? chunk.subarray(0, chunk.length - 5) : chunk);
    if (where !== "request") return;
    client.end();
    client.data.upstream?.end();
  }

  return {
    url: `http://127.0.0.1:${listener.port}`,
    breakAt(place: (typeof BREAKS)[number]) {
      where = place;
    },
    stop: () => listener.stop(true),
  };
}

test("an answer that gets lost is got by asking again with the same key, and there is one effect", async () => {
  const [first, count] = [firstSeed(), seedCount(12, 500)];
  const line = breakingLine(Number(new URL(server.url).port));
  const key = await server.key("ADMIN");
  const replays = { before: 0, after: 0 };
  for (let seed = first; seed < first + count; seed++) {
    const replay = `CAPTABLE_SEED=${seed} bun test test/faults/idempotency.system.test.ts -t "gets lost"`;
    const pick = seeded(seed);
    const place = BREAKS[pick(BREAKS.length)] ?? "request";
    const body = issuance(`lost-${seed}`);
    const before = effects();
    line.breakAt(place);
    for (let tries = 1 + pick(3); tries > 0; tries--) {
      const lost = await call({ url: line.url, key }, body, `lost-${seed}`).catch(() => null);
      if (lost !== null) throw new Error(`the answer arrived: ${lost.status}; ${replay}`);
    }
    const answer = await call({ url: server.url, key }, body, `lost-${seed}`);
    const entries = effects().entries - before.entries;
    expect({ replay, status: answer.status, entries }).toEqual({ replay, status: 201, entries: 1 });
    if (answer.isAgain) replays.after++;
    else replays.before++;
  }
  line.stop();
  expect(verifyDatabase(server.app.reader).differences).toEqual([]);
  if (count > 1) expect([replays.before > 0, replays.after > 0]).toEqual([true, true]);
  const result = `one effect each; ${replays.after} had taken effect before the line broke`;
  proved({ fault: "C7", what: "answers lost on a broken line", count, seed: `${first}-${first + count - 1}`, result });
}, 300_000);
