// The downloads of an import: every problem and warning, and every row with its outcome. They are stored as records,
// and written as CSV when they are downloaded. Pure.
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { type CsvOptions, csvText, type Field, figureField, textField } from "../../../kernel/files/csv.ts";
import { Relief } from "../../../kernel/gc-hints.ts";
import { fieldsIn, valueIn, writtenIn } from "../compare/shown.ts";
import type { Action, ImportReport } from "../record/importing.ts";
import type { SheetProblem } from "./cell-problem.ts";
import { type FieldKind, TEMPLATE } from "./template.ts";

const PIECE_CHARACTERS = 256 * 1024;

type Told = Pick<ImportReport, "problems" | "warnings" | "actions">;

/** The files of a report: records, a line of JSON each, cut into pieces that are deflated each. */
export function filesOf(report: Told): Readonly<Record<"problems" | "preview", readonly Uint8Array[]>> {
  return { problems: packed(problemRecords(report)), preview: packed(previewRecords(report.actions)) };
}

/** A piece as CSV; the mark stands at the beginning of the first. */
export function csvOfPiece(piece: Uint8Array, options: CsvOptions): Uint8Array {
  const lines = inflateRawSync(piece).toString().trimEnd().split("\n");
  return Buffer.from(csvText(lines.map(fieldsOf), options));
}

/** A stored record: texts, and figures and days each in a list of its own. */
type Kept = readonly (string | readonly [string])[];

function keptOf(record: readonly Field[]): Kept {
  return record.map(({ text, isText }) => (isText ? text : [text]));
}

function fieldsOf(line: string): readonly Field[] {
  return (JSON.parse(line) as Kept).map((each) => (typeof each === "string" ? textField(each) : figureField(each[0])));
}

function packed(records: Iterable<readonly Field[]>): Uint8Array[] {
  const pieces: Uint8Array[] = [];
  let text = "";
  const put = () => {
    if (text !== "") pieces.push(deflateRawSync(text, { level: 1 }));
    text = "";
  };
  for (const record of records) {
    text += `${JSON.stringify(keptOf(record))}\n`;
    if (text.length >= PIECE_CHARACTERS) put();
  }
  put();
  return pieces;
}

const text = textField;
const figure = (value: number | null): Field => figureField(value === null ? "" : String(value));

/** Fields of the template that hold figures or days in each sheet that has them. */
const FIGURES: ReadonlySet<FieldKind> = new Set<FieldKind>(["quantity", "money", "percent", "date", "integer"]);
const COLUMNS = TEMPLATE.flatMap(({ columns }) => columns);
const isFigureField = (field: string) => {
  const columns = COLUMNS.filter((column) => column.field === field);
  return columns.length > 0 && columns.every(({ kind }) => FIGURES.has(kind));
};

function* problemRecords({ problems, warnings }: Told): Generator<readonly Field[]> {
  yield ["severity", "code", "sheet", "row", "cell", "header", "value", "detail", "fix"].map(text);
  for (const each of problems) yield recordOf("problem", each);
  for (const each of warnings) yield recordOf("warning", each);
}

function recordOf(severity: string, { code, sheet, row, cell, header, value, detail, fix }: SheetProblem) {
  const head = [severity, code, sheet ?? ""].map(text);
  return [...head, figure(row), ...[cell ?? "", header ?? "", value ?? "", detail, fix].map(text)];
}

const ACTIONS: Readonly<Record<Action["what"], string>> = {
  create: "create",
  unchanged: "unchanged",
  differs: "differs",
  leftOut: "leave out",
  problem: "problem",
};

/**
 * Every field of a row gets a column: a spreadsheet of its own, with the values that each row made, and at the end the
 * cells that read otherwise.
 */
function* previewRecords(actions: readonly Action[]): Generator<readonly Field[]> {
  const relief = new Relief();
  const names = new Set<string>();
  const closed = actions.filter(({ isClosed }) => isClosed).length;
  for (const action of actions) {
    relief.row();
    if (!action.isClosed) for (const name of fieldsIn(action)) names.add(name);
  }
  const fields = [...names];
  const areFigures = fields.map(isFigureField);
  yield ["sheet", "row", "action", "record", "id", ...fields, "written"].map(text);
  for (const action of actions) {
    relief.row();
    if (action.isClosed) continue;
    const { row, what, id } = action;
    const { sheet, row: number = null } = row.place;
    // A record gets its id only when it is made: a preview has none.
    const head = [
      text(sheet),
      figure(number),
      text(ACTIONS[what]),
      text(row.to),
      text(what === "create" ? "" : (id ?? "")),
    ];
    const values = fields.map((field, at) => (areFigures[at] ? figureField : text)(valueIn(action, field)));
    yield [...head, ...values, text(writtenIn(action))];
  }
  const empty = text("");
  if (closed > 0)
    yield [empty, empty, text(ACTIONS.leftOut), text(`Closed: ${closed}`), empty, ...fields.map(() => empty), empty];
}
