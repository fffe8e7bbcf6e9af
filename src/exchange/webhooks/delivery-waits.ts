// Waits between attempts after failures, and when an endpoint is given up. Pure.

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
/** After the first failure in a row, the second, and so on; then hourly. */
const WAITS_MS = [5 * SECOND_MS, 30 * SECOND_MS, 2 * MINUTE_MS, 10 * MINUTE_MS, 30 * MINUTE_MS];
const SPREAD = 0.2;
const GIVEN_UP_AFTER_MS = 72 * HOUR_MS;
const RETRY_AFTER_MAX_MS = 24 * HOUR_MS;

/** The longest wait; a clock that was put back must not make a longer one. */
export const WAIT_MAX_MS = RETRY_AFTER_MAX_MS;

/** How long to wait after this many failures in a row; `random` is from 0 up to 1. */
export function waitAfter(failures: number, random: number): number {
  const wait = WAITS_MS[failures - 1] ?? HOUR_MS;
  return Math.round(wait * (1 - SPREAD + 2 * SPREAD * random));
}

/** Whether an endpoint that has failed since then is to be disabled. */
export function isGivenUp(failingSince: string, nowMs: number): boolean {
  return nowMs - Date.parse(failingSince) >= GIVEN_UP_AFTER_MS;
}

/** Reads `Retry-After`: seconds, or a date of HTTP. At most a day; null if it says neither. */
export function readRetryAfter(text: string | undefined, nowMs: number): number | null {
  if (text === undefined) return null;
  const ms = /^\d{1,9}$/.test(text.trim()) ? Number(text) * SECOND_MS : Date.parse(text) - nowMs;
  return Number.isFinite(ms) ? Math.min(RETRY_AFTER_MAX_MS, Math.max(0, ms)) : null;
}
