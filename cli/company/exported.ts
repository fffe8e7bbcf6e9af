// Log rows of files that the command line exports, as exports over HTTP have them.

import { commandLineCall } from "../../src/kernel/call.ts";
import { systemRuntime, toTimestamp } from "../../src/kernel/runtime.ts";
import { openDataDirectory } from "../../src/storage/data-dir/directory.ts";
import {
  EXPORT_COVERED_MS,
  type Exported,
  isExportedByCommand,
  recordExport,
} from "../../src/storage/database/log/audit.ts";
import { Writer } from "../../src/storage/database/writer.ts";
import { say } from "../command.ts";
import { explain } from "../failure.ts";

/**
 * Records an export of an organization, once an hour for a command, and again where it takes more than twice as much.
 * The file is given all the same where that cannot be written, and standard error says so.
 */
export async function recordExportBy(writer: Writer, orgId: string, exported: Exported): Promise<void> {
  try {
    await writer.submit((tx) => {
      const since = toTimestamp(systemRuntime.nowMs() - EXPORT_COVERED_MS);
      const { route, bytes } = exported;
      if (isExportedByCommand(tx, { orgId, route, bytes: bytes ?? 0, since })) return;
      recordExport(tx, commandLineCall(systemRuntime, orgId), exported);
    });
  } catch (failure) {
    sayUnrecorded(failure);
  }
}

/** The same for a command that only reads otherwise. */
export async function recordExportIn(dataDir: string, orgId: string, exported: Exported): Promise<void> {
  try {
    const db = openDataDirectory(dataDir);
    try {
      await recordExportBy(new Writer(db, () => undefined), orgId, exported);
    } finally {
      db.sqlite.close();
    }
  } catch (failure) {
    sayUnrecorded(failure);
  }
}

function sayUnrecorded(failure: unknown): void {
  say(`the audit log does not record this export: ${explain(failure)}`);
}
