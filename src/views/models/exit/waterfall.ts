// Waterfall of an exit: the payments at a value, for many values at once. The decisions to convert are worked out once,
// as straight pieces over the value (segments.ts); a value is then a search, and a line for each unit. Pure.

import type { CalendarDate } from "../../../kernel/date.ts";
import { apportion, percentColumn, percentText } from "../../../kernel/numbers/columns.ts";
import { divideHalfEven, formatDecimal, ONE, parseDecimal } from "../../../kernel/numbers/decimal.ts";
import { type Finding, refuse } from "../../../kernel/problem.ts";
import { centsOf, centsText } from "../answer-columns.ts";
import { Budget } from "../budget.ts";
import { add, type Fraction, isPositive, shown, times } from "../fraction.ts";
import { type Company, type Holder, type ModelWarning, sortWarnings } from "../model-company.ts";
import { type Breakpoint, breakpointsOf, Conversions, isCapped } from "./breakpoints.ts";
import { deduct, exceeding } from "./deductions.ts";
import type { Deduction, Detail, WaterfallBody } from "./exit-body.ts";
import { Game } from "./game.ts";
import { type Outcome, Payer, type Payments } from "./payments.ts";
import { Course, type Segment, slopeOf } from "./segments.ts";
import { readStake } from "./stake.ts";
import type { Unit } from "./unit.ts";

/** Points × rows, and breakpoints × units, above which a body is refused. */
const ROWS_MAX = 200_000;

export interface WaterfallAnswer {
  readonly exitDate: CalendarDate;
  readonly points: readonly Readonly<Record<string, unknown>>[];
  readonly breakpoints?: readonly Breakpoint[];
  readonly warnings: readonly ModelWarning[];
}

/** Models an exit. Throws `422` and `404` for what the body names and does not fit. */
export function modelWaterfall(
  company: Company,
  body: WaterfallBody,
  asOf: CalendarDate,
  budget = new Budget(),
): WaterfallAnswer {
  const exitDate = body.exitDate ?? asOf;
  const stake = readStake(company, body, exitDate);
  const values = valuesOf(body);
  const detail = body.detail ?? "HOLDERS";
  refuseTooMany(stake.units, values.length, detail);
  const course = new Course(new Game(stake, budget));
  const doesBreak = body.breakpoints ?? true;
  if (doesBreak && course.segments.length * stake.units.length > ROWS_MAX) {
    refuse([["#/breakpoints", `would have ${course.segments.length} breakpoints for ${stake.units.length} units`]]);
  }
  const teller = new Teller(company, course, stake.units, detail);
  return {
    exitDate,
    points: values.map((value) => teller.point(value, body.deductions ?? [])),
    ...(doesBreak ? { breakpoints: breakpointsOf(course) } : {}),
    warnings: sortWarnings([...stake.warnings, ...exceeding(body.deductions ?? [])], company.held),
  };
}

/** The exit values in cents: as they are given, or at equal distances. */
function valuesOf({ exitValues, range }: WaterfallBody): readonly bigint[] {
  if (exitValues) return exitValues.map((value) => centsOf(parseDecimal(value)));
  if (!range) return [];
  const [from, to] = [parseDecimal(range.from), parseDecimal(range.to)];
  if (to < from) refuse([["#/range/to", "is below `from`"]]);
  const steps = BigInt(range.steps);
  return Array.from({ length: range.steps + 1 }, (_none, step) =>
    divideHalfEven((from * steps + (to - from) * BigInt(step)) * 100n, steps * ONE),
  );
}

function refuseTooMany(units: readonly Unit[], points: number, detail: Detail): void {
  if (detail === "UNITS") return;
  const members = units.flatMap((unit) => unit.members);
  const rows = detail === "SECURITIES" ? members.length : new Set(members.map(({ security }) => security.holder)).size;
  const findings: Finding[] =
    rows * points > ROWS_MAX ? [["#/detail", `would answer ${rows * points} rows, and ${ROWS_MAX} is the most`]] : [];
  refuse(findings);
}

/** A unit with its securities' cents. */
interface Divided {
  readonly unit: Unit;
  readonly parts: readonly bigint[];
}

/** Tells what is paid at values. */
class Teller {
  readonly #units: readonly Unit[];
  readonly #detail: Detail;
  readonly #payer: Payer;
  readonly #conversions: Conversions;
  readonly #holders: readonly Holder[];
  readonly #place: ReadonlyMap<string, number>;

  constructor(company: Company, course: Course, units: readonly Unit[], detail: Detail) {
    this.#units = units;
    this.#detail = detail;
    this.#payer = new Payer(course);
    this.#conversions = new Conversions(course);
    const paid = new Set(units.flatMap(({ members }) => members.map(({ security }) => security.holder)));
    this.#holders = company.holders.filter(({ key }) => paid.has(key));
    this.#place = new Map(this.#holders.map(({ key }, index) => [key, index]));
  }

  point(value: bigint, deductions: readonly Deduction[]): Readonly<Record<string, unknown>> {
    const taken = deduct(value, deductions);
    const distributable = taken.reduce((left, { cents }) => left - cents, value);
    const payments = this.#payer.pay(distributable);
    const divided = this.#detail === "UNITS" ? [] : this.#divide(payments);
    return {
      exitValue: centsText(value),
      deductions: taken.map(({ name, cents }) => ({ name, amount: centsText(cents) })),
      distributable: centsText(distributable),
      undistributed: centsText(distributable - payments.paid),
      commonPricePerShare: formatDecimal(shown(payments.price)),
      units: this.#tellUnits(payments),
      ...(this.#detail === "UNITS" ? {} : { holders: this.#tellHolders(divided) }),
      ...(this.#detail === "SECURITIES" ? { securities: this.#tellSecurities(divided) } : {}),
    };
  }

  #tellUnits(payments: Payments): readonly Readonly<Record<string, unknown>>[] {
    const percents = percentColumn(payments.cents);
    return this.#units.map((unit, index) => {
      const { segment, price } = payments;
      const isConverted = segment !== null && this.#conversions.has(segment, index);
      const cents = payments.cents[index] ?? 0n;
      const converts = isConverted && segment ? this.#convertsTo(unit, index, segment) : null;
      return {
        kind: unit.kind,
        stockClassId: unit.stockClassId,
        securityId: unit.securityId,
        name: unit.name,
        accruesFrom: unit.accruesFrom,
        strike: unit.strike === null ? null : formatDecimal(unit.strike),
        quantity: unit.quantity === null ? null : formatDecimal(unit.quantity),
        claim: claimOf(unit),
        outcome: outcomeOf(unit, isConverted, price, payments.isPaid[index] ?? false),
        convertsTo: converts === null ? null : formatDecimal(shown(converts)),
        proceeds: centsText(cents),
        percent: percentText(percents[index] ?? 0n),
      };
    });
  }

  #convertsTo({ pay, count }: Unit, index: number, segment: Segment): Fraction | null {
    if (pay.kind === "PREFERRED") return times(count, pay.share.ratio);
    if (pay.kind !== "CONVERTIBLE") return null;
    const share = segment.shares.find(({ unit }) => unit === index);
    return pay.shares ?? (share ? slopeOf(segment, share) : null);
  }

  /** Each unit's cents divided among its securities by their quantity, in unit order. */
  #divide({ cents }: Payments): readonly Divided[] {
    return this.#units.map((unit, index) => ({
      unit,
      parts: apportion(
        cents[index] ?? 0n,
        unit.members.map(({ quantity }) => quantity),
      ),
    }));
  }

  #tellHolders(divided: readonly Divided[]): readonly Readonly<Record<string, unknown>>[] {
    const sums = this.#holders.map(() => 0n);
    for (const { unit, parts } of divided) {
      for (const [index, { security }] of unit.members.entries()) {
        const place = this.#place.get(security.holder) ?? 0;
        sums[place] = (sums[place] ?? 0n) + (parts[index] ?? 0n);
      }
    }
    const rows = this.#holders.map((holder, index) => ({ holder, cents: sums[index] ?? 0n }));
    rows.sort((a, b) => (a.cents === b.cents ? 0 : a.cents > b.cents ? -1 : 1));
    const percents = percentColumn(rows.map(({ cents }) => cents));
    return rows.map(({ holder, cents }, index) => ({
      stakeholderId: holder.id,
      name: holder.name,
      proceeds: centsText(cents),
      percent: percentText(percents[index] ?? 0n),
    }));
  }

  #tellSecurities(divided: readonly Divided[]): readonly Readonly<Record<string, unknown>>[] {
    const ids = new Map(this.#holders.map(({ key, id }) => [key, id]));
    return divided.flatMap(({ unit, parts }) =>
      unit.members.map(({ security }, index) => ({
        securityId: security.id,
        stakeholderId: ids.get(security.holder) ?? null,
        name: unit.name,
        proceeds: centsText(parts[index] ?? 0n),
      })),
    );
  }
}

function claimOf({ pay, count }: Unit): string | null {
  if (pay.kind === "CONVERTIBLE") return formatDecimal(shown(add(pay.cash, pay.premium)));
  return pay.kind === "PREFERRED" ? formatDecimal(shown(times(count, pay.share.claim))) : null;
}

function outcomeOf(unit: Unit, isConverted: boolean, price: Fraction, isPaid: boolean): Outcome {
  const { pay } = unit;
  if (pay.kind === "COMMON") return "COMMON";
  if (pay.kind === "CALL" || pay.kind === "PREFERRED_CALL") return isPaid ? "EXERCISED" : "OUT_OF_THE_MONEY";
  if (isConverted) return "CONVERTS";
  if (pay.kind === "CONVERTIBLE") return "CASH";
  const takesPart = pay.share.isParticipating && isPositive(pay.share.ratio) && isPositive(price);
  return !takesPart ? "PREFERENCE" : isCapped(unit, price) ? "CAPPED" : "PARTICIPATES";
}
