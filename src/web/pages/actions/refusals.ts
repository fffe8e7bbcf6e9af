// What resolves a problem of the API in a guided form, as a link or button, and what to confirm before sending. Pure.
import { formatDecimal, max, parseDecimal } from "../../../kernel/numbers/decimal.ts";
import type { ApiProblem } from "../../api/problem.ts";
import { readDecimal } from "../../parts/forms/decimal.ts";
import type { Facts, FieldSpec, Operation, Values } from "./spec.ts";

/** What leads on from a refusal: another action with its fields, or a change of this form. */
export type WayOn =
  | { readonly kind: "ACTION"; readonly operation: Operation; readonly fields: Values }
  | { readonly kind: "CHANGE"; readonly name: string; readonly value: string }
  /** Something has changed since the form was opened. */
  | { readonly kind: "RELOAD" };

/** What would help against a refusal of these values. */
export function wayOnFrom({ slug }: Pick<ApiProblem, "slug">, values: Values, facts: Facts): WayOn | null {
  if (slug === "duplicate-certificate-id" && facts.nextCertificate && facts.nextCertificate !== values.certificateId) {
    return { kind: "CHANGE", name: "certificateId", value: facts.nextCertificate };
  }
  if (slug === "unvested-quantity" && values.earlyExercise === "") {
    return { kind: "CHANGE", name: "earlyExercise", value: "true" };
  }
  if (slug === "invalid-state") return { kind: "RELOAD" };
  if (slug === "insufficient-authorized-shares") return raiseOf(values, facts);
  return slug === "insufficient-plan-reserve" ? raiseReserve(values, facts) : null;
}

function wanted({ quantity, resultingQuantity }: Values): bigint {
  const read = readDecimal(resultingQuantity || quantity || "");
  return read === null ? 0n : parseDecimal(read);
}

function raiseOf(values: Values, { classes, plans, security, table }: Facts): WayOn | null {
  const plan = plans.find(({ id }) => id === (values.stockPlanId ?? security?.equityPlanId));
  const id = values.stockClassId || security?.stockClassId || plan?.stockClassIds[0];
  const own = classes.find((each) => each.id === id);
  const issued = table?.shareClasses.find((each) => each.id === id)?.issued;
  if (own === undefined || issued === undefined) return null;
  const figure = formatDecimal(parseDecimal(issued) + wanted(values));
  return {
    kind: "ACTION",
    operation: "adjust-authorized",
    fields: { stockClassId: own.id, newSharesAuthorized: figure },
  };
}

function raiseReserve(values: Values, { plans, security }: Facts): WayOn | null {
  const plan = plans.find(({ id }) => id === (values.stockPlanId || security?.equityPlanId));
  if (plan === undefined) return null;
  const short = max(0n, wanted(values) - parseDecimal(plan.currentSharesReserved));
  const figure = formatDecimal(parseDecimal(plan.totalSharesReserved) + short);
  return { kind: "ACTION", operation: "adjust-reserve", fields: { equityPlanId: plan.id, newSharesReserved: figure } };
}

/** What a form asks to be confirmed in words before it is recorded. */
export type Doubt = "LONG_AGO" | "TO_COME" | "FORMER";

const LONG_DAYS = 365;

/** What is doubtful of values that can be recorded. */
export function doubtsOf(
  fields: readonly FieldSpec[],
  values: Values,
  facts: Facts,
  daysSince: (day: string) => number,
) {
  const doubts: Doubt[] = [];
  const day = values.effectiveDate ?? "";
  if (day > facts.today) doubts.push("TO_COME");
  else if (day !== "" && daysSince(day) > LONG_DAYS) doubts.push("LONG_AGO");
  const namesFormer = ({ kind, name }: FieldSpec) =>
    kind === "holder" && facts.holders.get(values[name] ?? "")?.status === "FORMER";
  if (fields.some(namesFormer)) doubts.push("FORMER");
  return doubts;
}
