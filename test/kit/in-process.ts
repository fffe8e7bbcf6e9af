// The whole service without a socket: requests go to the router as the network would bring them, on a database that
// does not wait for the disk, with a clock and ids that follow from a seed. So one seed gives one history.
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { commandLineCall } from "../../src/kernel/call.ts";
import type { Runtime } from "../../src/kernel/runtime.ts";
import { createKey } from "../../src/resources/api-keys/routes.ts";
import { insertOrganization } from "../../src/resources/organization/store.ts";
import type { Difference } from "../../src/safekeeping/verify/report.ts";
import { Verifications } from "../../src/safekeeping/verify/runs.ts";
import { verifyDatabase } from "../../src/safekeeping/verify/verify.ts";
import { verifyWhole } from "../../src/safekeeping/verify/whole.ts";
import { LocalChanges } from "../../src/server/changes/local.ts";
import { RequestCounters } from "../../src/server/http/answers/counters.ts";
import { Edge } from "../../src/server/http/edge.ts";
import { makeLog } from "../../src/server/http/log-line.ts";
import { makeServer } from "../../src/server/http/server.ts";
import { allRoutes } from "../../src/server/routes.ts";
import { prepareDatabase } from "../../src/server/service/bootstrap.ts";
import { openDataDirectory } from "../../src/storage/data-dir/directory.ts";
import { DATABASE_FILE, openReadOnly } from "../../src/storage/database/open.ts";
import type { Reader } from "../../src/storage/database/sql.ts";
import { Writer } from "../../src/storage/database/writer.ts";
import type { Role } from "../../src/storage/records/api-key.ts";
import { readHere } from "./file-reader.ts";
import { migratedDataDir } from "./migrated.ts";
import { type Answer, textOf } from "./service.ts";

const START_MS = Date.parse("2026-06-15T09:00:00Z");
const MEBIBYTE = 1024 * 1024;

/** What is sent: `body` as it goes over the wire. */
export interface Sending {
  readonly method: string;
  /** Below `/api/v1`, with the query. */
  readonly path: string;
  readonly body?: string | Uint8Array | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A service that is called in this process. */
export class Service {
  readonly db: Reader;
  readonly writer: Writer;
  readonly reader: Reader;
  /** What the log says of failures. */
  readonly failures: string[] = [];
  readonly runtime: Runtime;
  readonly #dataDir: string;
  readonly #handle: (request: Request) => Response | Promise<Response>;
  readonly #keys = new Map<string, string>();

  private constructor(dataDir: string, db: Reader, runtime: Runtime) {
    this.#dataDir = dataDir;
    this.db = db;
    this.runtime = runtime;
    this.writer = new Writer(db, (error) => {
      throw error;
    });
    this.reader = openReadOnly(join(dataDir, DATABASE_FILE));
    const verifications = new Verifications({
      verify: (orgId) => verifyWhole(this.reader, orgId),
      nowMs: () => runtime.nowMs(),
      onTrouble: (thrown) => void this.failures.push(String(thrown)),
    });
    const routes = allRoutes("test", { verifications });
    const edge = new Edge({
      desk: null,
      reader: this.reader,
      keys: db,
      changes: new LocalChanges({ writer: this.writer, runtime, routes, commands: {} }),
      counters: new RequestCounters(),
      lastRequest: new Float64Array(1),
      onFailure: () => undefined,
      environment: "test",
      keyLimiter: null,
      failureLimiter: null,
      runtime,
      log: makeLog("json", (text) => void this.failures.push(...text.split("\n").filter(isFailure))),
      publicUrl: "http://cap.example",
      files: readHere,
      bodyBytesMax: MEBIBYTE,
    });
    const server = makeServer({ routes, publicRoutes: [] }, edge);
    this.#handle = (request) => server.handle(request);
  }

  /** Makes a service with an empty database, or the one whose bytes are given; `seed` decides its ids. */
  static async start(seed: number, database?: Uint8Array): Promise<Service> {
    const dataDir = await migratedDataDir();
    if (database !== undefined) writeFileSync(join(dataDir, DATABASE_FILE), database);
    const db = openDataDirectory(dataDir);
    db.sqlite.pragma("synchronous = OFF");
    await prepareDatabase(db, "test");
    return new Service(dataDir, db, seededRuntime(seed));
  }

  /** The bytes of its database, for services that begin with what this one has. */
  image(): Uint8Array {
    const file = join(this.#dataDir, "image");
    this.db.sqlite.prepare("vacuum into ?").run(file);
    const bytes = readFileSync(file);
    rmSync(file);
    return bytes;
  }

  /** Makes an organization; returns its id. */
  async newOrganization(legalName = "Fuzzed, Inc."): Promise<string> {
    const call = commandLineCall(this.runtime, this.runtime.newId());
    await this.writer.submit((tx) => insertOrganization(tx, call, { legalName, isNamed: 1 }));
    return call.orgId;
  }

  /** A key of the organization; the same one each time. */
  async key(orgId: string, role: Role = "ADMIN"): Promise<string> {
    const name = `${orgId} ${role}`;
    const known = this.#keys.get(name);
    if (known) return known;
    const call = commandLineCall(this.runtime, orgId);
    const made = await this.writer.submit((tx) => createKey(tx, call, "test", { name: "fuzz", role }));
    this.#keys.set(name, made.key);
    return made.key;
  }

  async #answer({ method, path, body, headers = {} }: Sending): Promise<Response> {
    const init = body === undefined ? { method, headers } : { method, headers, body: body as string };
    return this.#handle(new Request(`http://cap.example/api/v1${path}`, init));
  }

  /** Downloads a file as ADMIN of an organization. */
  async download(path: string, orgId: string): Promise<Uint8Array> {
    const headers = { authorization: `Bearer ${await this.key(orgId)}` };
    const response = await this.#answer({ method: "GET", path, headers });
    if (response.status !== 200) throw new Error(`GET ${path}: ${response.status} ${await response.text()}`);
    return response.bytes();
  }

  /** Sends a request as it is. */
  async send(sending: Sending): Promise<Answer> {
    const response = await this.#answer(sending);
    const text = await textOf(response);
    // A document's bytes are answered as they came, whatever their type says.
    const isFile = response.headers.has("content-disposition");
    const isJson = !isFile && text !== "" && response.headers.get("content-type")?.includes("json");
    return { status: response.status, headers: response.headers, text, json: isJson ? JSON.parse(text) : {} };
  }

  /** Calls the API as ADMIN of an organization with a JSON body. */
  async api(method: string, path: string, body?: unknown, options: { orgId?: string } = {}): Promise<Answer> {
    const headers: Record<string, string> = { authorization: `Bearer ${await this.key(options.orgId ?? "")}` };
    if (body === undefined) return this.send({ method, path, headers });
    headers["content-type"] = "application/json";
    return this.send({ method, path, headers, body: JSON.stringify(body) });
  }

  /** What `captable verify` finds wrong with an organization, or with all. */
  differences(orgId?: string): readonly Difference[] {
    return verifyDatabase(this.reader, orgId).differences;
  }

  async stop(): Promise<void> {
    await this.writer.drain();
    // The reader's turn ends with the event loop's.
    await new Promise<void>((resume) => setImmediate(resume));
    this.reader.sqlite.close();
    this.db.sqlite.close();
    rmSync(this.#dataDir, { recursive: true, force: true });
  }
}

function isFailure(line: string): boolean {
  return line.includes('"level":"error"');
}

function seededRuntime(seed: number): Runtime {
  let count = 0;
  const head = seed.toString(16).padStart(8, "0");
  return {
    nowMs: () => START_MS + count++,
    elapsedMs: () => count,
    newId: () => `${head}-0000-7000-8000-${(++count).toString(16).padStart(12, "0")}`,
    random: () => 0,
  };
}
