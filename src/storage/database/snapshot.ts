// Snapshots: several reads of one state of the database while others write; and the check for a damaged file.
import { dataVersion, openReadOnly } from "./open.ts";
import type { Reader } from "./sql.ts";

/** Runs `read` against the database as it is now, unaffected by writes meanwhile. Nests. */
export function inSnapshot<T>(db: Reader, read: () => T): T {
  if (db.sqlite.inTransaction) return read();
  db.sqlite.exec("BEGIN");
  try {
    return read();
  } finally {
    endSnapshot(db);
  }
}

/** Takes the steps of a read of the database as it is now, with a pause between two. */
export async function inSlices<T>(db: Reader, steps: Generator<void, T>, pause: () => Promise<void>): Promise<T> {
  db.sqlite.exec("BEGIN");
  try {
    for (;;) {
      const { done, value } = steps.next();
      if (done) return value;
      await pause();
    }
  } finally {
    db.sqlite.exec("ROLLBACK");
  }
}

/** The page cache in KB: a full scan rarely reads a page twice. */
const KEPT_KB = 8192;

/** A connection of its own to the database in `file`, as it is at this moment; the caller closes it. */
export function openSnapshot(file: string): Reader {
  const db = openReadOnly(file);
  begin(db);
  return db;
}

/** Begins a snapshot, and returns its `dataVersion`: `BEGIN` alone would leave the moment to the first read. */
function begin(db: Reader): number {
  db.sqlite.pragma(`cache_size = -${KEPT_KB}`);
  db.sqlite.exec("BEGIN");
  return dataVersion(db);
}

/** How often a moment without a commit is looked for. */
const TRIES = 50;

/**
 * Begins a snapshot of `db`, and has others begin theirs of the very same moment, however busy the writer is: those
 * count between whose first and last none has committed. `beginOthers` begins them, anew if it is called again. Returns
 * whether there was such a moment; if not, `db` has no snapshot. End it with {@link endSnapshot}.
 */
export async function beginTogether(db: Reader, beginOthers: () => Promise<void>): Promise<boolean> {
  for (let tries = 0; tries < TRIES; tries++) {
    const before = dataVersion(db);
    await beginOthers();
    if (begin(db) === before) return true;
    endSnapshot(db);
  }
  return false;
}

/** Ends a snapshot. */
export function endSnapshot(db: Reader): void {
  if (db.sqlite.inTransaction) db.sqlite.exec("ROLLBACK");
}

/** The most bytes ready for a reader that is slower than the writer. */
const READY_BYTES_MAX = 256 * 1024;

/** A byte stream made from a snapshot. Read it to its end or cancel it; both close the snapshot. */
export function streamOf(bytes: AsyncGenerator<Uint8Array, void>, close: () => void): ReadableStream<Uint8Array> {
  const end = async () => {
    await bytes.return(undefined);
    close();
  };
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await bytes.next();
          if (value) controller.enqueue(value);
          if (!done) return;
          await end();
          controller.close();
        } catch (error) {
          await end();
          controller.error(error);
        }
      },
      cancel: end,
    },
    new ByteLengthQueuingStrategy({ highWaterMark: READY_BYTES_MAX }),
  );
}

/** Whether SQLite found that the file is not a sound database. */
export function isDamagedFile(error: Error): boolean {
  return "code" in error && /^SQLITE_(CORRUPT|NOTADB)/.test(String(error.code));
}
