// The writing side of a service: changes of requests, long writes, background work, and the removal of old answers. It
// runs in the thread of the requests, or in one of its own (server/threads/write/).

import { type Runtime, toTimestamp } from "../../kernel/runtime.ts";
import { COMMANDS } from "../../people/commands.ts";
import { pruneSessions } from "../../people/stores/session-store.ts";
import type { Route } from "../../resources/route.ts";
import { pruneAnswers } from "../../storage/database/idempotency.ts";
import { openReadOnly } from "../../storage/database/open.ts";
import type { Reader, Tx } from "../../storage/database/sql.ts";
import type { Writer } from "../../storage/database/writer.ts";
import { JOBS_TIMING, Jobs, type JobsParts, type JobsTiming } from "../../tokens/jobs/loop.ts";
import type { ChainSource } from "../../tokens/jobs/session.ts";
import { LocalChanges, type LocalParts } from "../changes/local.ts";
import { LongWrites } from "../long-writes/loop.ts";
import { FOLLOW_TASKS } from "../threads/follow/followers.ts";

const PRUNE_EVERY_MS = 60_000;
const PRUNE_ROWS_MAX = 1000;
const SESSION_KEPT_MS = 90 * 86_400_000;
/** How long after its arrival a request counts as recent. */
const RECENT_MS = 50;

/** What writing needs. */
export interface WritingParts extends Pick<JobsParts, "onTrouble"> {
  readonly writer: Writer;
  readonly runtime: Runtime;
  readonly routes: readonly Route[];
  /** Null: no share class gets a token. */
  readonly chain: ChainSource | null;
  readonly timing?: Partial<JobsTiming> | undefined;
  /** The tasks of the follow thread, instead of the usual. */
  readonly followTasks?: LocalParts["followTasks"] | undefined;
  /** When a request last came, on this thread's clock of `performance.now()`. */
  readonly lastRequestMs: () => number;
}

/** Removes old answers, and sessions that ended long ago. */
function forgetOld(tx: Tx, nowMs: number): void {
  pruneAnswers(tx, nowMs, PRUNE_ROWS_MAX);
  pruneSessions(tx, { before: toTimestamp(nowMs - SESSION_KEPT_MS), most: PRUNE_ROWS_MAX });
}

/** Writes for a service; closes the writer's connection in the end. */
export class Writing {
  readonly changes: LocalChanges;
  readonly #writer: Writer;
  readonly #jobs: Jobs | null;
  readonly #longWrites: LongWrites;
  /**
   * Reads of the background work. Not the requests' connection: the snapshot of a turn may be older than the last
   * write.
   */
  readonly #jobsReader: Reader;
  readonly #lastRequestMs: () => number;
  readonly #pruning: Timer;

  constructor({ writer, runtime, routes, chain, timing: given, onTrouble, lastRequestMs, ...more }: WritingParts) {
    const { followTasks = FOLLOW_TASKS } = more;
    this.#writer = writer;
    this.#lastRequestMs = lastRequestMs;
    this.changes = new LocalChanges({ writer, runtime, routes, commands: COMMANDS, followTasks });
    this.#jobsReader = openReadOnly(writer.db.sqlite.name);
    const [db, timing, activity] = [this.#jobsReader, { ...JOBS_TIMING, ...given }, () => this.#activity()];
    this.#jobs = chain && new Jobs({ db, writer, runtime, timing, activity, onTrouble, source: chain });
    const isBusy = () => activity() === "writing";
    this.#longWrites = new LongWrites({ db, writer, runtime, isBusy, onTrouble });
    this.#pruning = setInterval(() => {
      writer.submit((tx) => forgetOld(tx, runtime.nowMs())).catch(() => undefined);
    }, PRUNE_EVERY_MS);
  }

  /** Begins the background work, and continues what was not finished. */
  begin(): void {
    this.#longWrites.start();
    this.#jobs?.start();
  }

  /** Finishes the current step and the writes that wait. */
  async stop(): Promise<void> {
    clearInterval(this.#pruning);
    await this.#longWrites.stop();
    await this.#jobs?.stop();
    await this.#writer.drain();
    this.#jobsReader.sqlite.close();
    const { sqlite } = this.#writer.db;
    sqlite.pragma("wal_checkpoint(TRUNCATE)");
    sqlite.close();
  }

  /** The load by requests, for work that can wait: they write, or read, or there are no requests. */
  #activity(): ReturnType<JobsParts["activity"]> {
    const nowMs = performance.now();
    if (nowMs - this.changes.lastWriteMs < RECENT_MS) return "writing";
    return nowMs - this.#lastRequestMs() < RECENT_MS ? "reading" : "idle";
  }
}
