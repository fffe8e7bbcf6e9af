// Undoes a part of a write transaction: an import takes in the other objects when one of them is refused.
import type { Tx } from "./sql.ts";

/** Runs `work`; when it throws, what it wrote is undone and the rest of the transaction stays. */
export function inSavepoint<T>(tx: Tx, work: () => T): T {
  tx.sqlite.exec("SAVEPOINT part");
  try {
    const value = work();
    tx.sqlite.exec("RELEASE part");
    return value;
  } catch (error) {
    // A full disk may have undone the whole transaction already.
    if (tx.sqlite.inTransaction) tx.sqlite.exec("ROLLBACK TO part; RELEASE part");
    throw error;
  }
}
