// Problems of the API as form faults: the field of each, and its detail as a sentence.
import { isCalendarDate } from "../../../kernel/date.ts";
import type { ApiProblem } from "../../api/problem.ts";
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

/**
 * A refusal as faults of the fields that are seen, and as words above them: of what names no such field. `own` is the
 * field that a refusal without pointers is about.
 */
export function faultsIn<N extends PropertyKey>(
  { errors, detail }: Pick<ApiProblem, "errors" | "detail">,
  seen: readonly N[],
  own?: { readonly name: N; readonly words?: string },
): { readonly faults: { readonly [name in N]?: string }; readonly words: string | null } {
  const fields = Object.fromEntries(seen.map((name) => [name, ""])) as { readonly [name in N]: string };
  const faults: { [name in N]?: string } = {};
  const others: string[] = [];
  for (const { pointer, detail } of errors) {
    const name = pointer === undefined ? undefined : fieldAt(pointer, fields);
    if (name === undefined) others.push(sentence(detail));
    else faults[name] = sentence(detail);
  }
  if (own) faults[own.name] = own.words ?? sentence(detail);
  const isPlaced = own !== undefined || Object.keys(faults).length > 0;
  const words = others.length > 0 ? others.join(" ") : sentence(detail);
  return { faults, words: isPlaced && others.length === 0 ? null : words };
}
