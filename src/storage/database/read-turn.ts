// Read snapshots: reads in one turn of the event loop share one, since taking SQLite's read lock costs more than
// reading a record. The snapshot ends with the turn, so a client that got a write's answer sees the write in its next
// request.
import { dataVersion } from "./open.ts";
import type { Reader } from "./sql.ts";
import { isStorageFailure } from "./storage-failure.ts";

/**
 * Makes the function that opens the turn's snapshot on `db`, if it is not open; call it before reading. `onChange` is
 * called if any process has committed since the last snapshot: caches of that snapshot are then stale.
 */
export function makeReadTurns(db: Reader, onChange: () => void): () => void {
  let version = -1;
  const begin = db.sqlite.prepare("BEGIN");
  const commit = db.sqlite.prepare("COMMIT");
  const end = () => {
    if (!db.sqlite.open || !db.sqlite.inTransaction) return;
    try {
      commit.run();
    } catch (error) {
      if (!isStorageFailure(error)) throw error;
      if (db.sqlite.inTransaction) db.sqlite.exec("ROLLBACK");
    }
  };
  return () => {
    if (db.sqlite.inTransaction) return;
    begin.run();
    setImmediate(end);
    const now = dataVersion(db);
    if (now !== version) onChange();
    version = now;
  };
}
