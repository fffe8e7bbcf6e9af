// Codec of ISSUER ↔ organization; it stands in the manifest. Pure.

import { Value } from "@sinclair/typebox/value";
import { utcDayOf } from "../../../kernel/runtime.ts";
import type { Row } from "../../../storage/database/sql.ts";
import { isObject, type JsonObject, objectsOf, textOf } from "../json.ts";
import { PhoneNumber, SubdivisionCode } from "../schemas/scalars.ts";
import { commentsText, dateText, numberText, requiredName } from "./values.ts";
import { commentsOf, compact, emailOf, type Note } from "./values-to-ocf.ts";

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

/** What an OCF issuer says of the organization; null for what it does not say. Throws `Refusal` for an empty name. */
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

/**
 * The member if it has a country's form; another one gets a warning, since it would not be valid for an organization.
 */
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

type Address = {
  readonly [name in "street" | "city" | "countrySubdivision" | "country" | "postalCode"]?: string | null;
};
interface TaxId {
  readonly taxId: string;
  readonly country: string;
}

/** The organization as an ISSUER. Without a day or country of formation, the day it was made here and `US` stand in. */
export function issuerToOcf(row: Row<"organizations">, note: Note): JsonObject {
  if (row.formationDate === null) note("the issuer's formation date is not known; the day it was made here exported");
  if (row.countryOfFormation === null) note('the issuer\'s country of formation is not known; "US" exported');
  const taxIds: TaxId[] = row.taxIds === null ? [] : JSON.parse(row.taxIds);
  return compact({
    object_type: "ISSUER",
    id: row.id,
    legal_name: row.legalName,
    dba: row.dba,
    formation_date: row.formationDate ?? utcDayOf(row.createdAt),
    country_of_formation: row.countryOfFormation ?? "US",
    country_subdivision_of_formation: row.countrySubdivisionOfFormation,
    tax_ids: taxIds.length > 0 ? taxIds.map(({ taxId, country }) => ({ tax_id: taxId, country })) : undefined,
    email: emailOf(row.email, "BUSINESS", note),
    phone: phoneOf(row.phone, note),
    address: addressOf(row.address === null ? null : JSON.parse(row.address), note),
    initial_shares_authorized: row.initialSharesAuthorized,
    comments: commentsOf(row.comments),
  });
}

function phoneOf(number: string | null, note: Note): JsonObject | undefined {
  if (number === null) return undefined;
  if (Value.Check(PhoneNumber, number)) return { phone_type: "BUSINESS", phone_number: number };
  note("the issuer's telephone number has a form that OCF does not take; left out");
  return undefined;
}

function addressOf(address: Address | null, note: Note): JsonObject | undefined {
  if (address === null) return undefined;
  if (!address.country) {
    note("the issuer's address has no country, which OCF requires; left out");
    return undefined;
  }
  const subdivision = address.countrySubdivision;
  return compact({
    address_type: "LEGAL",
    street_suite: address.street,
    city: address.city,
    country_subdivision: subdivision && Value.Check(SubdivisionCode, subdivision) ? subdivision : undefined,
    country: address.country,
    postal_code: address.postalCode,
  });
}
