// Verifying while the server serves, as pages ask for it: the ledger's head, one organization at a time, and what comes of
// it; and that `serve` does so in a process of its own.
import { Database } from "bun:sqlite";
import { afterAll, beforeAll, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { rmSync } from "node:fs";
import { dirname, join } from "node:path";
import type { VerifyReport } from "../../../src/safekeeping/verify/report.ts";
import { DATABASE_FILE } from "../../../src/storage/database/open.ts";
import { asking } from "../../kit/company.ts";
import { newDataDir, serveProgram } from "../../kit/program.ts";
import { issueShares, makeShareClass, makeStakeholder } from "../../kit/records.ts";
import { startTestServer, type TestServer } from "../../kit/service.ts";

setDefaultTimeout(60_000);

const ZEROS = "0".repeat(64);
const NEVER = { state: "NEVER", at: null, entries: null, differences: [] };
const DIFFERENCE = { code: "hash-differs", orgId: null, subject: "entry 1", detail: "It is another.", fix: "Restore." };

interface Asked {
  readonly orgId: string;
  readonly signal: AbortSignal;
  readonly done: PromiseWithResolvers<VerifyReport>;
}

let server: TestServer;
let asked: Asked[];
let orgId: string;

beforeAll(async () => {
  const verify = (of: string, signal: AbortSignal) => {
    const done = Promise.withResolvers<VerifyReport>();
    asked.push({ orgId: of, signal, done });
    return done.promise;
  };
  server = await startTestServer({}, { verify });
});
beforeEach(async () => {
  asked = [];
  orgId = await server.newOrganization();
});
afterAll(() => server.stop());

const reportOf = (entries: number, ...differences: VerifyReport["differences"][number][]): VerifyReport => {
  const head = { sequence: entries, hash: ZEROS };
  const organizations = [{ orgId, legalName: "Acme", entries, head, log: head }];
  return { organizations, instance: null, differences, notes: [], unverified: [] };
};

const ledger = async (of = orgId) => (await server.api("GET", "/ledger", undefined, { orgId: of })).json.data;
const verify = (of = orgId) => server.api("POST", "/ledger/verify", undefined, { orgId: of });

/** The verification once it is over. */
async function ended(read: () => Promise<{ verification: { state: string } }>) {
  for (;;) {
    const { verification } = await read();
    if (verification.state !== "RUNNING") return verification;
    await Bun.sleep(1);
  }
}

describe("GET /ledger", () => {
  test("shows the head of an empty ledger, and of one with entries", async () => {
    expect(await ledger()).toEqual({ entries: 0, head: { sequence: 0, hash: ZEROS }, verification: NEVER });
    const [stakeholderId, stockClassId] = [
      await makeStakeholder(server, {}, { orgId }),
      await makeShareClass(server, {}, { orgId }),
    ];
    await issueShares(server, { stakeholderId, stockClassId }, { orgId });
    const { data } = (await server.api("GET", "/transactions", undefined, { orgId })).json;
    expect(await ledger()).toMatchObject({ entries: 1, head: { sequence: 1, hash: data[0].hash } });
  });
});

describe("POST /ledger/verify", () => {
  test("answers at once, goes on, and shows what was found", async () => {
    const before = Date.now();
    const { status, json } = await verify();
    expect(status).toBe(200);
    expect(json.data.verification).toMatchObject({ state: "RUNNING", entries: null, differences: [] });
    expect(Date.parse(json.data.verification.at)).toBeGreaterThanOrEqual(before);
    expect(asked.map((each) => each.orgId)).toEqual([orgId]);
    asked[0]?.done.resolve(reportOf(7));
    const { at } = json.data.verification;
    expect(await ended(ledger)).toEqual({ state: "CLEAN", at, entries: 7, differences: [] } as never);
  });

  test("shows the differences", async () => {
    await verify();
    asked[0]?.done.resolve(reportOf(3, DIFFERENCE as never));
    expect(await ended(ledger)).toMatchObject({ state: "DIFFERENT", entries: 3, differences: [DIFFERENCE] } as never);
  });

  test("keeps no more than a thousand of them", async () => {
    await verify();
    asked[0]?.done.resolve(reportOf(3, ...Array.from({ length: 1200 }, () => DIFFERENCE as never)));
    expect((await ended(ledger)) as never).toHaveProperty("differences.length", 1000);
  });

  test("asked again while it runs, begins no other; other organizations wait in the order in which they asked", async () => {
    await verify();
    expect((await verify()).json.data.verification.state).toBe("RUNNING");
    expect(asked).toHaveLength(1);
    const [second, third] = [await server.newOrganization(), await server.newOrganization()];
    for (const other of [second, third, second]) {
      const { status, json } = await verify(other);
      expect([status, json.data.verification.state]).toEqual([200, "RUNNING"]);
    }
    expect(asked.map((each) => each.orgId)).toEqual([orgId]);
    asked[0]?.done.resolve(reportOf(0));
    await ended(ledger);
    // One that asks again at once stands behind those that wait.
    await verify();
    expect(asked.map((each) => each.orgId)).toEqual([orgId, second]);
    asked[1]?.done.reject(new Error("it was ended"));
    expect(await ended(() => ledger(second))).toEqual(NEVER as never);
    asked[2]?.done.resolve(reportOf(2));
    expect(await ended(() => ledger(third))).toMatchObject({ state: "CLEAN", entries: 2 } as never);
    asked[3]?.done.resolve(reportOf(1));
    expect(await ended(ledger)).toMatchObject({ state: "CLEAN", entries: 1 } as never);
    expect(asked.map((each) => each.orgId)).toEqual([orgId, second, third, orgId]);
  });

  test("what could not be done leaves what was known, is logged, and another may follow", async () => {
    await verify();
    asked[0]?.done.resolve(reportOf(5));
    const known = await ended(ledger);
    await verify();
    asked[1]?.done.reject(new Error("there is no such program"));
    expect(await ended(ledger)).toEqual(known);
    expect(server.log.join("")).toContain("there is no such program");
    expect((await verify()).status).toBe(200);
    asked[2]?.done.resolve(reportOf(5));
    await ended(ledger);
  });
});

test("stopping the server ends what is under way", async () => {
  const { promise, resolve } = Promise.withResolvers<AbortSignal>();
  const never = new Promise<VerifyReport>(() => undefined);
  const stopping = await startTestServer(
    {},
    {
      verify(_orgId, signal) {
        resolve(signal);
        return never;
      },
    },
  );
  await stopping.api("POST", "/ledger/verify");
  const signal = await promise;
  expect(signal.aborted).toBe(false);
  await stopping.stop();
  expect(signal.aborted).toBe(true);
});

test("`serve` verifies in a process of its own, and sees what was changed behind its back", async () => {
  const dataDir = newDataDir();
  const program = await serveProgram(dataDir);
  try {
    const ask = asking(program.url, program.key);
    const service = {
      async api(method: string, path: string, body?: unknown) {
        const json = await ask(method, path, body);
        return { status: method === "POST" ? 201 : 200, json } as never;
      },
    };
    const [stakeholderId, stockClassId] = [await makeStakeholder(service), await makeShareClass(service)];
    const securityId = await issueShares(service, { stakeholderId, stockClassId });
    const look = async () => (await ask("GET", "/ledger")).data;
    await ask("POST", "/ledger/verify");
    expect(await ended(look)).toMatchObject({ state: "CLEAN", entries: 1, differences: [] } as never);
    const sqlite = new Database(join(dataDir, DATABASE_FILE));
    sqlite.run("pragma busy_timeout = 60000");
    sqlite.run("update securities set quantity = '999' where id = ?", [securityId]);
    sqlite.close();
    await ask("POST", "/ledger/verify");
    const found = await ended(look);
    expect(found.state).toBe("DIFFERENT");
    expect(JSON.stringify(found)).toContain(securityId);
  } finally {
    await program.end();
    rmSync(dirname(dataDir), { recursive: true, force: true });
  }
});
