// Columns of the cap table's lay-out as columns of a sheet. Pure.
import { isDecimalText } from "../../../kernel/numbers/decimal.ts";
import type { LayoutColumn } from "../../cap-table/layout/layout-column.ts";
import type { PercentColumn } from "../../cap-table/layout/percents.ts";
import type { Basis } from "../keys.ts";
import type { Column, Formula, Terms } from "../sheet.ts";
import { percent, summed, text } from "../sheet-columns.ts";

/** Makes columns of a sheet whose rows `R` each have a line `L` of the lay-out. */
export function laidOut<L, R>(lineOf: (row: R) => L) {
  return {
    text: ({ key, heading, cell }: LayoutColumn<L>): Column<R> => text(key, heading, (row) => cell(lineOf(row))),
    summed: ({ key, heading, cell }: LayoutColumn<L>, formula?: Formula): Column<R> =>
      summed(key, heading, (row) => cell(lineOf(row)), formula),
    /** Words in place of a figure are left out. */
    summedFigures: ({ key, heading, cell }: LayoutColumn<L>, formula?: Formula): Column<R> =>
      summed(
        key,
        heading,
        (row) => {
          const shown = cell(lineOf(row));
          return shown !== null && isDecimalText(shown) ? shown : null;
        },
        formula,
      ),
    /** `less`: what is no part of the whole in the row of totals. */
    percent: (
      { key, heading, of, part }: PercentColumn<L>,
      less: { readonly lessRows?: number } & Partial<Pick<Terms, "minus">> = {},
    ): Column<R> =>
      percent(key, heading, (row) => part(lineOf(row)), {
        isSummed: true,
        formula: { kind: "share", plus: [of], of: "total", ...less },
      }),
  };
}

/** The second percentage by its basis; null without one. */
export function secondPercent<L>(
  basis: Basis,
  { percentDiluted, percentGranted }: Readonly<Record<"percentDiluted" | "percentGranted", PercentColumn<L>>>,
): PercentColumn<L> | null {
  if (basis === "OUTSTANDING") return null;
  return basis === "FULLY_DILUTED" ? percentDiluted : percentGranted;
}
