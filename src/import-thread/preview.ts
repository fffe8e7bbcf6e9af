// What an import would do: it is done, on a copy of the database, so that nobody waits for what is undone.
import { submitHopefully } from "../database/savepoint.ts";
import type { ChangesToTell, Reader } from "../database/sql.ts";
import type { Call } from "../kernel/call.ts";
import { onCopy } from "../ocf/import/on-copy.ts";
import type { Grid } from "../spreadsheet/grid.ts";
import { importSheets } from "../spreadsheet/import.ts";
import type { ImportOptions, ImportReport } from "../spreadsheet/importing.ts";

/** The log of the copy, which nobody will read. */
const UNTOLD: ChangesToTell = { add: () => undefined };

/** Says what importing the sheets would do now. Rejects with `UnreadableFile` where they are in no format. */
export function previewSheets(
  db: Reader,
  call: Call,
  grids: readonly Grid[],
  options: ImportOptions,
): Promise<ImportReport> {
  return onCopy(db.sqlite.name, (copy) =>
    submitHopefully(copy, (tx, usesSavepoints) =>
      importSheets({ ...tx, pending: UNTOLD }, call, grids, { ...options, usesSavepoints }),
    ),
  );
}
