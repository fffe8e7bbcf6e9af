// Imports the rows of a spreadsheet into the transaction of the caller, all of them through the code of the typed routes:
// records first, then what happened, by date. What is there already stays as it is; all that is wrong is told, and then
// the caller rolls everything back.
import type { Tx } from "../database/sql.ts";
import type { Call } from "../kernel/call.ts";
import { Directory } from "./directory.ts";
import { formatOf, rowsIn } from "./format.ts";
import type { Grid } from "./grid.ts";
import type { Counts, Importing, ImportOptions, ImportReport } from "./importing.ts";
import { tellLimits } from "./limits.ts";
import { SheetProblems } from "./problem.ts";
import { importRecord } from "./records.ts";
import { importStep, isDated, orderOfSteps } from "./steps.ts";

const RECORDS: ReadonlySet<string> = new Set(["stakeholders", "share-classes", "equity-plans", "vesting-terms"]);

/** Imports the sheets. Nothing is left out silently: the report has all that was wrong, found in one reading. */
export function importSheets(tx: Tx, call: Call, grids: readonly Grid[], options: ImportOptions): ImportReport {
  const found = new SheetProblems();
  const counts: Record<string, Counts> = {};
  const importing: Importing = {
    tx,
    options,
    found,
    directory: new Directory(tx, call.orgId),
    certificates: new Map(),
    events: new Map(),
    callOf(place, noted = {}) {
      return { ...call, importing: { noted: { importId: options.importId, importRow: place, ...noted } } };
    },
    count(kind, what) {
      counts[kind] ??= { create: 0, unchanged: 0, leftOut: 0 };
      counts[kind][what]++;
    },
  };
  const format = formatOf(grids, options.format ?? "AUTO", options.mapping ?? null);
  const { directory, count } = importing;
  const isSkipped = options.skipUnsupported === true;
  const rows = rowsIn(grids, format, { ways: options, directory, found, count, skipUnsupported: isSkipped });
  const usable = rows.filter(({ isWrong }) => !isWrong);
  for (const target of ["stakeholders", "share-classes", "equity-plans", "vesting-terms", "valuations"]) {
    for (const row of usable) if (row.to === target) importRecord(importing, row);
  }
  const steps = usable.filter(({ to }) => !RECORDS.has(to) && to !== "valuations").filter((row) => isDated(row));
  for (const row of orderOfSteps(steps)) importStep(importing, row);
  if (found.problems.length === 0) tellLimits(importing, call.orgId);
  return { format: format.name, rows: rows.length, counts, problems: found.problems, warnings: found.warnings };
}
