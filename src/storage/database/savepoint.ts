// Savepoints: undo a part of a write transaction, so that an import keeps its other objects when one is refused. In a
// savepoint, SQLite copies each page that changes, and a refused part has rarely written anything: so parts run without
// savepoints first, and the whole transaction runs again with them if a part needs one.
import type BetterSqlite3 from "better-sqlite3";
import { assert } from "../../kernel/assert.ts";
import type { Tx } from "./sql.ts";
import type { Writer } from "./writer.ts";

const prepared = new WeakMap<BetterSqlite3.Database, ReturnType<typeof prepare>>();

function prepare({ sqlite }: Tx) {
  return {
    begin: sqlite.prepare("SAVEPOINT part"),
    release: sqlite.prepare("RELEASE part"),
    changes: sqlite.prepare<[], number>("select total_changes()").pluck(),
  };
}

function statementsOf(tx: Tx) {
  const known = prepared.get(tx.sqlite) ?? prepare(tx);
  prepared.set(tx.sqlite, known);
  return known;
}

/** Runs `work`; if it throws, its writes are undone and the rest of the transaction stays. */
export function inSavepoint<T>(tx: Tx, work: () => T): T {
  assert(tx.waiting === undefined, "a savepoint would not undo the rows that wait");
  const { begin, release } = statementsOf(tx);
  begin.run();
  try {
    const value = work();
    release.run();
    return value;
  } catch (error) {
    // A full disk may have rolled back the whole transaction already.
    if (tx.sqlite.inTransaction) tx.sqlite.exec("ROLLBACK TO part; RELEASE part");
    throw error;
  }
}

/** Thrown to roll back a transaction and run it again with savepoints, because a part failed after writing. */
export class NeedsSavepoint extends Error {
  override readonly name = "NeedsSavepoint";
}

/** Runs `work`, which rarely fails after writing. Throws {@link NeedsSavepoint} if it does. */
export function withoutSavepoint<T>(tx: Tx, work: () => T): T {
  const { changes } = statementsOf(tx);
  const before = changes.get();
  try {
    return work();
  } catch (error) {
    if (changes.get() !== before) throw new NeedsSavepoint();
    throw error;
  }
}

/**
 * Runs a writer's work without savepoints first, and again with them if a part fails after writing. The work may run
 * several times, so it must change only the database.
 */
export async function submitHopefully<T>(writer: Writer, work: (tx: Tx, usesSavepoints: boolean) => T): Promise<T> {
  let times = 0;
  try {
    return await writer.submit((tx) => work(tx, times++ > 0), "repeatable");
  } catch (error) {
    // After work that may run only once, the writer does not repeat this by itself.
    if (!(error instanceof NeedsSavepoint)) throw error;
    return await writer.submit((tx) => work(tx, true));
  }
}
