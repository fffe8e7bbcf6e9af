// A second, slower calculation of vesting to compare the engine with. It shares no code with it: portions are reduced
// fractions, dates are Temporal's, remainders go out one share at a time, and shares are taken by searching the last.
import type { AllocationMethod } from "../../../src/kernel/allocation-method.ts";
import type { VestingCondition, VestingHistory, VestingRules } from "../../../src/ledger/vesting/vesting-types.ts";

const SHARE = 10_000_000_000n;

type Fraction = readonly [numerator: bigint, denominator: bigint];
const ZERO: Fraction = [0n, 1n];

function reduced(n: bigint, d: bigint): Fraction {
  let [a, b] = [n, d];
  while (b !== 0n) [a, b] = [b, a % b];
  return [n / a, d / a];
}
const plus = ([a, b]: Fraction, [c, d]: Fraction): Fraction => reduced(a * d + c * b, b * d);
const minus = (x: Fraction, [c, d]: Fraction): Fraction => plus(x, [-c, d]);
const isLess = ([a, b]: Fraction, [c, d]: Fraction): boolean => a * d < c * b;
const smaller = (x: Fraction, y: Fraction): Fraction => (isLess(y, x) ? y : x);
const least = (a: bigint, b: bigint): bigint => a - (a > b ? a - b : 0n);
const isWhole = ([n, d]: Fraction): boolean => n === d;

/** A date told as steps from an origin; months in a row are one step, so that only the end of them clamps. */
interface Moment {
  readonly origin: string;
  readonly steps: readonly { readonly unit: "days" | "months"; readonly count: number }[];
}

function day({ origin, steps }: Moment): string {
  let date = Temporal.PlainDate.from(origin);
  for (const { unit, count } of steps) date = date.add({ [unit]: count });
  return date.toString();
}

function after({ origin, steps }: Moment, unit: "days" | "months", count: number): Moment {
  const last = steps.at(-1);
  if (unit === "months" && last?.unit === "months") {
    return { origin, steps: [...steps.slice(0, -1), { unit, count: last.count + count }] };
  }
  return { origin, steps: [...steps, { unit, count }] };
}

const latest = (a: Moment, b: Moment): Moment => (day(b) > day(a) ? b : a);

interface Happening {
  readonly conditionId: string;
  readonly portion: Fraction;
  readonly date: string | null;
}

function portionsOf(rules: VestingRules): ReadonlyMap<string, Fraction[]> {
  const all = rules.vestingConditions;
  const lists = new Map<string, Fraction[]>(all.map(({ id }) => [id, []]));
  const open: [string, Fraction][] = [];
  let given = ZERO;
  for (const { id, trigger, portion, nextConditionId } of all) {
    const each = reduced(BigInt(portion.numerator), BigInt(portion.denominator));
    const named = all.some((other) => other.id !== id && other.nextConditionId === id);
    const lone = all.length === 1 && trigger.type === "TIME_BASED";
    const repeats = nextConditionId === id || (nextConditionId == null && (named || lone));
    if (trigger.occurrences == null && repeats && each[0] > 0n) {
      open.push([id, each]);
      continue;
    }
    for (let n = 0; n < (trigger.occurrences ?? 1); n++) {
      lists.get(id)?.push(each);
      given = plus(given, each);
    }
  }
  while (open.length > 0 && !isWhole(given)) {
    for (const [id, each] of open) {
      const taken = smaller(each, minus([1n, 1n], given));
      if (taken[0] === 0n) break;
      lists.get(id)?.push(taken);
      given = plus(given, taken);
    }
  }
  return lists;
}

/** Each condition's happenings, told by walking back through what it waits for. */
function happenings(rules: VestingRules, history: VestingHistory): readonly Happening[] {
  const all = rules.vestingConditions;
  const portions = portionsOf(rules);
  const told = new Map<string, { readonly moments: (Moment | null)[]; readonly end: Moment | null }>();
  const starts = history.entries.filter((entry) => entry.kind === "STARTED");
  const startFor = (id: string | null): string | null => {
    const whole = starts.findLastIndex((entry) => entry.conditionId === null);
    const own = starts.findLastIndex((entry) => entry.conditionId === id);
    if (id !== null) return own > whole ? (starts[own]?.date ?? null) : null;
    return starts[whole]?.date ?? history.vestingStartDate;
  };

  const tell = (condition: VestingCondition): { moments: (Moment | null)[]; end: Moment | null } => {
    const known = told.get(condition.id);
    if (known) return known;
    const { id, trigger, cliffConditionId } = condition;
    const earlier = all.filter(
      (other) => other !== condition && (other.nextConditionId === id || other.id === cliffConditionId),
    );
    const ends = earlier.map((other) => tell(other).end);
    const gate = ends.reduce((a, b) => (a && b ? latest(a, b) : null), ends[0] ?? null);
    const blocked = earlier.length > 0 && gate === null;
    const own = startFor(id) ?? (earlier.length > 0 ? null : startFor(null));
    const begin: Moment | null = own === null ? gate : { origin: own, steps: [] };
    const days = history.entries.flatMap((e) => (e.kind === "HAPPENED" && e.conditionId === id ? [e.date] : [])).sort();
    const moment = (n: number): Moment | null => {
      if (blocked) return null;
      let at: Moment | null = null;
      if (trigger.type === "EVENT_BASED") {
        const date = days[n - 1];
        at = date === undefined ? null : { origin: date, steps: [] };
      } else if (begin !== null) {
        const length = trigger.periodLength ?? 0;
        if (trigger.periodType === "DAYS") at = after(begin, "days", length * n);
        else at = after(begin, "months", length * n * (trigger.periodType === "YEARS" ? 12 : 1));
      }
      return at && gate ? latest(gate, at) : at;
    };
    const count = portions.get(id)?.length ?? 0;
    const result = { moments: Array.from({ length: count }, (_, i) => moment(i + 1)), end: moment(count) };
    told.set(id, result);
    return result;
  };

  // On one day, conditions stand in the order in which they can begin.
  const waves: VestingCondition[] = [];
  const depth = (condition: VestingCondition): number => {
    const earlier = all.filter(
      (o) => o !== condition && (o.nextConditionId === condition.id || o.id === condition.cliffConditionId),
    );
    return earlier.length === 0 ? 0 : 1 + Math.max(...earlier.map(depth));
  };
  for (let level = 0; level < all.length; level++) waves.push(...all.filter((condition) => depth(condition) === level));
  const list = waves.flatMap((condition) =>
    tell(condition).moments.map((at, i): Happening => {
      return { conditionId: condition.id, portion: portions.get(condition.id)?.[i] ?? ZERO, date: at && day(at) };
    }),
  );
  return withinSchedule(rules, startFor(all[0]?.id ?? "") ?? startFor(null), list);
}

function withinSchedule(rules: VestingRules, start: string | null, list: readonly Happening[]): readonly Happening[] {
  const [condition, ...others] = rules.vestingConditions;
  if (!rules.schedule || others.length > 0 || start === null || condition?.trigger.type !== "TIME_BASED") return list;
  if (condition.nextConditionId != null || condition.trigger.occurrences != null) return list;
  const end = Temporal.PlainDate.from(start).add({ months: rules.schedule.totalMonths }).toString();
  return list.filter(({ date }, i) => i === 0 || (date !== null && date <= end));
}

function share(method: AllocationMethod, grant: bigint, portions: readonly Fraction[]): bigint[] {
  const of = ([n, d]: Fraction) => ({ units: (grant * n) / d, shares: (grant * n) / (d * SHARE) });
  const upTo = portions.map((_, i) => portions.slice(0, i + 1).reduce(plus, ZERO));
  const positive = portions.flatMap(([n], i) => (n > 0n ? [i] : []));
  const all = upTo.at(-1) ?? ZERO;

  if (method === "CUMULATIVE_ROUNDING" || method === "CUMULATIVE_ROUND_DOWN") {
    const totals = upTo.map((fraction) => {
      if (isWhole(fraction)) return grant;
      const [n, d] = fraction;
      const down = of(fraction).shares;
      const isHalfOrMore = 2n * (grant * n - down * d * SHARE) >= d * SHARE;
      const shares = (method === "CUMULATIVE_ROUNDING" && isHalfOrMore ? down + 1n : down) * SHARE;
      return least(shares, grant);
    });
    return totals.map((total, i) => total - (totals[i - 1] ?? 0n));
  }
  if (method === "FRACTIONAL") {
    const halfEven = ([n, d]: Fraction): bigint => {
      const [down, rest] = [(grant * n) / d, (grant * n) % d];
      if (2n * rest === d) return down % 2n === 0n ? down : down + 1n;
      return 2n * rest > d ? down + 1n : down;
    };
    let left = isWhole(all) ? grant : halfEven(all);
    return portions.map((portion, i) => {
      const rounded = i === positive.at(-1) ? left : halfEven(portion);
      const taken = least(rounded, left);
      left -= taken;
      return taken;
    });
  }
  const result = portions.map((portion) => of(portion).shares * SHARE);
  let rest = (isWhole(all) ? grant : of(all).shares * SHARE) - result.reduce((a, b) => a + b, 0n);
  const order = method.startsWith("FRONT") ? positive : positive.toReversed();
  const single = method.endsWith("SINGLE_TRANCHE");
  for (let turn = 0; rest > 0n; turn++) {
    const at = order[single ? 0 : turn % order.length] ?? 0;
    const one = least(rest, SHARE);
    result[at] = (result[at] ?? 0n) + one;
    rest -= one;
  }
  return result;
}

/** What the model says of a security as of a day, in units of 10^-10 shares. */
export function modelStatus(rules: VestingRules | null, history: VestingHistory, asOf: string) {
  const grant = history.entries.reduce((n, e) => (e.kind === "ISSUED" ? n + e.quantity : n), 0n);
  const parts: { date: string; quantity: bigint; conditionId: string | null }[] = [];
  const LATER = "undated";
  if (rules === null) parts.push({ date: history.grantDate, quantity: grant, conditionId: null });
  else {
    const list = happenings(rules, history);
    const order = list
      .map((_, i) => i)
      .sort((a, b) => {
        const [x, y] = [list[a]?.date ?? LATER, list[b]?.date ?? LATER];
        return x < y ? -1 : x > y ? 1 : a - b;
      });
    const sorted = order.flatMap((i) => list[i] ?? []);
    const shares = share(
      rules.allocationMethod,
      grant,
      sorted.map(({ portion }) => portion),
    );
    for (const [i, { date, conditionId }] of sorted.entries())
      parts.push({ date: date ?? LATER, quantity: shares[i] ?? 0n, conditionId });
    parts.push({ date: LATER, quantity: grant - shares.reduce((a, b) => a + b, 0n), conditionId: null });
  }

  const take = (wanted: bigint, onlyAfter: string): bigint => {
    let left = wanted;
    while (left > 0n) {
      let at = -1;
      for (const [i, part] of parts.entries()) {
        if (part.quantity > 0n && part.date > onlyAfter && part.date >= (parts[at]?.date ?? "")) at = i;
      }
      const part = parts[at];
      if (!part) break;
      const taken = least(part.quantity, left);
      part.quantity -= taken;
      left -= taken;
    }
    return wanted - left;
  };
  const add = (date: string, quantity: bigint) => {
    const at = parts.findIndex((part) => part.date > date);
    parts.splice(at < 0 ? parts.length : at, 0, { date, quantity, conditionId: null });
  };
  const kept = history.milestones.map(
    (milestone) => [milestone.completedOn ?? LATER, take(milestone.quantity, "")] as const,
  );
  for (const [date, quantity] of kept) add(date, quantity);
  for (const change of history.changes ?? []) {
    if (change.kind === "CANCELLED") take(change.quantity, "");
    if (change.kind === "ACCELERATED") add(change.date, take(change.quantity, change.date));
  }

  const sumOf = (chosen: typeof parts) => chosen.reduce((total, part) => total + part.quantity, 0n);
  const quantity = sumOf(parts);
  const vested = sumOf(parts.filter((part) => part.date <= asOf));
  return {
    quantity,
    vested,
    unvested: quantity - vested,
    unscheduled: sumOf(parts.filter((part) => part.date === LATER)),
    exercised: 0n,
    events: parts.filter((part) => part.date !== LATER && part.quantity > 0n),
  };
}
