// What somebody holds, by share class: stock, options and warrants, and how much of it has not vested. Pure.
import type { Row } from "../database/sql.ts";
import { type Decimal, formatDecimal, multiply, parseDecimal, ZERO } from "../kernel/decimal.ts";
import type { SecurityState } from "../ledger/types.ts";

/** Shares of one class, or of none. */
interface Shares {
  outstanding: Decimal;
  options: Decimal;
  warrants: Decimal;
  /** Of how many securities. */
  securities: number;
}

/** What a holder has, or all holders together. */
export class Holding {
  readonly #byClass = new Map<string | null, Shares>();
  outstanding = ZERO;
  options = ZERO;
  warrants = ZERO;
  unvested = ZERO;
  /** Open securities, convertibles among them. */
  securities = 0;

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
  add(security: SecurityState, unvested: Decimal): void {
    this.#count(security, security.quantity, unvested, 1);
  }

  /** Takes away one that was added so. */
  takeAway(security: SecurityState, unvested: Decimal): void {
    this.#count(security, -security.quantity, -unvested, -1);
  }

  #count({ type, stockClassId }: SecurityState, quantity: Decimal, unvested: Decimal, securities: 1 | -1): void {
    this.securities += securities;
    if (type === "CONVERTIBLE") return;
    const member = type === "STOCK" ? "outstanding" : type === "WARRANT" ? "warrants" : "options";
    const shares = this.#byClass.get(stockClassId) ?? {
      outstanding: ZERO,
      options: ZERO,
      warrants: ZERO,
      securities: 0,
    };
    shares.securities += securities;
    if (shares.securities === 0) this.#byClass.delete(stockClassId);
    else this.#byClass.set(stockClassId, shares);
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

/** What each holder has, security by security. */
export class HoldingsBook implements Holdings {
  readonly all = new Holding();
  readonly byHolder = new Map<string | null, Holding>();
  readonly #lines = new Map<string, { readonly security: SecurityState; readonly unvested: Decimal }>();

  /** Puts a security as it is now in the place of what it was; one that is not open any more goes. */
  put(security: SecurityState, unvested: (open: SecurityState) => Decimal): void {
    const { id, stakeholderId } = security;
    const before = this.#lines.get(id);
    if (before) this.#takeAway(before.security, before.unvested);
    if (!isOpen(security)) {
      this.#lines.delete(id);
      return;
    }
    const line = { security, unvested: unvested(security) };
    this.#lines.set(id, line);
    const holding = this.byHolder.get(stakeholderId) ?? new Holding();
    this.byHolder.set(stakeholderId, holding);
    for (const each of [this.all, holding]) each.add(security, line.unvested);
  }

  #takeAway(security: SecurityState, unvested: Decimal): void {
    const holding = this.byHolder.get(security.stakeholderId);
    for (const each of [this.all, holding]) each?.takeAway(security, unvested);
    if (holding?.securities === 0) this.byHolder.delete(security.stakeholderId);
  }
}

/** Whether anything of a security is outstanding. */
export function isOpen({ status, quantity }: SecurityState): boolean {
  return status === "ACTIVE" && quantity > ZERO;
}

/** What each holder has in a view. */
export function collectHoldings(open: Iterable<SecurityState>, unvested: (open: SecurityState) => Decimal): Holdings {
  const [all, byHolder] = [new Holding(), new Map<string | null, Holding>()];
  for (const security of open) {
    const holding = byHolder.get(security.stakeholderId) ?? new Holding();
    byHolder.set(security.stakeholderId, holding);
    const waiting = unvested(security);
    all.add(security, waiting);
    holding.add(security, waiting);
  }
  return { all, byHolder };
}
