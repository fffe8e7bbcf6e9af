// Compares sums that a file states with its own rows: if they differ, rows are missing or closed.
import { formatDecimal, parseDecimal, ZERO } from "../../../kernel/numbers/decimal.ts";
import { foldName } from "../../../kernel/text/names.ts";
import type { SheetProblems } from "../file/cell-problem.ts";
import { fits, type Mapping } from "../mapping/mapping.ts";
import { folded } from "./cell-values.ts";
import type { Directory } from "./directory.ts";
import type { Field } from "./fields.ts";
import { said } from "./read-field.ts";
import type { SheetRow } from "./understand.ts";

/** A sum of the file, and what its rows add up to. */
export interface Total {
  readonly name: string;
  readonly file: string;
  readonly computed: string;
  readonly equal: boolean;
}

/** The summed figures: a field of the rows of a kind, by another field. */
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

/** What comparing sums needs. */
interface Adding {
  readonly mapping: Mapping;
  readonly found: SheetProblems;
  readonly totals: Total[];
  readonly directory: Directory;
}

/** What texts of a field stand for: several may mean one class, or one plan. */
type KeyOf = (field: string, text: string) => string;

function keysBy(directory: Directory): KeyOf {
  const known = new Map<string, string>();
  return (field, text) => {
    const name = `${field} ${text}`;
    const before = known.get(name);
    if (before !== undefined) return before;
    const meant = field === "class" ? directory.stockClass(text) : field === "plan" ? directory.plan(text) : "unknown";
    const key = typeof meant === "object" ? `id ${meant.id}` : foldName(text);
    known.set(name, key);
    return key;
  };
}

/** Compares each sum that the file states, and reports those that differ at their cells. */
export function compareTotals(rows: readonly SheetRow[], { mapping, found, totals, directory }: Adding): void {
  const adding = { found, totals, keyOf: keysBy(directory) };
  for (const row of rows) {
    const own = OUTSTANDING[row.to];
    const stated = row.fields.get("outstandingTotal");
    const field = own && stated ? "outstandingTotal" : null;
    if (own && stated) compare(rows, { row, stated, sum: own }, adding);
    for (const { sheet, column, by, of } of mapping.totals ?? []) {
      const [name, cell] = [...row.fields].find(([, { place }]) => isHeader(place.header, column)) ?? [];
      if (!cell || name === field || fits(sheet, row.place.sheet) === null) continue;
      const [kind = "", summed = ""] = of.split(".");
      // What is outstanding stands in the quantity by now.
      const sum = { by, of: [kind], field: summed === "outstanding" ? "quantity" : summed };
      compare(rows, { row, stated: cell, sum }, adding);
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

function compare(
  rows: readonly SheetRow[],
  { row, stated, sum }: Stated,
  { found, totals, keyOf }: Pick<Adding, "found" | "totals"> & { readonly keyOf: KeyOf },
): void {
  const name = said(row, sum.by) ?? "";
  const key = keyOf(sum.by, name);
  const own = rows.filter((each) => sum.of.includes(each.to) && keyOf(sum.by, said(each, sum.by) ?? "") === key);
  const added = own.reduce((total, each) => total + parseDecimal(said(each, sum.field) ?? "0"), ZERO);
  const computed = formatDecimal(added);
  const equal = added === parseDecimal(stated.value);
  totals.push({ name, file: stated.value, computed, equal });
  if (equal) return;
  const detail = `says ${stated.value} of ${name}, and its rows add up to ${computed}`;
  found.problem("total-mismatch", stated.place, detail, "Look for rows that are missing, or closed.");
}
