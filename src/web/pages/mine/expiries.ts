// Expirations within 90 days, the soonest first, for the top of My holdings.
import { addDays } from "../../../kernel/date.ts";

/** How many days before it expires something stands on top. */
const SOON_DAYS = 90;

/** Something that expires. */
export interface Expiring {
  readonly expirationDate: string | null;
}

/** What has expired by `today`, or does within 90 days. Days are calendar days. */
export function expiriesOf<H extends Expiring>(holdings: readonly H[], today: string) {
  const until = addDays(today, SOON_DAYS);
  return holdings
    .flatMap((holding) => (holding.expirationDate === null ? [] : [{ holding, day: holding.expirationDate }]))
    .filter(({ day }) => day <= until)
    .map((each) => ({ ...each, isPast: each.day < today }))
    .toSorted((a, b) => (a.day < b.day ? -1 : 1));
}

/** Whether something vests by a schedule that is worth a chart: shares that have vested are as any others. */
export function hasSchedule({
  type,
  unvested,
  vestingStartDate,
}: {
  readonly type: string;
  readonly unvested: string;
  readonly vestingStartDate: string | null;
}): boolean {
  if (type === "CONVERTIBLE") return false;
  if (type === "STOCK") return unvested !== "0";
  return unvested !== "0" || vestingStartDate !== null;
}
