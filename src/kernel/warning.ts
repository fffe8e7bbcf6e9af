// Warnings: remarks in the answer of a write that is allowed and unusual. They never refuse it.
import { type TObject, type TSchema, Type } from "@sinclair/typebox";
import { EXTENSION, oneOf } from "./fields.ts";
import { isWrapped } from "./wrapped.ts";

/** Every warning that a write may answer, by its code. */
const WARNING_CODES = [
  "cliff-differs",
  "end-differs",
  "never-complete",
  "dated-before-issue",
  "dated-before-split",
  "counts-later",
  "strike-below-valuation",
  "valuation-expired",
  "iso-to-institution",
  "granted-before-plan",
  "short-of-reserved",
  "conversion-price-differs",
  "net-without-value",
  "iso-window",
  "left-unsplit",
  "source-not-restored",
  "not-by-right",
  "no-conversion-right",
  "ratio-not-one",
  "votes-basis-assumed",
  "dated-ahead",
  "dated-long-ago",
  "consideration-differs",
  "counts-from-today",
  "counts-until",
  "takes-vested",
  "vests-by-another",
  "no-window",
  "plan-expired",
  "expires-before-grant",
  "holder-former",
  "price-and-quantity-swapped",
  "same-name",
  "left-in-plan",
  "day-differs",
  "par-value-unchanged",
  "iso-to-non-employee",
  "iso-term",
  "iso-ten-percent-holder",
  "iso-plan-approval",
  "iso-plan-age",
  "before-the-ledger",
] as const;

/** One warning. */
export type WarningCode = (typeof WARNING_CODES)[number];

/** An allowed but unusual fact, with a message for people. */
export interface Warning {
  readonly code: WarningCode;
  readonly detail: string;
}

/** A warning as answers show it. */
export const WarningShown = Type.Object({
  code: oneOf(WARNING_CODES, { description: "What is odd." }),
  detail: Type.String({
    description: "The same for people.",
    examples: ["The holder is an institution, which cannot have incentive options."],
  }),
});

/** `warnings[]` of an answer; empty if the write has no warning. */
export function warningsMember() {
  return Type.Array(WarningShown, {
    description: "Remarks about what is allowed but unusual; empty if there is no remark.",
    ...EXTENSION,
  });
}

const extended = new WeakMap<TSchema, TObject>();

/** The schema of an answer with `warnings[]` in its object (in that of `data` if it has one), as every write has. */
export function withWarnings(answer: TSchema): TSchema {
  const { type: _type, required: _required, properties, ...rest } = answer as TObject;
  if (isWrapped(properties)) return Type.Object({ data: withWarnings(properties.data) });
  if ("warnings" in properties) return answer;
  const known = extended.get(answer) ?? Type.Object({ ...properties, warnings: warningsMember() }, rest);
  extended.set(answer, known);
  return known;
}

/** An answer with `warnings[]` likewise; an empty list by default. */
export function tellWarnings(json: unknown): unknown {
  const members = json as Readonly<Record<string, unknown>>;
  return isWrapped(members) ? { data: tellWarnings(members.data) } : { ...members, warnings: members.warnings ?? [] };
}
