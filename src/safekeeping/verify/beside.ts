// Verifies a large file by three walks side by side: SQLite's own checks and the logs in threads, people, ledgers and rows
// in this one. Each reads a snapshot of its own, all of one moment.
import { statSync } from "node:fs";
import { availableParallelism } from "node:os";
import { type StartThread, startsWorker, Thread } from "../../kernel/threads/thread.ts";
import { beginTogether, endSnapshot } from "../../storage/database/snapshot.ts";
import type { Reader } from "../../storage/database/sql.ts";
import type { VerifyReport } from "./report.ts";
import { checkLedgers, chosenOrganizations, reportOf } from "./verify.ts";
import type { WalkQuestions } from "./walking.ts";

/** How the walks go side by side. */
export interface Besides {
  /** Starts a thread that walks. */
  readonly start?: StartThread;
  /** The size of a file, in bytes, from which on threads are worth their start. */
  readonly fromBytes?: number;
}

/** A file of which one thread verifies in some 0.2 s. */
const FROM_BYTES = 16 * 1024 * 1024;

const startThread = startsWorker(
  "a walking thread",
  () => new Worker(new URL("./walk-thread.ts", import.meta.url).href, { smol: true }),
);

/**
 * The same report as `verifyDatabase`. Null where threads would bring nothing: for a small file, one processor, a
 * database in memory or in a transaction, and where commits follow each other so fast that no moment is found.
 */
export async function verifyBeside(
  db: Reader,
  orgId: string | undefined,
  { start = startThread, fromBytes = FROM_BYTES }: Besides,
): Promise<VerifyReport | null> {
  const { name: file, memory: isInMemory, inTransaction } = db.sqlite;
  if (isInMemory || inTransaction || availableParallelism() === 1 || statSync(file).size < fromBytes) return null;
  const [logs, database] = [start, start].map((each) => new Thread<WalkQuestions>({ start: each, own: {} })) as Walking;
  try {
    const open = async () => void (await Promise.all([logs.ask("open", file), database.ask("open", file)]));
    if (!(await beginTogether(db, open))) return null;
    const chosen = chosenOrganizations(db, orgId);
    const orgIds = chosen.map(({ id }) => id);
    // They go on while this thread walks; one that fails meanwhile is heard after it.
    const elsewhere = Promise.all([database.ask("database", orgId), logs.ask("logs", orgIds)]);
    elsewhere.catch(() => undefined);
    const ledgers = checkLedgers(db, orgId, chosen);
    const [ofDatabase, ofLogs] = await elsewhere;
    return reportOf(chosen, { database: ofDatabase, logs: ofLogs, ledgers });
  } finally {
    endSnapshot(db);
    for (const thread of [logs, database]) thread.end();
  }
}

type Walking = [logs: Thread<WalkQuestions>, database: Thread<WalkQuestions>];
