// What the server answers, as a table, as JSON as it came, as JSON lines, or as CSV.
import { CSV_DEFAULTS, type Field } from "../../src/kernel/files/csv.ts";
import { type Column, fitted, terminalWidth, toCsv } from "../columns.ts";
import { CommandError, print, printText, table } from "../command.ts";

/** The forms of output. */
export const OUTPUTS = ["table", "json", "jsonl", "csv"] as const;
export type Output = (typeof OUTPUTS)[number];

/** How an answer is shown: its form, and for tables and CSV the members that are. */
export interface Shape {
  readonly output: Output;
  readonly columns: readonly string[] | null;
}

/** A record of an answer: a JSON object. */
export type Row = Readonly<Record<string, unknown>>;

/** Members that say what a record is: a table has them first. */
const FIRST = [
  "id",
  "sequence",
  "displayName",
  "name",
  "title",
  "certificateId",
  "type",
  "status",
  "state",
  "quantity",
];
/** Members that are the same in every record, or say nothing to a person: a table has them where they are asked for. */
const LEFT_OUT: ReadonlySet<string> = new Set(["orgId", "previousHash", "hash", "tokenTransactionHash", "updatedAt"]);
const FIGURE = /^-?\d+(\.\d+)?$/;
const DAY = /^\d{4}-\d\d-\d\d(T[\d:.]+Z)?$/;

/** Prints an answer, which is JSON as text; "" prints nothing. Exit 2 for an unknown column. */
export function printAnswer(text: string, { output, columns }: Shape): void {
  if (text === "") return;
  const answer: unknown = JSON.parse(text);
  if (output === "json") {
    printText({ json: false }, null, `${escaped(text)}\n`);
    return;
  }
  const rows = rowsOf(answer);
  const shown = rows ?? [recordOf(answer)];
  if (output === "jsonl") {
    printText({ json: false }, null, shown.map((row) => `${escaped(JSON.stringify(row))}\n`).join(""));
    return;
  }
  const names = namesOf(shown, columns);
  if (output === "csv") printText({ json: false }, null, csvOf(shown, names));
  else if (rows === null) print({}, null, recordLines(recordOf(answer), names));
  else print({}, null, rows.length === 0 ? "none" : tableOf(rows, names, columns === null));
}

/** JSON in which nothing is left that a terminal would obey; the same value. */
function escaped(json: string): string {
  return json.replace(
    /[\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Whether a value is a JSON object. */
export function isRow(value: unknown): value is Row {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The records of an answer that is a list; null for another answer. */
export function rowsOf(answer: unknown): readonly Row[] | null {
  const inner = isRow(answer) && isRow(answer.data) ? answer.data : answer;
  const listed = isRow(inner) ? (inner.items ?? inner.data) : null;
  return Array.isArray(listed) ? listed.map((each) => (isRow(each) ? each : { value: each })) : null;
}

/** The record of an answer: what is in `data`, where that is all. */
function recordOf(answer: unknown): Row {
  if (!isRow(answer)) return { value: answer };
  return isRow(answer.data) && Object.keys(answer).length === 1 ? answer.data : answer;
}

/** The members that are shown: those that are asked for, or all. Exit 2 for one that no record has. */
function namesOf(rows: readonly Row[], columns: readonly string[] | null): readonly string[] {
  const known = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const unknown = rows.length === 0 ? undefined : columns?.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new CommandError(`--columns ${unknown}: unknown; there are ${known.join(", ")}`, 2);
  }
  return columns ?? known;
}

/** A value as a cell: text as it is, nothing as nothing, all else as JSON. */
function cellOf(value: unknown): string {
  if (value === null || value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

function csvOf(rows: readonly Row[], names: readonly string[]): string {
  const head = names.map((text): Field => ({ text, isText: true }));
  const records = rows.map((row) =>
    names.map((name): Field => {
      const text = cellOf(row[name]);
      return { text, isText: !FIGURE.test(text) && !DAY.test(text) };
    }),
  );
  return toCsv([head, ...records], { ...CSV_DEFAULTS, bom: false });
}

/** A line for each member, and behind them a table for each list of records in it. */
function recordLines(record: Row, names: readonly string[]): string[] {
  const listsOf = (name: string) => {
    const value = record[name];
    return Array.isArray(value) && value.length > 0 && value.every(isRow) ? value : null;
  };
  const simple = names.filter((name) => listsOf(name) === null);
  const fields = table([["FIELD", "VALUE"], ...simple.map((name) => [name, cellOf(record[name])])]);
  const lists = names.flatMap((name) => {
    const rows = listsOf(name);
    return rows === null ? [] : ["", `${name}:`, ...tableOf(rows, namesOf(rows, null), true)];
  });
  return [...fields, ...lists];
}

/** As many columns as fit the line; where none are asked for, those that say most, and none that are empty. */
function tableOf(rows: readonly Row[], names: readonly string[], isChosen: boolean): string[] {
  const isShort = (name: string) => rows.every((row) => !isRow(row[name]) && !Array.isArray(row[name]));
  const isFilled = (name: string) => rows.some((row) => cellOf(row[name]) !== "");
  const first = FIRST.filter((name) => names.includes(name));
  const ordered = [...first, ...names.filter((name) => !first.includes(name))];
  const chosen = isChosen ? ordered.filter((name) => isShort(name) && isFilled(name) && !LEFT_OUT.has(name)) : names;
  const columns = chosen.map(
    (name): Column<Row> => ({
      heading: name,
      isFigure: rows.every((row) => FIGURE.test(cellOf(row[name]) || "0")),
      cell: (row) => cellOf(row[name]),
    }),
  );
  const layouts = columns.map((_, at) => columns.slice(0, columns.length - at));
  return fitted(rows, isChosen ? layouts : [columns], terminalWidth());
}
