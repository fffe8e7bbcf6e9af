// The start's check of the checkpoint file outside the data directory: it refuses data that is older than the
// checkpoints, or contradicts them, unless the operator accepts that; and the log records the acceptance.

import { callWithoutRequest } from "../../kernel/call.ts";
import type { Runtime } from "../../kernel/runtime.ts";
import { listOrganizations } from "../../resources/organization/store.ts";
import { DataDirectoryError } from "../../storage/data-dir/directory.ts";
import type { Tx } from "../../storage/database/sql.ts";
import type { Writer } from "../../storage/database/writer.ts";
import { CheckpointError } from "./checkpoint.ts";
import { type Contradiction, findContradictions, reportAccepted, tellAccepted } from "./file.ts";

/** The input of the check. */
export interface RollbackCheck {
  readonly file: string;
  readonly writer: Writer;
  /** `--accept-rollback`. */
  readonly isAccepted: boolean;
}

/**
 * Throws {@link DataDirectoryError} if the data contradicts the file's checkpoints and the operator did not accept
 * that. Returns what was accepted, for {@link tellRollback}.
 */
export function refuseRollback({ file, writer, isAccepted }: RollbackCheck): readonly Contradiction[] {
  const found = readContradictions(file, writer);
  if (found.length === 0 || isAccepted) return found;
  throw new DataDirectoryError(
    `the data contradicts the checkpoints in ${file}: ${found.map(({ what }) => what).join("; ")}. Where an older backup was ` +
      "restored on purpose, start once with --accept-rollback; the log then records it.",
  );
}

/**
 * Records in the logs what was accepted. A removed organization has no log: then all others record it, each without a
 * word of another.
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
