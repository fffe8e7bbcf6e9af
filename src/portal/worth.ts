// What a holding is worth: its quantity × the price of its class's latest approved 409A valuation, in today's shares.
import type { Reader, Row } from "../database/sql.ts";
import type { CalendarDate } from "../kernel/date.ts";
import { type Decimal, formatDecimal, multiply, parseDecimal, ZERO } from "../kernel/decimal.ts";
import { type DatedSplit, listDatedSplits, priceInSharesOf } from "../ledger/dated-splits.ts";
import { CountingClasses } from "../ledger/needed.ts";
import { organizationCurrency } from "../ledger/store.ts";
import type { SecurityState } from "../ledger/types.ts";
import { listApproved409A } from "./store.ts";

type Valuation = ReturnType<typeof listApproved409A>[number];

/** What one holding is worth. */
export interface Worth {
  readonly amount: Decimal;
  readonly pricePerShare: string;
  /** The valuation's day. */
  readonly asOf: CalendarDate;
  readonly currency: string;
}

/** What the holdings of an organization are worth on a day. */
export class Worths {
  readonly #counting: CountingClasses;
  readonly #currencies: ReadonlyMap<string, string>;
  /** The last one of each class. */
  readonly #valuations: ReadonlyMap<string | null, Valuation>;
  readonly #splits: readonly DatedSplit[];

  constructor(
    db: Reader,
    orgId: string,
    today: CalendarDate,
    {
      classes,
      plans,
    }: { readonly classes: readonly Row<"share_classes">[]; readonly plans: readonly Row<"equity_plans">[] },
  ) {
    const isKept = ({ deletedAt }: { readonly deletedAt: string | null }) => deletedAt === null;
    const currency = organizationCurrency(db, orgId);
    this.#counting = new CountingClasses(classes.filter(isKept), plans.filter(isKept));
    this.#currencies = new Map(classes.map((each) => [each.id, each.currency ?? currency]));
    this.#valuations = new Map(listApproved409A(db, { orgId, today }).map((each) => [each.stockClassId, each]));
    this.#splits = listDatedSplits(db, orgId).filter(({ date }) => date <= today);
  }

  /** Null for a convertible, and where the class has no such valuation. */
  of(security: SecurityState, { grantDate }: Pick<Row<"securities">, "grantDate">): Worth | null {
    const { type, stockClassId, quantity } = security;
    if (type === "CONVERTIBLE") return null;
    const classId = type === "STOCK_OPTION" ? this.#counting.ofOption(security) : stockClassId;
    const valuation = classId === null ? undefined : this.#valuations.get(classId);
    const currency = this.#currencies.get(classId ?? "");
    if (valuation === undefined || currency === undefined) return null;
    const pricePerShare = priceInSharesOf({ type, grantDate }, valuation, this.#splits);
    const amount = multiply(quantity, parseDecimal(pricePerShare));
    return { amount, pricePerShare, asOf: valuation.effectiveDate, currency };
  }
}

/** The sum of what is worth something, a line for each currency. */
export function sumOfWorths(
  worths: readonly (Worth | null)[],
): { readonly currency: string; readonly amount: string }[] {
  const sums = new Map<string, Decimal>();
  for (const worth of worths) {
    if (worth !== null) sums.set(worth.currency, (sums.get(worth.currency) ?? ZERO) + worth.amount);
  }
  return [...sums].map(([currency, amount]) => ({ currency, amount: formatDecimal(amount) }));
}
