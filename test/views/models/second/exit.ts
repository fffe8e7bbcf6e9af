// An exit once more, from the rules alone: no spans and no breakpoints; for each value the price of each state is
// looked for afresh. Of src/models it knows the shape of a company.
import type {
  Company,
  ConvertibleHeld,
  Held,
  ModelClass,
  WarrantHeld,
} from "../../../../src/views/models/model-company.ts";
import { largestRemainders, least, most, ONE, Q, q, sum, ZERO } from "./rational.ts";

/** Pays nothing up to `from`, then `slope` for each unit of price, and after `to` no more. */
interface Ramp {
  readonly from: Q;
  readonly to: Q | null;
  readonly slope: Q;
}

interface Call {
  readonly name: string;
  readonly count: Q;
  readonly strike: Q;
}

interface Row {
  readonly name: string;
  paid: Q;
}

/** A preferred class, as each of its shares is paid. */
interface Preferred {
  readonly row: ModelClass;
  readonly count: Q;
  readonly l: Q;
  readonly r: Q;
  readonly cap: Q | null;
  readonly calls: readonly Call[];
}

interface Convertible {
  readonly held: ConvertibleHeld;
  readonly cash: Q;
  readonly claim: Q;
  readonly shares: Q | null;
  readonly part: Q | null;
}

/** A unit that decides with a number of shares of its own. */
interface Decider {
  readonly key: string;
  readonly theta: Q;
  readonly place: number;
}

const paidAt = ({ from, to, slope }: Ramp, p: Q): Q =>
  p.above(from) ? slope.times((to === null ? p : least(p, to)).minus(from)) : ZERO;

/** At an exit ratios are not rounded to whole shares. */
function counted(quantity: bigint, row: ModelClass | undefined): Q {
  if (row?.classType !== "PREFERRED") return q(quantity);
  return q(quantity).times(q(row.ratio.numerator)).over(q(row.ratio.denominator));
}

const ofType = <T extends Held["type"]>(company: Company, type: T) =>
  company.held.filter((held): held is Extract<Held, { type: T }> => held.type === type);

export class SecondExit {
  readonly #preferred: readonly Preferred[];
  readonly #convertibles: readonly Convertible[];
  /** Common stock, options and warrants on common: paid at a price whichever units convert. */
  readonly #plain: readonly { readonly name: string; readonly count: Q; readonly strike: Q }[];
  readonly #unvested: Q;
  readonly #deciders: readonly Decider[];
  readonly #sharers: readonly { readonly key: string; readonly kappa: Q; readonly part: Q }[];

  /** `countsParticipating` is to be false for one who forgets participating preferred in the liquidity capitalization. */
  constructor(
    readonly company: Company,
    readonly countsParticipating = true,
  ) {
    const classes = new Map(company.classes.map((row) => [row.key, row]));
    const stock = ofType(company, "STOCK");
    const warrants = ofType(company, "WARRANT");
    const options = ofType(company, "STOCK_OPTION");
    const countOf = (key: string) =>
      sum(stock.filter(({ classKey }) => classKey === key).map((each) => q(each.quantity)));
    const strikes = (of: readonly WarrantHeld[], word: string): Call[] =>
      groups(of.map((each) => ({ strike: each.strike ?? 0n, count: q(each.quantity) }))).map(({ strike, count }) => {
        return { name: `${word} at ${q(strike).text()}`, count, strike: q(strike) };
      });
    this.#preferred = company.classes
      .filter((row) => row.classType === "PREFERRED")
      .sort((a, b) => a.seniority - b.seniority)
      .flatMap((row) => {
        const calls = strikes(
          warrants.filter(({ classKey }) => classKey === row.key),
          `Warrants on ${row.name}`,
        );
        const own = stock.filter(({ classKey }) => classKey === row.key);
        return own.length === 0 && calls.length === 0 ? [] : [this.#terms(row, own, countOf(row.key), calls)];
      });
    const common = company.classes.filter((row) => row.classType === "COMMON");
    const onCommon = warrants.filter(({ classKey }) => classes.get(classKey ?? "")?.classType !== "PREFERRED");
    const grants = options.map((each) => ({ strike: each.strike ?? 0n, count: q(each.quantity - each.unvested) }));
    this.#plain = [
      ...common.map(({ key, name }) => ({ name, count: countOf(key), strike: ZERO })),
      ...strikes(onCommon, "Warrants"),
      ...groups(grants).map(({ strike, count }) => ({
        name: `Options at ${q(strike).text()}`,
        count,
        strike: q(strike),
      })),
    ].filter(({ count }) => count.above(ZERO));
    this.#unvested = sum(options.map(({ unvested }) => q(unvested)));
    const whole = sum([
      ...[...stock, ...warrants].map(({ quantity, classKey }) => counted(quantity, classes.get(classKey ?? ""))),
      ...options.map(({ quantity }) => q(quantity)),
    ]);
    this.#convertibles = ofType(company, "CONVERTIBLE").map((held) => this.#convertible(held, whole));
    const own = this.#convertibles.map(({ held, claim, shares }, place) =>
      shares?.above(ZERO) ? [{ key: held.key, theta: claim.over(shares), place }] : [],
    );
    const rows = this.#preferred.map(({ row, l, r, cap }, index) =>
      r.above(ZERO) && !(row.isParticipating && cap === null)
        ? [{ key: row.key, theta: (cap ?? l).over(r), place: own.length + index }]
        : [],
    );
    this.#deciders = [...own, ...rows].flat().sort((a, b) => order(a.theta, b.theta) || a.place - b.place);
    this.#sharers = this.#convertibles
      .flatMap(({ held, claim, part }, place) =>
        part ? [{ key: held.key, kappa: claim.over(part), part, place }] : [],
      )
      .sort((a, b) => order(a.kappa, b.kappa) || a.place - b.place);
  }

  #terms(row: ModelClass, own: readonly Held[], count: Q, calls: readonly Call[]): Preferred {
    const price = row.price === null ? ZERO : q(row.price);
    const accrued = row.dividend === null ? ZERO : dividends(row, price, own[0]?.grantDate ?? "");
    const preference = price.times(q(row.preferenceMultiple));
    const multiple = row.participationCapMultiple;
    const limit = multiple === null ? null : price.times(q(multiple));
    const total = limit && (row.participationCapBasis === "TOTAL" ? most(limit, preference) : limit.plus(preference));
    return {
      ...{ row, count, calls, l: preference.plus(accrued) },
      r: q(row.ratio.numerator).over(q(row.ratio.denominator)),
      cap: row.isParticipating && total ? total.plus(accrued) : null,
    };
  }

  #convertible(held: ConvertibleHeld, whole: Q): Convertible {
    const mechanism = this.#mechanism(held);
    const amount = q(held.quantity);
    const priced = mechanism.type === "SAFE" || mechanism.type === "NOTE" ? mechanism : null;
    const cash = amount.times(priced?.exitMultiple ? q(priced.exitMultiple) : ONE);
    const left = ONE.minus(q(priced?.type === "SAFE" ? priced.discountPercent : 0n).over(new Q(100n)));
    const claim = priced?.type === "SAFE" ? most(cash, amount.over(left)) : cash;
    const none = { held, cash, claim, shares: null, part: null };
    if (mechanism.type === "FIXED") return { ...none, shares: q(mechanism.quantity) };
    if (mechanism.type === "PERCENT") return { ...none, part: q(mechanism.percent).over(new Q(100n)) };
    if (!priced || priced.cap === null) return none;
    const part = amount.over(q(priced.cap));
    const { includeThisSecurity, includeOtherConvertingSecurities } = priced.rules;
    return includeThisSecurity && includeOtherConvertingSecurities
      ? { ...none, part }
      : { ...none, shares: part.times(whole) };
  }

  /** With MFN that of the later SAFE with the lowest cap; its own where no later one is lower. */
  #mechanism({ key, grantDate, terms }: ConvertibleHeld) {
    const own = terms.mechanism;
    if (own.type !== "SAFE" || !own.isMfn) return own;
    const all = ofType(this.company, "CONVERTIBLE");
    const place = all.findIndex((each) => each.key === key);
    const later = all.flatMap((each, index) => {
      const { mechanism } = each.terms;
      const isLater = each.grantDate > grantDate || (each.grantDate === grantDate && index > place);
      return isLater && mechanism.type === "SAFE" && !mechanism.isMfn && mechanism.cap !== null
        ? [{ mechanism, cap: mechanism.cap, at: each.grantDate, index }]
        : [];
    });
    later.sort((a, b) =>
      a.cap === b.cap ? (a.at === b.at ? a.index - b.index : a.at < b.at ? -1 : 1) : a.cap < b.cap ? -1 : 1,
    );
    const [lowest] = later;
    return lowest && (own.cap === null || lowest.cap < own.cap) ? lowest.mechanism : own;
  }

  /** Cents of each unit, by its name, in the order of units. */
  pay(cents: bigint): readonly { readonly name: string; readonly cents: bigint }[] {
    const value = new Q(cents, 100n);
    const rows = this.#rows(value);
    const exact = rows.map(({ paid }) => paid.times(new Q(100n)));
    const units = sum(exact).round(0).n;
    const parts = largestRemainders(units, exact);
    return rows.map(({ name }, index) => ({ name, cents: parts[index] ?? 0n }));
  }

  #rows(value: Q): readonly Row[] {
    const set = new Set<string>();
    for (const { key, theta } of this.#deciders) {
      set.add(key);
      const p = this.#price(value, set, this.#answer(value, set));
      if (p === null || !p.above(theta)) set.delete(key);
    }
    const z = this.#answer(value, set);
    const p = this.#price(value, set, z);
    return p === null ? this.#byTiers(value) : this.#paid(set, z, p);
  }

  /** The SAFEs' answer to a set. */
  #answer(value: Q, set: ReadonlySet<string>): number {
    for (let z = this.#sharers.length; z > 0; z -= 1) {
      const p = this.#price(value, set, z);
      const worth = p?.times(this.#capitalization(set, z) ?? ZERO);
      if (worth?.above(this.#sharers[z - 1]?.kappa ?? ZERO)) return z;
    }
    return 0;
  }

  #capitalization(set: ReadonlySet<string>, z: number): Q | null {
    const left = ONE.minus(sum(this.#sharers.slice(0, z).map(({ part }) => part)));
    if (!left.above(ZERO)) return null;
    const preferred = this.#preferred.map(({ row, count, l, r, calls }) => {
      const isIn = (row.isParticipating && this.countsParticipating) || set.has(row.key);
      const held = calls.filter(({ strike }) => isIn || !l.above(strike)).map((call) => call.count.times(r));
      return sum([isIn ? count.times(r) : ZERO, ...held]);
    });
    const own = this.#convertibles.map(({ held, shares }) => (shares && set.has(held.key) ? shares : ZERO));
    return sum([...this.#plain.map(({ count }) => count), this.#unvested, ...preferred, ...own]).over(left);
  }

  /** Everybody's payment in a state at a price. */
  #paid(set: ReadonlySet<string>, z: number, p: Q): readonly Row[] {
    const converted = new Set(this.#sharers.slice(0, z).map(({ key }) => key));
    const whole = this.#capitalization(set, z) ?? ZERO;
    const convertibles = this.#convertibles.map(({ held, claim, shares, part }) => {
      const inState =
        shares && set.has(held.key)
          ? shares.times(p)
          : part && converted.has(held.key)
            ? part.times(whole).times(p)
            : claim;
      return { name: held.name, paid: inState };
    });
    const preferred = this.#preferred.map((each) => {
      const share = this.#share(each, set.has(each.row.key), p);
      return {
        rows: each.count.above(ZERO) ? [{ name: each.row.name, paid: each.count.times(share) }] : [],
        calls: each.calls.map(({ name, count, strike }) => ({
          name,
          paid: count.times(most(ZERO, share.minus(strike))),
        })),
      };
    });
    const plain = this.#plain.map(({ name, count, strike }) => ({
      name,
      paid: count.times(most(ZERO, p.minus(strike))),
    }));
    return this.#inOrder(convertibles, preferred, plain);
  }

  #inOrder(
    convertibles: readonly Row[],
    preferred: readonly { readonly rows: readonly Row[]; readonly calls: readonly Row[] }[],
    plain: readonly Row[],
  ): readonly Row[] {
    const is = (word: string) => (row: Row) => row.name.startsWith(`${word} at `);
    const common = plain.filter((row) => !is("Options")(row) && !is("Warrants")(row));
    const byCreation = this.company.classes.flatMap(({ key }) =>
      preferred.flatMap(({ calls }, index) => (this.#preferred[index]?.row.key === key ? calls : [])),
    );
    return [
      ...[...convertibles, ...preferred.flatMap(({ rows }) => rows), ...common],
      ...[...plain.filter(is("Warrants")), ...byCreation, ...plain.filter(is("Options"))],
    ];
  }

  /** What a preferred share gets where all claims are paid. */
  #share({ row, l, r, cap }: Preferred, isConverted: boolean, p: Q): Q {
    if (isConverted) return r.times(p);
    if (!row.isParticipating) return l;
    const all = l.plus(r.times(p));
    return cap === null ? all : least(all, cap);
  }

  /** The price at which a state pays a value; null without one. */
  #price(value: Q, set: ReadonlySet<string>, z: number): Q | null {
    if (this.#capitalization(set, z) === null) return null;
    const pays = (p: Q) => sum(this.#paid(set, z, p).map(({ paid }) => paid));
    if (!value.above(pays(ZERO))) return null;
    // Between the prices at which a unit begins or ends to take part, what is paid is a straight line.
    const knots = [ZERO, ...this.#knots()].sort(order);
    for (const [index, from] of knots.entries()) {
      const to = knots[index + 1] ?? from.plus(ONE);
      if (to.is(from)) continue;
      const [low, high] = [pays(from), pays(to)];
      const isLast = index === knots.length - 1;
      if (!isLast && value.above(high)) continue;
      if (high.is(low)) return isLast ? null : from;
      return from.plus(value.minus(low).times(to.minus(from)).over(high.minus(low)));
    }
    return null;
  }

  #knots(): readonly Q[] {
    const knots = this.#plain.map(({ strike }) => strike);
    for (const { l, r, cap, calls } of this.#preferred) {
      if (!r.above(ZERO)) continue;
      if (cap) knots.push(cap.minus(l).over(r));
      for (const { strike } of calls) knots.push(strike.over(r), most(ZERO, strike.minus(l)).over(r));
    }
    return knots.filter((knot) => knot.above(ZERO));
  }

  /** Where no state exists: each tier before the next, pro rata within. */
  #byTiers(value: Q): readonly Row[] {
    const paid = new Map<string, Q>();
    let left = value;
    for (const tier of this.#tiers()) {
      const at = (phi: Q) => tier.map(({ slope, from }) => paidAt({ from, to: null, slope }, phi));
      const knots = [ZERO, ...tier.map(({ from }) => from).filter((from) => ONE.above(from)), ONE].sort(order);
      let phi = ONE;
      for (const [index, from] of knots.entries()) {
        const to = knots[index + 1];
        if (!to || to.is(from)) continue;
        const [low, high] = [sum(at(from)), sum(at(to))];
        if (left.above(high) || high.is(low)) continue;
        phi = from.plus(left.minus(low).times(to.minus(from)).over(high.minus(low)));
        break;
      }
      for (const [index, amount] of at(phi).entries()) {
        const { name = "" } = tier[index] ?? {};
        paid.set(name, (paid.get(name) ?? ZERO).plus(amount));
        left = left.minus(amount);
      }
      if (!left.above(ZERO)) break;
    }
    const row = (name: string): Row => ({ name, paid: paid.get(name) ?? ZERO });
    return this.#inOrder(
      this.#convertibles.map(({ held }) => row(held.name)),
      this.#preferred.map(({ row: { name }, count, calls }) => {
        return { rows: count.above(ZERO) ? [row(name)] : [], calls: calls.map((call) => row(call.name)) };
      }),
      this.#plain.map(({ name }) => row(name)),
    );
  }

  #tiers(): readonly (readonly { readonly name: string; readonly slope: Q; readonly from: Q }[])[] {
    const isSafe = ({ held }: Convertible) => held.terms.convertibleType === "SAFE";
    const [safes, notes] = [this.#convertibles.filter(isSafe), this.#convertibles.filter((each) => !isSafe(each))];
    const ranks = (values: readonly number[]) => [...new Set(values)].sort((a, b) => a - b);
    const claim = (name: string, slope: Q) => ({ name, slope, from: ZERO });
    const cash = safes.map((each) => claim(each.held.name, each.cash));
    const senior = this.#preferred.find(({ count }) => count.above(ZERO))?.row.seniority ?? null;
    return [
      ...ranks(notes.map(({ held }) => held.terms.seniority)).map((rank) =>
        notes.filter(({ held }) => held.terms.seniority === rank).map((each) => claim(each.held.name, each.cash)),
      ),
      ...(senior === null ? [cash] : []),
      ...ranks(this.#preferred.map(({ row }) => row.seniority)).map((rank) => [
        ...(rank === senior ? cash : []),
        ...this.#preferred
          .filter(({ row }) => row.seniority === rank)
          .flatMap(({ row, count, l, calls }) => [
            claim(row.name, count.times(l)),
            ...calls.flatMap((call) =>
              l.above(call.strike) ? [{ name: call.name, slope: call.count.times(l), from: call.strike.over(l) }] : [],
            ),
          ]),
      ]),
      safes.map((each) => claim(each.held.name, each.claim.minus(each.cash))),
    ];
  }
}

const order = (a: Q, b: Q) => (a.is(b) ? 0 : a.above(b) ? 1 : -1);

function groups(all: readonly { readonly strike: bigint; readonly count: Q }[]) {
  const strikes = [...new Set(all.map(({ strike }) => strike))].sort((a, b) => (a < b ? -1 : 1));
  return strikes.map((strike) => ({
    strike,
    count: sum(all.filter((each) => each.strike === strike).map(({ count }) => count)),
  }));
}

const EXIT_DAY = "2024-06-30";
const days = (from: string, to: string) => BigInt(Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000));

/** Cumulative dividends of a share up to the exit, on its price, ACTUAL_365; compounded for each full year. */
function dividends(row: ModelClass, price: Q, since: string): Q {
  const rate = q(row.dividend?.ratePercent ?? 0n).over(new Q(100n));
  const simple = (from: string) => rate.times(new Q(days(from, EXIT_DAY), 365n));
  if (row.dividend?.compounding !== "ANNUAL") return price.times(simple(since));
  let [balance, from] = [price, since];
  for (;;) {
    const next = `${Number(from.slice(0, 4)) + 1}${from.slice(4)}`;
    if (next > EXIT_DAY) break;
    [balance, from] = [balance.times(ONE.plus(rate)), next];
  }
  return balance.times(ONE.plus(simple(from))).minus(price);
}
