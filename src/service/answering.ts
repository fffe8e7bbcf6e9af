// What a service answers requests with: its edge, the desk of people, and what is answered to everybody.
import { type DeskParts, makeDesk } from "../access/desk.ts";
import { accessRoutes } from "../access/routes.ts";
import { makeCheckpoint } from "../checkpoint/make.ts";
import type { Config } from "../config.ts";
import { emptySpoolFolder } from "../data-dir/directory.ts";
import type { RequestCounters } from "../http/counters.ts";
import { docsRoutes } from "../http/docs.ts";
import type { EdgeParts } from "../http/edge.ts";
import { healthRoutes } from "../http/health.ts";
import { metricsRoute } from "../http/metrics.ts";
import { openApiRoute } from "../http/openapi-route.ts";
import { pageStyle } from "../http/page.ts";
import { problemPage } from "../http/problem-pages.ts";
import { webRoutes } from "../http/web.ts";
import { AddressLimiter, RateLimiter } from "../kernel/rate-limit.ts";
import { toTimestamp } from "../kernel/runtime.ts";
import type { Route } from "../route.ts";
import { IMPORT_OPERATIONS } from "../spreadsheet/routes.ts";
import type { BackgroundThreads } from "./background.ts";
import type { ServiceParts } from "./parts.ts";
import type { Writes } from "./writes.ts";

const FAILED_SIGN_INS_PER_MINUTE = 60;
const BURST_SHARE = 6;
/** An organization may ask as often as so many of its keys, however many it has. */
const KEYS_OF_ORGANIZATION = 4;
const MEBIBYTE = 1024 * 1024;
/** A thousand entries take about ten milliseconds to replay, which nobody notices. */
const LONG_FROM_ENTRIES = 1000;

/** What answers people: who signs in, and with what. */
export function deskOf(
  { config, ports, data, address }: ServiceParts,
  writes: Writes,
  provider: DeskParts["provider"],
) {
  const { dataDir, backupDir, backupEveryHours, sessionIdleMinutes, sessionHours } = config;
  const organizationBytes = config.organizationStorageMb * MEBIBYTE;
  const chain = config.chain === "off" ? null : { isEmbedded: config.chainRpcUrl === null };
  return makeDesk({
    ...{ dataDir, provider, sessionIdleMinutes, sessionHours, publicUrl: address.publicUrl, runtime: ports.runtime },
    ...{ db: writes.keys, changes: writes.changes },
    checkpoint: (nowMs) => makeCheckpoint(writes.keys, null, toTimestamp(nowMs), data.signer).note,
    instance: { environment: data.environment, chain, backupDir, backupEveryHours, organizationBytes },
  });
}

/** How often keys, organizations and failed sign-ins may ask; null where that is not limited. */
function limitersOf({ rateLimit, organizationRateLimit }: Config) {
  const ofAll = organizationRateLimit ?? rateLimit * KEYS_OF_ORGANIZATION;
  return {
    keyLimiter: rateLimit === 0 ? null : new RateLimiter(rateLimit, rateLimit / BURST_SHARE),
    organizationLimiter: ofAll === 0 ? null : new RateLimiter(ofAll, ofAll / BURST_SHARE),
    failureLimiter: rateLimit === 0 ? null : new AddressLimiter(FAILED_SIGN_INS_PER_MINUTE, FAILED_SIGN_INS_PER_MINUTE),
  };
}

interface EdgeNeeds {
  readonly writes: Writes;
  readonly background: BackgroundThreads;
  readonly desk: EdgeParts["desk"];
  readonly counters: RequestCounters;
}

/** What the edge is made of. */
export function edgeParts(
  { config, ports, data, address, log, onFailure }: ServiceParts,
  { writes, background, desk, counters }: EdgeNeeds,
): EdgeParts {
  const { keys, changes, lastRequest } = writes;
  return {
    ...{ desk, keys, changes, lastRequest, counters, onFailure, log },
    ...limitersOf(config),
    reader: data.reader,
    environment: data.environment,
    runtime: ports.runtime,
    onWritten: (operationId) => {
      if (IMPORT_OPERATIONS.has(operationId)) background.imports.look();
    },
    get publicUrl() {
      return address.publicUrl();
    },
    bodyBytesMax: config.bodyLimitMb * MEBIBYTE,
    files: background.files,
    turns: ports.turns ?? {},
    elsewhere: {
      reads: background.reads,
      reports: background.reports,
      fromEntries: ports.longFromEntries ?? LONG_FROM_ENTRIES,
    },
    spoolFolder: emptySpoolFolder(config.dataDir),
    slowest: ports.slowest,
  };
}

interface PublicNeeds {
  readonly writes: Writes;
  readonly counters: RequestCounters;
  readonly routes: readonly Route[];
}

/** What is answered to everybody. */
export function publicRoutesOf(
  { config, ports, data, address }: ServiceParts,
  { writes: { changes }, counters, routes }: PublicNeeds,
) {
  const { reader } = data;
  const isPublic = config.metrics === "public";
  return [
    ...healthRoutes(changes),
    metricsRoute({ reader, changes, counters, runtime: ports.runtime, isPublic, publicUrl: address.publicUrl }),
    openApiRoute([...routes, ...accessRoutes]),
    ...(config.dashboard === "off" ? [] : webRoutes),
    ...docsRoutes,
    problemPage,
    pageStyle,
  ];
}
