// The terms of a convertible as the texts of its form, and back: in short where that says all, else within the trigger by
// which it converts in a round. Pure.
import type { components } from "../../api/types.ts";
import { type Body, bodyOf, valuesOf } from "../../parts/forms/body.ts";
import type { FieldSpec, Values } from "../actions/spec.ts";

export type ConvertibleTerms = NonNullable<components["schemas"]["Security"]["convertibleTerms"]>;
type Trigger = ConvertibleTerms["triggers"][number];

/** Members of the terms themselves; the others are of a mechanism. */
const OF_TERMS: readonly string[] = ["convertibleType", "seniority", "maturityDate", "proRata"];

/** The trigger by which it converts in a round. */
export function financingTrigger({ triggers }: ConvertibleTerms): Trigger | undefined {
  const fits = ({ type, mechanism }: Trigger) =>
    type !== "AUTOMATIC_ON_DATE" && type !== "ELECTIVE_IN_RANGE" && mechanism.type !== "CUSTOM";
  return triggers.find(fits) ?? triggers[0];
}

/** Whether its mechanism is one that the form asks for. */
export function isPriced(terms: ConvertibleTerms): boolean {
  const type = financingTrigger(terms)?.mechanism.type;
  return type === undefined || type === "SAFE" || type === "NOTE" || type === "CUSTOM";
}

/** What stands in the form. */
export function valuesOfTerms(fields: readonly FieldSpec[], terms: ConvertibleTerms): Record<string, string> {
  const { mechanism, minimumProceeds } = financingTrigger(terms) ?? {};
  const rates = (mechanism?.interestRates ?? []) as readonly { readonly ratePercent: string }[];
  const flat = {
    ...mechanism,
    minimumProceeds,
    interestRate: rates[0]?.ratePercent ?? terms.interestRate,
    ...Object.fromEntries(OF_TERMS.map((name) => [name, (terms as Body)[name]])),
  };
  return valuesOf(fields, { convertibleTerms: flat });
}

/** The terms with what the form says; null while it cannot be read. */
export function termsOf(
  fields: readonly FieldSpec[],
  values: Values,
  { before, grantDate }: { readonly before: ConvertibleTerms; readonly grantDate: string },
): Body | null {
  const body = bodyOf(fields, values);
  if (body === null) return null;
  const said = body.convertibleTerms as Body;
  const trigger = financingTrigger(before);
  const isKept = trigger?.mechanism.type !== "CUSTOM" && said.convertibleType === before.convertibleType;
  if (trigger === undefined || !isKept) return said;
  const head = Object.fromEntries(
    OF_TERMS.map((name) => [name, said[name] ?? null]).filter(([, value]) => value !== null),
  );
  const {
    minimumProceeds = null,
    interestRate,
    ...others
  } = Object.fromEntries(Object.entries(said).filter(([name]) => !OF_TERMS.includes(name)));
  const asked = fields
    .map(({ name }) => name.replace("convertibleTerms.", ""))
    .filter((name) => !OF_TERMS.includes(name));
  const { interestRates = [], ...mechanism } = Object.fromEntries(
    Object.entries(trigger.mechanism).filter(([name, value]) => !asked.includes(name) && value !== null),
  ) as Body;
  const rates = ratesOf(interestRates as Rates, interestRate as string | undefined, grantDate);
  const changed = {
    ...trigger,
    minimumProceeds,
    mechanism: { ...mechanism, ...others, ...(rates.length > 0 ? { interestRates: rates } : {}) },
  };
  return { ...head, triggers: before.triggers.map((each) => (each === trigger ? changed : each)) };
}

type Rates = readonly { readonly ratePercent: string; readonly startDate: string; readonly endDate?: string | null }[];

/** The rates with another first one; none where it was emptied. */
function ratesOf(before: Rates, first: string | undefined, grantDate: string): Rates {
  if (first === undefined) return [];
  const [was, ...later] = before;
  return [{ ...(was ?? { startDate: grantDate }), ratePercent: first }, ...later];
}
