// What a start does with the checkpoints that lie outside the data directory: it refuses data that is older than they
// are, or contradicts them, unless somebody says that this is meant; and the log tells of that.
import { DataDirectoryError } from "../bootstrap.ts";
import type { Writer } from "../database/writer.ts";
import { callWithoutRequest } from "../kernel/call.ts";
import type { Runtime } from "../kernel/runtime.ts";
import { CheckpointError } from "./checkpoint.ts";
import { type Contradiction, findContradictions, tellAccepted } from "./file.ts";

/** What a start goes by. */
export interface RollbackCheck {
  readonly file: string;
  readonly writer: Writer;
  readonly runtime: Runtime;
  /** `--accept-rollback`. */
  readonly isAccepted: boolean;
}

/** Throws {@link DataDirectoryError} where the data is not what the file's checkpoints say, and nobody accepted that. */
export async function refuseRollback({ file, writer, runtime, isAccepted }: RollbackCheck): Promise<void> {
  const found = readContradictions(file, writer);
  if (found.length === 0) return;
  if (!isAccepted) {
    throw new DataDirectoryError(
      `the data is not what ${file} knew of it: ${found.map(({ what }) => what).join("; ")}. Where an older backup was ` +
        "restored on purpose, start once with --accept-rollback: the log then tells of it.",
    );
  }
  await writer.submit((tx) => {
    for (const each of found) tellAccepted(tx, callWithoutRequest(runtime, each.checkpoint.orgId, "cli"), each);
  });
}

function readContradictions(file: string, writer: Writer): Contradiction[] {
  try {
    return findContradictions(writer.db, file);
  } catch (error) {
    if (!(error instanceof CheckpointError)) throw error;
    throw new DataDirectoryError(
      `${file} (CAPTABLE_CHECKPOINT_FILE) cannot be relied on: ${error.message}. Find out who changed it; once it is ` +
        "moved away, a new one is written.",
    );
  }
}
