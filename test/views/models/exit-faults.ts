// What must hold of every exit, said as faults: an empty list where all of it does. What a choice pays is worked out
// here by itself, from the company and the choices alone: nothing of the engine's curves, thresholds or order is used.
import { parseDecimal } from "../../../src/kernel/numbers/decimal.ts";
import { centsOf } from "../../../src/views/models/answer-columns.ts";
import { readStake } from "../../../src/views/models/exit/stake.ts";
import type { Stake, Unit } from "../../../src/views/models/exit/unit.ts";
import { modelWaterfall, type WaterfallAnswer } from "../../../src/views/models/exit/waterfall.ts";
import {
  add,
  compare,
  type Fraction,
  fraction,
  greatest,
  isPositive,
  least,
  NOTHING,
  over,
  subtract,
  times,
  total,
  WHOLE,
} from "../../../src/views/models/fraction.ts";
import type { Company } from "../../../src/views/models/model-company.ts";
import { EXIT_DATE } from "./random-company.ts";

// biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of every shape
type Json = any;

const cents = (text: string) => centsOf(parseDecimal(text));
const sum = (rows: readonly Json[], member = "proceeds") =>
  rows.reduce((all: bigint, row: Json) => all + cents(row[member]), 0n);
const millionths = (rows: readonly Json[]) =>
  rows.reduce((all: bigint, { percent }: Json) => all + BigInt(percent.replace(".", "")), 0n);

/** Units, holders and securities each sum to what is paid, and percentages to 100. */
export function sumFaults({ points, breakpoints }: WaterfallAnswer): string[] {
  const faults: string[] = [];
  for (const point of points as readonly Json[]) {
    const paid = cents(point.distributable) - cents(point.undistributed);
    for (const name of ["units", "holders", "securities"]) {
      if (point[name].length > 0 && sum(point[name]) !== paid)
        faults.push(`${name} of ${point.exitValue} are not ${paid}`);
    }
    for (const name of ["units", "holders"]) {
      const parts = millionths(point[name]);
      if (parts !== (paid === 0n ? 0n : 100_000_000n)) faults.push(`${name} of ${point.exitValue} are ${parts}`);
    }
  }
  for (const { next, distributable } of breakpoints ?? []) {
    if (next.length > 0 && millionths(next) !== 100_000_000n) faults.push(`next of ${distributable}`);
  }
  return faults;
}

/** Who converts: places of units. */
type Choice = ReadonlySet<number>;

/** Whether a unit has a choice. */
function hasChoice({ pay }: Unit): boolean {
  if (pay.kind === "CONVERTIBLE") return pay.part !== null || (pay.shares !== null && isPositive(pay.shares));
  return (
    pay.kind === "PREFERRED" && isPositive(pay.share.ratio) && (!pay.share.isParticipating || pay.share.cap !== null)
  );
}

const isSharer = ({ pay }: Unit) => pay.kind === "CONVERTIBLE" && pay.part !== null;

function partOf({ pay }: Unit): Fraction {
  return pay.kind === "CONVERTIBLE" && pay.part ? pay.part : NOTHING;
}

/** The company's worth of shares by which parts are counted, or null where parts ask for all of it. */
function capitalization({ units, unvested }: Stake, choice: Choice): Fraction | null {
  let base = unvested;
  let parts = NOTHING;
  for (const [index, unit] of units.entries()) {
    const { pay, count } = unit;
    if (pay.kind === "COMMON" || pay.kind === "CALL") base = add(base, count);
    if (pay.kind === "PREFERRED_CALL") {
      const isOwn = units.some((other, place) => choice.has(place) && isSharesOf(other, unit));
      const isAnyhow = pay.share.isParticipating || compare(pay.strike, pay.share.claim) >= 0;
      if (isAnyhow || isOwn) base = add(base, times(count, pay.share.ratio));
    }
    const doesParticipate = pay.kind === "PREFERRED" && pay.share.isParticipating;
    if (doesParticipate) base = add(base, times(count, pay.share.ratio));
    if (!choice.has(index)) continue;
    if (pay.kind === "PREFERRED" && !doesParticipate) base = add(base, times(count, pay.share.ratio));
    if (pay.kind === "CONVERTIBLE" && pay.shares) base = add(base, pay.shares);
    parts = add(parts, partOf(unit));
  }
  const rest = subtract(WHOLE, parts);
  return isPositive(rest) ? over(base, rest) : null;
}

/** What everybody gets at a price of common, where some convert; all claims are covered. */
function paidAt(stake: Stake, choice: Choice, p: Fraction): Fraction[] {
  const whole = capitalization(stake, choice) ?? NOTHING;
  return stake.units.map((unit, index): Fraction => {
    const { pay, count } = unit;
    const isIn = choice.has(index);
    if (pay.kind === "COMMON") return times(count, p);
    if (pay.kind === "CALL") return times(count, greatest(NOTHING, subtract(p, pay.strike)));
    if (pay.kind === "PREFERRED") return times(count, shareAt(pay.share, isIn, p));
    if (pay.kind === "CONVERTIBLE") {
      return isIn ? times(p, pay.shares ?? times(partOf(unit), whole)) : add(pay.cash, pay.premium);
    }
    const isClassIn = stake.units.some((other, place) => choice.has(place) && isSharesOf(other, unit));
    return times(count, greatest(NOTHING, subtract(shareAt(pay.share, isClassIn, p), pay.strike)));
  });
}

/** Whether a unit is the shares that a warrant is on. */
const isSharesOf = (shares: Unit, warrant: Unit) => shares.kind === "PREFERRED" && shares.classKey === warrant.classKey;

function shareAt(
  {
    claim,
    ratio,
    isParticipating,
    cap,
  }: { claim: Fraction; ratio: Fraction; isParticipating: boolean; cap: Fraction | null },
  isIn: boolean,
  p: Fraction,
): Fraction {
  if (isIn) return times(ratio, p);
  if (!isParticipating) return claim;
  const all = add(claim, times(ratio, p));
  return cap === null ? all : least(cap, all);
}

/**
 * The price at which a choice pays a value, or null where claims are not covered with something over. Found by trying
 * prices.
 */
export function priceOf(stake: Stake, choice: Choice, value: Fraction): Fraction | null {
  if (choice.size > 0 && capitalization(stake, choice) === null) return null;
  const pays = (p: Fraction) => total(paidAt(stake, choice, p));
  if (compare(pays(NOTHING), value) >= 0) return null;
  // Between the prices at which a unit's payment bends it is a line.
  const bends = [NOTHING, ...stake.units.flatMap(bendsOf)].sort(compare);
  let low = NOTHING;
  for (const bend of bends) {
    if (compare(pays(bend), value) >= 0) return onLine(pays, low, bend, value);
    low = bend;
  }
  const beyond = add(low, WHOLE);
  // No unit takes part without a limit: no price pays it out.
  return compare(pays(beyond), pays(low)) === 0 ? null : onLine(pays, low, beyond, value);
}

function onLine(pays: (p: Fraction) => Fraction, a: Fraction, b: Fraction, value: Fraction): Fraction {
  const [low, high] = [pays(a), pays(b)];
  if (compare(low, high) === 0) return a;
  return add(a, times(subtract(b, a), over(subtract(value, low), subtract(high, low))));
}

function bendsOf({ pay }: Unit): Fraction[] {
  if (pay.kind === "CALL") return [pay.strike];
  if (pay.kind !== "PREFERRED" && pay.kind !== "PREFERRED_CALL") return [];
  const { claim, ratio, cap } = pay.share;
  if (!isPositive(ratio)) return [];
  const strike = pay.kind === "PREFERRED_CALL" ? pay.strike : NOTHING;
  const points = [over(strike, ratio), over(subtract(strike, claim), ratio)];
  if (cap) points.push(over(subtract(cap, claim), ratio));
  return points.filter(isPositive);
}

/**
 * The sharers' answer to the others' choice: the greatest number of the first in order that each get more than their
 * claims.
 */
function answered(stake: Stake, others: Choice, value: Fraction): Choice {
  const sharers = [...stake.units.keys()].filter((index) => isSharer(stake.units[index] as Unit));
  const worth = (index: number) => over(claimOf(stake.units[index] as Unit), partOf(stake.units[index] as Unit));
  sharers.sort((a, b) => compare(worth(a), worth(b)) || a - b);
  for (let z = sharers.length; z > 0; z -= 1) {
    const choice = new Set([...others, ...sharers.slice(0, z)]);
    const p = priceOf(stake, choice, value);
    const whole = capitalization(stake, choice);
    if (p && whole && compare(times(p, whole), worth(sharers[z - 1] as number)) > 0) return choice;
  }
  return others;
}

function claimOf({ pay, count }: Unit): Fraction {
  if (pay.kind === "CONVERTIBLE") return add(pay.cash, pay.premium);
  return pay.kind === "PREFERRED" ? times(count, pay.share.cap ?? pay.share.claim) : NOTHING;
}

/** Parts that ask for the whole company cannot all convert, in whatever order: no one founds such a company. */
export function asksTooMuch(company: Company): boolean {
  const { units } = readStake(company, { exitValues: [] }, EXIT_DATE);
  return compare(total(units.map(partOf)), WHOLE) >= 0;
}

/** Who converts by an answer. */
function chosen(point: Json): Set<number> {
  return new Set(point.units.flatMap(({ outcome }: Json, index: number) => (outcome === "CONVERTS" ? [index] : [])));
}

/**
 * No unit gains by another choice: one with a number of its own, the sharers answering; a sharer, all others staying.
 * And what is paid is what that choice pays.
 */
export function choiceFaults(company: Company, answer: WaterfallAnswer): string[] {
  const stake = readStake(company, { exitValues: [] }, EXIT_DATE);
  return (answer.points as readonly Json[]).flatMap((point) => pointFaults(stake, point));
}

function pointFaults(stake: Stake, point: Json): string[] {
  const value = fraction(cents(point.distributable), 100n);
  const choice = chosen(point);
  const p = priceOf(stake, choice, value);
  const faults: string[] = [];
  if (p === null) return choice.size > 0 ? [`${point.exitValue}: some convert though claims are not covered`] : faults;
  const paid = paidAt(stake, choice, p);
  for (const [index, amount] of paid.entries()) {
    const off = subtract(times(amount, fraction(100n)), fraction(cents(point.units[index].proceeds)));
    const isOff = compare(off.n < 0n ? { n: -off.n, d: off.d } : off, WHOLE) > 0;
    if (isOff) faults.push(`${point.exitValue}: ${point.units[index].name} gets ${point.units[index].proceeds}`);
  }
  return [...faults, ...gains(stake, choice, value).map((gain) => `${point.exitValue}: ${gain}`)];
}

const isFirst = (stake: Stake, index: number) => !isSharer(stake.units[index] as Unit);

/** Who gains by turning: one with a number of its own while the sharers answer, a sharer while all others stay. */
function gains(stake: Stake, choice: Choice, value: Fraction): string[] {
  const p = priceOf(stake, choice, value);
  const paid = p === null ? null : paidAt(stake, choice, p);
  const others = new Set([...choice].filter((index) => isFirst(stake, index)));
  return stake.units.flatMap((unit, index) => {
    if (!hasChoice(unit) || paid === null) return [];
    const turned = new Set(isSharer(unit) ? choice : others);
    if (!turned.delete(index)) turned.add(index);
    const reply = isSharer(unit) ? turned : answered(stake, turned, value);
    const q = priceOf(stake, reply, value);
    const instead = q === null ? null : paidAt(stake, reply, q)[index];
    const isGain = instead && compare(instead, paid[index] ?? NOTHING) > 0;
    return isGain ? [`${unit.name} gains by ${choice.has(index) ? "keeping its claim" : "converting"}`] : [];
  });
}

/** Whether some choice, the sharers answering, is one from which no unit gains by turning; tried over all of them. */
export function hasStable(company: Company, exitValue: string): boolean {
  const stake = readStake(company, { exitValues: [] }, EXIT_DATE);
  const value = fraction(cents(exitValue), 100n);
  const free = [...stake.units.keys()].filter(
    (index) => hasChoice(stake.units[index] as Unit) && isFirst(stake, index),
  );
  for (let mask = 0; mask < 2 ** free.length; mask += 1) {
    const choice = answered(stake, new Set(free.filter((_index, bit) => (mask >> bit) % 2 === 1)), value);
    if (priceOf(stake, choice, value) !== null && gains(stake, choice, value).length === 0) return true;
  }
  return false;
}

/** Without parts there is one choice from which no unit gains by turning; tried over all of them. */
export function uniqueFaults(company: Company, answer: WaterfallAnswer): string[] {
  const stake = readStake(company, { exitValues: [] }, EXIT_DATE);
  const free = [...stake.units.keys()].filter((index) => hasChoice(stake.units[index] as Unit));
  if (free.length > 6 || stake.units.some(isSharer)) return [];
  return (answer.points as readonly Json[]).flatMap((point) => {
    const value = fraction(cents(point.distributable), 100n);
    const stable: Fraction[][] = [];
    for (let mask = 0; mask < 2 ** free.length; mask += 1) {
      const choice = new Set(free.filter((_index, bit) => (mask >> bit) % 2 === 1));
      const p = priceOf(stake, choice, value);
      if (p === null) continue;
      const isStable = free.every((index) => {
        const unit = stake.units[index] as Unit;
        const shares = unit.pay.kind === "CONVERTIBLE" ? unit.pay.shares : times(unit.count, shareRatio(unit));
        return compare(times(shares ?? NOTHING, p), claimOf(unit)) > 0 === choice.has(index);
      });
      if (isStable) stable.push(paidAt(stake, choice, p));
    }
    if (stable.length === 0)
      return chosen(point).size > 0 ? [`${point.exitValue}: no state is stable, and some convert`] : [];
    const isOne = stable.every((paid) =>
      paid.every((amount, index) => compare(amount, stable[0]?.[index] ?? NOTHING) === 0),
    );
    const isOurs = stable[0]?.every((amount, index) => {
      const off = subtract(times(amount, fraction(100n)), fraction(cents(point.units[index].proceeds)));
      return compare(off.n < 0n ? { n: -off.n, d: off.d } : off, WHOLE) <= 0;
    });
    return isOne && isOurs ? [] : [`${point.exitValue}: ${isOne ? "another state" : "several states"} would be stable`];
  });
}

function shareRatio({ pay }: Unit): Fraction {
  return pay.kind === "PREFERRED" ? pay.share.ratio : NOTHING;
}

/** Without parts no payment falls as the exit value rises. The points rise. */
export function fallFaults({ points }: WaterfallAnswer): string[] {
  const faults: string[] = [];
  for (const [index, point] of (points as readonly Json[]).entries()) {
    const last = points[index - 1] as Json;
    for (const [unit, { proceeds, name }] of point.units.entries()) {
      // A cent may go to another unit by its remainder.
      if (last && cents(proceeds) < cents(last.units[unit].proceeds) - 1n)
        faults.push(`${name} falls at ${point.exitValue}`);
    }
  }
  return faults;
}

/** The answer for values of interest: of all sizes, and about each breakpoint. */
export function exitOf(company: Company, values: readonly string[]): WaterfallAnswer {
  return modelWaterfall(company, { exitValues: values, detail: "SECURITIES" }, EXIT_DATE);
}

/** Values about each breakpoint: at it, and a cent beside. */
export function valuesAbout({ breakpoints }: WaterfallAnswer): string[] {
  const all = (breakpoints ?? []).flatMap(({ distributable }) => [-1n, 0n, 1n].map((by) => cents(distributable) + by));
  const sorted = [...new Set(all.filter((value) => value > 0n))].sort((a, b) => (a < b ? -1 : 1));
  return sorted.map((value) => `${value / 100n}.${String(value % 100n).padStart(2, "0")}`);
}

type Breakpoints = NonNullable<WaterfallAnswer["breakpoints"]>;

/**
 * Between two breakpoints every payment is a line: what a unit gets in the middle is half of what it gets at both ends,
 * within what rounding to the cent may move. `told` may leave breakpoints out, to see that it is noticed.
 */
export function straightFaults(company: Company, told = (all: Breakpoints) => all): string[] {
  const breakpoints = told(exitOf(company, ["0"]).breakpoints ?? []);
  const marks = breakpoints.map(({ distributable }) => cents(distributable));
  marks.push((marks.at(-1) ?? 0n) * 2n + 100_000_000n);
  const faults: string[] = [];
  for (const [index, end] of marks.entries()) {
    const from = marks[index - 1];
    if (from === undefined || end - from < 1_000n) continue;
    const span = (end - from) / 4n;
    const values = [1n, 2n, 3n].map((quarter) => from + span * quarter);
    const texts = values.map((value) => `${value / 100n}.${String(value % 100n).padStart(2, "0")}`);
    const [a, b, c] = exitOf(company, texts).points as readonly Json[];
    for (const [unit, { proceeds, name }] of b.units.entries()) {
      const off = 2n * cents(proceeds) - cents(a.units[unit].proceeds) - cents(c.units[unit].proceeds);
      if (off > 4n || off < -4n) faults.push(`${name} bends between ${from} and ${end} cents`);
    }
  }
  return faults;
}
