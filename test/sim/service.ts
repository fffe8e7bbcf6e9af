// One life of a service: opened on a folder, called without a socket, driven without a timer, until it is stopped or
// crashes. A crash leaves what the files hold at that moment, in the folder of the next life, and nothing else.
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { HDKey } from "@scure/bip32";
import type Database from "better-sqlite3";
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
import type { Chain, Hex } from "../../src/tokens/chain/port.ts";
import { JOBS_TIMING, Jobs } from "../../src/tokens/jobs/loop.ts";
import type { Session } from "../../src/tokens/jobs/session.ts";
import { readHere } from "../kit/file-reader.ts";
import type { Random } from "../kit/random.ts";
import type { Clock } from "./clock.ts";
import { type Asker, type Node, simulatedOperator } from "./node.ts";
import type { Trace } from "./trace.ts";

const ROUTES = allRoutes("test");
const WAL_FILE = `${DATABASE_FILE}-wal`;
const MEBIBYTE = 1024 * 1024;
/** The holders' extended public key: any will do. */
const XPUB = HDKey.fromMasterSeed(new Uint8Array(32)).publicExtendedKey;

/** What a simulation does wrong on purpose, to show that it would be seen. */
export type DeliberateFault =
  | "a commit that a crash undoes"
  | "answers forgotten in a crash"
  | "an altered row"
  | "double mints";

/** What outlives every life of a service. */
export interface Surroundings {
  readonly clock: Clock;
  readonly node: Node;
  readonly random: Random;
  readonly trace: Trace;
  readonly chain: Pick<Session, "confirmations" | "batchMax">;
  /** How many more points a service may reach before it crashes; null: it does not. */
  crashIn: number | null;
  violation: Error | null;
  readonly planted: DeliberateFault | null;
}

/** A service, alive or dead. */
export class Service implements Asker {
  readonly folder: string;
  readonly writer: Writer;
  /** For checks of the data on disk: a connection that no request uses. */
  readonly probe: Reader;
  readonly jobs: Jobs;
  isDead = false;
  readonly #around: Surroundings;
  /** The files that a crash leaves in place of the real ones, if that fault is planted. */
  #filesBeforeCommit: { readonly database: Uint8Array; readonly wal: Uint8Array } | null = null;
  readonly #next: string;
  readonly #connections: readonly Reader[];
  readonly #handle: (request: Request) => Response | Promise<Response>;

  /** Opens the service on `folder`; `next` is where its files will be after a crash. */
  static async open(folder: string, next: string, around: Surroundings): Promise<Service> {
    const db = openDataDirectory(folder);
    await prepareDatabase(db, "test");
    if (around.planted === "answers forgotten in a crash") db.sqlite.exec("DELETE FROM idempotency_keys");
    if (around.planted === "an altered row") db.sqlite.exec("UPDATE securities SET quantity = quantity || '0'");
    return new Service(folder, next, db, around);
  }

  private constructor(folder: string, next: string, db: Reader, around: Surroundings) {
    this.folder = folder;
    this.#next = next;
    this.#around = around;
    this.#watchCommits(db);
    const { clock, node, chain } = around;
    const fail = (error: unknown) => this.#complain(error);
    const open = () => openReadOnly(join(folder, DATABASE_FILE));
    const [reader, jobsReader] = [open(), open()];
    this.probe = open();
    this.#connections = [reader, jobsReader, this.probe, db];
    this.writer = new Writer(db, fail);
    const edge = new Edge({
      desk: null,
      reader,
      keys: db,
      changes: new LocalChanges({ writer: this.writer, runtime: clock, routes: ROUTES, commands: {} }),
      counters: new RequestCounters(),
      lastRequest: new Float64Array(1),
      onFailure: fail,
      environment: "test",
      keyLimiter: null,
      failureLimiter: null,
      runtime: clock,
      log: makeLog("off", () => undefined),
      publicUrl: "http://cap.example",
      files: readHere,
      bodyBytesMax: MEBIBYTE,
    });
    const server = makeServer({ routes: ROUTES, publicRoutes: [] }, edge);
    this.#handle = (request) => server.handle(request);
    this.jobs = new Jobs({
      db: jobsReader,
      writer: this.writer,
      runtime: clock,
      timing: JOBS_TIMING,
      activity: () => "idle",
      onTrouble: (_line, error) => {
        if (!(error instanceof Error) || error.name !== "ChainError") fail(error);
      },
      source: {
        ...chain,
        openChain: async (): Promise<Chain> => node.connect(this),
        openOperator: async () => simulatedOperator(this),
        openWallets: async () => XPUB,
      },
    });
  }

  /** Answers a request; where the service crashes meanwhile, what is answered never reaches anybody. */
  async handle(request: Request): Promise<Response> {
    return this.#handle(request);
  }

  /** Passes a place to crash at, and crashes there when it is time; whether the service lives on. */
  passCrashPoint(point: string): boolean {
    if (this.isDead) return false;
    if (!this.#countDownToCrash()) return true;
    this.crash(point);
    return false;
  }

  hasKept(raw: Hex): boolean {
    return this.probe.sqlite.prepare("SELECT 1 FROM chain_transactions WHERE raw = ?").get(raw) !== undefined;
  }

  violate(violation: Error): void {
    this.#around.violation ??= violation;
  }

  /** Ends the service: memory is gone, and the files are as the system shows them. Unwritten pages: test/faults. */
  crash(point: string): void {
    this.#around.trace.noteCrash(point);
    const { database, wal } = this.#filesBeforeCommit ?? this.#files();
    this.#leaveFiles(database, wal);
  }

  /** Stops the service as a signal would, with its last checkpoint. */
  async stop(): Promise<void> {
    await this.jobs.stop();
    await this.writer.drain();
    this.#connections.at(-1)?.sqlite.pragma("wal_checkpoint(TRUNCATE)");
    this.isDead = true;
    cpSync(this.folder, this.#next, { recursive: true });
  }

  /** Lets go of the files, which the next life does not use. */
  close(): void {
    for (const { sqlite } of this.#connections) sqlite.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  #countDownToCrash(): boolean {
    const around = this.#around;
    if (around.crashIn === null || around.crashIn-- > 0) return false;
    around.crashIn = null;
    return true;
  }

  #files(): { readonly database: Uint8Array; readonly wal: Uint8Array } {
    return { database: readFileSync(join(this.folder, DATABASE_FILE)), wal: readIfThere(join(this.folder, WAL_FILE)) };
  }

  #leaveFiles(database: Uint8Array, wal: Uint8Array): void {
    this.isDead = true;
    mkdirSync(this.#next);
    writeFileSync(join(this.#next, DATABASE_FILE), database);
    if (wal.length > 0) writeFileSync(join(this.#next, WAL_FILE), wal);
  }

  /** Makes each commit of the writer a place to crash: before it, while it is written, and after it before anybody is told. */
  #watchCommits({ sqlite }: Reader): void {
    const prepare = sqlite.prepare.bind(sqlite);
    const watched = (text: string) => {
      const statement = prepare<[]>(text);
      if (text === "COMMIT") this.#watch(statement);
      return statement;
    };
    sqlite.prepare = watched as typeof sqlite.prepare;
  }

  #watch(commit: Database.Statement<[]>): void {
    const run = commit.run.bind(commit);
    commit.run = () => {
      if (!this.passCrashPoint("before COMMIT")) return run();
      if (this.#countDownToCrash()) return this.#crashDuringCommit(run);
      if (this.#around.planted === "a commit that a crash undoes") this.#filesBeforeCommit = this.#files();
      const result = run();
      this.passCrashPoint("after COMMIT");
      return result;
    };
  }

  /**
   * A power cut in the middle of a commit: the write-ahead log is new up to some byte, and old from there on. That pages
   * reach the disk in another order, or late, is tried by test/faults/power-cut.system.test.ts.
   */
  #crashDuringCommit<T>(commit: () => T): T {
    const { database, wal: before } = this.#files();
    const result = commit();
    const { wal: after } = this.#files();
    let start = 0;
    while (start < after.length && after[start] === before[start]) start++;
    const end = start + this.#around.random.below(after.length - start + 1);
    this.#around.trace.noteCrash("during COMMIT", `, at byte ${end} of ${start} to ${after.length}`);
    this.#leaveFiles(database, Buffer.concat([after.subarray(0, end), before.subarray(end)]));
    return result;
  }

  #complain(error: unknown): void {
    if (!this.isDead) this.violate(error instanceof Error ? error : new Error(String(error)));
  }
}

function readIfThere(path: string): Uint8Array {
  return existsSync(path) ? readFileSync(path) : new Uint8Array();
}
