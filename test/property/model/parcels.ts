// Lists of parcels and what is done to them: dividing, multiplying, taking, moving to another day.
import { compareDates, type Parcel } from "./schedule.ts";
import { ONE, total, type Units } from "./units.ts";

/** What a list holds. */
export const held = (parcels: readonly Parcel[]): Units => total(parcels.map(({ quantity }) => quantity));

/** What of a list has vested by a day. */
export const vestedBy = (parcels: readonly Parcel[], day: string): Units =>
  held(parcels.filter((parcel) => isVested(parcel, day)));

/** What of a list has no day yet. */
export const waitingIn = (parcels: readonly Parcel[]): Units => held(parcels.filter(({ date }) => date === null));

export function isVested({ date }: Parcel, day: string): boolean {
  return date !== null && date <= day;
}

/** One parcel that vested on a day; none where there is nothing. */
export function vestedOn(date: string, quantity: Units): Parcel[] {
  return quantity > 0n ? [{ date, condition: null, occurrence: 0, milestone: null, quantity }] : [];
}

/** By date, then what was halted, what waits last; what was in order stays so. */
export function sorted(parcels: readonly Parcel[]): Parcel[] {
  const rank = ({ date, halted }: Parcel) => (date !== null ? 0 : halted ? 1 : 2);
  return parcels
    .filter(({ quantity }) => quantity > 0n)
    .toSorted(
      (a, b) => rank(a) - rank(b) || compareDates(a.date ?? a.halted?.day ?? null, b.date ?? b.halted?.day ?? null),
    );
}

/** Where service ends: what would vest after a day vests no more, and what waits neither. */
export function halt(parcels: readonly Parcel[], day: string, on: string): Parcel[] {
  return sorted(
    parcels.map((parcel) => {
      if (parcel.halted || isVested(parcel, day)) return parcel;
      return { ...parcel, date: null, halted: { on, day: parcel.date } };
    }),
  );
}

/** Where a person is back: as many days later as it stood still; a milestone or an event of meanwhile on that day. */
export function goOn(
  parcels: readonly Parcel[],
  day: string,
  isEvent: (condition: string | null) => boolean,
): Parcel[] {
  return sorted(
    parcels.map((parcel) => {
      if (!parcel.halted) return parcel;
      const { halted, ...rest } = parcel;
      const isMet = halted.day !== null && (parcel.milestone !== null || isEvent(parcel.condition));
      const met = [halted.day ?? day, day].sort()[1] ?? day;
      return { ...rest, date: isMet ? met : halted.day && later(halted.day, halted.on, day) };
    }),
  );
}

/** A day, as many days later as lie between two others. */
export function later(day: string, from: string, to: string): string {
  const { days } = Temporal.PlainDate.from(from).until(to, { largestUnit: "days" });
  return Temporal.PlainDate.from(day).add({ days }).toString();
}

/** The last day on which shares of a list were halted; null where none are. */
export function haltedOn(parcels: readonly Parcel[]): string | null {
  return (
    parcels
      .flatMap(({ halted }) => (halted ? [halted.on] : []))
      .sort()
      .at(-1) ?? null
  );
}

/** What is taken from each parcel of a list, by its place. */
type Shares = Units[];

/** Takes shares off a list, which stays as it is. */
function without(parcels: readonly Parcel[], shares: Shares): { left: Parcel[]; taken: Parcel[] } {
  const left = parcels.map((parcel, place) => ({ ...parcel, quantity: parcel.quantity - (shares[place] ?? 0n) }));
  const taken = parcels.map((parcel, place) => ({ ...parcel, quantity: shares[place] ?? 0n }));
  return { left: sorted(left), taken: sorted(taken) };
}

/** Takes up to `wanted` from the parcels at these places, one after the other. */
function fromPlaces(parcels: readonly Parcel[], places: readonly number[], wanted: Units, into: Shares): Units {
  let open = wanted;
  for (const place of places) {
    const there = (parcels[place]?.quantity ?? 0n) - (into[place] ?? 0n);
    const share = open < there ? open : there;
    into[place] = (into[place] ?? 0n) + share;
    open -= share;
  }
  return open;
}

function placesOf(parcels: readonly Parcel[], suits: (parcel: Parcel) => boolean): number[] {
  return parcels.flatMap((parcel, place) => (suits(parcel) ? [place] : []));
}

/** Cancels: unvested shares first, the last tranche first, and vested ones then, unless `vested` says how many. */
export function cut(
  parcels: readonly Parcel[],
  day: string,
  quantity: Units,
  vested: Units | null,
  vestedFirst = false,
) {
  const shares: Shares = [];
  const open = placesOf(parcels, (parcel) => !isVested(parcel, day)).toReversed();
  const done = placesOf(parcels, (parcel) => isVested(parcel, day)).toReversed();
  if (vested !== null) {
    // What other terms or another start leave too few of is taken of the others.
    const lacking = fromPlaces(parcels, done, vested, shares);
    fromPlaces(parcels, done, fromPlaces(parcels, open, quantity - vested + lacking, shares), shares);
  } else if (vestedFirst) {
    fromPlaces(parcels, open, fromPlaces(parcels, done, quantity, shares), shares);
  } else {
    fromPlaces(parcels, done, fromPlaces(parcels, open, quantity, shares), shares);
  }
  return without(parcels, shares);
}

/** Exercises: vested shares first, then the earliest tranches. */
export function buy(parcels: readonly Parcel[], quantity: Units) {
  const shares: Shares = [];
  fromPlaces(
    parcels,
    parcels.map((_, place) => place),
    quantity,
    shares,
  );
  return without(parcels, shares);
}

/** Moves the last tranches that have not vested by a day to that day, on which they are one parcel. */
export function accelerate(parcels: readonly Parcel[], day: string, quantity: Units): Parcel[] {
  const shares: Shares = [];
  const open = placesOf(parcels, (parcel) => !isVested(parcel, day)).toReversed();
  fromPlaces(parcels, open, quantity, shares);
  const { left, taken } = without(parcels, shares);
  return sorted([...left, ...vestedOn(day, held(taken))]);
}

/** Divides `moved` off a list, `vested` of it vested where that is said: each gives its part of the running total. */
export function divide(parcels: readonly Parcel[], day: string, moved: Units, vested: Units | null) {
  const unit = unitOf([held(parcels), moved, vested ?? 0n], parcels);
  const shares: Shares = [];
  const portion = (places: readonly number[], wanted: Units) => {
    const all = total(places.map((place) => parcels[place]?.quantity ?? 0n));
    let [running, given] = [0n, 0n];
    for (const place of places) {
      running += parcels[place]?.quantity ?? 0n;
      const share = part(running, wanted, all, unit) - given;
      shares[place] = share;
      given += share;
    }
  };
  if (vested === null) portion(placesOf(parcels, everything), moved);
  else {
    portion(
      placesOf(parcels, (parcel) => isVested(parcel, day)),
      vested,
    );
    portion(
      placesOf(parcels, (parcel) => !isVested(parcel, day)),
      moved - vested,
    );
  }
  return without(parcels, shares);
}

const everything = () => true;

/** What was divided off, as the list of what it became: its vested part bears the day of the operation. */
export function asReceived(taken: readonly Parcel[], day: string): Parcel[] {
  return sorted([...vestedOn(day, vestedBy(taken, day)), ...taken.filter((parcel) => !isVested(parcel, day))]);
}

/** Makes `after` shares of a list. */
export function multiply(parcels: readonly Parcel[], after: Units): Parcel[] {
  const before = held(parcels);
  const unit = unitOf([before, after], parcels);
  let [running, given] = [0n, 0n];
  const result = parcels.map((parcel) => {
    running += parcel.quantity;
    const quantity = part(running, after, before, unit) - given;
    given += quantity;
    return { ...parcel, quantity };
  });
  return sorted(result);
}

/** Puts parcels that were taken back. */
export function putBack(parcels: readonly Parcel[], taken: readonly Parcel[]): Parcel[] {
  return sorted([...parcels, ...taken.map((parcel) => ({ ...parcel }))]);
}

/** Takes off a list again what was put back last: the same parcels as far as they are there, else the last. */
export function takeAgain(parcels: readonly Parcel[], taken: readonly Parcel[]) {
  const shares: Shares = [];
  let open = 0n;
  for (const { date, condition, occurrence, milestone, quantity } of taken) {
    const same = placesOf(parcels, (parcel) => {
      const isSame = parcel.condition === condition && parcel.occurrence === occurrence;
      return isSame && parcel.milestone === milestone && parcel.date === date;
    });
    open += fromPlaces(parcels, same.toReversed(), quantity, shares);
  }
  const all = parcels.map((_, place) => place).toReversed();
  fromPlaces(parcels, all, open, shares);
  return without(parcels, shares);
}

/** A whole share, or the smallest part where anything is fractional. */
function unitOf(quantities: readonly Units[], parcels: readonly Parcel[]): Units {
  const all = [...quantities, ...parcels.map(({ quantity }) => quantity)];
  return all.every((quantity) => quantity % ONE === 0n) ? ONE : 1n;
}

/** `running` × `part` ÷ `all`, rounded down to the unit. */
function part(running: Units, numerator: Units, denominator: Units, unit: Units): Units {
  return denominator === 0n ? 0n : ((running * numerator) / (denominator * unit)) * unit;
}
