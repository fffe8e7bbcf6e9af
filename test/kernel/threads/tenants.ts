// A served program with one organization whose members are hostile and nine ordinary ones, and what the nine do in a day.
import { mkdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { present } from "../../../src/kernel/assert.ts";
import { commandLineCall } from "../../../src/kernel/call.ts";
import { systemRuntime } from "../../../src/kernel/runtime.ts";
import { createKey } from "../../../src/resources/api-keys/routes.ts";
import { insertOrganization, listOrganizations } from "../../../src/resources/organization/store.ts";
import { DATABASE_FILE, openWritable } from "../../../src/storage/database/open.ts";
import { Writer } from "../../../src/storage/database/writer.ts";
import type { Role } from "../../../src/storage/records/api-key.ts";
import { asking } from "../../kit/company.ts";
import { writeMigrated } from "../../kit/migrated.ts";
import { beginSession, makeMember } from "../../kit/people.ts";
import { AS_IT_SHIPS, newDataDir, PROGRAM, serveProgram } from "../../kit/program.ts";
import { makeSampleCompany, type SampleCompany } from "../../kit/sample.ts";

/** How many organizations there are besides the hostile one. */
export const ORDINARY = 9;
const FLOOD = 12;
/** A key may ask 6,000 times a minute unless the settings say otherwise; the program that is asked does not count here. */
const RATE_MS = 10;
const VERIFIED_EVERY_MS = 50;
/** The smallest package that can be checked. */
const PACKAGE = {
  manifest: { ocf_version: "1.2.0", issuer: { id: "issuer-1", object_type: "ISSUER", legal_name: "Acme, Inc." } },
  entityFiles: {},
};

type Headers = Readonly<Record<string, string>>;
const ROLES = ["VIEWER", "EDITOR", "ADMIN"] as const satisfies readonly Role[];

/** Who asks: a key of a role, or a holder that is signed in. */
export type Asking = Role | "STAKEHOLDER";

/** What ordinary tenants ask for besides reports, views, reads and writes. */
export type Besides = "nothing" | "checks" | "verification";

/** What came of a day: the statuses of all answers, and how long it took in milliseconds. */
export interface Day {
  readonly statuses: ReadonlySet<number>;
  readonly ms: number;
}

/** A flood that goes on until it is ended. */
export interface Flood {
  /** Ends it; how often it was answered how. */
  end(): Promise<readonly (readonly [status: number, count: number])[]>;
}

/** A served program and its tenants. */
export interface Tenants {
  readonly company: SampleCompany;
  /** Has a hostile caller ask for one thing twelve at a time; it goes on once an answer has come. */
  flood(as: Asking, method: string, path: string): Promise<Flood>;
  /** What the nine ask for, each one after the other. */
  day(besides: Besides): Promise<Day>;
  stop(): Promise<void>;
}

/** Serves a program, as it ships, with ten organizations. */
export async function serveTenants(program: readonly string[] = PROGRAM): Promise<Tenants> {
  const dataDir = newDataDir();
  mkdirSync(dataDir, { mode: 0o700 });
  await writeMigrated(dataDir);
  const served = await serveProgram(dataDir, AS_IT_SHIPS, { program });
  const company = await makeSampleCompany(asking(served.url, served.key));
  const archiveFile = join(dirname(dataDir), "package.zip");
  const exported = await fetch(`${served.url}/api/v1/cap-table/ocf-export`, { headers: bearer(served.key) });
  await Bun.write(archiveFile, exported);
  const { hostile, others } = await makeCallers(dataDir, new URL(served.url).port, company);

  return {
    company,
    async flood(as, method, path) {
      const bodyFile = path.includes("/ocf-") && method === "POST" ? archiveFile : null;
      const headers = present(hostile[as], as);
      const url = `${served.url}/api/v1${path}`;
      return await flooding({ url, method, headers, together: FLOOD, waitMs: FLOOD * RATE_MS, bodyFile });
    },
    async day(besides) {
      const began = performance.now();
      const days = others.map((other) => ordinaryDay(`${served.url}/api/v1`, other, besides));
      const statuses = new Set((await Promise.all(days)).flat());
      return { statuses, ms: performance.now() - began };
    },
    async stop() {
      await served.end();
      rmSync(dirname(dataDir), { recursive: true });
    },
  };
}

function bearer(key: string): Headers {
  return { authorization: `Bearer ${key}` };
}

/** Keys of the hostile organization and a session of one of its holders; keys of the others. */
async function makeCallers(dataDir: string, port: string, { holders }: SampleCompany) {
  const writer = new Writer(openWritable(join(dataDir, DATABASE_FILE)), (error) => {
    throw error;
  });
  const keyOf = async (orgId: string, role: Role) => {
    const call = commandLineCall(systemRuntime, orgId);
    return bearer((await writer.submit((tx) => createKey(tx, call, "production", { name: role, role }))).key);
  };
  const { id: orgId } = present(listOrganizations(writer.db)[0], "the first organization");
  const hostile: Partial<Record<Asking, Headers>> = {};
  for (const role of ROLES) hostile[role] = await keyOf(orgId, role);
  const stakeholderIds = [present(holders.charles, "a holder")];
  const { accountId } = await makeMember(writer, orgId, { role: "STAKEHOLDER", stakeholderIds });
  const { token } = await beginSession(writer, accountId);
  hostile.STAKEHOLDER = {
    cookie: `captable-${port}=${token}`,
    "sec-fetch-site": "same-origin",
    "captable-organization": orgId,
  };
  const others: Headers[] = [];
  for (let n = 0; n < ORDINARY; n++) {
    const call = commandLineCall(systemRuntime, systemRuntime.newId());
    await writer.submit((tx) => insertOrganization(tx, call, { legalName: `Ordinary ${n}`, isNamed: 1 }));
    others.push(await keyOf(call.orgId, "ADMIN"));
  }
  writer.db.sqlite.close();
  return { hostile, others };
}

/** Floods from a process of its own. */
async function flooding(given: object): Promise<Flood> {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "flood.ts"), JSON.stringify(given)], {
    stdin: "pipe",
    stdout: "pipe",
    stderr: "inherit",
  });
  const lines = child.stdout.getReader();
  const read = async () => new TextDecoder().decode((await lines.read()).value);
  const first = await read();
  if (first !== "begun\n") throw new Error(`the flood did not begin: ${first}`);
  return {
    async end() {
      child.stdin.end();
      const counts = JSON.parse(await read()) as Record<string, number>;
      await child.exited;
      return Object.entries(counts).map(([status, count]) => [Number(status), count] as const);
    },
  };
}

async function ordinaryDay(api: string, headers: Headers, besides: Besides): Promise<readonly number[]> {
  const statuses: number[] = [];
  const ask = async (method: string, path: string, body?: object) => {
    const init = body === undefined ? {} : { body: JSON.stringify(body) };
    const type = { "content-type": "application/json" };
    const answer = await fetch(`${api}${path}`, { method, headers: { ...headers, ...type }, ...init });
    statuses.push(answer.status);
    return await answer.text();
  };
  await ask("GET", "/stakeholders?limit=1");
  await ask("POST", "/stakeholders", { displayName: "Ada", name: { legalName: "Ada" }, type: "INDIVIDUAL" });
  await ask("GET", "/cap-table?asOf=2026-01-15");
  await ask("GET", "/reports/summary.csv");
  if (besides === "checks") {
    await ask("POST", "/cap-table/ocf-validate", PACKAGE);
    await ask("POST", "/cap-table/ocf-import", { ...PACKAGE, dryRun: true });
  }
  if (besides === "verification") {
    const stateOf = (text: string) => JSON.parse(text).data.verification.state as string;
    for (let state = stateOf(await ask("POST", "/ledger/verify")); state === "RUNNING"; ) {
      await Bun.sleep(VERIFIED_EVERY_MS);
      state = stateOf(await ask("GET", "/ledger"));
    }
  }
  return statuses;
}
