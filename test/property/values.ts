// What the steps of random histories are made of: days, figures, parts of what a security holds.
import fc from "fast-check";
import { START } from "./model/start.ts";
import type { Security } from "./model/state.ts";
import type { Kind, Status } from "./model/step.ts";
import { VARIANTS } from "./model/terms.ts";
import { ONE, type Rounding, show, units } from "./model/units.ts";

/** The days on which things happen: past, today (2026-06-15), tomorrow and later. */
export const DATES = [
  "2024-02-29",
  "2025-01-15",
  "2025-06-30",
  "2026-03-01",
  "2026-06-15",
  "2026-06-16",
  "2026-12-31",
  "2031-01-01",
] as const;

export const holder = fc.nat(START.holders - 1);
export const stockClass = fc.nat(START.classes.length - 1);
export const plan = fc.nat(START.plans.length - 1);
export const terms = fc.nat(VARIANTS.length - 1);
export const maybeClass = fc.option(stockClass);
export const maybePlan = fc.option(plan);
export const maybeTerms = fc.option(terms, { freq: 3 });
/** Any day; mostly one that every route takes. */
export const date = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...DATES.slice(0, 6)) },
  { weight: 1, arbitrary: fc.constantFrom(...DATES) },
);
/** For what must not be earlier than what was done before. */
export const lateDate = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom("2026-06-15", "2026-06-16") },
  { weight: 1, arbitrary: date },
);
export const start = fc.option(fc.constantFrom("2023-10-31", "2024-08-31", "2025-06-30", "2026-05-31"), { freq: 2 });
export const price = fc.constantFrom("0.25", "1", "2.50", "0.0001", "3.3333333333");
export const figure = fc.constantFrom("0", "40", "90.5", "150", "400.00", "900");
export const amount = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 1, max: 60 }).map(String) },
  { weight: 1, arbitrary: fc.constantFrom("0.5", "12.50", "0.0000000001", "33.3333333333", "007", "250") },
);
export const certificate = fc.integer({ min: 1, max: 200 }).map((number) => `C-${number}`);
export const kind = fc.constantFrom<Kind>("STOCK", "STOCK_OPTION", "WARRANT", "CONVERTIBLE");
export const status = fc.constantFrom<Status>(
  "ACTIVE",
  "CANCELLED",
  "EXERCISED",
  "CONVERTED",
  "REPURCHASED",
  "TRANSFERRED",
);
export const rounding = fc.constantFrom<Rounding>("DOWN", "UP", "NEAREST", "FRACTIONAL");
export const expires = fc.option(fc.constantFrom("2025-06-30", "2040-01-01"), { freq: 3 });

export const rarely = fc.integer({ min: 0, max: 9 });

/** How much of a security: all that it holds (null), so many eighths, or some amount that may be too much. */
export type Share = string | number | null;
const eighths = fc.integer({ min: 1, max: 7 });
export const share: fc.Arbitrary<Share> = fc.oneof(
  { weight: 1, arbitrary: fc.constant(null) },
  { weight: 3, arbitrary: eighths },
  { weight: 1, arbitrary: amount },
);

export function sharesOf(given: Share, { quantity }: Security): string {
  if (typeof given === "string") return given;
  if (quantity === 0n) return "1";
  if (given === null) return show(quantity);
  const part = (quantity * BigInt(given)) / 8n;
  const whole = (part / ONE) * ONE;
  return show(whole > 0n ? whole : part || quantity);
}

/** The class given, or the next one where the security is of it. */
export function otherClass(given: number, held: Security): number {
  return given === held.stockClass ? (given + 1) % START.classes.length : given;
}

/** How many of the shares that go are to be vested ones: mostly not said, else so many eighths, or some amount. */
export const vested = fc.oneof(
  { weight: 6, arbitrary: fc.constant(null) },
  { weight: 3, arbitrary: eighths },
  { weight: 1, arbitrary: amount },
);

export function vestedOf(given: Share, quantity: string): string | null {
  return typeof given === "number" ? show(((units(quantity) * BigInt(given)) / (8n * ONE)) * ONE) : given;
}
