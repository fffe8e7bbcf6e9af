// What bears on a security's vesting, in the order of the ledger, and what that makes of a list of parcels.
import { accelerate, buy, cut, held, isVested, sorted, takeAgain, vestedBy } from "./parcels.ts";
import type { Rules } from "./rules.ts";
import type { Parcel } from "./schedule.ts";
import { halfEven, ONE, type Units } from "./units.ts";

/** One of them; `entry` is the place of the entry that says so. */
export type Fact =
  | { readonly is: "started"; readonly condition: string | null; readonly date: string }
  | { readonly is: "happened"; readonly condition: string; readonly date: string }
  | { readonly is: "accelerated"; readonly quantity: Units; readonly date: string }
  | { readonly is: "set-apart"; readonly milestone: number; readonly quantity: Units }
  | { readonly is: "reached"; readonly milestone: number; readonly date: string }
  /** Cancelled or repurchased, or less by a correction; `vested` says how many vested ones, where that was said. */
  | {
      readonly is: "cut";
      readonly entry: number;
      readonly date: string;
      readonly quantity: Units;
      readonly vested: Units | null;
    }
  /** Exercised; `parcels` says which, where some were taken before they vested. */
  | {
      readonly is: "exercised";
      readonly entry: number;
      readonly date: string;
      readonly quantity: Units;
      readonly early: Units;
      readonly parcels: readonly Parcel[] | null;
    }
  /** Service ended; `on` is the day from which it is counted how long that lasts. */
  | { readonly is: "ended"; readonly entry: number; readonly date: string; readonly on: string }
  | { readonly is: "returned"; readonly entry: number; readonly date: string; readonly on: string }
  | { readonly is: "left"; readonly entry: number; readonly parcels: readonly Parcel[] }
  /** More by a correction. */
  | { readonly is: "grown"; readonly entry: number; readonly before: Units; readonly after: Units }
  | {
      readonly is: "split";
      readonly entry: number;
      readonly date: string;
      readonly numerator: bigint;
      readonly denominator: bigint;
      readonly before: Units;
      readonly after: Units;
    }
  /** What had vested before a split stays so. */
  | { readonly is: "kept"; readonly date: string; readonly quantity: Units };

/** What facts make of a list, and what each entry took of it. */
export function applyFacts(list: readonly Parcel[], facts: readonly Fact[], rules: Rules) {
  const taken = new Map<number, readonly Parcel[]>();
  const exercised = new Map<number, { readonly vested: Units; readonly early: Units }>();
  let parcels = sorted(list);
  const leave = (entry: number, after: { left: Parcel[]; taken: readonly Parcel[] }) => {
    taken.set(entry, after.taken);
    parcels = after.left;
  };
  for (const fact of facts) {
    if (fact.is === "accelerated") parcels = accelerate(parcels, fact.date, fact.quantity);
    if (fact.is === "kept") {
      const missing = fact.quantity - vestedBy(parcels, fact.date);
      if (missing > 0n) parcels = accelerate(parcels, fact.date, missing);
    }
    if (fact.is === "set-apart") parcels = setApart(parcels, fact.milestone, fact.quantity);
    if (fact.is === "reached") parcels = reach(parcels, fact.milestone, fact.date);
    if (fact.is === "cut") {
      leave(fact.entry, cut(parcels, fact.date, fact.quantity, fact.vested, !rules.cutsTakeUnvestedFirst));
    }
    if (fact.is === "left") leave(fact.entry, takeAgain(parcels, fact.parcels));
    if (fact.is === "exercised") {
      const { entry, quantity, early, parcels: known } = fact;
      leave(entry, known ? takeAgain(parcels, known) : buy(parcels, quantity));
      exercised.set(entry, { vested: quantity - early, early });
    }
  }
  return { parcels, taken, exercised };
}

/** A fact of before a split, in the shares after it: whole ones where the security's are. */
export function scaled(fact: Fact, split: Extract<Fact, { is: "split" }>): Fact {
  const { numerator, denominator, before, after } = split;
  const isWhole = before % ONE === 0n && after % ONE === 0n;
  const count = (quantity: Units): Units => {
    return isWhole ? ((quantity * numerator) / (denominator * ONE)) * ONE : halfEven(quantity * numerator, denominator);
  };
  switch (fact.is) {
    case "cut":
      return { ...fact, quantity: count(fact.quantity), vested: fact.vested === null ? null : count(fact.vested) };
    case "exercised":
      return { ...fact, quantity: count(fact.quantity), early: count(fact.early) };
    case "accelerated":
    case "set-apart":
    case "kept":
      return { ...fact, quantity: count(fact.quantity) };
    default:
      return fact;
  }
}

/** A pending milestone holds what comes last, but for what others hold. */
function setApart(parcels: readonly Parcel[], milestone: number, quantity: Units): Parcel[] {
  const isHeld = (parcel: Parcel) => parcel.milestone !== null && !isVested(parcel, "9999-12-31");
  const { left, taken } = cut(
    parcels.filter((parcel) => !isHeld(parcel)),
    "",
    quantity,
    null,
  );
  const waiting: Parcel = { date: null, condition: null, occurrence: 0, milestone, quantity: held(taken) };
  return sorted([...left, ...parcels.filter(isHeld), waiting]);
}

function reach(parcels: readonly Parcel[], milestone: number, date: string): Parcel[] {
  return sorted(parcels.map((parcel) => (parcel.milestone === milestone ? reached(parcel, date) : parcel)));
}

/** What was halted does not vest by it: it gets the day for when the holder is back. */
function reached(parcel: Parcel, date: string): Parcel {
  const { halted } = parcel;
  return halted ? { ...parcel, halted: { ...halted, day: halted.day ?? date } } : { ...parcel, date };
}
