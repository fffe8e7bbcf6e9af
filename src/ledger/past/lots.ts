// Lots: numbers of securities of equal quantity, of stock and warrants of classes that ever convert at another ratio
// than 1. A right rounds each security by itself, so sums of a class cannot be converted, but numbers of equal
// securities can. Pure.
import { convertedBy } from "../../kernel/numbers/converted.ts";
import { type Decimal, parseDecimal, ZERO } from "../../kernel/numbers/decimal.ts";
import { toldRatios } from "../replay/terms-then.ts";
import { rightsOf } from "../rules/class-terms.ts";
import { type Conversion, type ConvertingRow, isOneForOne, type TermsTold } from "../rules/conversion.ts";
import type { SecurityState } from "../types.ts";

const PREFIX = "lot ";

/** What is converted of a class. */
export type LotType = "STOCK" | "WARRANT";

/** The key that counts the open securities of a class with a quantity; null for zero. */
export function lotKey(security: SecurityState | undefined, converting: ReadonlySet<string>): string | null {
  if (security?.status !== "ACTIVE" || security.quantity === ZERO) return null;
  const { type, stockClassId, quantity } = security;
  if ((type !== "STOCK" && type !== "WARRANT") || stockClassId === null || !converting.has(stockClassId)) return null;
  return `${PREFIX}${type} ${quantity} ${stockClassId}`;
}

/** The classes that convert at another ratio than 1 on some day. */
export function convertingClasses(rows: readonly ConvertingRow[], entries: TermsTold["entries"]): ReadonlySet<string> {
  const isOther = ({ numerator, denominator }: { readonly numerator: string; readonly denominator: string }) =>
    parseDecimal(numerator) !== parseDecimal(denominator);
  const now = rows.filter((row) => rightsOf(row).some(({ ratio }) => isOther(ratio))).map(({ id }) => id);
  const told = toldRatios(entries).flatMap(({ stockClassId, ratios }) => (ratios.some(isOther) ? [stockClassId] : []));
  return new Set([...now, ...told]);
}

/** The open lots of a class and type. */
interface Lots {
  readonly type: LotType;
  readonly stockClassId: string;
  /** How many securities hold each quantity. */
  readonly counts: Map<Decimal, bigint>;
  /** The gain by conversion; null until it is summed again. */
  added: Decimal | null;
  conversion: Conversion | undefined;
}

/** The lots of one day, which carry over to the next. */
export class LotBook {
  readonly #lots = new Map<string, Lots>();

  /** Applies a change of numbers; false if the key does not belong to a lot. */
  take(key: string, difference: bigint): boolean {
    if (!key.startsWith(PREFIX)) return false;
    const [type, quantity, ...id] = key.slice(PREFIX.length).split(" ");
    const stockClassId = id.join(" ");
    const lots = this.#of(type === "WARRANT" ? "WARRANT" : "STOCK", stockClassId);
    const size = BigInt(quantity ?? "0");
    lots.counts.set(size, (lots.counts.get(size) ?? 0n) + difference);
    if (lots.added !== null) lots.added += difference * (convertedBy(size, lots.conversion) - size);
    return true;
  }

  #of(type: LotType, stockClassId: string): Lots {
    const name = `${type} ${stockClassId}`;
    const lots = this.#lots.get(name) ?? { type, stockClassId, counts: new Map(), added: null, conversion: undefined };
    this.#lots.set(name, lots);
    return lots;
  }

  /** The gain of a class's open lots as converted over one for one; negative if conversion gives less. */
  addedBy(type: LotType, stockClassId: string, conversion: Conversion | undefined): Decimal {
    const lots = this.#lots.get(`${type} ${stockClassId}`);
    if (!lots || isOneForOne(conversion)) return ZERO;
    if (lots.added === null || lots.conversion !== conversion) {
      lots.conversion = conversion;
      lots.added = ZERO;
      for (const [size, count] of lots.counts) lots.added += count * (convertedBy(size, conversion) - size);
    }
    return lots.added;
  }
}
