// Import limits: which objects an import refuses, whatever the organization holds. `ocf validate` reports the same,
// though OCF's own schemas accept some of them (an empty id, a name of spaces alone, a number of too many digits).
// Pure.
import { DEFAULT_CURRENCY } from "../../../kernel/text/currency.ts";
import type { JsonObject } from "../json.ts";
import type { ObjectType } from "../schemas/schema-registry.ts";
import { EVENT_MEMBERS } from "./event-codec.ts";
import { issuanceFromOcf } from "./issuance.ts";
import { issuerFromOcf } from "./issuer.ts";
import { codecOf } from "./registry.ts";
import { Refusal, requiredDate } from "./values.ts";

const ESCAPED_SURROGATE = /(?<!\\)(?:\\\\)*\\ud[89a-f]/;

/** The object as JSON text. Refuses one with an unpaired surrogate, which no text in a database can hold. */
export function jsonOf(value: JsonObject): string {
  const json = JSON.stringify(value);
  // `JSON.stringify` escapes half characters, and no others in that range.
  if (!json.includes("\\ud") || !ESCAPED_SURROGATE.test(json)) return json;
  throw new Refusal("#", "The object has text in it that is no valid Unicode.");
}

const EVENTS: Readonly<Record<string, (value: JsonObject) => object>> = EVENT_MEMBERS;

/** Whether an object is refused does not depend on other objects. */
const ANYWHERE = { seniority: 1, currency: DEFAULT_CURRENCY };

/** Why an import would refuse the object, apart from its id; null where it would not. */
export function refusalOf(type: ObjectType, value: JsonObject): Refusal | null {
  try {
    jsonOf(value);
    if (type.family !== null && type.action === "ISSUANCE") issuanceFromOcf(type.family, value);
    else if (type.canonicalType === "ISSUER") issuerFromOcf(value);
    else (EVENTS[type.canonicalType] ?? codecOf(type.canonicalType)?.fromOcf)?.(value, ANYWHERE);
    if (type.action !== null && type.action !== "ACCEPTANCE") requiredDate(value, "date");
    return null;
  } catch (thrown) {
    if (thrown instanceof Refusal) return thrown;
    throw thrown;
  }
}
