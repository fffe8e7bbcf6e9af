// The composition root: the only place that constructs things. The command line and the tests call it.
import { join } from "node:path";
import { makeDesk } from "./access/desk.ts";
import { accessRoutes } from "./access/routes.ts";
import { makeFirstOrganization, prepareDatabase } from "./bootstrap.ts";
import { turnChain, usableChain } from "./chain-start.ts";
import { keepCheckpointFile } from "./checkpoint/file.ts";
import type { Signer } from "./checkpoint/note.ts";
import { openSigningKey } from "./checkpoint/signing-key.ts";
import { refuseRollback, tellRollback } from "./checkpoint/start.ts";
import type { Config } from "./config.ts";
import { emptySpoolFolder, openDataDirectory, writeAdminKey } from "./data-dir/directory.ts";
import { hasLongWrite } from "./database/long-writes.ts";
import { DATABASE_FILE, dataVersion, openReadOnly } from "./database/open.ts";
import type { Reader } from "./database/sql.ts";
import { isBroken } from "./database/storage-failure.ts";
import { Writer } from "./database/writer.ts";
import { RequestCounters } from "./http/counters.ts";
import { docsRoutes } from "./http/docs.ts";
import { Edge } from "./http/edge.ts";
import { healthRoutes } from "./http/health.ts";
import { listening, reachableUrl, urlOf } from "./http/listen.ts";
import { makeLog } from "./http/log.ts";
import { metricsRoute } from "./http/metrics.ts";
import { openApiRoute } from "./http/openapi-route.ts";
import type { Pace } from "./http/pace.ts";
import { pageStyle } from "./http/page.ts";
import { problemPage } from "./http/problem-pages.ts";
import { makeServer } from "./http/server.ts";
import type { TurnLimits } from "./http/turns.ts";
import { webRoutes } from "./http/web.ts";
import { ImportThread } from "./import-thread/thread.ts";
import type { JobsTiming } from "./jobs/loop.ts";
import type { ChainSource } from "./jobs/session.ts";
import { hasWork } from "./jobs/work.ts";
import { present } from "./kernel/assert.ts";
import { RateLimiter } from "./kernel/rate-limit.ts";
import { type Runtime, systemRuntime, toTimestamp } from "./kernel/runtime.ts";
import { printable, printableJson } from "./kernel/text.ts";
import { ImportsUnderWay } from "./ocf/import/under-way.ts";
import { configuredProvider } from "./provider-start.ts";
import { REPORT_TIMES, ReadThreads } from "./read-threads/pool.ts";
import type { KeyEnvironment } from "./resources/api-keys/key.ts";
import { allRoutes } from "./routes.ts";
import { backToPreview, findWaiting } from "./spreadsheet/imports-store.ts";
import { IMPORT_OPERATIONS } from "./spreadsheet/routes.ts";
import { Verifications, type VerifyElsewhere } from "./verify/runs.ts";
import { RemoteChanges } from "./write-thread/remote.ts";
import { Writing, type WritingParts } from "./writing.ts";

const FAILED_SIGN_INS_PER_MINUTE = 60;
const BURST_SHARE = 6;
/** An organization may ask as often as so many of its keys, however many it has. */
const KEYS_OF_ORGANIZATION = 4;
const MEBIBYTE = 1024 * 1024;
const CHECKPOINT_EVERY_MS = 600_000;
const LOOK_FOR_WORK_MS = 1000;
/** A thousand entries take about ten milliseconds to replay, which nobody notices. */
const LONG_FROM_ENTRIES = 1000;
/** How long a report that is being made may go on when the service stops. */
const REPORT_STOP_MS = 10_000;

/** What the outside supplies. */
export interface AppPorts {
  readonly runtime: Runtime;
  /** Takes log text. */
  readonly out: (text: string) => void;
  /** Whether a person reads it as it is written: the log then is for people, where no setting says. */
  readonly isTerminal?: boolean;
  /** Told of an I/O error or damage, after which the process should end. */
  readonly onBroken: (error: Error) => void;
  /** The chain, instead of the one that the settings name. */
  readonly chain?: ChainSource;
  /** Whether what writes has a thread of its own; what the outside supplies for it is then the usual. */
  readonly isThreaded?: boolean;
  /** How patient the background work is, instead of the usual. */
  readonly jobsTiming?: Partial<JobsTiming>;
  /** Told, sentence by sentence, what a migration had to interpret of what was there. */
  readonly onReport?: (sentence: string) => void;
  /** How many may read much at once and how long others wait, instead of the usual. */
  readonly turns?: Partial<TurnLimits>;
  /** From how many entries on a ledger's views are worked out in threads of their own, instead of the usual. */
  readonly longFromEntries?: number;
  /** How slowly a file may be taken, instead of the usual. */
  readonly slowest?: Pace;
  /** Whether data is served that the checkpoint file contradicts: `--accept-rollback`. */
  readonly acceptsRollback?: boolean;
  /** How often the checkpoint file is looked at, instead of each ten minutes. */
  readonly checkpointEveryMs?: number;
  /** Verifies an organization in a process of its own; without it nobody can ask the server to. */
  readonly verify?: VerifyElsewhere;
  /** Told why the checkpoint file could not be written. */
  readonly onCheckpointTrouble?: (message: string) => void;
}

/** A running service. */
export interface App {
  /** Where it listens, for instance `http://127.0.0.1:8080`. */
  readonly url: string;
  /** Where its documentation is, under the address that others use. */
  readonly docsUrl: string;
  readonly environment: KeyEnvironment;
  /** Who writes in this thread; null where what writes has one of its own. */
  readonly writer: Writer | null;
  readonly reader: Reader;
  /** The file with the first ADMIN key, when this start made it; else null. */
  readonly adminKeyFile: string | null;
  /** Finishes what has arrived and closes everything. */
  stop(): Promise<void>;
}

/** Opens the data directory, migrates it, and serves it. */
export async function startApp(config: Config, given: Partial<AppPorts> = {}): Promise<App> {
  const ports: AppPorts = {
    runtime: systemRuntime,
    out: (text) => void process.stdout.write(text),
    onBroken: () => process.exit(1),
    ...given,
  };
  const provider = configuredProvider(config);
  const db = openDataDirectory(config.dataDir);
  const environment = await prepareDatabase(db, config.environment, ports.onReport);
  const chain = config.chain === "off" ? null : (ports.chain ?? (await usableChain(config, db)));
  const writer = new Writer(db, ports.onBroken);
  await writer.submit((tx) => turnChain(tx, ports.runtime, config));
  const hasImports = await recoverImports(writer, ports.runtime);
  const signer = openSigningKey(config.dataDir);
  const { checkpointFile: file } = config;
  const isAccepted = ports.acceptsRollback === true;
  const accepted = file === null ? [] : refuseRollback({ file, writer, isAccepted });
  const adminKeyFile = await writer.submit((tx) => {
    const firstKey = makeFirstOrganization(tx, ports.runtime, environment);
    tellRollback(tx, ports.runtime, accepted);
    return firstKey === null ? null : writeAdminKey(config.dataDir, firstKey);
  });
  const reader = openReadOnly(join(config.dataDir, DATABASE_FILE));
  const logForm = config.log ?? (ports.isTerminal === true ? "pretty" : "json");
  const log = makeLog(logForm, ports.out);
  const { rateLimit } = config;
  const ofAll = config.organizationRateLimit ?? rateLimit * KEYS_OF_ORGANIZATION;
  let { port } = config;
  // With port 0 the address is known only once the server listens.
  const place = () => ({ host: config.host, port });
  let ownUrl = config.publicUrl ?? reachableUrl(place());
  const publicUrl = () => ownUrl;
  const counters = new RequestCounters();
  const onFailure = (thrown: unknown) => {
    if (thrown instanceof Error && isBroken(thrown, db.sqlite.name)) ports.onBroken(thrown);
  };
  const backupEveryHours = config.backupDir === null ? null : config.backupEveryHours;
  const { fontDir } = config;
  const circumstances = { database: reader.sqlite.name, backupEveryHours, fontDir };
  const readThreads = new ReadThreads(circumstances);
  const reportThread = new ReadThreads(circumstances, REPORT_TIMES, 1);
  const onTrouble = (line: { readonly time: string; readonly message: string }, thrown: unknown) => {
    onFailure(thrown);
    const { time, message } = line;
    const json = () => printableJson(JSON.stringify({ time, level: "warn", message }));
    if (logForm === "json") ports.out(`${json()}\n`);
    if (logForm === "pretty") ports.out(`${printable(`${time} background work waits: ${message}`)}\n`);
  };
  const imports = new ImportsUnderWay();
  const verifications = verificationsBy(ports, onTrouble);
  const routes = allRoutes(environment, { signer, backupEveryHours, publicUrl, fontDir, imports, verifications });
  const { isThreaded = false, onBroken, runtime, jobsTiming: timing } = ports;
  const lastRequest = new Float64Array(new SharedArrayBuffer(Float64Array.BYTES_PER_ELEMENT));
  lastRequest.fill(Number.NEGATIVE_INFINITY);
  const remote = isThreaded
    ? new RemoteChanges({
        ...{ config, environment, publicUrl, lastRequest, onBroken, onTrouble },
        tellImport: imports.tell,
      })
    : null;
  // The thread has a connection of its own.
  if (remote) db.sqlite.close();
  const lastRequestMs = () => present(lastRequest[0], "when a request last came");
  const writing = remote ? null : new Writing({ writer, runtime, routes, chain, timing, lastRequestMs, onTrouble });
  const changes = remote ?? present(writing, "who writes").changes;
  // On the writer's own connection a commit of this program's is no change by others.
  const keys = remote ? openReadOnly(reader.sqlite.name) : db;
  const watching = openReadOnly(reader.sqlite.name);
  const { dataDir, backupDir, sessionIdleMinutes, sessionHours } = config;
  const tokens = config.chain === "off" ? null : { isEmbedded: config.chainRpcUrl === null };
  const instance = { environment, chain: tokens, backupDir, backupEveryHours: config.backupEveryHours };
  const sessionEnds = { sessionIdleMinutes, sessionHours };
  const deskParts = { db: keys, runtime, changes, dataDir, publicUrl, instance, provider, ...sessionEnds };
  const importThread = new ImportThread({
    database: reader.sqlite.name,
    onTrouble: (message, thrown) => onTrouble({ time: toTimestamp(ports.runtime.nowMs()), message }, thrown),
  });
  const edge = new Edge({
    desk: config.dashboard === "off" ? null : makeDesk(deskParts),
    lastRequest,
    reader,
    keys,
    changes,
    onWritten: (operationId) => {
      if (IMPORT_OPERATIONS.has(operationId)) importThread.look();
    },
    counters,
    onFailure,
    environment,
    keyLimiter: rateLimit === 0 ? null : new RateLimiter(rateLimit, rateLimit / BURST_SHARE),
    organizationLimiter: ofAll === 0 ? null : new RateLimiter(ofAll, ofAll / BURST_SHARE),
    failureLimiter: rateLimit === 0 ? null : new RateLimiter(FAILED_SIGN_INS_PER_MINUTE, FAILED_SIGN_INS_PER_MINUTE),
    runtime: ports.runtime,
    log,
    get publicUrl() {
      return publicUrl();
    },
    bodyBytesMax: config.bodyLimitMb * MEBIBYTE,
    turns: ports.turns ?? {},
    elsewhere: {
      reads: readThreads,
      reports: reportThread,
      fromEntries: ports.longFromEntries ?? LONG_FROM_ENTRIES,
    },
    spoolFolder: emptySpoolFolder(config.dataDir),
    slowest: ports.slowest,
  });
  const publicRoutes = [
    ...healthRoutes(changes),
    metricsRoute({
      reader,
      changes,
      counters,
      runtime: ports.runtime,
      isPublic: config.metrics === "public",
      publicUrl,
    }),
    openApiRoute([...routes, ...accessRoutes]),
    ...(config.dashboard === "off" ? [] : webRoutes),
    ...docsRoutes,
    problemPage,
    pageStyle,
  ];
  const people = config.dashboard === "off" ? [] : accessRoutes;
  const { trustedProxy } = config;
  const server = listening(config, (at) =>
    makeServer({ routes, accessRoutes: people, publicRoutes }, edge, trustedProxy).listen(at),
  );
  port = server.server?.port ?? port;
  ownUrl = config.publicUrl ?? reachableUrl(place());
  writing?.begin();
  if (hasImports) importThread.look();
  const watch = remote ? watchForWork(remote, watching, chain !== null) : null;
  const checkpoints = keepCheckpoints(config, ports, watching, signer);
  return {
    url: urlOf(place()),
    docsUrl: `${publicUrl()}/docs`,
    environment,
    writer: remote ? null : writer,
    reader,
    adminKeyFile,
    async stop() {
      const patience = setTimeout(() => reportThread.close(), REPORT_STOP_MS);
      await server.stop(false);
      await importThread.stop();
      clearTimeout(patience);
      reportThread.close();
      readThreads.close();
      verifications.stop();
      if (watch) clearInterval(watch);
      checkpoints.stop();
      log.flush();
      for (const { sqlite } of [watching, reader, ...(remote ? [keys] : [])]) sqlite.close();
      await (remote ?? writing)?.stop();
    },
  };
}

/** Takes commits back that a crash undid; answers whether imports wait to be read, which then are read again. */
async function recoverImports(writer: Writer, runtime: Runtime): Promise<boolean> {
  if (findWaiting(writer.db) === null) return false;
  const at = toTimestamp(runtime.nowMs());
  const failure = "The server stopped during the commit, and nothing of it was written. Commit it again.";
  await writer.submit((tx) => backToPreview(tx, { at, failure }));
  return findWaiting(writer.db) !== null;
}

/** Verifications, where the outside supplies who does them. */
function verificationsBy({ verify, runtime }: AppPorts, onTrouble: WritingParts["onTrouble"]): Verifications {
  if (verify === undefined) return new Verifications();
  return new Verifications({
    verify,
    onTrouble(thrown) {
      const message = `a verification could not be done: ${thrown instanceof Error ? thrown.message : String(thrown)}`;
      onTrouble({ time: toTimestamp(runtime.nowMs()), message }, thrown);
    },
  });
}

/** Begins the thread that writes as soon as there is something to do in the background, of this program or another. */
function watchForWork(remote: RemoteChanges, db: Reader, hasChain: boolean): Timer | null {
  const isWaiting = () => hasLongWrite(db) || (hasChain && hasWork(db));
  if (isWaiting()) {
    remote.begin();
    return null;
  }
  let version = dataVersion(db);
  const timer = setInterval(() => {
    const now = dataVersion(db);
    if (now !== version && isWaiting()) remote.begin();
    version = now;
    if (remote.isBegun) clearInterval(timer);
  }, LOOK_FOR_WORK_MS);
  return timer;
}

/** Keeps the checkpoint file, where the settings name one. */
function keepCheckpoints(
  { checkpointFile: file }: Config,
  { runtime, checkpointEveryMs: everyMs = CHECKPOINT_EVERY_MS, onCheckpointTrouble: onTrouble }: AppPorts,
  db: Reader,
  signer: Signer,
): { stop(): void } {
  if (file === null) return { stop: () => undefined };
  return keepCheckpointFile({ file, db, signer, runtime, everyMs, onTrouble: onTrouble ?? (() => undefined) });
}
