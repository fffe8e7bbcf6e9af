// Undoes a part of a write transaction: an import takes in the other objects when one of them is refused.
import type BetterSqlite3 from "better-sqlite3";
import type { Tx } from "./sql.ts";

const prepared = new WeakMap<BetterSqlite3.Database, ReturnType<typeof prepare>>();

function prepare({ sqlite }: Tx) {
  return { begin: sqlite.prepare("SAVEPOINT part"), release: sqlite.prepare("RELEASE part") };
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
