// Parcels in a ledger entry's metadata: decimal strings, with equal tranches of one condition as one element with all
// their days. Pure.
import type { CalendarDate } from "../../kernel/date.ts";
import { formatDecimal, parseDecimal } from "../../kernel/numbers/decimal.ts";
import type { Parcel, Parcels } from "./parcels.ts";

/** One parcel (`date`), or several occurrences in a row (`dates`, `occurrence` of the first) of so many shares each. */
export interface ToldParcel {
  readonly date?: CalendarDate | null;
  readonly dates?: readonly (CalendarDate | null)[];
  readonly conditionId: string | null;
  readonly occurrence: number;
  readonly milestoneId: string | null;
  readonly quantity: string;
  /** The day on which they stopped; then the days are those on which they would have vested. */
  readonly stopped?: CalendarDate;
}

function isNext(run: readonly Parcel[], parcel: Parcel): boolean {
  const last = run.at(-1);
  return (
    last !== undefined &&
    parcel.conditionId !== null &&
    last.conditionId === parcel.conditionId &&
    last.occurrence + 1 === parcel.occurrence &&
    last.milestoneId === parcel.milestoneId &&
    last.quantity === parcel.quantity &&
    last.stopped?.on === parcel.stopped?.on
  );
}

function tellRun(run: readonly Parcel[]): ToldParcel[] {
  const [first] = run;
  if (!first) return [];
  const { conditionId, occurrence, milestoneId } = first;
  const stopped = first.stopped ? { stopped: first.stopped.on } : {};
  const common = { conditionId, occurrence, milestoneId, quantity: formatDecimal(first.quantity), ...stopped };
  return [run.length === 1 ? { date: dayOf(first), ...common } : { dates: run.map(dayOf), ...common }];
}

function dayOf({ date, stopped }: Parcel): CalendarDate | null {
  return stopped ? stopped.day : date;
}

/** Serializes parcels. */
export function tellParcels(parcels: Parcels): readonly ToldParcel[] {
  const told: ToldParcel[] = [];
  let run: Parcel[] = [];
  for (const parcel of parcels) {
    if (!isNext(run, parcel)) {
      told.push(...tellRun(run));
      run = [];
    }
    run.push(parcel);
  }
  return [...told, ...tellRun(run)];
}

/** Reads what {@link tellParcels} wrote; empty for anything else. */
export function readParcels(value: unknown): Parcels {
  if (!Array.isArray(value)) return [];
  return (value as readonly ToldParcel[]).flatMap(({ date, dates, quantity, stopped: on, ...rest }) =>
    (dates ?? [date ?? null]).map((day, i) => ({
      ...rest,
      ...(on === undefined ? { date: day } : { date: null, stopped: { on, day } }),
      occurrence: rest.occurrence + i,
      quantity: parseDecimal(quantity),
    })),
  );
}
