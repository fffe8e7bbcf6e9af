// What a start does with the checkpoints that lie outside the data directory: it refuses data that is older than they
// are, or contradicts them, unless somebody says that this is meant; and the log tells of that.

import { callWithoutRequest } from "../../kernel/call.ts";
import type { Runtime } from "../../kernel/runtime.ts";
import { listOrganizations } from "../../resources/organization/store.ts";
import { DataDirectoryError } from "../../storage/data-dir/directory.ts";
import type { Tx } from "../../storage/database/sql.ts";
import type { Writer } from "../../storage/database/writer.ts";
import { CheckpointError } from "./checkpoint.ts";
import { type Contradiction, findContradictions, reportAccepted, tellAccepted } from "./file.ts";

/** What a start goes by. */
export interface RollbackCheck {
  readonly file: string;
  readonly writer: Writer;
  /** `--accept-rollback`. */
  readonly isAccepted: boolean;
}

/**
 * Throws {@link DataDirectoryError} where the data is not what the file's checkpoints say, and nobody accepted that.
 * Returns what was accepted, for {@link tellRollback}.
 */
export function refuseRollback({ file, writer, isAccepted }: RollbackCheck): readonly Contradiction[] {
  const found = readContradictions(file, writer);
  if (found.length === 0 || isAccepted) return found;
  throw new DataDirectoryError(
    `the data is not what ${file} knew of it: ${found.map(({ what }) => what).join("; ")}. Where an older backup was ` +
      "restored on purpose, start once with --accept-rollback: the log then tells of it.",
  );
}

/**
 * Tells in the logs what was accepted. An organization that is gone has none: then all that are there tell of it, each
 * without a word of the other.
 */
export function tellRollback(tx: Tx, runtime: Runtime, accepted: readonly Contradiction[]): void {
  const byOrganization = new Map(accepted.map(({ checkpoint }) => [checkpoint.orgId, checkpoint]));
  const organizations = listOrganizations(tx);
  const instance = byOrganization.get(null);
  if (instance) reportAccepted(tx, runtime, instance);
  const gone = accepted.find(
    ({ checkpoint: { orgId } }) => orgId !== null && organizations.every(({ id }) => id !== orgId),
  );
  for (const { id } of organizations) {
    const contradicted = byOrganization.get(id);
    const said = contradicted ?? (gone && { time: gone.checkpoint.time });
    if (said) tellAccepted(tx, callWithoutRequest(runtime, id, "cli"), said);
  }
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
