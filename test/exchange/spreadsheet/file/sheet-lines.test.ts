// What a reading process hands over of a sheet comes out as it went in, with every member that a cell can have.
import { expect, test } from "bun:test";
import { type Cell, Cells, type Grid } from "../../../../src/exchange/spreadsheet/file/grid.ts";
import { SheetLines, sheetLines } from "../../../../src/exchange/spreadsheet/file/sheet-lines.ts";

/** A cell with all members: a new one has to be named here, or this does not compile. */
const FULL: Required<Cell> = {
  kind: "number",
  text: "1",
  isPercent: true,
  currency: "EUR",
  shown: "CS-001",
  is1904: true,
};

/** The cells after they went through lines of JSON. */
function through(cells: readonly Cell[]): readonly Cell[] {
  const rows = [{ number: 1, cells: new Cells(cells.map((cell, at) => [at, cell])) }];
  const grid: Grid = { name: "Stock", isHidden: false, rows, merged: ["A1:B1"], hiddenRows: [1], hiddenColumns: [] };
  const lines = new SheetLines();
  for (const line of sheetLines([grid])) lines.take(JSON.parse(JSON.stringify(line)));
  return lines.grids.flatMap(({ rows: read }) => read.flatMap((row) => [...row.cells].map(([, cell]) => cell)));
}

test("a cell keeps each of its members, alone and together", () => {
  const { kind, text, ...more } = FULL;
  const alone = Object.entries(more).map(([name, value]): Cell => ({ kind, text, [name]: value }));
  const cells = [FULL, { kind, text }, { kind: "text", text: "a" } as const, ...alone];
  expect(through(cells)).toEqual(cells);
  // Control: a cell that lost a member is another.
  expect(through(cells)).not.toEqual([{ kind, text }, ...cells.slice(1)]);
});
