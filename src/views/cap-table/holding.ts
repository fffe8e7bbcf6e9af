// Holdings by share class: stock, options and warrants, as issued and as converted, with the unvested part. Pure.
import { convertedBy } from "../../kernel/numbers/converted.ts";
import { type Decimal, formatDecimal, ZERO } from "../../kernel/numbers/decimal.ts";
import type { Conversion, Conversions } from "../../ledger/rules/conversion.ts";
import type { SecurityState } from "../../ledger/types.ts";

/** Shares of one class, or of none. */
export interface Shares {
  outstanding: Decimal;
  options: Decimal;
  warrants: Decimal;
  /** Of preferred stock what it converts into, each security rounded by its class's right. */
  outstandingAsConverted: Decimal;
  warrantsAsConverted: Decimal;
  /** Of how many securities. */
  securities: number;
}

/** What of a security is counted. */
export type CountedSecurity = Pick<SecurityState, "type" | "stockClassId" | "equityPlanId" | "quantity">;

/** An open security, as a day counts it. */
export interface Line<S extends CountedSecurity = CountedSecurity> {
  readonly security: S;
  /** In shares as issued. */
  readonly unvested: Decimal;
  /** What stock and warrants count as converted. */
  readonly converted: Decimal;
}

const PLAN_PREFIX = "plan ";

/** Where what is of no class stands: options by their plan, which may be for one class, and all else. */
const planKey = (equityPlanId: string | null) => (equityPlanId === null ? null : `${PLAN_PREFIX}${equityPlanId}`);

/** Nothing of a class. */
export const NO_SHARES: Readonly<Shares> = {
  outstanding: ZERO,
  options: ZERO,
  warrants: ZERO,
  outstandingAsConverted: ZERO,
  warrantsAsConverted: ZERO,
  securities: 0,
};

/** What is outstanding of a class, as text. */
export interface ToldStock {
  readonly stockClassId: string;
  readonly quantity: string;
  readonly asConverted: string;
}

/** What a holder has, or all holders together. */
export class Holding {
  readonly #byClass = new Map<string | null, Shares>();
  #told: ReturnType<typeof figuresAsText> | null = null;
  #toldStock: ReadonlyMap<string, ToldStock> | null = null;
  #asConverted: Decimal | null = null;
  outstanding = ZERO;
  options = ZERO;
  warrants = ZERO;
  outstandingAsConverted = ZERO;
  warrantsAsConverted = ZERO;
  unvested = ZERO;
  /** Open securities, convertibles among them. */
  securities = 0;

  /** Stock, options and warrants, one for one; convertibles are no shares. */
  get fullyDiluted(): Decimal {
    return this.outstanding + this.options + this.warrants;
  }

  /** The same with stock and warrants as converted. */
  get asConverted(): Decimal {
    this.#asConverted ??= this.outstandingAsConverted + this.options + this.warrantsAsConverted;
    return this.#asConverted;
  }

  /** What has vested of it; what never had to vest has. */
  get vested(): Decimal {
    return this.fullyDiluted - this.unvested;
  }

  /** Its figures as texts, which are written once until it changes. */
  get told(): ReturnType<typeof figuresAsText> {
    this.#told ??= figuresAsText(this);
    return this.#told;
  }

  /** The same of its stock, by class. */
  get toldStock(): ReadonlyMap<string, ToldStock> {
    this.#toldStock ??= stockAsText(this.#byClass);
    return this.#toldStock;
  }

  /** What there is of a class in securities that name it. */
  of(stockClassId: string): Readonly<Shares> {
    return this.#byClass.get(stockClassId) ?? NO_SHARES;
  }

  /** Adds an open security. */
  add({ security, unvested, converted }: Line): void {
    this.#count(security, { quantity: security.quantity, unvested, converted }, 1);
  }

  /** Adds all that another has. */
  addAll(other: Holding): void {
    this.#forget();
    this.securities += other.securities;
    this.unvested += other.unvested;
    addSums(this, other);
    for (const [key, shares] of other.#byClass) {
      const sum = this.#byClass.get(key) ?? { ...NO_SHARES };
      this.#byClass.set(key, sum);
      sum.securities += shares.securities;
      addSums(sum, shares);
    }
  }

  #forget(): void {
    this.#told = null;
    this.#toldStock = null;
    this.#asConverted = null;
  }

  /** Takes away one that was added so. */
  takeAway({ security, unvested, converted }: Line): void {
    this.#count(security, { quantity: -security.quantity, unvested: -unvested, converted: -converted }, -1);
  }

  #count(
    { type, stockClassId, equityPlanId }: CountedSecurity,
    { quantity, unvested, converted }: Omit<Line, "security"> & { readonly quantity: Decimal },
    securities: 1 | -1,
  ): void {
    this.#forget();
    this.securities += securities;
    if (type === "CONVERTIBLE") return;
    const key = type === "STOCK_OPTION" && stockClassId === null ? planKey(equityPlanId) : stockClassId;
    const shares = this.#byClass.get(key) ?? { ...NO_SHARES };
    shares.securities += securities;
    if (shares.securities === 0) this.#byClass.delete(key);
    else this.#byClass.set(key, shares);
    addUp(shares, type, quantity, converted);
    addUp(this, type, quantity, converted);
    this.unvested += unvested;
  }

  /**
   * What there is of each class, and under null of none. An option that names no class counts under the one that its
   * plan is for: `classOf` tells it, null where it is for several or none.
   */
  byClass(classOf: (equityPlanId: string) => string | null): ReadonlyMap<string | null, Readonly<Shares>> {
    const sums = new Map<string | null, Shares>();
    for (const [key, shares] of this.#byClass) {
      const plan = key?.startsWith(PLAN_PREFIX) ? key.slice(PLAN_PREFIX.length) : null;
      const stockClassId = plan === null ? key : classOf(plan);
      const sum = sums.get(stockClassId) ?? { ...NO_SHARES };
      addSums(sum, shares);
      sum.securities += shares.securities;
      sums.set(stockClassId, sum);
    }
    return sums;
  }
}

type Sums = Omit<Shares, "securities">;

function addSums(sums: Sums, more: Readonly<Sums>): void {
  sums.outstanding += more.outstanding;
  sums.options += more.options;
  sums.warrants += more.warrants;
  sums.outstandingAsConverted += more.outstandingAsConverted;
  sums.warrantsAsConverted += more.warrantsAsConverted;
}

/** Adds what is outstanding of a security. */
function addUp(sums: Sums, type: CountedSecurity["type"], quantity: Decimal, converted: Decimal): void {
  if (type === "STOCK") {
    sums.outstanding += quantity;
    sums.outstandingAsConverted += converted;
  } else if (type === "WARRANT") {
    sums.warrants += quantity;
    sums.warrantsAsConverted += converted;
  } else sums.options += quantity;
}

/** The figures of a holder that need no whole. */
function figuresAsText(holding: Holding) {
  const { outstanding, options, warrants, vested, unvested, fullyDiluted } = holding;
  const { outstandingAsConverted, warrantsAsConverted, asConverted } = holding;
  return {
    outstanding: formatDecimal(outstanding),
    options: formatDecimal(options),
    warrants: formatDecimal(warrants),
    vested: formatDecimal(vested),
    unvested: formatDecimal(unvested),
    fullyDiluted: formatDecimal(fullyDiluted),
    outstandingAsConverted: formatDecimal(outstandingAsConverted),
    warrantsAsConverted: formatDecimal(warrantsAsConverted),
    asConverted: formatDecimal(asConverted),
  };
}

function stockAsText(byClass: ReadonlyMap<string | null, Shares>): ReadonlyMap<string, ToldStock> {
  const told = new Map<string, ToldStock>();
  for (const [stockClassId, { outstanding, outstandingAsConverted }] of byClass) {
    if (stockClassId === null || outstanding === ZERO) continue;
    const [quantity, asConverted] = [formatDecimal(outstanding), formatDecimal(outstandingAsConverted)];
    told.set(stockClassId, { stockClassId, quantity, asConverted });
  }
  return told;
}

/** What all hold. */
export interface Holdings {
  /** How often something of it changed: what was made of it holds until then. */
  readonly changes: number;
  readonly all: Holding;
  /** By holder. Securities without one, which only an import can bring, are under null. */
  readonly byHolder: ReadonlyMap<string | null, Holding>;
}

/** What an open security counts as converted; options count one for one. */
export function convertedOf(
  { type, stockClassId, quantity }: CountedSecurity,
  conversions: ReadonlyMap<string, Pick<Conversion, "ratio" | "rounding">>,
): Decimal {
  const isConverted = (type === "STOCK" || type === "WARRANT") && stockClassId !== null;
  return isConverted ? convertedBy(quantity, conversions.get(stockClassId)) : quantity;
}

/** What each holder has, security by security. */
export class HoldingsBook implements Holdings {
  readonly all = new Holding();
  readonly byHolder = new Map<string | null, Holding>();
  readonly #lines = new Map<string, Line<SecurityState>>();
  changes = 0;
  #conversions: Conversions = new Map();

  /** Counts by these from now on; what was put in before by others is counted anew. */
  convertBy(conversions: Conversions): void {
    const before = this.#conversions;
    this.#conversions = conversions;
    const changed = new Set(
      [...conversions.keys(), ...before.keys()].filter((id) => !isSame(conversions.get(id), before.get(id))),
    );
    if (changed.size === 0) return;
    for (const line of this.#lines.values()) {
      if (changed.has(line.security.stockClassId ?? "")) this.put(line.security, () => line.unvested);
    }
  }

  /** Puts a security as it is now in the place of what it was; one that is not open any more goes. */
  put(security: SecurityState, unvested: (open: SecurityState) => Decimal): void {
    const { id, stakeholderId } = security;
    this.changes++;
    const before = this.#lines.get(id);
    if (before) this.#takeAway(before);
    if (!isOpen(security)) {
      this.#lines.delete(id);
      return;
    }
    const line = { security, unvested: unvested(security), converted: convertedOf(security, this.#conversions) };
    this.#lines.set(id, line);
    const holding = this.byHolder.get(stakeholderId) ?? new Holding();
    this.byHolder.set(stakeholderId, holding);
    for (const each of [this.all, holding]) each.add(line);
  }

  #takeAway(line: Line<SecurityState>): void {
    const { stakeholderId } = line.security;
    const holding = this.byHolder.get(stakeholderId);
    for (const each of [this.all, holding]) each?.takeAway(line);
    if (holding?.securities === 0) this.byHolder.delete(stakeholderId);
  }
}

type Converts = ReturnType<Conversions["get"]>;

function isSame(one: Converts, other: Converts): boolean {
  const parts = (conversion: Converts) => {
    const { ratio, rounding } = conversion ?? ONE_FOR_ONE;
    return ratio.numerator === ratio.denominator ? "1" : `${ratio.numerator}:${ratio.denominator} ${rounding}`;
  };
  return parts(one) === parts(other);
}

const ONE_FOR_ONE = { ratio: { numerator: 1n, denominator: 1n }, rounding: "FLOOR" } as const;

/** Whether anything of a security is outstanding. */
export function isOpen({ status, quantity }: Pick<SecurityState, "status" | "quantity">): boolean {
  return status === "ACTIVE" && quantity > ZERO;
}

/** What each holder has. Every figure by holder and class that is shown, of records and of models, is added up here. */
export function collectHoldings<H>(lines: Iterable<Line & { readonly holder: H }>): {
  readonly changes: 0;
  readonly all: Holding;
  readonly byHolder: ReadonlyMap<H, Holding>;
} {
  const [all, byHolder] = [new Holding(), new Map<H, Holding>()];
  for (const line of lines) {
    const holding = byHolder.get(line.holder) ?? new Holding();
    byHolder.set(line.holder, holding);
    holding.add(line);
  }
  for (const holding of byHolder.values()) all.addAll(holding);
  return { changes: 0, all, byHolder };
}
