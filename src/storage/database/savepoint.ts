// Undoes a part of a write transaction: an import takes in the others when one of its objects or rows is refused. SQLite
// copies each page that is changed in a savepoint, and hardly anything that is refused has begun to write: so parts run
// without one at first, and the whole is done again with them where one turns out to need it.
import type BetterSqlite3 from "better-sqlite3";
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

/** Runs `work`; when it throws, what it wrote is undone and the rest of the transaction stays. */
export function inSavepoint<T>(tx: Tx, work: () => T): T {
  const { begin, release } = statementsOf(tx);
  begin.run();
  try {
    const value = work();
    release.run();
    return value;
  } catch (error) {
    // A full disk may have undone the whole transaction already.
    if (tx.sqlite.inTransaction) tx.sqlite.exec("ROLLBACK TO part; RELEASE part");
    throw error;
  }
}

/** Thrown to have a transaction undone and done again with savepoints, because a part of it failed that had written. */
export class NeedsSavepoint extends Error {
  override readonly name = "NeedsSavepoint";
}

/** Runs `work`, which hardly ever fails once it has written. Throws {@link NeedsSavepoint} where it does. */
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
 * Has a writer do work that needs savepoints only where a part of it fails after writing: at first it has none.
 * The work may be done several times, so it changes nothing but the database.
 */
export async function submitHopefully<T>(writer: Writer, work: (tx: Tx, usesSavepoints: boolean) => T): Promise<T> {
  let times = 0;
  try {
    return await writer.submit((tx) => work(tx, times++ > 0), "repeatable");
  } catch (error) {
    // Behind work that is done once only, the writer does not repeat this by itself.
    if (!(error instanceof NeedsSavepoint)) throw error;
    return await writer.submit((tx) => work(tx, true));
  }
}
