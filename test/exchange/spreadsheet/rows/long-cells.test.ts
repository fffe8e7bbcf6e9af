// The longest cells that a file may have are read in the time that their length asks for, whatever they hold: a pattern whose
// time grows with the square of it takes a second for one.
import { expect, test } from "bun:test";
import type { Cell } from "../../../../src/exchange/spreadsheet/file/grid.ts";
import type { FieldKind } from "../../../../src/exchange/spreadsheet/file/template.ts";
import { headerOf } from "../../../../src/exchange/spreadsheet/rows/read-field.ts";
import { readCell, type SheetRow } from "../../../../src/exchange/spreadsheet/rows/understand.ts";

const LENGTH = 32_767;
const TIMES = 10;
const WAYS = { decimal: "POINT", isDecimalAssumed: true, dateOrder: null, currency: "USD" } as const;
const KINDS = ["text", "money", "quantity", "percent", "integer", "date", "enum", "list", "yes-no"] as const;

/** What is read of a cell in a column of each kind. */
function read(cell: Cell, kinds: readonly FieldKind[] = KINDS) {
  const column = { header: "Holder", field: "holder", required: false, allowed: ["Common"] };
  return kinds.map((kind) => readCell(cell, { ...column, kind }, null, WAYS));
}

/** A text with so many of a piece between its first and its last part that it has the longest length. */
function filled(first: string, piece: string, last: string): string {
  return `${first}${piece.repeat((LENGTH - first.length - last.length) / piece.length)}${last}`;
}

test.each([
  ["blanks", filled("x", " ", "x")],
  ["blanks before a line break and behind it", filled(`x${" ".repeat(9000)}\n`, " ", "x")],
  ["blanks before what is no percentage", filled("1", " ", "% x")],
  ["zeros behind a point", filled("1.", "0", "1")],
  ["digits and a letter", filled("", "1", "x")],
  ["digits in threes", filled("1", ",000", "x")],
  ["brackets", filled("", "(", "1")],
  ["exponents", filled("1", "e1", "\n")],
  ["letters", filled("", "a", " 1")],
])(
  "%s",
  (_what, text) => {
    for (let n = 0; n < TIMES; n++) {
      expect(read({ kind: "text", text })).toHaveLength(KINDS.length);
      expect(read({ kind: "number", text }, ["money", "percent"])).toHaveLength(2);
    }
  },
  10_000,
);

test("a header of blanks", () => {
  const shown = filled("x", " ", "x");
  const row = { fields: new Map(), columns: new Map([["holder", { shown, at: 1 }]]), to: "stakeholders" };
  for (let n = 0; n < 4 * TIMES; n++) expect(headerOf(row as unknown as SheetRow, "holder")).toBe(shown);
}, 10_000);

test("blanks around what a cell says, and around its line breaks, are left out", () => {
  const [ada] = read({ kind: "text", text: "\u00a0\t Ada \n\r\n \u2028 Lovelace \n" }, ["text"]);
  expect(ada).toEqual({ value: "Ada Lovelace" });
  expect(read({ kind: "text", text: "12.5 \u00a0%" }, ["percent"])).toEqual([{ value: "12.5" }]);
});
