// Reads of one turn of the event loop share one snapshot: taking SQLite's read lock costs more than reading a record.
// The snapshot ends with the turn, so whoever was told of a write sees it in the next request.
import { dataVersion } from "./open.ts";
import type { Reader } from "./sql.ts";
import { isStorageFailure } from "./storage-failure.ts";

/**
 * Makes the function that opens the turn's snapshot on `db`, if none is open; call it before reading. `onChange` is
 * called when anybody, this process or another, has committed since the snapshot before: what was remembered of that
 * one no longer holds.
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
