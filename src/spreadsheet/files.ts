// The files that people take of an import: every problem and warning, and every row with what is done with it. Pure.
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { Relief } from "../kernel/relief.ts";
import { csvPieces, type Field } from "../reports/csv.ts";
import type { Action, ImportReport } from "./importing.ts";
import type { SheetProblem } from "./problem.ts";
import { fieldsIn, valueIn, writtenIn } from "./shown.ts";

const PIECE_CHARACTERS = 256 * 1024;

type Told = Pick<ImportReport, "problems" | "warnings" | "actions">;

/** The files of a report: CSV in UTF-8, cut into pieces that are deflated each. */
export function filesOf(report: Told): Readonly<Record<"problems" | "preview", readonly Uint8Array[]>> {
  return { problems: packed(problemRecords(report)), preview: packed(previewRecords(report.actions)) };
}

/** A piece as it was. */
export function unpacked(piece: Uint8Array): Uint8Array {
  return inflateRawSync(piece);
}

function packed(records: Iterable<readonly Field[]>): Uint8Array[] {
  const pieces: Uint8Array[] = [];
  let text = "";
  const put = () => {
    if (text !== "") pieces.push(deflateRawSync(text, { level: 1 }));
    text = "";
  };
  for (const more of csvPieces(records, { bom: true, guard: true })) {
    text += more;
    if (text.length >= PIECE_CHARACTERS) put();
  }
  put();
  return pieces;
}

const text = (value: string): Field => ({ text: value, isText: true });
const figure = (value: number | null): Field => ({ text: value === null ? "" : String(value), isText: false });

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
 * Every field that a row has gets a column: a spreadsheet of its own, with what was made of each row, and at the end
 * the cells that read otherwise.
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
  yield ["sheet", "row", "action", "record", "id", ...fields, "written"].map(text);
  for (const action of actions) {
    relief.row();
    if (action.isClosed) continue;
    const { row, what, id } = action;
    const { sheet, row: number = null } = row.place;
    // What is made gets its id only when it is: a preview's are of nothing.
    const head = [
      text(sheet),
      figure(number),
      text(ACTIONS[what]),
      text(row.to),
      text(what === "create" ? "" : (id ?? "")),
    ];
    yield [...head, ...fields.map((field) => text(valueIn(action, field))), text(writtenIn(action))];
  }
  const empty = text("");
  if (closed > 0)
    yield [empty, empty, text(ACTIONS.leftOut), text(`Closed: ${closed}`), empty, ...fields.map(() => empty), empty];
}
