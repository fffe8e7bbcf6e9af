// An independent reader of OCF packages: adds up by date what the objects say, in fractions, and knows nothing of the
// program's own code. What it makes of an export must be what the organization has.
import type { Fields } from "./objects.ts";

/** What a package adds up to. Sums are decimal texts; those of nothing are left out. */
export interface ReadTotals {
  /** Outstanding stock by class. */
  readonly classes: Readonly<Record<string, string>>;
  /** Authorized shares by class. */
  readonly authorized: Readonly<Record<string, string>>;
  /** By `holder|family|class`; warrants and options without a class. */
  readonly holdings: Readonly<Record<string, string>>;
  /** What is reserved and available by plan. */
  readonly plans: Readonly<Record<string, { readonly reserved: string; readonly available: string }>>;
}

/** A number as numerator over denominator. */
type Fraction = readonly [bigint, bigint];

const NONE: Fraction = [0n, 1n];

function fraction(text: unknown): Fraction {
  const [whole = "0", digits = ""] = String(text ?? "0").split(".");
  return [BigInt(whole + digits), 10n ** BigInt(digits.length)];
}

const plus = ([a, b]: Fraction, [c, d]: Fraction): Fraction => [a * d + c * b, b * d];
const minus = (a: Fraction, [c, d]: Fraction): Fraction => plus(a, [-c, d]);
const times = ([a, b]: Fraction, [c, d]: Fraction): Fraction => [a * c, b * d];
const over = ([a, b]: Fraction, [c, d]: Fraction): Fraction => [a * d, b * c];
const isLess = ([a, b]: Fraction, [c, d]: Fraction): boolean => a * d < c * b;
const least = (a: Fraction, b: Fraction): Fraction => (isLess(a, b) ? a : b);

/** The number with ten digits after the point, half even, without needless zeros. */
function textOf([n, d]: Fraction): string {
  const scaled = n * 10n ** 10n;
  let whole = scaled / d;
  const rest = scaled % d;
  const twice = (rest < 0n ? -rest : rest) * 2n;
  if (twice > d || (twice === d && whole % 2n !== 0n)) whole += n < 0n ? -1n : 1n;
  const digits = String(whole < 0n ? -whole : whole).padStart(11, "0");
  const text = `${digits.slice(0, -10)}.${digits.slice(-10)}`.replace(/\.?0+$/, "");
  return whole < 0n ? `-${text}` : text;
}

interface Holding {
  readonly family: string;
  readonly issuance: Fields;
  /** Its place in the order by date. */
  readonly place: number;
  held: Fraction;
  isOpen: boolean;
}

const ENDING = /_(CANCELLATION|TRANSFER|REPURCHASE|CONVERSION|REISSUANCE|RETRACTION|EXERCISE|RELEASE)$/;
/** What may take a part and leave the rest where it is. */
const PARTIAL = /_(CANCELLATION|TRANSFER|REPURCHASE)$|^TX_STOCK_CONVERSION$|^TX_EQUITY.*_(EXERCISE|RELEASE)$/;

/** Adds up the objects of a package. */
export function readTotals(objects: readonly Fields[]): ReadTotals {
  return new Reading(objects).totals();
}

class Reading {
  readonly #objects: readonly Fields[];
  readonly #ledger: readonly Fields[];
  readonly #holdings = new Map<string, Holding>();
  /** What transactions made, which draws nothing from a plan. */
  readonly #made = new Set<unknown>();
  readonly #authorized = new Map<string, string>();
  readonly #reserved = new Map<string, Fraction>();
  readonly #available = new Map<string, Fraction>();
  readonly #returning = new Set<unknown>();
  readonly #spared = new Map<unknown, Set<unknown>>();

  constructor(objects: readonly Fields[]) {
    this.#objects = objects;
    const placed = objects.filter(({ object_type: type }) => String(type).startsWith("TX_"));
    this.#ledger = placed
      .map((object, place) => ({ object, place }))
      .sort((a, b) =>
        String(a.object.date) < String(b.object.date) ? -1 : a.object.date === b.object.date ? a.place - b.place : 1,
      )
      .map(({ object }) => object);
    this.#gather();
    for (const [place, object] of this.#ledger.entries()) this.#apply(object, place);
  }

  totals(): ReadTotals {
    const [classes, holdings] = [new Map<string, Fraction>(), new Map<string, Fraction>()];
    const add = (sums: Map<string, Fraction>, key: string, held: Fraction) =>
      void sums.set(key, plus(sums.get(key) ?? NONE, held));
    for (const { family, issuance, held } of this.#holdings.values()) {
      const classId = family === "STOCK" ? String(issuance.stock_class_id) : "";
      if (family === "STOCK") add(classes, classId, held);
      add(holdings, `${issuance.stakeholder_id}|${family}|${classId}`, held);
    }
    const texts = (sums: ReadonlyMap<string, Fraction>) =>
      Object.fromEntries([...sums].filter(([, [n]]) => n !== 0n).map(([key, sum]) => [key, textOf(sum)]));
    const plans = [...this.#reserved].map(([id, reserved]) => {
      return [id, { reserved: textOf(reserved), available: textOf(this.#available.get(id) ?? NONE) }] as const;
    });
    return {
      classes: texts(classes),
      authorized: Object.fromEntries(this.#authorized),
      holdings: texts(holdings),
      plans: Object.fromEntries(plans),
    };
  }

  /** What has to be known before the first transaction. */
  #gather(): void {
    for (const object of this.#objects) {
      const id = String(object.id);
      if (object.object_type === "STOCK_CLASS") this.#authorized.set(id, String(object.initial_shares_authorized));
      if (object.object_type === "STOCK_PLAN") {
        this.#reserved.set(id, fraction(object.initial_shares_reserved));
        this.#available.set(id, fraction(object.initial_shares_reserved));
        if (object.default_cancellation_behavior === "RETURN_TO_POOL") this.#returning.add(id);
      }
    }
    for (const [place, object] of this.#ledger.entries()) {
      const { object_type: type, security_id: id } = object;
      if (String(type).endsWith("_ISSUANCE")) {
        if (this.#holdings.has(String(id))) continue;
        const family = String(type).slice("TX_".length, -"_ISSUANCE".length);
        const invested = object.investment_amount as Fields | undefined;
        const held = fraction(invested?.amount ?? object.quantity);
        this.#holdings.set(String(id), { family, issuance: object, place, held, isOpen: true });
        continue;
      }
      const made = [...listOf(object.resulting_security_ids), object.resulting_security_id, object.balance_security_id];
      for (const each of made) if (each) this.#made.add(each);
      if (object.split_transaction_id) {
        const spared = this.#spared.get(object.split_transaction_id) ?? new Set();
        for (const each of [id, ...listOf(object.resulting_security_ids)]) spared.add(each);
        this.#spared.set(object.split_transaction_id, spared);
      }
    }
  }

  #apply(object: Fields, place: number): void {
    const type = String(object.object_type);
    const holding = this.#holdings.get(String(object.security_id));
    if (type.endsWith("_ISSUANCE")) {
      if (holding?.place === place) this.#grant(object, holding);
    } else if (type === "TX_STOCK_CLASS_SPLIT") this.#split(object, place);
    else if (type === "TX_STOCK_CONSOLIDATION") {
      for (const id of listOf(object.security_ids)) end(this.#holdings.get(String(id)));
    } else if (ENDING.test(type)) this.#take(type, object, holding);
    else this.#adjust(type, object);
  }

  /** A grant draws on its plan, but for what another transaction made. */
  #grant(object: Fields, { family }: Holding): void {
    const isGrant = family === "STOCK" || family === "EQUITY_COMPENSATION";
    if (isGrant && !this.#made.has(object.security_id))
      this.#move(object.stock_plan_id, minus(NONE, fraction(object.quantity)));
  }

  #take(type: string, object: Fields, holding: Holding | undefined): void {
    if (!holding?.isOpen) return;
    const { held, family, issuance } = holding;
    const said = (object.amount as Fields | undefined)?.amount ?? object.quantity ?? object.quantity_converted;
    const amount = said === undefined ? held : least(fraction(said), held);
    const isPart = PARTIAL.test(type) && !object.balance_security_id && isLess(amount, held);
    if (isPart) holding.held = minus(held, amount);
    else end(holding);
    if (family !== "EQUITY_COMPENSATION" || this.#isReturnSaid(object.security_id)) return;
    const isByDefault = type.endsWith("_CANCELLATION") && this.#returning.has(issuance.stock_plan_id);
    if (isByDefault || type.endsWith("_RETRACTION")) this.#move(issuance.stock_plan_id, amount);
  }

  #isReturnSaid(securityId: unknown): boolean {
    return this.#ledger.some(
      ({ object_type: type, security_id: id }) => type === "TX_STOCK_PLAN_RETURN_TO_POOL" && id === securityId,
    );
  }

  #split(object: Fields, place: number): void {
    const ratio = object.split_ratio as Fields;
    const factor = over(fraction(ratio.numerator), fraction(ratio.denominator));
    const spared = this.#spared.get(object.id);
    for (const [id, holding] of this.#holdings) {
      const isConcerned = holding.family === "STOCK" && holding.issuance.stock_class_id === object.stock_class_id;
      // A security holds no more than the ten digits that the format has.
      const isMultiplied = isConcerned && holding.place < place && !spared?.has(id);
      if (isMultiplied) holding.held = fraction(textOf(times(holding.held, factor)));
    }
  }

  #adjust(type: string, object: Fields): void {
    const planId = String(object.stock_plan_id);
    if (type === "TX_STOCK_CLASS_AUTHORIZED_SHARES_ADJUSTMENT") {
      this.#authorized.set(String(object.stock_class_id), String(object.new_shares_authorized));
    } else if (type === "TX_STOCK_PLAN_POOL_ADJUSTMENT") {
      const reserved = fraction(object.shares_reserved);
      this.#move(planId, minus(reserved, this.#reserved.get(planId) ?? NONE));
      this.#reserved.set(planId, reserved);
    } else if (type === "TX_STOCK_PLAN_RETURN_TO_POOL") this.#move(planId, fraction(object.quantity));
  }

  #move(planId: unknown, by: Fraction): void {
    const available = this.#available.get(String(planId));
    if (available !== undefined) this.#available.set(String(planId), plus(available, by));
  }
}

function end(holding: Holding | undefined): void {
  if (!holding) return;
  holding.held = NONE;
  holding.isOpen = false;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
