// A whole service for a test: a real socket, a real database file in a folder of its own, and keys to call it with.
import { rmSync } from "node:fs";
import { join } from "node:path";
import { present } from "../../src/kernel/assert.ts";
import { commandLineCall } from "../../src/kernel/call.ts";
import { systemRuntime } from "../../src/kernel/runtime.ts";
import { createKey } from "../../src/resources/api-keys/routes.ts";
import { insertOrganization, listOrganizations } from "../../src/resources/organization/store.ts";
import type { VerifyElsewhere } from "../../src/safekeeping/verify/runs.ts";
import { verifyWhole } from "../../src/safekeeping/verify/whole.ts";
import { type App, startApp } from "../../src/server/app.ts";
import { type Environment, readConfig } from "../../src/server/config.ts";
import { UNNAMED } from "../../src/server/service/bootstrap.ts";
import type { AppPorts } from "../../src/server/service/parts.ts";
import { DATABASE_FILE, openReadOnly } from "../../src/storage/database/open.ts";
import type { Writer } from "../../src/storage/database/writer.ts";
import type { Role } from "../../src/storage/records/api-key.ts";
import { migratedDataDir } from "./migrated.ts";
import { hashOnce } from "./passwords.ts";
import { PASSWORD, PASSWORD_HASH } from "./people.ts";
import { followsHere, importsHere, readsHere } from "./threads-here.ts";

/** An answer, read whole. `json` is `{}` when there is no body. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of every shape
  readonly json: any;
}

/** What a test may say of a request besides its method, path and body. */
export interface CallOptions {
  readonly role?: Role;
  readonly orgId?: string;
  /** A key to use instead; null sends none. */
  readonly key?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A running service under test. */
export interface TestServer {
  readonly app: App & { readonly writer: Writer };
  readonly url: string;
  readonly dataDir: string;
  /** The first organization. */
  readonly orgId: string;
  /** What the service wrote to its log. */
  readonly log: string[];
  /** Makes another organization and returns its id. */
  newOrganization(legalName?: string): Promise<string>;
  /** A key of the given role; the same one each time. */
  key(role: Role, orgId?: string): Promise<string>;
  /** Calls the API below `/api/v1`, as ADMIN of the first organization unless told otherwise. */
  api(method: string, path: string, body?: unknown, options?: CallOptions): Promise<Answer>;
  stop(): Promise<void>;
}

/** Verifies in this process, which is quick where there is little. */
function verifying(dataDir: string): VerifyElsewhere {
  return async (orgId) => {
    const db = openReadOnly(join(dataDir, DATABASE_FILE));
    try {
      return await verifyWhole(db, orgId);
    } finally {
      db.sqlite.close();
    }
  };
}

/** A chain takes 1.5 s of processor time to begin: only those services have one whose tests ask for it. */
const CHAIN: Environment = { CAPTABLE_CHAIN: "off" };

/** The text of an answer; of a stream, which has no end, what comes first. */
export async function textOf(response: Response): Promise<string> {
  if (!response.headers.get("content-type")?.startsWith("text/event-stream")) return response.text();
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  const { value = "" } = (await reader?.read()) ?? {};
  await reader?.cancel();
  return value;
}

/** Starts a service on a free port; settings come from `environment`, for instance `{ CAPTABLE_RATE_LIMIT: "60" }`. */
export async function startTestServer(
  environment: Environment = {},
  ports: Partial<AppPorts> = {},
): Promise<TestServer> {
  hashOnce({ [PASSWORD_HASH]: PASSWORD });
  const dataDir = await migratedDataDir();
  const settings = { CAPTABLE_RATE_LIMIT: "0", CAPTABLE_LOG: "json", ...CHAIN, ...environment };
  const config = readConfig({ dataDir, port: "0" }, settings);
  const log: string[] = [];
  const startFollowing = followsHere(ports.followers);
  const here = { startReading: readsHere, startImporting: importsHere, startFollowing };
  const usual = { out: (text: string) => void log.push(text), verify: verifying(dataDir), ...here };
  const started = await startApp(config, { ...usual, ...ports });
  const app = { ...started, writer: present(started.writer, "the writer") };
  const orgId = present(listOrganizations(app.reader)[0], "the first organization").id;
  const keys = new Map<string, string>();

  async function key(role: Role, keyOrgId = orgId): Promise<string> {
    const name = `${keyOrgId} ${role}`;
    const known = keys.get(name);
    if (known) return known;
    const call = commandLineCall(systemRuntime, keyOrgId);
    // With an end, whatever the server's clock says: the health report notes ADMIN keys without one.
    const given = { name: "test", role, expiresAt: "9999-12-31T00:00:00Z" };
    const made = await app.writer.submit((tx) => createKey(tx, call, app.environment, given));
    keys.set(name, made.key);
    return made.key;
  }

  return {
    app,
    url: app.url,
    dataDir,
    orgId,
    log,
    key,
    async newOrganization(legalName = UNNAMED) {
      const call = commandLineCall(systemRuntime, systemRuntime.newId());
      await app.writer.submit((tx) => insertOrganization(tx, call, { legalName, isNamed: 1 }));
      return call.orgId;
    },
    async api(method, path, body, options = {}) {
      const bearer = options.key === undefined ? await key(options.role ?? "ADMIN", options.orgId) : options.key;
      const headers: Record<string, string> = { ...options.headers };
      if (bearer !== null) headers.authorization = `Bearer ${bearer}`;
      if (body !== undefined) headers["content-type"] ??= "application/json";
      const isRaw = typeof body === "string" || body instanceof Uint8Array;
      const init: RequestInit = { method, headers };
      if (body !== undefined) init.body = isRaw ? (body as string) : JSON.stringify(body);
      const response = await fetch(`${app.url}/api/v1${path}`, init);
      const text = await textOf(response);
      const isJson = response.headers.get("content-type")?.includes("json") && text !== "";
      return { status: response.status, headers: response.headers, text, json: isJson ? JSON.parse(text) : {} };
    },
    async stop() {
      await app.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
