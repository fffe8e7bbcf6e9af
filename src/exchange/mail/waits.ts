// When a mail is tried again. Pure.
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const WAITS_MS = [MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS];
const LATER_MS = 6 * HOUR_MS;
/** How long a mail without an end of its own is tried. */
const TRIED_MS = 72 * HOUR_MS;

/** How long to wait after so many failed attempts. */
export function waitAfter(attempts: number): number {
  return WAITS_MS[attempts - 1] ?? LATER_MS;
}

/** When a mail is given up. */
export function endOf({
  createdAt,
  expiresAt,
}: {
  readonly createdAt: string;
  readonly expiresAt: string | null;
}): number {
  const tried = Date.parse(createdAt) + TRIED_MS;
  return expiresAt === null ? tried : Math.min(tried, Date.parse(expiresAt));
}
