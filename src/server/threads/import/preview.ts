// The preview of an import: it is carried out on a copy of the database, so that no request waits for writes that are
// undone.

import { onCopy } from "../../../exchange/ocf/import/on-copy.ts";
import type { Grid } from "../../../exchange/spreadsheet/file/grid.ts";
import { importSheets } from "../../../exchange/spreadsheet/record/import.ts";
import type { ImportOptions, ImportReport } from "../../../exchange/spreadsheet/record/importing.ts";
import type { Call } from "../../../kernel/call.ts";
import { submitHopefully } from "../../../storage/database/savepoint.ts";
import type { ChangesToTell, Reader } from "../../../storage/database/sql.ts";

/** The log of the copy, which is discarded. */
const UNTOLD: ChangesToTell = { add: () => undefined };

/** Previews the import of the sheets. Rejects with `UnreadableFile` if they are in no known format. */
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
