// Problems of the API as form faults: the field of each, and its detail as a sentence.
import { isCalendarDate } from "../../../kernel/date.ts";
import { dayText, quantityText } from "../../locale.ts";

/** The field of `values` that a pointer such as `#/steps/0/name` names: the longest name that fits. */
export function fieldAt<V extends object>(pointer: string, values: V): (keyof V & string) | undefined {
  const parts = pointer.replace(/^#?\//, "").split("/");
  for (let length = parts.length; length > 0; length--) {
    const name = parts.slice(0, length).join(".");
    if (name in values) return name as keyof V & string;
  }
  return undefined;
}

const LONG_DIGITS = /(?<![\w.-])\d{5,}(?:\.\d+)?(?![\w-])/g;
const DAYS = /(?<![\w-])\d{4}-\d\d-\d\d(?![\w-])/g;

/**
 * A detail such as `must be a date` as a sentence of its own: long figures are grouped, and days are as people write
 * them.
 */
export function sentence(detail: string): string {
  const told = detail
    .replace(LONG_DIGITS, (digits) => quantityText(digits))
    .replace(DAYS, (day) => (isCalendarDate(day) ? dayText(day) : day));
  const whole = told.charAt(0).toUpperCase() + told.slice(1);
  return /[.!?]$/.test(whole) ? whole : `${whole}.`;
}
