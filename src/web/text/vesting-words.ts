// Texts about vesting, on every page that shows it.
import { dayText, plural, quantityText } from "../locale.ts";

export const VESTING = {
  title: "Vesting",
  what: "vesting",
  vestedToday: "Vested today",
  toVest: "Still to vest",
  next: (quantity: string, day: string) => `next ${quantityText(quantity)} on ${dayText(day)}`,
  nothingNext: "no further dates",
  unscheduled: "No date yet",
  unscheduledNote: "waits for a milestone or an event",
  stoppedOn: (day: string) => `Vesting stopped on ${dayText(day)}`,
  ofGrant: (percent: string, whole: string) => `${percent} of ${quantityText(whole)} granted`,
  today: "Today",
  chart: (vested: string, whole: string, first: string, last: string) =>
    `${quantityText(vested)} of ${quantityText(whole)} vested, from ${dayText(first)} to ${dayText(last)}`,
  allDates: (count: number) => (count === 1 ? "The one date" : `All ${plural(count, "date", "dates")}`),
  date: "Date",
  vests: "Vests",
  total: "Vested by then",
  state: "State",
  hasVested: "Vested",
  toCome: "To come",
  noSchedule: "No dates are scheduled.",
} as const;
