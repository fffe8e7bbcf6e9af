// Vesting schedules of a mapped table's rows: recorded terms of that name, terms that the words describe, or a problem,
// once for each text, until terms of that name are recorded or the user chooses to count all as vested.
import { formatDecimal, parseDecimal, ZERO } from "../../../kernel/numbers/decimal.ts";
import { foldName } from "../../../kernel/text/names.ts";
import type { SheetPlace, SheetProblems } from "../file/cell-problem.ts";
import type { Directory } from "../rows/directory.ts";
import type { Field } from "../rows/fields.ts";
import { placeOf, said } from "../rows/read-field.ts";
import type { SheetRow } from "../rows/understand.ts";
import { readSchedule, type Schedule } from "./schedules.ts";

/** A text that was not understood, with the parts of it that could be read. */
export interface UnreadSchedule extends Partial<Schedule> {
  readonly text: string;
}

/** How unknown schedules are treated, and which those were. */
export interface Schedules {
  readonly vesting: "TERMS" | "AS_VESTED";
  readonly unread: UnreadSchedule[];
}

interface Scheduling {
  readonly directory: Directory;
  readonly found: SheetProblems;
  readonly schedules: Schedules;
}

/** The rows with terms that can be looked up, and those that make the terms. */
export function scheduled(rows: readonly SheetRow[], scheduling: Scheduling): SheetRow[] {
  const own = rows.flatMap((row) => (row.to === "vesting-terms" ? (said(row, "terms") ?? []) : [])).map(foldName);
  const isThere = (text: string) => own.includes(foldName(text)) || scheduling.directory.terms(text) !== "unknown";
  const named = rows.filter((row) => row.to !== "vesting-terms" && row.fields.has("terms"));
  const texts = Map.groupBy(named, (row) => foldName(said(row, "terms") ?? ""));
  const [made, changed] = [[] as SheetRow[], new Map<SheetRow, SheetRow>()];
  for (const same of texts.values()) {
    const [first] = same;
    const terms = first?.fields.get("terms");
    if (!first || !terms || isThere(terms.value)) continue;
    const read = readSchedule(terms.value);
    if (read.kind === "SCHEDULE") made.push(termsRow(terms, read.schedule, scheduling));
    else if (read.kind === "VESTED") for (const row of same) changed.set(row, withoutTerms(row));
    else {
      scheduling.schedules.unread.push({ text: terms.value, ...read.parts });
      for (const [row, now] of notUnderstood(same, terms, scheduling)) changed.set(row, now);
    }
  }
  return [...made, ...rows.map((row) => changed.get(row) ?? row)];
}

/** The row of vesting terms that a text makes; reports how it was read. */
function termsRow({ value, place }: Field, schedule: Schedule, { found }: Scheduling): SheetRow {
  const { months, cliffMonths, frequency } = schedule;
  const detail = `was read as ${months} months, cliff ${cliffMonths} months, ${frequency.toLowerCase()}`;
  found.warning("schedule-read", place, detail, "If it is another, record terms of this name first.");
  const told = { terms: value, months: String(months), cliffMonths: String(cliffMonths), frequency };
  const fields = new Map(Object.entries(told).map(([name, text]) => [name, { value: text, place }] as const));
  return { to: "vesting-terms", place: rowOf(place), fields, isWrong: false };
}

function rowOf({ sheet, row }: SheetPlace): SheetPlace {
  return { sheet, ...(row === undefined ? {} : { row }) };
}

const PLACES_SHOWN = 20;

function placesOf(rows: readonly SheetRow[]): string {
  const shown = rows.slice(0, PLACES_SHOWN).map(placeOf).join(", ");
  return rows.length > PLACES_SHOWN ? `${shown} and ${rows.length - PLACES_SHOWN} more` : shown;
}

/** Treats rows whose schedule is not understood. */
function notUnderstood(
  rows: readonly SheetRow[],
  { value, place }: Field,
  { found, schedules }: Scheduling,
): readonly (readonly [SheetRow, SheetRow])[] {
  const where = `no schedule that is understood, in ${placesOf(rows)}`;
  if (schedules.vesting === "TERMS") {
    const fix = "Record vesting terms of this name (terms.csv has a row for it), or import with vesting=AS_VESTED.";
    found.problem("schedule-not-understood", place, `is not a recorded name of vesting terms, and ${where}`, fix);
    return rows.map((row) => [row, { ...row, isWrong: true }]);
  }
  const shares = formatDecimal(rows.reduce((sum, row) => sum + parseDecimal(said(row, "quantity") ?? "0"), ZERO));
  const detail = `is ${where}: ${shares} shares count as vested, and the words go to the comments`;
  found.warning("schedule-not-understood", place, detail, "Record vesting terms of this name, if they are to vest.");
  return rows.map((row) => [row, { ...commented(withoutTerms(row), `Vesting: ${value}`, place), isAsVested: true }]);
}

/** All of it has vested; the start day is kept. */
function withoutTerms(row: SheetRow): SheetRow {
  const fields = new Map<string, Field>(row.fields);
  fields.delete("terms");
  return { ...row, fields };
}

function commented(row: SheetRow, words: string, place: SheetPlace): SheetRow {
  const before = row.fields.get("comments");
  const value = before === undefined ? words : `${before.value}\n${words}`;
  return { ...row, fields: new Map([...row.fields, ["comments", { value, place: before?.place ?? place }]]) };
}
