// Imports the rows of a spreadsheet into the caller's transaction, all of them through the code of the typed routes:
// records first, then events, by date. Existing records stay as they are; all faults are reported, and then the caller
// rolls everything back.
import { createHash } from "node:crypto";
import type { Call } from "../../../kernel/call.ts";
import { collectAll, Relief } from "../../../kernel/gc-hints.ts";
import { foldName } from "../../../kernel/text/names.ts";
import { getOrganization } from "../../../resources/organization/store.ts";
import type { Tx } from "../../../storage/database/sql.ts";
import { tellLikeRecorded } from "../compare/like-recorded.ts";
import { Names } from "../compare/made.ts";
import { fieldsIn, shownOf, valueIn } from "../compare/shown.ts";
import { SheetProblems } from "../file/cell-problem.ts";
import type { Grid } from "../file/grid.ts";
import { tellSimilarNumbers } from "../mapping/doubtful.ts";
import { asOfIn, formatOf, rowsIn } from "../mapping/format.ts";
import type { Schedules } from "../mapping/schedule-rows.ts";
import { Directory } from "../rows/directory.ts";
import { EventKeys } from "../rows/event-keys.ts";
import { listedTwice, tellSimilar } from "../rows/listed-twice.ts";
import { dayOf } from "../rows/read-field.ts";
import { checkNames, noteUnmade, numberedTwice } from "../rows/row.ts";
import type { Total } from "../rows/stated-totals.ts";
import type { SheetRow } from "../rows/understand.ts";
import type { Action, Counts, Importing, ImportOptions, ImportReport } from "./importing.ts";
import { lateClasses } from "./late-classes.ts";
import { tellLimits } from "./limit-warnings.ts";
import { importRecord } from "./record-rows.ts";
import { tellSameDay } from "./same-day.ts";
import { SplitsThere } from "./splits-before.ts";
import { importStep, isDated, orderOfSteps } from "./steps.ts";

const RECORDS = ["stakeholders", "share-classes", "equity-plans", "vesting-terms", "valuations"];

/** Imports the sheets. Nothing is left out silently: the report has all faults, found in one reading. */
export function importSheets(tx: Tx, call: Call, grids: readonly Grid[], options: ImportOptions): ImportReport {
  const found = new SheetProblems();
  const acts: Action[] = [];
  const format = formatOf(grids, options.format ?? "AUTO", options.mapping ?? null);
  const asOf = options.asOf ?? asOfIn(grids, format, options);
  const mode = format.mapping?.mode ?? "FULL";
  const { orgId } = call;
  const directory = new Directory(tx, orgId);
  const act: Importing["act"] = (row, what, id = "", recorded) => {
    const done = what === "closed" ? CLOSED : { what };
    acts.push({ row, ...done, id: id === "" ? null : id, ...(recorded ? { shown: shownOf(row, recorded) } : {}) });
  };
  const schedules: Schedules = { vesting: options.vesting ?? "TERMS", unread: [] };
  const totals: Total[] = [];
  const skipUnsupported = options.skipUnsupported === true;
  tellUnnamed(tx, orgId, grids, found);
  const rows = rowsIn(grids, format, {
    ...{ ways: options, directory, found, act, totals, skipUnsupported, schedules },
    pulse: options.pulse ?? (() => undefined),
  });
  if (rows.length > MANY_ROWS) collectAll();
  const importing: Importing = {
    tx,
    orgId,
    options,
    mode,
    found,
    directory,
    names: new Names(tx, orgId),
    twice: numberedTwice(rows),
    holdersTwice: listedTwice(rows),
    unmade: new Set(schedules.unread.map(({ text }) => `terms ${foldName(text)}`)),
    asOf: asOf ?? call.today,
    eventKeys: new EventKeys(),
    splits: new SplitsThere(tx, orgId, mode === "FULL" ? null : (asOf ?? call.today)),
    callOf(place, noted = {}) {
      const { importId, sourceDocumentId = null } = options;
      return { ...call, importing: { noted: { importId, importRow: place, ...noted }, sourceDocumentId } };
    },
    act,
  };
  importing.eventKeys.take(rows);
  tellSimilarNumbers(rows, directory.numbers(), found);
  tellLikeRecorded(rows, directory, found);
  applyRows(importing, rows, acts);
  tellSimilar(importing);
  tellSameDay(importing, acts);
  if (found.problems.length === 0) tellLimits(importing, orgId);
  // In strict mode a warning counts as a problem.
  if (options.strict === true) found.problems.push(...found.warnings.splice(0));
  const actions = withProblems(rows, acts);
  return {
    format: format.name,
    mode,
    asOf,
    rows: rows.length,
    counts: countsOf(acts),
    problems: found.problems,
    warnings: found.warnings,
    totals,
    closed: acts.filter(({ isClosed }) => isClosed).length,
    schedules: schedules.unread,
    actions,
    planHash: planHashOf(actions),
  };
}

/** Warns if the organization has no name to compare with the file's. */
function tellUnnamed(tx: Tx, orgId: string, [first]: readonly Grid[], found: SheetProblems): void {
  if (!first || getOrganization(tx, orgId).isNamed === 1) return;
  const detail = "The organization has no name, so the import cannot check that the file is this company's.";
  found.warning("organization-unnamed", { sheet: first.name }, detail, "Name the organization first.");
}
/** A row whose security has nothing left. */
const CLOSED = { what: "leftOut", isClosed: true } as const;

/** A row that goes through its route leaves some 70 KB behind. */
const APPLIED_ROWS = 500;
/** What was read of fewer is not worth a full collection before they are applied, which takes as long as some hundred. */
const MANY_ROWS = 5_000;

function applyRows(importing: Importing, rows: readonly SheetRow[], acts: readonly Action[]): void {
  const { pulse = () => undefined } = importing.options;
  const relief = new Relief({ every: APPLIED_ROWS });
  const [usable, wrong] = [rows.filter(({ isWrong }) => !isWrong), rows.filter(({ isWrong }) => isWrong)];
  for (const row of wrong) noteUnmade(importing, row);
  const apply = (row: SheetRow, how: (importing: Importing, row: SheetRow) => void) => {
    pulse();
    relief.row();
    const before = acts.length;
    how(importing, row);
    if (acts.length === before) noteUnmade(importing, row);
  };
  const isRecord = new Set<string>(RECORDS);
  const { late, dayless } = lateClasses(usable);
  for (const row of dayless) tellDayless(importing, row);
  const isLate = new Set(late.flatMap(({ rows: each }) => each));
  for (const target of RECORDS) {
    for (const row of usable) if (row.to === target && !isLate.has(row)) apply(row, importRecord);
  }
  const waiting = [...late];
  for (const row of orderOfSteps(usable.filter((each) => !isRecord.has(each.to) && isDated(each)))) {
    while (waiting[0] && waiting[0].day <= (dayOf(row) ?? "")) {
      for (const each of waiting.shift()?.rows ?? []) apply(each, importRecord);
    }
    apply(row, importStep);
  }
  for (const { rows: each } of waiting) for (const row of each) apply(row, importRecord);
  for (const row of wrong) if (!isRecord.has(row.to)) checkNames(importing, row);
}

function tellDayless({ found, directory }: Importing, row: SheetRow): void {
  if (directory.stockClass(row.fields.get("class")?.value ?? "") !== "unknown") return;
  found.warning(
    "assumed",
    row.fields.get("class")?.place ?? row.place,
    "the file does not say since when it is there: it was taken to be split as a class of before the split",
    "Say when the board approved it, or correct what it converts into afterwards.",
  );
}

function countsOf(actions: readonly Action[]): Readonly<Record<string, Counts>> {
  const counts: Record<string, Counts> = {};
  for (const { row, what } of actions) {
    counts[row.to] ??= { create: 0, unchanged: 0, differs: 0, leftOut: 0 };
    const of = counts[row.to];
    if (of && what !== "problem") of[what]++;
  }
  return counts;
}

/** The outcome of each row, in the order of the file; a row without one has a problem. */
function withProblems(rows: readonly SheetRow[], acts: readonly Action[]): Action[] {
  const done = new Set(acts.map(({ row }) => row));
  const wrong = rows.filter((row) => !done.has(row)).map((row): Action => ({ row, what: "problem", id: null }));
  return [...acts, ...wrong];
}

/** The digest of all effects and new values; not of ids, which every run makes anew. */
function planHashOf(actions: readonly Action[]): string {
  const hash = createHash("sha256");
  const relief = new Relief();
  for (const action of actions) {
    relief.row();
    const { row, what } = action;
    const values = fieldsIn(action).map((field) => [field, valueIn(action, field)]);
    hash.update(`${JSON.stringify([row.to, row.place.sheet, row.place.row, what, values])}\n`);
  }
  return hash.digest("hex");
}
