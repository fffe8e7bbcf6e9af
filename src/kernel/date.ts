// Calendar dates as `YYYY-MM-DD` strings: they sort as text, and no time zone can move them. Never a `Date`.
import { assert } from "./assert.ts";

/** A day that exists in the (proleptic Gregorian) calendar, `YYYY-MM-DD`. Compare with `<` and `>`. */
export type CalendarDate = string;

const SHAPE = /^(\d{4})-(\d{2})-(\d{2})$/;
const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const LATEST: CalendarDate = "9999-12-31";

function daysInMonth(year: number, month: number): number {
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return month === 2 && leap ? 29 : (DAYS[month - 1] ?? 0);
}

/** Digit by digit, for speed: a cap table on a past day parses a date for every tranche of every grant. */
function parts(date: CalendarDate): [year: number, month: number, day: number] {
  const [year, month, day] = [digitsIn(date, 0, 4), digitsIn(date, 5, 7), digitsIn(date, 8, 10)];
  const isShaped = date.length === 10 && date[4] === "-" && date[7] === "-" && !Number.isNaN(year + month + day);
  assert(isShaped, `not a date: ${date.slice(0, 20)}`);
  return [year, month, day];
}

const DIGIT_ZERO = 48;

/** The number that the digits in [from, to) write; NaN if one of them is not a digit. */
function digitsIn(text: string, from: number, to: number): number {
  let number = 0;
  for (let at = from; at < to; at++) {
    const digit = text.charCodeAt(at) - DIGIT_ZERO;
    if (!(digit >= 0 && digit <= 9)) return Number.NaN;
    number = number * 10 + digit;
  }
  return number;
}

const TWO_DIGITS: readonly string[] = Array.from({ length: 100 }, (_, number) => String(number).padStart(2, "0"));

function format(year: number, month: number, day: number): CalendarDate {
  if (year > 9999) return LATEST;
  const written = year >= 1000 ? String(year) : String(year).padStart(4, "0");
  return `${written}-${TWO_DIGITS[month]}-${TWO_DIGITS[day]}`;
}

/** Whether `text` is `YYYY-MM-DD` and that day exists (`2023-02-30` does not). */
export function isCalendarDate(text: string): boolean {
  const match = SHAPE.exec(text);
  if (!match) return false;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  return month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month);
}

/** `date` plus whole months, clamped to the month's last day (31 January + 1 = 28 or 29 February). */
export function addMonths(date: CalendarDate, months: number): CalendarDate {
  const [year, month, day] = parts(date);
  const index = year * 12 + (month - 1) + months;
  const [newYear, newMonth] = [Math.floor(index / 12), (((index % 12) + 12) % 12) + 1];
  return format(newYear, newMonth, Math.min(day, daysInMonth(newYear, newMonth)));
}

/** `date` plus whole years; 29 February becomes 28 February in a common year, the last day of its month. */
export function addYears(date: CalendarDate, years: number): CalendarDate {
  return addMonths(date, years * 12);
}

/** `date` plus whole days. Days past the year 9999 stay at its last day. */
export function addDays(date: CalendarDate, days: number): CalendarDate {
  return fromDayNumber(dayNumber(date) + days);
}

/** Days from 0000-03-01, so that differences of two are counts of days. After H. Hinnant, "chrono-compatible date algorithms". */
export function dayNumber(date: CalendarDate): number {
  const [year, month, day] = parts(date);
  const y = month <= 2 ? year - 1 : year;
  const era = Math.floor(y / 400);
  const yearOfEra = y - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  return era * 146097 + yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
}

function fromDayNumber(number: number): CalendarDate {
  const era = Math.floor(number / 146097);
  const dayOfEra = number - era * 146097;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36524) - Math.floor(dayOfEra / 146096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shifted = Math.floor((5 * dayOfYear + 2) / 153);
  const month = shifted < 10 ? shifted + 3 : shifted - 9;
  const day = dayOfYear - Math.floor((153 * shifted + 2) / 5) + 1;
  return format(yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day);
}
