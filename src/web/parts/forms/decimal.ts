// Reading the numbers that people type.
import { FIELD_FAULTS } from "../../text/common.ts";

const PLAIN = /^\d{1,15}(\.\d{1,10})?$/;
const TOO_LONG = /^(?:\d{16,}(?:\.\d+)?|\d+\.\d{11,})$/;
const MARKS = /[,' \u00a0\u202f’]/g;
const GROUPED = /^\d{1,3}(?:([,' \u00a0\u202f’])\d{3})(?:\1\d{3})*(\.\d{1,10})?$/;

/**
 * What somebody typed, as the API writes it: digits and one point. Thousands may be set apart by commas, apostrophes or
 * blanks, where that is unambiguous: `1,500,000` is read, `1,5` is not. Null where it is no number.
 */
export function readDecimal(typed: string): string | null {
  const text = typed.trim();
  if (PLAIN.test(text)) return text.replace(/^0+(?=\d)/, "");
  if (!GROUPED.test(text)) return null;
  const digits = text.replace(MARKS, "");
  return PLAIN.test(digits) ? digits.replace(/^0+(?=\d)/, "") : null;
}

/** What is wrong with a typed number; undefined where nothing is, or nothing was typed. */
export function decimalFault(typed: string): string | undefined {
  if (typed.trim() === "" || readDecimal(typed) !== null) return undefined;
  return TOO_LONG.test(typed.replace(MARKS, "")) ? FIELD_FAULTS.digits : FIELD_FAULTS.decimal;
}
