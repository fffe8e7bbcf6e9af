// /metrics: Prometheus text for a monitoring system. Shown to this machine only, unless the operator says otherwise: it
// shows how much goes on here.
import { statfsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { isLoopbackAddress } from "../../../kernel/loopback.ts";
import { notFound, problem } from "../../../kernel/problem.ts";
import type { Runtime } from "../../../kernel/runtime.ts";
import { VERSION } from "../../../kernel/version.ts";
import { findOffsiteCopy, LAST_BACKUP } from "../../../storage/data-dir/last-backup.ts";
import { findSetting } from "../../../storage/database/settings.ts";
import type { Reader } from "../../../storage/database/sql.ts";
import { MAILS_FIGURE } from "../../../storage/follow/mail-figure.ts";
import type { Changes } from "../../changes/task.ts";
import { isOwnHost } from "../host.ts";
import { LATENCY_BOUNDS_MS, type Latency, type RequestCounters } from "./counters.ts";
import {
  countJobs,
  countTokenDifferences,
  findLastTimestamp,
  findOldestReconciliation,
  listLedgerHeads,
  listStoredBytes,
} from "./metrics-store.ts";
import type { PublicRequest, PublicRoute } from "./public.ts";

/** The sources of the figures. */
export interface MetricsParts {
  readonly reader: Reader;
  readonly changes: Pick<Changes, "statistics">;
  readonly counters: RequestCounters;
  /** How many streams of events are open. */
  readonly streams: () => number;
  /** What the follow thread has told, by name. */
  readonly figures: () => Readonly<Record<string, number>>;
  readonly runtime: Runtime;
  /** Whether any client may see them. */
  readonly isPublic: boolean;
  /** The URL by which clients reach the service. */
  readonly publicUrl: () => string;
}

type Labels = Readonly<Record<string, string | number>>;
type Sample = readonly [labels: Labels, value: number, suffix?: string];
interface Metric {
  readonly name: string;
  readonly type: "counter" | "gauge" | "histogram";
  readonly help: string;
  readonly samples: readonly Sample[];
}

/** Headers set by proxies: the client is then not the peer of the connection. */
const FORWARDING = [
  ...["forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-forwarded-port"],
  ...["x-real-ip", "x-client-ip", "cf-connecting-ip", "true-client-ip", "fastly-client-ip", "x-original-forwarded-for"],
];
const MS = 1000;

/** The route. */
export function metricsRoute(parts: MetricsParts): PublicRoute {
  return {
    path: "/metrics",
    run(request) {
      if (!parts.isPublic && !isLocal(request)) throw notFound("address");
      if (!isOwnHost(request.headers.get("host"), parts.publicUrl())) {
        throw problem(
          "misdirected-request",
          "The figures are not shown under this name; use the machine's IP address.",
        );
      }
      const metrics = [
        ...requestMetrics(parts.counters),
        ...writerMetrics(parts.changes),
        ...webhookMetrics(parts),
        ...dataMetrics(parts),
      ];
      const body = `${metrics.map(render).join("\n")}\n`;
      return { status: 200, contentType: "text/plain; version=0.0.4; charset=utf-8", body };
    },
  };
}

function isLocal({ headers, address }: PublicRequest): boolean {
  return isLoopbackAddress(address()) && !FORWARDING.some((name) => headers.has(name));
}

function requestMetrics(counters: RequestCounters): Metric[] {
  const answers = [...counters.answers()].map(({ count, ...labels }): Sample => [labels, count]);
  return [
    counter("captable_requests_total", "Answered requests.", answers),
    {
      name: "captable_request_seconds",
      type: "histogram",
      help: "How long requests took, from their head to their answer.",
      samples: [...histogram("read", counters.reads), ...histogram("write", counters.writes)],
    },
  ];
}

function* histogram(kind: string, { buckets, sumMs, count }: Latency): Generator<Sample> {
  let below = 0;
  for (const [at, bound] of LATENCY_BOUNDS_MS.entries()) {
    below += buckets[at] ?? 0;
    yield [{ kind, le: bound / MS }, below, "_bucket"];
  }
  yield [{ kind, le: "+Inf" }, count, "_bucket"];
  yield [{ kind }, sumMs / MS, "_sum"];
  yield [{ kind }, count, "_count"];
}

function writerMetrics({ statistics }: Pick<Changes, "statistics">): Metric[] {
  const { commits, items, commitSeconds, lastBatch } = statistics;
  return [
    counter("captable_commits_total", "Commits, each flushed to disk.", [[{}, commits]]),
    counter("captable_commit_writes_total", "Writes in those commits.", [[{}, items]]),
    counter("captable_commit_seconds_total", "Time spent in commits.", [[{}, commitSeconds]]),
    gauge("captable_commit_batch", "Writes in the last commit.", [[{}, lastBatch]]),
  ];
}

/** The follow thread's figures of mails: `mails`, the kind and the state, with blanks between. */
function mailSamples(figures: Readonly<Record<string, number>>): Sample[] {
  return Object.entries(figures).flatMap(([name, count]): Sample[] => {
    const [what, kind = "", state = ""] = name.split(" ");
    return what === MAILS_FIGURE ? [[{ kind, state }, count]] : [];
  });
}

function webhookMetrics({ figures, runtime }: MetricsParts): Metric[] {
  const { webhooksSucceededTotal = 0, webhooksFailedTotal = 0, webhooksOldestPendingMs = 0 } = figures();
  const ageMs = webhooksOldestPendingMs === 0 ? 0 : Math.max(0, runtime.nowMs() - webhooksOldestPendingMs);
  return [
    counter("captable_webhook_deliveries_total", "Requests to webhook endpoints, by what became of them.", [
      [{ state: "succeeded" }, webhooksSucceededTotal],
      [{ state: "failed" }, webhooksFailedTotal],
    ]),
    gauge("captable_webhook_oldest_pending_seconds", "Age of the oldest event that an endpoint has not got yet.", [
      [{}, ageMs / MS],
    ]),
  ];
}

function dataMetrics({ reader, runtime, streams, figures }: MetricsParts): Metric[] {
  const nowMs = runtime.nowMs();
  const jobs = countJobs(reader);
  const ages = jobs.map(({ state, since }): Sample => [{ state }, ageSeconds(since, nowMs)]);
  const lag = Math.max(0, ...jobs.filter(isOnItsWay).map(({ since }) => ageSeconds(since, nowMs)));
  const reconciledAt = findOldestReconciliation(reader);
  const stampedAt = findLastTimestamp(reader);
  const backupMs = findSetting(reader, LAST_BACKUP);
  const copy = findOffsiteCopy(reader);
  const file = reader.sqlite.name;
  const disk = statfsSync(dirname(file));
  return [
    gauge("captable_info", "The program's version.", [[{ version: VERSION }, 1]]),
    gauge("captable_event_streams", "Streams of events that are open.", [[{}, streams()]]),
    counter("captable_mails_total", "Mails that came to an end, by kind and state.", mailSamples(figures())),
    gauge(
      "captable_outbox_jobs",
      "Background jobs by state.",
      jobs.map(({ state, count }) => [{ state }, count]),
    ),
    gauge("captable_outbox_oldest_seconds", "Age of the oldest job of the state.", ages),
    gauge("captable_chain_lag_seconds", "How far the chain is behind the ledger.", [[{}, lag]]),
    gauge(
      "captable_chain_reconciled_timestamp_seconds",
      "When the token compared longest ago was compared with the ledger.",
      reconciledAt === null ? [] : [[{}, Date.parse(reconciledAt) / MS]],
    ),
    gauge("captable_chain_differences", "Balances that differ between chain and ledger.", [
      [{}, countTokenDifferences(reader)],
    ]),
    gauge(
      "captable_last_backup_timestamp_seconds",
      "When the last backup was made.",
      backupMs === null ? [] : [[{}, Number(backupMs) / MS]],
    ),
    gauge(
      "captable_offsite_last_success_timestamp_seconds",
      "When the last copy of a backup elsewhere was finished.",
      copy === null ? [] : [[{}, copy.ms / MS]],
    ),
    gauge(
      "captable_timestamp_last_success_timestamp_seconds",
      "When the last time stamp of a checkpoint came.",
      stampedAt === null ? [] : [[{}, Date.parse(stampedAt) / MS]],
    ),
    gauge(
      "captable_ledger_head",
      "The number of the newest ledger entry.",
      listLedgerHeads(reader).map(({ id, sequence }) => [{ org: id }, sequence]),
    ),
    gauge(
      "captable_organization_stored_bytes",
      "What an organization stores: documents, originals and previews.",
      listStoredBytes(reader).map(({ id, storedBytes }) => [{ org: id }, storedBytes]),
    ),
    gauge("captable_database_bytes", "The database's files.", [
      [{ file: "db" }, fileBytes(file)],
      [{ file: "wal" }, fileBytes(`${file}-wal`)],
    ]),
    gauge("captable_disk_free_bytes", "Room left for the data directory.", [[{}, disk.bavail * disk.bsize]]),
    gauge("captable_resident_bytes", "Memory that the process holds.", [[{}, process.memoryUsage.rss()]]),
  ];
}

function isOnItsWay({ state }: { readonly state: string }): boolean {
  return state === "QUEUED" || state === "RUNNING";
}

function ageSeconds(since: string, nowMs: number): number {
  return Math.max(0, (nowMs - Date.parse(since)) / MS);
}

function fileBytes(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

function counter(name: string, help: string, samples: readonly Sample[]): Metric {
  return { name, type: "counter", help, samples };
}

function gauge(name: string, help: string, samples: readonly Sample[]): Metric {
  return { name, type: "gauge", help, samples };
}

function render({ name, type, help, samples }: Metric): string {
  const lines = samples.map(([labels, value, suffix = ""]) => {
    const shown = Object.entries(labels).map(([label, text]) => `${label}="${escapeLabel(String(text))}"`);
    return `${name}${suffix}${shown.length === 0 ? "" : `{${shown.join(",")}}`} ${value}`;
  });
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines].join("\n");
}

function escapeLabel(text: string): string {
  return text.replace(/["\\\n]/g, (character) => (character === "\n" ? "\\n" : `\\${character}`));
}
