// Clock and random source, which a decision must take as arguments. Real ones here, fixed ones in tests.
import type { CalendarDate } from "./date.ts";

/** An instant as the API shows it: `2026-01-15T14:30:00.000Z`. */
export type Timestamp = string;

/** The later of the clock and the newest record: a record is known now even if the clock was set back since. */
export const END_OF_TIME: Timestamp = "9999-12-31T23:59:59.999Z";

/** Where time and new ids come from; constructed once, in the composition root. */
export interface Runtime {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  nowMs(): number;
  /** Monotonic milliseconds since some moment: measures durations and waits. */
  elapsedMs(): number;
  /** A new UUIDv7. */
  newId(): string;
  /** A random number from 0 up to 1, for waiting times; not for secrets. */
  random(): number;
}

/** The machine's clock and random source. */
export const systemRuntime: Runtime = {
  nowMs: () => Date.now(),
  elapsedMs: () => performance.now(),
  newId: () => Bun.randomUUIDv7(),
  random: () => (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) / 2 ** 32,
};

/** The instant `ms` milliseconds after the epoch, in UTC with milliseconds. */
export function toTimestamp(ms: number): Timestamp {
  return new Date(ms).toISOString();
}

/** A timestamp as a `Date`, for the libraries that want one. */
export function dateOf(timestamp: Timestamp): Date {
  return new Date(timestamp);
}

const DATE_LENGTH = 10;

/** The day in UTC of an instant. */
export function utcDayOf(timestamp: Timestamp): CalendarDate {
  return timestamp.slice(0, DATE_LENGTH);
}

/** The day in UTC at `ms` milliseconds after the epoch: "today", the same for every caller wherever it is. */
export function toUtcDate(ms: number): CalendarDate {
  return utcDayOf(toTimestamp(ms));
}
