// The only opener of write transactions. Requests that arrive while the writer is busy, or in the same turn of the
// event loop, share one commit (and one fsync); a failing one undoes only itself, and no answer goes out before the
// commit is on disk. Work is synchronous; a promise in here is a bug.
//
// A savepoint makes SQLite copy each page that is then changed, and work rarely fails after it began to write. So
// repeatable work runs without one: if it fails late, the whole batch is undone and runs again with savepoints.
import { Problem } from "../../kernel/problem.ts";
import { type Reader, setWaiting, type Tx } from "./sql.ts";
import { isBroken, isStorageFailure, sqliteCode } from "./storage-failure.ts";
import { WaitingRows } from "./waiting-rows.ts";

const BATCH_MAX = 256;
/** How long a batch accepts more work: reads meanwhile wait for it and its commit. */
const BATCH_MS_MAX = 4;
const QUEUE_MAX = 10_000;
const LOCK_RETRY_MS = 3;
const LOCK_WAIT_MAX_MS = 10_000;

/** Thrown by a work function to undo its writes and still answer `value`: a dry run. */
export class RollBack<T> {
  constructor(readonly value: T) {}
}

/** Thrown to undo a batch and run it again, with savepoints. */
class RunAgain extends Error {}

/**
 * How often work may run: `repeatable` work may be undone and run a second time, as it changes only the database; the
 * new rows of `waiting` work, which is repeatable, may wait for the end of its batch. It opens no savepoints.
 */
export type Times = "once" | "repeatable" | "waiting";

interface Item {
  readonly work: (tx: Tx) => unknown;
  isRepeatable: boolean;
  readonly mayWait: boolean;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
  settle: () => void;
}

/** Statistics of the commits so far, for `/metrics`. */
export interface WriterStatistics {
  commits: number;
  items: number;
  commitSeconds: number;
  lastBatch: number;
}

/** The single writer of a database, with group commit. */
export class Writer {
  readonly statistics: WriterStatistics = {
    commits: 0,
    items: 0,
    commitSeconds: 0,
    lastBatch: 0,
  };
  /** The writing connection: reads through it between two batches always see the last commit. */
  readonly db: Reader;
  readonly #tx: Tx;
  readonly #letsRowsWait: boolean;
  readonly #onBroken: (error: Error) => void;
  readonly #begins: { run(): unknown };
  readonly #commits: { run(): unknown };
  readonly #savepoint: { run(): unknown };
  readonly #release: { run(): unknown };
  readonly #changes: { get(): number | undefined };
  #waiting: WaitingRows | null = null;
  #queue: Item[] = [];
  #isScheduled = false;
  #lockedSinceMs: number | null = null;
  #idle: (() => void)[] = [];

  /**
   * `onBroken` is called after an I/O error or damage; the process should then end, since the content of the disk is
   * unknown. With `letsRowsWait` false no rows wait: the database is the same in the end.
   */
  constructor(db: Reader, onBroken: (error: Error) => void, { letsRowsWait = true } = {}) {
    this.db = db;
    this.#letsRowsWait = letsRowsWait;
    this.#tx = { sqlite: db.sqlite, isWritable: true };
    this.#onBroken = onBroken;
    this.#begins = db.sqlite.prepare("BEGIN IMMEDIATE");
    this.#commits = db.sqlite.prepare("COMMIT");
    this.#savepoint = db.sqlite.prepare("SAVEPOINT item");
    this.#release = db.sqlite.prepare("RELEASE item");
    this.#changes = db.sqlite.prepare<[], number>("select total_changes()").pluck();
  }

  /**
   * Runs `work` in the next commit; settles when that commit is on disk, or when the writes of `work` were undone.
   */
  submit<T>(work: (tx: Tx) => T, times: Times = "once"): Promise<T> {
    if (this.#queue.length >= QUEUE_MAX) {
      return Promise.reject(
        new Problem("unavailable", "Too many writes are waiting.", undefined, { retryAfterSeconds: 1 }),
      );
    }
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const [isRepeatable, mayWait] = [times !== "once", times === "waiting" && this.#letsRowsWait];
    this.#queue.push({ work, isRepeatable, mayWait, resolve, reject, settle: () => undefined });
    this.#schedule();
    return promise as Promise<T>;
  }

  /** Settles when no write is waiting. */
  async drain(): Promise<void> {
    if (this.#queue.length === 0 && !this.#isScheduled) return;
    await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  #schedule(delayMs = 0): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    if (delayMs > 0) setTimeout(() => this.#flush(), delayMs);
    else setImmediate(() => this.#flush());
  }

  #flush(): void {
    this.#isScheduled = false;
    if (!this.#begin()) return;
    const batch: Item[] = [];
    try {
      this.#runBatch(batch);
      this.#settleWaiting();
      const started = performance.now();
      this.#commits.run();
      this.#count(batch.length, performance.now() - started);
    } catch (error) {
      this.#forgetWaiting();
      this.#rollBack();
      if (error instanceof RunAgain) {
        for (const item of batch) item.isRepeatable = false;
        this.#schedule();
        return;
      }
      this.#abandon(error, batch);
    }
    this.#queue.splice(0, batch.length);
    for (const item of batch) item.settle();
    if (this.#queue.length > 0) this.#schedule();
    else for (const done of this.#idle.splice(0)) done();
  }

  /** Runs waiting work while time is left, and adds it to `batch`. */
  #runBatch(batch: Item[]): void {
    const until = performance.now() + BATCH_MS_MAX;
    let isRepeatable = true;
    for (const item of this.#queue) {
      batch.push(item);
      isRepeatable &&= item.isRepeatable;
      if (!isRepeatable || !item.mayWait) this.#settleWaiting();
      if (!isRepeatable) this.#runInSavepoint(item);
      else this.#run(item, item.mayWait ? this.#letWait() : this.#tx);
      if (batch.length === BATCH_MAX || performance.now() >= until) return;
    }
  }

  /** Opens the transaction; false when another process holds the lock and a retry is scheduled. */
  #begin(): boolean {
    try {
      this.#begins.run();
      this.#lockedSinceMs = null;
      return true;
    } catch (error) {
      this.#lockedSinceMs ??= performance.now();
      const isBusy = sqliteCode(error).startsWith("SQLITE_BUSY");
      if (isBusy && performance.now() - this.#lockedSinceMs < LOCK_WAIT_MAX_MS) {
        this.#schedule(LOCK_RETRY_MS);
        return false;
      }
      this.#lockedSinceMs = null;
      const batch = this.#queue.splice(0);
      this.#abandon(error, batch);
      for (const item of batch) item.settle();
      for (const done of this.#idle.splice(0)) done();
      return false;
    }
  }

  /** Runs an item. Throws {@link RunAgain} when it fails and has written something. */
  #run(item: Item, tx: Tx): void {
    const written = this.#written();
    try {
      this.#settleWith(item, item.work(tx));
    } catch (error) {
      if (isStorageFailure(error) || !this.#tx.sqlite.inTransaction) throw error;
      if (this.#written() !== written) throw new RunAgain();
      this.#settleFailed(item, error);
    }
  }

  /** A count that each write moves: of rows that wait when they are added, and not again when they are inserted. */
  #written(): number {
    return (this.#changes.get() ?? 0) + (this.#waiting?.count ?? 0);
  }

  /** The handle of work whose rows may wait. */
  #letWait(): Tx {
    if (this.#waiting === null) {
      this.#waiting = new WaitingRows(this.#tx);
      setWaiting(this.#tx, this.#waiting);
    }
    return this.#waiting.tx;
  }

  /** Inserts the rows that wait, and forgets what was remembered. Throws {@link RunAgain} if one is refused. */
  #settleWaiting(): void {
    const waiting = this.#waiting;
    if (waiting === null) return;
    try {
      waiting.settle();
    } catch (error) {
      if (isStorageFailure(error) || !this.#tx.sqlite.inTransaction) throw error;
      throw new RunAgain();
    }
    this.#forgetWaiting();
  }

  #forgetWaiting(): void {
    this.#waiting = null;
    setWaiting(this.#tx, null);
  }

  #runInSavepoint(item: Item): void {
    const { sqlite } = this.#tx;
    this.#savepoint.run();
    try {
      this.#settleWith(item, item.work(this.#tx));
      this.#release.run();
    } catch (error) {
      // A full disk may have rolled back the whole transaction already: then no write of the batch was kept.
      if (!sqlite.inTransaction) throw error;
      sqlite.exec("ROLLBACK TO item; RELEASE item");
      if (isStorageFailure(error)) throw error;
      this.#settleFailed(item, error);
    }
  }

  #settleWith(item: Item, value: unknown): void {
    if (value instanceof Promise) throw new TypeError("work inside a write transaction must be synchronous");
    item.settle = () => item.resolve(value);
  }

  #settleFailed(item: Item, error: unknown): void {
    if (error instanceof RollBack) item.settle = () => item.resolve(error.value);
    else item.settle = () => item.reject(error);
  }

  /**
   * The batch was not written, so every request in it fails. After a disk error that is uncertain, and the process
   * ends.
   */
  #abandon(error: unknown, batch: readonly Item[]): void {
    const broken = error instanceof Error && isBroken(error, this.#tx.sqlite.name) ? error : null;
    const told = isStorageFailure(error) ? unavailable(broken !== null, error) : error;
    for (const item of batch) item.settle = () => item.reject(told);
    if (broken) this.#onBroken(broken);
  }

  #rollBack(): void {
    try {
      if (this.#tx.sqlite.inTransaction) this.#tx.sqlite.exec("ROLLBACK");
    } catch {
      // Report the original failure.
    }
  }

  #count(items: number, commitMs: number): void {
    this.statistics.commits++;
    this.statistics.items += items;
    this.statistics.commitSeconds += commitMs / 1000;
    this.statistics.lastBatch = items;
  }
}

function unavailable(isBroken: boolean, cause: unknown): Problem {
  const outcome = isBroken
    ? "whether this was kept is known after the restart; send it again with the same Idempotency-Key"
    : "nothing was kept";
  return new Problem("unavailable", `The database cannot be written at the moment; ${outcome}.`, undefined, {
    retryAfterSeconds: 5,
    cause,
  });
}
