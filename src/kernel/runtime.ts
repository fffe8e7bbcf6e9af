// Time and randomness, the two things a decision may not fetch for itself. Real ones here, fixed ones in tests.
import type { CalendarDate } from "./date.ts";

/** An instant as the API shows it: `2026-01-15T14:30:00.000Z`. */
export type Timestamp = string;

/** What is recorded is known now, though the clock was set back since and says that it is yet to come. */
export const END_OF_TIME: Timestamp = "9999-12-31T23:59:59.999Z";

/** Where time and new ids come from; constructed once, in the composition root. */
export interface Runtime {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  nowMs(): number;
  /** Milliseconds since some moment, by the clock that only goes forward: for how long something took or has to wait. */
  elapsedMs(): number;
  /** A new UUIDv7. */
  newId(): string;
  /** A number from 0 up to 1, for waiting times: nothing secret. */
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

/** A timestamp as the object that some libraries want. */
export function dateOf(timestamp: Timestamp): Date {
  return new Date(timestamp);
}

/** The day in UTC at `ms` milliseconds after the epoch: "today", the same for every caller wherever it is. */
export function toUtcDate(ms: number): CalendarDate {
  return toTimestamp(ms).slice(0, 10);
}
