// One hostile caller beside nine ordinary organizations: it waits for itself. By simulated time, so that no machine's speed
// counts, with the turns as they were for a control; and in the service, by role and route.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { present } from "../../../src/kernel/assert.ts";
import { type TurnAsker, Turns } from "../../../src/kernel/threads/turns.ts";
import { READ_TURNS } from "../../../src/server/http/read-turns.ts";
import type { Role } from "../../../src/storage/records/api-key.ts";
import { signedIn } from "../../kit/people.ts";
import { proved } from "../../kit/proof.ts";
import { RELEASE } from "../../kit/release.ts";
import { makeSampleCompany, type SampleCompany } from "../../kit/sample.ts";
import { startTestServer, type TestServer } from "../../kit/service.ts";
import { FormerTurns } from "./former-turns.ts";

setDefaultTimeout(RELEASE ? 1_800_000 : 300_000);

const ORDINARY = 9;
const FLOOD = 12;
/** A key may ask 6,000 times a minute unless the settings say otherwise; these tests' service does not count. */
const RATE_MS = 10;
/** The smallest package that can be checked. */
const PACKAGE = {
  manifest: { ocf_version: "1.2.0", issuer: { id: "issuer-1", object_type: "ISSUER", legal_name: "Acme, Inc." } },
  entityFiles: {},
};
const never = new AbortController().signal;

interface Taking {
  take(asker: TurnAsker, signal: AbortSignal): Promise<() => void>;
}

/** What one asks for: how many at a time, again and again, each taking so much of a core. */
interface Load {
  readonly asker: TurnAsker;
  readonly together: number;
  readonly seconds: number;
  /** How many in all; a hostile one's have no end. */
  readonly count: number;
}

const CORES = 2;

async function settle(): Promise<void> {
  for (let turn = 0; turn < 8; turn++) await new Promise<void>((resolve) => setImmediate(resolve));
}

/** Runs loads on two cores that all that runs shares; how long each ordinary request took, and how many were refused. */
async function simulate(turns: Taking, loads: readonly Load[]) {
  const running = new Map<object, { left: number; done: () => void }>();
  const took: number[] = [];
  let [now, refused, open] = [0, 0, 0];
  const begin = (load: Load, left: { count: number }) => {
    if (left.count-- <= 0) return;
    const isOrdinary = Number.isFinite(load.count);
    if (isOrdinary) open++;
    const askedAt = now;
    const again = () => begin(load, left);
    turns.take(load.asker, never).then(
      (end) => {
        const done = () => {
          if (isOrdinary) {
            took.push(now - askedAt);
            open--;
          }
          end();
          again();
        };
        running.set({}, { left: load.seconds, done });
      },
      () => {
        // A hostile one asks again at once, and is refused again: no time passes over that.
        if (!isOrdinary) return;
        refused++;
        open--;
        again();
      },
    );
  };
  for (const load of loads) {
    const left = { count: load.count };
    for (let n = 0; n < load.together; n++) begin(load, left);
  }
  await settle();
  while (open > 0 && running.size > 0) {
    const share = Math.min(1, CORES / running.size);
    const next = Math.min(...[...running.values()].map(({ left }) => left));
    now += next / share;
    for (const [key, work] of [...running]) {
      work.left -= next;
      if (work.left > 1e-9) continue;
      running.delete(key);
      work.done();
    }
    await settle();
  }
  const mean = took.reduce((sum, each) => sum + each, 0) / Math.max(1, took.length);
  return { mean, refused, served: took.length };
}

function ordinary(isReport: boolean): Load[] {
  return Array.from({ length: ORDINARY }, (_, n) => {
    const asker = { orgId: `org ${n}`, callerId: `caller ${n}`, isReport };
    return { asker, together: 1, seconds: 1, count: 6 };
  });
}

function hostile(isReport: boolean, seconds: number): Load {
  const asker = { orgId: "hostile", callerId: "employee", isReport };
  return { asker, together: FLOOD, seconds, count: Number.POSITIVE_INFINITY };
}

const turnsOnTwoCores = () => new Turns({ ...READ_TURNS, atOnce: 3, reports: 2, patienceMs: 600_000 });

describe("one caller that asks for twelve at a time, in simulated time", () => {
  for (const isReport of [true, false]) {
    for (const isHostilesReport of [true, false]) {
      for (const seconds of [1, 3]) {
        const what = `${isHostilesReport ? "reports" : "views"} of ${seconds} s, beside ${isReport ? "reports" : "views"} of 1 s`;
        test(`${what}: nobody else is refused, nor waits for three times as long`, async () => {
          const alone = await simulate(turnsOnTwoCores(), ordinary(isReport));
          const beside = [hostile(isHostilesReport, seconds), ...ordinary(isReport)];
          const { mean, refused, served } = await simulate(turnsOnTwoCores(), beside);
          expect([refused, served]).toEqual([0, ORDINARY * 6]);
          expect(mean / alone.mean).toBeLessThan(3);
        });
      }
    }
  }

  test("would have most of the others' reports refused as turns were", async () => {
    const formerly = await simulate(new FormerTurns(), [hostile(true, 1), ...ordinary(true)]);
    expect(formerly.refused).toBeGreaterThan((ORDINARY * 6) / 2);
  });
});

describe("in the service", () => {
  let server: TestServer;
  let company: SampleCompany;
  const others: string[] = [];
  const folder = mkdtempSync(join(tmpdir(), "captable-flood-"));
  const archiveFile = join(folder, "package.zip");
  let holder: Readonly<Record<string, string>>;

  beforeAll(async () => {
    server = await startTestServer();
    company = await makeSampleCompany(async (method, path, body) => (await server.api(method, path, body)).json);
    const headers = { authorization: `Bearer ${await server.key("ADMIN")}` };
    await Bun.write(archiveFile, await fetch(`${server.url}/api/v1/cap-table/ocf-export`, { headers }));
    for (let n = 0; n < ORDINARY; n++) others.push(await server.newOrganization(`Ordinary ${n}`));
    const stakeholderIds = [present(company.holders.charles, "a holder")];
    const person = await signedIn(server, { role: "STAKEHOLDER", stakeholderIds });
    holder = {
      cookie: `${person.cookieName}=${person.token}`,
      "sec-fetch-site": "same-origin",
      "captable-organization": server.orgId,
    };
  });
  afterAll(async () => {
    await server.stop();
    rmSync(folder, { recursive: true });
  });

  /** Expensive requests of each kind: the lowest role, and how it is asked. */
  function expensive(): readonly (readonly [role: Role | "STAKEHOLDER", method: "GET" | "POST", path: string])[] {
    const [holderId, securityId] = [company.holders.charles, company.shares];
    return [
      ["VIEWER", "GET", `/stakeholders/${holderId}/statement.pdf`],
      ["VIEWER", "GET", `/securities/${securityId}/certificate.pdf`],
      ["VIEWER", "GET", "/reports/cap-table.xlsx"],
      ["VIEWER", "GET", "/reports/cap-table.pdf"],
      ["VIEWER", "GET", "/reports/stock-ledger.csv"],
      ["VIEWER", "GET", "/transactions.csv"],
      ["ADMIN", "GET", "/audit-log.csv"],
      ["VIEWER", "GET", "/cap-table?asOf=2026-01-15"],
      ["VIEWER", "GET", "/cap-table/history"],
      ["VIEWER", "GET", "/cap-table/health"],
      ["VIEWER", "GET", "/cap-table/ocf-export"],
      ["VIEWER", "GET", `/stakeholders/${holderId}/position?asOf=2026-01-15`],
      ["VIEWER", "POST", "/models/cap-table"],
      ["ADMIN", "POST", "/ledger/verify"],
      ["ADMIN", "POST", "/cap-table/ocf-validate"],
      ["ADMIN", "POST", "/cap-table/ocf-import?dryRun=true"],
      ["STAKEHOLDER", "GET", `/portal/stakeholders/${holderId}/statement.pdf`],
      ["STAKEHOLDER", "GET", `/portal/securities/${securityId}/certificate.pdf`],
    ];
  }

  const ROLES: readonly Role[] = ["VIEWER", "EDITOR", "ADMIN"];
  const headersOf = async (role: Role | "STAKEHOLDER") =>
    role === "STAKEHOLDER" ? holder : { authorization: `Bearer ${await server.key(role)}` };

  /** Floods from a process of its own: what it does to send must not take from those who answer. */
  async function flooding(method: string, path: string, headers: Readonly<Record<string, string>>) {
    const bodyFile = path.includes("/ocf-") && method === "POST" ? archiveFile : null;
    const url = `${server.url}/api/v1${path}`;
    const given = { url, method, headers, together: FLOOD, waitMs: FLOOD * RATE_MS, bodyFile };
    const child = Bun.spawn([process.execPath, join(import.meta.dir, "flood.ts"), JSON.stringify(given)], {
      stdin: "pipe",
      stdout: "pipe",
      stderr: "inherit",
    });
    const lines = child.stdout.getReader();
    const read = async () => new TextDecoder().decode((await lines.read()).value);
    expect(await read()).toBe("begun\n");
    return {
      async end(): Promise<[status: number, count: number][]> {
        child.stdin.end();
        const counts = JSON.parse(await read()) as Record<string, number>;
        await child.exited;
        return Object.entries(counts).map(([status, count]) => [Number(status), count]);
      },
    };
  }

  /** What the nine ask for, one after the other each, also of what has a process of its own if so asked; how they were answered, and how long all took. */
  async function ordinaryDay(
    startsProcesses = false,
  ): Promise<{ readonly statuses: ReadonlySet<number>; readonly ms: number }> {
    const began = performance.now();
    const days = others.map(async (orgId) => {
      const options = { orgId, role: "VIEWER" } as const;
      const report = await server.api("GET", "/reports/summary.csv", undefined, options);
      const view = await server.api("GET", "/cap-table?asOf=2026-01-15", undefined, options);
      if (!startsProcesses) return [report.status, view.status];
      const checked = await server.api("POST", "/cap-table/ocf-validate", PACKAGE, { orgId });
      const verified = await server.api("POST", "/ledger/verify", undefined, { orgId });
      return [report.status, view.status, checked.status, verified.status];
    });
    const statuses = new Set((await Promise.all(days)).flat());
    return { statuses, ms: performance.now() - began };
  }

  test("a hostile caller of each role at each expensive route holds up no other organization", async () => {
    type Pair = readonly [role: Role | "STAKEHOLDER", method: string, path: string];
    const pairs = expensive().flatMap(([least, method, path], at): readonly Pair[] => {
      if (least === "STAKEHOLDER") return [[least, method, path]];
      const may = ROLES.slice(ROLES.indexOf(least));
      return (RELEASE ? may : [present(may[at % may.length], "a role")]).map((role) => [role, method, path]);
    });
    await ordinaryDay();
    const [ratios, hostiles] = [[] as number[], new Map<number, number>()];
    for (const [role, method, path] of pairs) {
      // The control is of the same moment: what else the machine does slows both.
      const startsProcesses = path.includes("/ocf-") || path.startsWith("/ledger");
      const alone = await ordinaryDay(startsProcesses);
      const flood = await flooding(method, path, await headersOf(role));
      const beside = await ordinaryDay(startsProcesses);
      for (const [status, count] of await flood.end()) hostiles.set(status, (hostiles.get(status) ?? 0) + count);
      expect([role, path, [...beside.statuses]]).toEqual([role, path, [200]]);
      const after = await ordinaryDay(startsProcesses);
      ratios.push((2 * beside.ms) / (alone.ms + after.ms));
    }
    // It was a flood: some of it was refused, with 429 and for itself, and none of it failed.
    expect(hostiles.get(429) ?? 0).toBeGreaterThan(0);
    expect([...hostiles.keys()].filter((status) => status >= 500)).toEqual([]);
    const sorted = ratios.toSorted((a, b) => a - b);
    const median = sorted[Math.floor(sorted.length / 2)] ?? 0;
    // How long theirs took is told and not judged: that is of the machine. What the turns make of it is judged above.
    proved({
      fault: "S4",
      what: "pairs of role and route flooded beside nine organizations",
      count: pairs.length,
      seed: "-",
      result: `none of theirs refused; ${median.toFixed(1)} × their time (median; ${(sorted.at(-1) ?? 0).toFixed(1)} × at most)`,
    });
  });
});
