// What somebody holds, by share class: stock, options and warrants, and how much of it has not vested. Pure.
import type { Row } from "../database/sql.ts";
import { type Decimal, formatDecimal, multiply, parseDecimal, ZERO } from "../kernel/decimal.ts";
import type { SecurityState } from "../ledger/types.ts";
import type { View } from "./view.ts";

/** Shares of one class, or of none. */
interface Shares {
  outstanding: Decimal;
  options: Decimal;
  warrants: Decimal;
}

/** What a holder has, or all holders together. */
export class Holding {
  readonly #byClass = new Map<string | null, Shares>();
  outstanding = ZERO;
  options = ZERO;
  warrants = ZERO;
  unvested = ZERO;

  /** Stock, options and warrants; convertibles are no shares. */
  get fullyDiluted(): Decimal {
    return this.outstanding + this.options + this.warrants;
  }

  /** What has vested of it; what never had to vest has. */
  get vested(): Decimal {
    return this.fullyDiluted - this.unvested;
  }

  /** The stock of a class; null where there is none. */
  stockOf(stockClassId: string): Decimal | null {
    const quantity = this.#byClass.get(stockClassId)?.outstanding ?? ZERO;
    return quantity === ZERO ? null : quantity;
  }

  /** Adds an open security. */
  add({ type, stockClassId, quantity }: SecurityState, unvested: Decimal): void {
    if (type === "CONVERTIBLE") return;
    const member = type === "STOCK" ? "outstanding" : type === "WARRANT" ? "warrants" : "options";
    const shares = this.#byClass.get(stockClassId) ?? { outstanding: ZERO, options: ZERO, warrants: ZERO };
    this.#byClass.set(stockClassId, shares);
    shares[member] += quantity;
    this[member] += quantity;
    this.unvested += unvested;
  }

  /**
   * A line for each of `classes`, with its votes as recorded; one more for what is of no class, where there is any.
   * With `isOwn` only for those of which there is something.
   */
  byClass(classes: readonly Pick<Row<"share_classes">, "id" | "votesPerShare">[], isOwn: boolean) {
    const lines = classes.map(({ id, votesPerShare }) => [id, votesPerShare] as const);
    return [...lines, [null, "0"] as const].flatMap(([stockClassId, votesPerShare]) => {
      const shares = this.#byClass.get(stockClassId);
      if (!shares && (isOwn || stockClassId === null)) return [];
      const { outstanding, options, warrants } = shares ?? { outstanding: ZERO, options: ZERO, warrants: ZERO };
      return {
        stockClassId,
        outstanding: formatDecimal(outstanding),
        options: formatDecimal(options),
        warrants: formatDecimal(warrants),
        fullyDiluted: formatDecimal(outstanding + options + warrants),
        votes: formatDecimal(multiply(outstanding, parseDecimal(votesPerShare))),
      };
    });
  }
}

/** What all hold. */
export interface Holdings {
  readonly all: Holding;
  /** By holder. Securities without one, which only an import can bring, are under null. */
  readonly byHolder: ReadonlyMap<string | null, Holding>;
}

/** What each holder has. */
export function collectHoldings(view: View): Holdings {
  const [all, byHolder] = [new Holding(), new Map<string | null, Holding>()];
  for (const security of view.open) {
    const holding = byHolder.get(security.stakeholderId) ?? new Holding();
    byHolder.set(security.stakeholderId, holding);
    const unvested = view.unvested(security);
    all.add(security, unvested);
    holding.add(security, unvested);
  }
  return { all, byHolder };
}
