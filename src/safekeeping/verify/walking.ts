// What a walking thread does: SQLite's own checks, or the walk over the logs, on a snapshot of its own.
import { assert } from "../../kernel/assert.ts";
import type { ThreadWork } from "../../kernel/threads/thread.ts";
import { openSnapshot } from "../../storage/database/snapshot.ts";
import type { Reader } from "../../storage/database/sql.ts";
import type { Checked } from "./checked.ts";
import { checkDatabase } from "./database.ts";
import type { LogEnd } from "./log.ts";
import { checkLogs } from "./logs.ts";

/** To a walking thread. */
export interface WalkQuestions {
  /** Opens the database as it is at this moment; one that was opened before is closed. */
  open(file: string): void;
  /** Walks it, and closes it. */
  database(orgId: string | undefined): readonly Checked[];
  /** The same of its logs. */
  logs(orgIds: readonly string[]): readonly Checked<LogEnd>[];
}

/** Answers the questions, each on the database that was opened last. */
export const walking: ThreadWork<unknown, WalkQuestions> = () => {
  let opened: Reader | null = null;
  const close = () => {
    opened?.sqlite.close();
    opened = null;
  };
  function walk<T>(check: (db: Reader) => T): T {
    assert(opened !== null, "a database is opened before it is walked");
    try {
      return check(opened);
    } finally {
      close();
    }
  }
  return {
    open(file) {
      close();
      opened = openSnapshot(file);
    },
    database: (orgId) => walk((db) => checkDatabase(db, orgId)),
    logs: (orgIds) => walk((db) => checkLogs(db, orgIds)),
  };
};
