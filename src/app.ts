// The composition root: the only place that constructs things. The command line and the tests call it.
import { join } from "node:path";
import { makeFirstOrganization, prepareDatabase } from "./bootstrap.ts";
import { turnChain, usableChain } from "./chain-start.ts";
import { LocalChanges } from "./changes/local.ts";
import { keepCheckpointFile } from "./checkpoint/file.ts";
import type { Signer } from "./checkpoint/note.ts";
import { openSigningKey } from "./checkpoint/signing-key.ts";
import { refuseRollback, tellRollback } from "./checkpoint/start.ts";
import type { Config } from "./config.ts";
import { openDataDirectory, writeAdminKey } from "./data-dir/directory.ts";
import { pruneAnswers } from "./database/idempotency.ts";
import { DATABASE_FILE, openReadOnly } from "./database/open.ts";
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
import { RateLimiter } from "./http/rate-limit.ts";
import { makeServer } from "./http/server.ts";
import type { TurnLimits } from "./http/turns.ts";
import { JOBS_TIMING, Jobs, type JobsTiming } from "./jobs/loop.ts";
import type { ChainSource } from "./jobs/session.ts";
import { type Runtime, systemRuntime } from "./kernel/runtime.ts";
import { printable, printableJson } from "./kernel/text.ts";
import { ReadThreads } from "./read-threads/pool.ts";
import type { KeyEnvironment } from "./resources/api-keys/key.ts";
import { allRoutes } from "./routes.ts";
import { startPage } from "./web/start-page.ts";

const FAILED_SIGN_INS_PER_MINUTE = 60;
const BURST_SHARE = 6;
const MEBIBYTE = 1024 * 1024;
const PRUNE_EVERY_MS = 60_000;
const PRUNE_ROWS_MAX = 1000;
const CHECKPOINT_EVERY_MS = 600_000;
/** A thousand entries take about ten milliseconds to replay, which nobody notices. */
const LONG_FROM_ENTRIES = 1000;

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
  readonly writer: Writer;
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
  const db = openDataDirectory(config.dataDir);
  const environment = await prepareDatabase(db, config.environment, ports.onReport);
  const chain = config.chain === "off" ? null : (ports.chain ?? (await usableChain(config, db)));
  const writer = new Writer(db, ports.onBroken);
  await writer.submit((tx) => turnChain(tx, ports.runtime, config));
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
  let { port } = config;
  // With port 0 the address is known only once the server listens.
  const place = () => ({ host: config.host, port });
  const publicUrl = () => config.publicUrl ?? reachableUrl(place());
  const counters = new RequestCounters();
  const onFailure = (thrown: unknown) => {
    if (thrown instanceof Error && isBroken(thrown, db.sqlite.name)) ports.onBroken(thrown);
  };
  const backupEveryHours = config.backupDir === null ? null : config.backupEveryHours;
  const readThreads = new ReadThreads({ database: reader.sqlite.name, backupEveryHours });
  const routes = allRoutes(environment, { signer, backupEveryHours });
  const changes = new LocalChanges({ writer, runtime: ports.runtime, routes });
  const edge = new Edge({
    reader,
    keys: writer.db,
    changes,
    counters,
    onFailure,
    environment,
    keyLimiter: rateLimit === 0 ? null : new RateLimiter(rateLimit, rateLimit / BURST_SHARE),
    failureLimiter: rateLimit === 0 ? null : new RateLimiter(FAILED_SIGN_INS_PER_MINUTE, FAILED_SIGN_INS_PER_MINUTE),
    runtime: ports.runtime,
    log,
    get publicUrl() {
      return publicUrl();
    },
    bodyBytesMax: config.bodyLimitMb * MEBIBYTE,
    turns: ports.turns ?? {},
    elsewhere: { reads: readThreads, fromEntries: ports.longFromEntries ?? LONG_FROM_ENTRIES },
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
    openApiRoute(routes),
    startPage,
    ...docsRoutes,
    problemPage,
    pageStyle,
  ];
  const server = listening(config, (at) => makeServer(routes, publicRoutes, edge).listen(at));
  port = server.server?.port ?? port;
  // Not the requests' connection: what a turn of theirs sees may be older than what the background work just wrote.
  const jobsReader = openReadOnly(join(config.dataDir, DATABASE_FILE));
  const jobs =
    chain &&
    new Jobs({
      db: jobsReader,
      writer,
      runtime: ports.runtime,
      source: chain,
      activity: () => edge.activity,
      timing: { ...JOBS_TIMING, ...ports.jobsTiming },
      onTrouble(line, thrown) {
        onFailure(thrown);
        const { time, message } = line;
        const json = () => printableJson(JSON.stringify({ time, level: "warn", message }));
        if (logForm === "json") ports.out(`${json()}\n`);
        if (logForm === "pretty") ports.out(`${printable(`${time} background work waits: ${message}`)}\n`);
      },
    });
  jobs?.start();
  const pruning = setInterval(() => {
    writer.submit((tx) => pruneAnswers(tx, ports.runtime.nowMs(), PRUNE_ROWS_MAX)).catch(() => undefined);
  }, PRUNE_EVERY_MS);
  const checkpoints = keepCheckpoints(config, ports, jobsReader, signer);
  return {
    url: urlOf(place()),
    docsUrl: `${publicUrl()}/docs`,
    environment,
    writer,
    reader,
    adminKeyFile,
    async stop() {
      clearInterval(pruning);
      await server.stop(false);
      readThreads.close();
      await jobs?.stop();
      await writer.drain();
      checkpoints.stop();
      jobsReader.sqlite.close();
      log.flush();
      reader.sqlite.close();
      db.sqlite.pragma("wal_checkpoint(TRUNCATE)");
      db.sqlite.close();
    },
  };
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
