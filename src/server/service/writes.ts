// The writer of a service: in the thread of the requests, or in one of its own.

import type { ImportsUnderWay } from "../../exchange/ocf/import/under-way.ts";
import { present } from "../../kernel/assert.ts";
import type { Route } from "../../resources/route.ts";
import { hasLongWrite } from "../../storage/database/long-writes.ts";
import { dataVersion, openReadOnly } from "../../storage/database/open.ts";
import type { Reader } from "../../storage/database/sql.ts";
import type { Writer } from "../../storage/database/writer.ts";
import { hasWork } from "../../tokens/jobs/work.ts";
import type { Changes } from "../changes/task.ts";
import { tasksOf } from "../threads/follow/followers.ts";
import { RemoteChanges } from "../threads/write/write-thread-client.ts";
import type { ServiceParts } from "./parts.ts";

const LOOK_FOR_WORK_MS = 1000;

/** The writer and what belongs to it. */
export interface Writes {
  readonly changes: Changes;
  /** The writer in this thread; null if writes have a thread of their own. */
  readonly writer: Writer | null;
  /** The connection in which keys and sessions are looked up. */
  readonly keys: Reader;
  /** The connection that notices commits of other programs. */
  readonly watching: Reader;
  /** When a request last came, and one that may write, on the clock of `performance.now()`. */
  readonly lastRequest: Float64Array;
  /** Begins the work that no request asks for. */
  begin(): void;
  /** Ends the work and closes the connections. */
  stop(): Promise<void>;
}

/** Makes the writer: in this thread, or in one of its own. */
export async function writesOf(
  parts: ServiceParts,
  routes: readonly Route[],
  imports: ImportsUnderWay,
): Promise<Writes> {
  const { ports, data } = parts;
  const { reader } = data;
  const watching = openReadOnly(reader.sqlite.name);
  const lastRequest = new Float64Array(new SharedArrayBuffer(2 * Float64Array.BYTES_PER_ELEMENT));
  lastRequest.fill(Number.NEGATIVE_INFINITY);
  const shared = { watching, lastRequest };
  return ports.isThreaded === true ? writesInThread(parts, shared, imports) : await writesHere(parts, shared, routes);
}

type SharedWrites = Pick<Writes, "watching" | "lastRequest">;

async function writesHere(
  { ports, data, onTrouble }: ServiceParts,
  shared: SharedWrites,
  routes: readonly Route[],
): Promise<Writes> {
  const { Writing } = await import("./writing.ts");
  const { runtime, jobsTiming: timing } = ports;
  const { writer, reader, chain } = data;
  const followTasks = ports.followers && tasksOf(ports.followers);
  const lastRequestMs = () => present(shared.lastRequest[0], "when a request last came");
  const writing = new Writing({ writer, runtime, routes, chain, timing, lastRequestMs, onTrouble, followTasks });
  return {
    ...shared,
    changes: writing.changes,
    writer,
    // On the writer's own connection a commit of this program is not a change by another.
    keys: writer.db,
    begin: () => writing.begin(),
    async stop() {
      for (const { sqlite } of [shared.watching, reader]) sqlite.close();
      await writing.stop();
    },
  };
}

function writesInThread(parts: ServiceParts, shared: SharedWrites, imports: ImportsUnderWay): Writes {
  const { config, ports, data, address, onTrouble } = parts;
  const { writer, reader, environment, chain } = data;
  const { publicUrl } = address;
  const { onBroken } = ports;
  const { lastRequest, watching } = shared;
  const tellImport = imports.tell;
  const remote = new RemoteChanges({ config, environment, publicUrl, lastRequest, onBroken, onTrouble, tellImport });
  // The thread has a connection of its own.
  writer.db.sqlite.close();
  let watch: Timer | null = null;
  return {
    ...shared,
    changes: remote,
    writer: null,
    keys: watching,
    begin() {
      watch = watchForWork(remote, watching, chain !== null);
    },
    async stop() {
      if (watch) clearInterval(watch);
      for (const { sqlite } of [watching, reader]) sqlite.close();
      await remote.stop();
    },
  };
}

/** Begins the writing thread as soon as there is background work, of this program or another. */
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
