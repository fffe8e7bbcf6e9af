// ISSUER ↔ organization (OCF.md section 7.1). Pure.
import type { Row } from "../../database/sql.ts";
import { isObject, type JsonObject, objectsOf, textOf } from "../json.ts";
import { commentsText, dateText, numberText, requiredName } from "./values.ts";

/** The columns that OCF carries. */
export const ISSUER_COLUMNS = [
  "legalName",
  "dba",
  "formationDate",
  "countryOfFormation",
  "countrySubdivisionOfFormation",
  "taxIds",
  "email",
  "phone",
  "address",
  "initialSharesAuthorized",
  "comments",
] as const satisfies readonly (keyof Row<"organizations">)[];

/** What an OCF issuer says of the organization; null for what it does not say. Throws `Refusal` for a name that is none. */
export function issuerFromOcf(value: JsonObject) {
  const word = textOf(value, "initial_shares_authorized");
  const taxIds = objectsOf(value, "tax_ids").flatMap((each) => {
    const [taxId, country] = [textOf(each, "tax_id"), countryText(each, "country")];
    return taxId === null || country === null ? [] : [{ taxId, country }];
  });
  return {
    legalName: value.legal_name === undefined ? null : requiredName(value, "legal_name"),
    dba: textOf(value, "dba"),
    formationDate: dateText(value, "formation_date"),
    countryOfFormation: countryText(value, "country_of_formation"),
    countrySubdivisionOfFormation: textOf(value, "country_subdivision_of_formation"),
    taxIds: taxIds.length === 0 ? null : JSON.stringify(taxIds),
    email: isObject(value.email) ? textOf(value.email, "email_address") : null,
    phone: isObject(value.phone) ? textOf(value.phone, "phone_number") : null,
    address: isObject(value.address) ? JSON.stringify(addressFromOcf(value.address)) : null,
    initialSharesAuthorized:
      word === "UNLIMITED" || word === "NOT APPLICABLE" ? word : numberText(value, "initial_shares_authorized"),
    comments: commentsText(value),
  } as const;
}

/** The member where it has a country's form; what has not is warned of, and would be none of an organization's. */
function countryText(object: JsonObject, name: string): string | null {
  const text = textOf(object, name);
  return text !== null && /^[A-Z]{2}$/.test(text) ? text : null;
}

function addressFromOcf(address: JsonObject) {
  return {
    street: textOf(address, "street_suite"),
    city: textOf(address, "city"),
    countrySubdivision: textOf(address, "country_subdivision"),
    country: countryText(address, "country"),
    postalCode: textOf(address, "postal_code"),
  };
}
