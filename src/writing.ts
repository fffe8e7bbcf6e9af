// Everything of a service that writes: what requests change, the background work, and forgetting old answers. It is in the
// thread of the requests, or in one of its own (write-thread/).
import { LocalChanges } from "./changes/local.ts";
import { pruneAnswers } from "./database/idempotency.ts";
import { openReadOnly } from "./database/open.ts";
import type { Writer } from "./database/writer.ts";
import { JOBS_TIMING, Jobs, type JobsParts, type JobsTiming } from "./jobs/loop.ts";
import type { ChainSource } from "./jobs/session.ts";
import type { Runtime } from "./kernel/runtime.ts";
import type { Route } from "./route.ts";

const PRUNE_EVERY_MS = 60_000;
const PRUNE_ROWS_MAX = 1000;

/** What writing is made of. */
export interface WritingParts extends Pick<JobsParts, "activity" | "onTrouble"> {
  readonly writer: Writer;
  readonly runtime: Runtime;
  readonly routes: readonly Route[];
  /** Null: no share class gets a token. */
  readonly chain: ChainSource | null;
  readonly timing?: Partial<JobsTiming> | undefined;
}

/** Writes for a service; closes the writer's connection in the end. */
export class Writing {
  readonly changes: LocalChanges;
  readonly #writer: Writer;
  readonly #jobs: Jobs | null;
  readonly #closeJobs: () => void;
  readonly #pruning: Timer;

  constructor({ writer, runtime, routes, chain, timing, ...watching }: WritingParts) {
    this.#writer = writer;
    this.changes = new LocalChanges({ writer, runtime, routes });
    // Not the requests' connection: what a turn of theirs sees may be older than what the background work just wrote.
    const db = openReadOnly(writer.db.sqlite.name);
    this.#closeJobs = () => void db.sqlite.close();
    const parts = { db, writer, runtime, timing: { ...JOBS_TIMING, ...timing }, ...watching };
    this.#jobs = chain && new Jobs({ ...parts, source: chain });
    this.#pruning = setInterval(() => {
      writer.submit((tx) => pruneAnswers(tx, runtime.nowMs(), PRUNE_ROWS_MAX)).catch(() => undefined);
    }, PRUNE_EVERY_MS);
  }

  /** Begins the background work. */
  begin(): void {
    this.#jobs?.start();
  }

  /** Finishes the step in hand and what waits to be written. */
  async stop(): Promise<void> {
    clearInterval(this.#pruning);
    await this.#jobs?.stop();
    await this.#writer.drain();
    this.#closeJobs();
    const { sqlite } = this.#writer.db;
    sqlite.pragma("wal_checkpoint(TRUNCATE)");
    sqlite.close();
  }
}
