// Warns of securities issued on the day of a split of their class. Issuances come before the events of their day, so
// the split multiplies them too. Whether the file counts shares of after the split cannot be known: so the warning says
// what was done.

import { formatDecimal, isDecimalText, parseDecimal } from "../../../kernel/numbers/decimal.ts";
import { splitQuantity } from "../../../kernel/numbers/split-figures.ts";
import { findAny } from "../../../storage/database/records.ts";
import { dayOf, numbered, placeIn, said } from "../rows/read-field.ts";
import { TYPES } from "../rows/row-numbers.ts";
import type { SheetRow } from "../rows/understand.ts";
import type { Action, Importing } from "./importing.ts";

interface NewSplit {
  readonly classId: string;
  readonly day: string;
  readonly numerator: number;
  readonly denominator: number;
}

/** Warns of each security that the import made on the day of a split that it made, too. */
export function tellSameDay(importing: Importing, acts: readonly Action[]): void {
  const made = acts.filter(({ what }) => what === "create").map(({ row, id }) => ({ row, id }));
  const splits = made.flatMap(({ row }) => newSplit(importing, row) ?? []);
  const days = new Set(splits.map(({ day }) => day));
  for (const { row, id } of made) {
    const day = dayOf(row);
    if (id === null || day === undefined || !days.has(day) || TYPES[row.to] === undefined) continue;
    const security = findAny(importing.tx, "securities", importing.orgId, id);
    if (security === null || security.type === "CONVERTIBLE") continue;
    tellRow(
      importing,
      row,
      splits.filter((split) => split.day === day && split.classId === security.stockClassId),
    );
  }
}

function newSplit({ directory }: Importing, row: SheetRow): NewSplit | null {
  if (row.to !== "events" || said(row, "event") !== "SPLIT") return null;
  const meant = directory.stockClass(said(row, "class") ?? "");
  const [day, numerator, denominator] = [dayOf(row), numbered(row, "numerator"), numbered(row, "denominator")];
  if (typeof meant !== "object" || day === undefined || !numerator || !denominator) return null;
  return { classId: meant.id, day, numerator, denominator };
}

function tellRow({ found }: Importing, row: SheetRow, splits: readonly NewSplit[]): void {
  const [quantity = "", first] = [said(row, "quantity"), splits[0]];
  if (!first || !isDecimalText(quantity)) return;
  const ratios = splits.map(({ numerator, denominator }) => `${numerator}:${denominator}`).join(" and ");
  const after = splits.reduce(
    (left, { numerator, denominator }) =>
      splitQuantity(left, { numerator: BigInt(numerator), denominator: BigInt(denominator), rounding: "DOWN" }),
    parseDecimal(quantity),
  );
  found.warning(
    "same-day-as-split",
    placeIn(row, "issueDate"),
    `is the day of the split ${ratios}: it is issued before the split, so its ${quantity} become ${formatDecimal(after)}`,
    "Where it counts shares of after the split, write the figure of before it, or the day after.",
  );
}
