// Sums that a file states itself, held against its own rows: where they differ, rows are missing or closed.
import { formatDecimal, parseDecimal, ZERO } from "../kernel/decimal.ts";
import type { Field } from "./fields.ts";
import { fits, type Mapping } from "./mapping.ts";
import type { SheetProblems } from "./problem.ts";
import { said } from "./said.ts";
import type { SheetRow } from "./understand.ts";
import { folded } from "./values.ts";

/** A sum of the file, and what its rows add up to. */
export interface Total {
  readonly name: string;
  readonly file: string;
  readonly computed: string;
  readonly equal: boolean;
}

/** What is summed: a field of the rows of a kind, by another field. */
interface Sum {
  readonly by: string;
  /** Kinds of rows, and the field whose figures count. */
  readonly of: readonly string[];
  readonly field: string;
}

const OUTSTANDING: Readonly<Record<string, Sum>> = {
  "share-classes": { by: "class", of: ["stock"], field: "quantity" },
  "equity-plans": { by: "plan", of: ["options", "stock"], field: "quantity" },
};

/** Compares each sum that the file states, and tells of those that differ at their cells. */
export function compareTotals(
  rows: readonly SheetRow[],
  { mapping, found, totals }: { readonly mapping: Mapping; readonly found: SheetProblems; readonly totals: Total[] },
): void {
  for (const row of rows) {
    const own = OUTSTANDING[row.to];
    const stated = row.fields.get("outstandingTotal");
    const field = own && stated ? "outstandingTotal" : null;
    if (own && stated) compare(rows, { row, stated, sum: own }, found, totals);
    for (const { sheet, column, by, of } of mapping.totals ?? []) {
      const [name, cell] = [...row.fields].find(([, { place }]) => isHeader(place.header, column)) ?? [];
      if (!cell || name === field || fits(sheet, row.place.sheet) === null) continue;
      const [kind = "", summed = ""] = of.split(".");
      // What is outstanding stands in the quantity by now.
      const sum = { by, of: [kind], field: summed === "outstanding" ? "quantity" : summed };
      compare(rows, { row, stated: cell, sum }, found, totals);
    }
  }
}

function isHeader(header: string | undefined, column: string): boolean {
  return header !== undefined && folded(header) === folded(column.replace(/^#/, ""));
}

interface Stated {
  readonly row: SheetRow;
  readonly stated: Field;
  readonly sum: Sum;
}

function compare(rows: readonly SheetRow[], { row, stated, sum }: Stated, found: SheetProblems, totals: Total[]): void {
  const name = said(row, sum.by) ?? "";
  const own = rows.filter((each) => sum.of.includes(each.to) && folded(said(each, sum.by) ?? "") === folded(name));
  const added = own.reduce((total, each) => total + parseDecimal(said(each, sum.field) ?? "0"), ZERO);
  const computed = formatDecimal(added);
  const equal = added === parseDecimal(stated.value);
  totals.push({ name, file: stated.value, computed, equal });
  if (equal) return;
  const detail = `says ${stated.value} of ${name}, and its rows add up to ${computed}`;
  found.problem("total-mismatch", stated.place, detail, "Look for rows that are missing, or closed.");
}
