// Worth of a holding before tax, by its class's latest approved 409A valuation in today's shares: for an option or a
// warrant the gain by exercising it, zero once it has expired.

import type { CalendarDate } from "../../kernel/date.ts";
import { type Decimal, formatDecimal, max, multiply, parseDecimal, ZERO } from "../../kernel/numbers/decimal.ts";
import { CountingClasses } from "../../ledger/rules/required-authorization.ts";
import { type DatedSplit, listDatedSplits, priceInSharesOf } from "../../ledger/splits/dated-splits.ts";
import { organizationCurrency } from "../../ledger/store.ts";
import type { SecurityState } from "../../ledger/types.ts";
import type { Reader, Row } from "../../storage/database/sql.ts";
import { listApproved409A } from "./store.ts";

type Valuation = ReturnType<typeof listApproved409A>[number];

/** What one holding is worth. */
export interface Worth {
  /** Of what has vested. */
  readonly amount: Decimal;
  /** Of the rest. */
  readonly unvestedAmount: Decimal;
  readonly pricePerShare: string;
  /** The valuation's day. */
  readonly asOf: CalendarDate;
  readonly currency: string;
}

/** What the holdings of an organization are worth on a day. */
export class Worths {
  readonly #today: CalendarDate;
  readonly #currency: string;
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
    this.#today = today;
    this.#currency = currency;
    this.#counting = new CountingClasses(classes.filter(isKept), plans.filter(isKept));
    this.#currencies = new Map(classes.map((each) => [each.id, each.currency ?? currency]));
    this.#valuations = new Map(listApproved409A(db, { orgId, today }).map((each) => [each.stockClassId, each]));
    this.#splits = listDatedSplits(db, orgId).filter(({ date }) => date <= today);
  }

  /** Null for a convertible, where the class has no such valuation, and where the strike is not known. */
  of(security: SecurityState, record: HoldingRecord, unvested: Decimal): Worth | null {
    const { type, quantity } = security;
    if (type === "CONVERTIBLE") return null;
    const classId = this.#counting.ofOption(security);
    const valuation = classId === null ? undefined : this.#valuations.get(classId);
    const currency = this.#currencies.get(classId ?? "");
    if (valuation === undefined || currency === undefined) return null;
    const pricePerShare = priceInSharesOf({ type, grantDate: record.grantDate }, valuation, this.#splits);
    const gain = this.#gainOf(security, record, { price: parseDecimal(pricePerShare), currency });
    if (gain === null) return null;
    const [amount, unvestedAmount] = [multiply(quantity - unvested, gain), multiply(unvested, gain)];
    return { amount, unvestedAmount, pricePerShare, asOf: valuation.effectiveDate, currency };
  }

  /** What a share of it leaves; null where its strike is not known, or in other money. */
  #gainOf(
    { type, exercisePrice }: SecurityState,
    { expirationDate, currency }: HoldingRecord,
    share: { readonly price: Decimal; readonly currency: string },
  ): Decimal | null {
    if (type === "STOCK") return share.price;
    if (expirationDate !== null && expirationDate < this.#today) return ZERO;
    if (exercisePrice === null || (currency ?? this.#currency) !== share.currency) return null;
    return max(ZERO, share.price - parseDecimal(exercisePrice));
  }
}

/** What its record says of a holding. */
type HoldingRecord = Pick<Row<"securities">, "grantDate" | "expirationDate" | "currency">;

/** The sum of what is worth something, a line for each currency. */
export function sumOfWorths(
  worths: readonly (Worth | null)[],
): { readonly currency: string; readonly amount: string; readonly unvestedAmount: string }[] {
  const sums = new Map<string, { amount: Decimal; unvested: Decimal }>();
  for (const worth of worths) {
    if (worth === null) continue;
    const { amount, unvested } = sums.get(worth.currency) ?? { amount: ZERO, unvested: ZERO };
    sums.set(worth.currency, { amount: amount + worth.amount, unvested: unvested + worth.unvestedAmount });
  }
  return [...sums].map(([currency, { amount, unvested }]) => ({
    currency,
    amount: formatDecimal(amount),
    unvestedAmount: formatDecimal(unvested),
  }));
}
