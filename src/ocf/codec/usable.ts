// Which objects an import refuses, whatever the organization holds: `ocf validate` tells the same, though OCF's own
// schemas take some of them (an empty id, a name of nothing but spaces, a number of too many digits). Pure.
import type { JsonObject } from "../json.ts";
import type { ObjectType } from "../schemas/registry.ts";
import { documentFromOcf } from "./document.ts";
import { EVENT_MEMBERS } from "./event.ts";
import { issuanceFromOcf } from "./issuance.ts";
import { issuerFromOcf } from "./issuer.ts";
import { stakeholderFromOcf } from "./stakeholder.ts";
import { stockClassFromOcf } from "./stock-class.ts";
import { stockLegendFromOcf } from "./stock-legend.ts";
import { stockPlanFromOcf } from "./stock-plan.ts";
import { valuationFromOcf } from "./valuation.ts";
import { Refusal, requiredDate } from "./values.ts";
import { vestingTermsFromOcf } from "./vesting-terms.ts";

const ESCAPED_SURROGATE = /(?<!\\)(?:\\\\)*\\ud[89a-f]/;

/** The object as JSON text. Refuses one with half a character in it, which no text in a database can hold. */
export function jsonOf(value: JsonObject): string {
  const json = JSON.stringify(value);
  // `JSON.stringify` escapes half characters, and no others in that range.
  if (!json.includes("\\ud") || !ESCAPED_SURROGATE.test(json)) return json;
  throw new Refusal("#", "The object has text in it that is no valid Unicode.");
}

/** Reads an object of each type that has no family, as an import does. */
const READERS: Readonly<Record<string, (value: JsonObject) => unknown>> = {
  ISSUER: issuerFromOcf,
  DOCUMENT: documentFromOcf,
  STOCK_LEGEND_TEMPLATE: stockLegendFromOcf,
  STAKEHOLDER: stakeholderFromOcf,
  STOCK_CLASS: (value) => stockClassFromOcf(value, 1),
  STOCK_PLAN: stockPlanFromOcf,
  VESTING_TERMS: vestingTermsFromOcf,
  VALUATION: valuationFromOcf,
  ...EVENT_MEMBERS,
};

/** Why an import would refuse the object, apart from its id; null where it would not. */
export function refusalOf(type: ObjectType, value: JsonObject): Refusal | null {
  try {
    jsonOf(value);
    if (type.family !== null && type.action === "ISSUANCE") issuanceFromOcf(type.family, value);
    else READERS[type.canonicalType]?.(value);
    if (type.action !== null && type.action !== "ACCEPTANCE") requiredDate(value, "date");
    return null;
  } catch (thrown) {
    if (thrown instanceof Refusal) return thrown;
    throw thrown;
  }
}
