// Computes the formulas of a workbook as a spreadsheet would, in doubles: a second opinion where no LibreOffice is.
import type { ReadSheet } from "./read-xlsx.ts";

/** The number that a formula comes to. */
export function evaluate(sheet: ReadSheet, formula: string): number {
  const expression = formula
    .replaceAll("$", "")
    .replace(/SUM\(([A-Z]+)(\d+):[A-Z]+(\d+)\)/g, (_, column, from, to) => String(sum(sheet, column, +from, +to)))
    .replace(/\b([A-Z]+\d+)\b/g, (_, reference) => `(${numberIn(sheet, reference)})`)
    .replace(/ROUND\(/g, "round(")
    .replace(/IF\(([^,]+)=0,0,/g, "choose(($1)===0,()=>")
    .replaceAll(",()=>", ",()=>");
  const made = new Function("round", "choose", `return ${expression};`);
  return made(round, (isZero: boolean, other: () => number) => (isZero ? 0 : other()));
}

function numberIn(sheet: ReadSheet, reference: string): number {
  const cell = sheet.cells.get(reference);
  return cell && !cell.isText ? Number(cell.value) : 0;
}

function sum(sheet: ReadSheet, column: string, from: number, to: number): number {
  let total = 0;
  for (let row = from; row <= to; row++) total += numberIn(sheet, `${column}${row}`);
  return total;
}

function round(value: number, places: number): number {
  return Number(value.toFixed(places));
}
