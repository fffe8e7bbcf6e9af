// Timestamps of callers: RFC 3339 with an offset, converted to the one stored form.
import { isCalendarDate } from "./date.ts";
import { type Timestamp, toTimestamp } from "./runtime.ts";

const SHAPE =
  /^(\d{4}-\d{2}-\d{2})T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.(\d{1,9}))?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/**
 * Reads a timestamp with an offset (`2026-01-15T14:30:00Z`, `2026-01-15T15:30:00.5+01:00`) as the same instant in UTC,
 * cut to milliseconds; null if `text` is not a timestamp. A blank before the offset is a plus sign that a query string
 * lost.
 */
export function readInstant(text: string): Timestamp | null {
  const whole = text.replace(/ (?=\d{2}:\d{2}$)/, "+");
  const match = SHAPE.exec(whole);
  if (!match || !isCalendarDate(match[1] ?? "")) return null;
  const instant = toTimestamp(Date.parse(whole.replace(/(\.\d{3})\d+/, "$1")));
  return /^\d{4}-/.test(instant) ? instant : null;
}
