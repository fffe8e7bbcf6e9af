// Serial numbers of days: workbooks store a date as a count of days since 1900, or since 1904.
import { addDays } from "../../../kernel/date.ts";

const EPOCH = "1899-12-30";
const EPOCH_1904 = "1904-01-01";
const LEAP_DAY_THAT_WAS_NOT = 60;

/** The day of a serial number; null if there is no such day. */
export function dayOfSerial(text: string, is1904 = false): string | null {
  const serial = Math.floor(Number(text));
  if (!Number.isFinite(serial) || serial < 0 || serial > 2_958_465) return null;
  if (is1904) return addDays(EPOCH_1904, serial);
  if (serial === LEAP_DAY_THAT_WAS_NOT || serial === 0) return null;
  return addDays(EPOCH, serial < LEAP_DAY_THAT_WAS_NOT ? serial + 1 : serial);
}
