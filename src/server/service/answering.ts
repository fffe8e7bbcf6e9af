// The answering side of a service: its edge, the desk of people, and the public routes.

import { IMPORT_OPERATIONS } from "../../exchange/spreadsheet/routes.ts";
import { AddressLimiter, RateLimiter } from "../../kernel/rate-limit.ts";
import { toTimestamp } from "../../kernel/runtime.ts";
import { type DeskParts, makeDesk } from "../../people/auth-services.ts";
import { accessRoutes } from "../../people/routes.ts";
import type { Route } from "../../resources/route.ts";
import { makeCheckpoint } from "../../safekeeping/checkpoint/make.ts";
import { emptySpoolFolder } from "../../storage/data-dir/directory.ts";
import type { Config } from "../config.ts";
import type { RequestCounters } from "../http/answers/counters.ts";
import { docsRoutes } from "../http/answers/docs.ts";
import { healthRoutes } from "../http/answers/health.ts";
import { metricsRoute } from "../http/answers/metrics.ts";
import { pageStyle } from "../http/answers/page.ts";
import { problemPage } from "../http/answers/problem-pages.ts";
import { webRoutes } from "../http/answers/web.ts";
import type { Edge, EdgeParts } from "../http/edge.ts";
import { openApiRoute } from "../http/openapi/openapi-route.ts";
import type { BackgroundThreads } from "./background.ts";
import { calendarRoute } from "./calendars.ts";
import type { ServiceParts } from "./parts.ts";
import type { Writes } from "./writes.ts";

const FAILED_SIGN_INS_PER_MINUTE = 60;
const BURST_SHARE = 6;
/** An organization may send as many requests as this number of its keys, however many it has. */
const KEYS_OF_ORGANIZATION = 4;
const MEBIBYTE = 1024 * 1024;
/** A thousand entries take about ten milliseconds to replay, which no user notices. */
const LONG_FROM_ENTRIES = 1000;

/** What routes of people need: sign-in and its factors. */
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

/** Rate limits of keys, organizations and failed sign-ins; null: not limited. */
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

/** What the edge needs. */
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
  readonly edge: Edge;
  /** What the follow thread has told. */
  readonly figures: () => Readonly<Record<string, number>>;
  readonly writes: Writes;
  readonly counters: RequestCounters;
  readonly routes: readonly Route[];
}

/** The public routes. */
export function publicRoutesOf(
  { config, ports, data, address }: ServiceParts,
  { writes: { changes, keys }, counters, routes, edge, figures }: PublicNeeds,
) {
  const { reader } = data;
  const { runtime } = ports;
  const { publicUrl } = address;
  const isPublic = config.metrics === "public";
  const streams = () => edge.streamCount;
  const calendars = calendarRoute({ keys, edge, nowMs: () => runtime.nowMs(), publicUrl });
  return [
    ...healthRoutes(changes),
    metricsRoute({
      ...{ reader, changes, counters, streams, figures, runtime, isPublic, publicUrl },
    }),
    openApiRoute([...routes, ...accessRoutes]),
    ...(config.dashboard === "off" ? [] : [...webRoutes, calendars]),
    ...docsRoutes,
    problemPage,
    pageStyle,
  ];
}
