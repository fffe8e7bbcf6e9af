// As-converted counting of stock: a class counts by its effective right, with the terms of the day. The cap table,
// models and reports all count here, and so alike. Pure.
import type { Ratio, RightRounding } from "../../kernel/numbers/converted.ts";
import { parseDecimal } from "../../kernel/numbers/decimal.ts";
import { type CountsThen, earlierTerms } from "../replay/terms-then.ts";
import type { TermsEntry, TermsRow } from "../terms-records.ts";
import { type ConversionRight, countingPlace, countingRight, oldestCommon, rightsOf } from "./class-terms.ts";

/** How a class of preferred stock converts on a day. */
export interface Conversion {
  readonly ratio: Ratio;
  readonly rounding: RightRounding;
  /** The recorded ratio. */
  readonly told: ConversionRight["ratio"];
  /** The right's price; null if it has none. */
  readonly conversionPrice: string | null;
  /** The class that it converts into; null if there is no such class. */
  readonly intoId: string | null;
}

/** How classes convert, by id; common classes are not in it. */
export type Conversions = ReadonlyMap<string, Conversion>;

/** The entries that may set terms, oldest first, and which of them count. */
export interface TermsTold {
  readonly entries: readonly TermsEntry[];
  readonly counts: CountsThen;
}

/** The columns of a class that its conversion follows from. */
export type ConvertingRow = Pick<TermsRow, "id" | "classType" | "conversionRights"> & {
  readonly deletedAt: string | null;
};

/**
 * The conversion of the classes at a moment, `rows` oldest first. A deleted class counts while it has outstanding
 * shares.
 */
export function conversionsOf(
  rows: readonly ConvertingRow[],
  isIssued: (stockClassId: string) => boolean,
  { entries, counts }: TermsTold,
): Conversions {
  const used = usedClasses(rows, isIssued);
  const earlier = earlierTerms(entries, counts);
  const common = oldestCommon(used);
  const conversions = new Map<string, Conversion>();
  for (const row of used) {
    if (row.classType !== "PREFERRED") continue;
    const rights = rightsOf(row);
    const right = { ...countingRight(rights, used), ...termsThen(earlier.get(row.id)) };
    const { numerator, denominator } = right.ratio;
    conversions.set(row.id, {
      ratio: { numerator: parseDecimal(numerator), denominator: parseDecimal(denominator) },
      rounding: right.rounding,
      told: right.ratio,
      conversionPrice: right.conversionPrice,
      intoId: countingPlace(rights, used) === -1 ? common : (right.stockClassId ?? common),
    });
  }
  return conversions;
}

/** The existing classes, and deleted ones with outstanding shares. */
export function usedClasses<R extends ConvertingRow>(rows: readonly R[], isIssued: (id: string) => boolean) {
  return rows.filter(({ id, deletedAt }) => deletedAt === null || isIssued(id));
}

function termsThen(earlier: ReturnType<ReturnType<typeof earlierTerms>["get"]>) {
  if (!earlier) return {};
  const { ratio, conversionPrice, rounding } = earlier;
  return { ratio, conversionPrice, ...(rounding === undefined ? {} : { rounding }) };
}

/** Whether the class converts one for one. */
export function isOneForOne(conversion: Conversion | undefined): boolean {
  return conversion === undefined || conversion.ratio.numerator === conversion.ratio.denominator;
}
