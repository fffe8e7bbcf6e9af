// The organization as OCF's ISSUER, which stands in the manifest. Pure.
import { Value } from "@sinclair/typebox/value";
import type { Row } from "../../database/sql.ts";
import type { JsonObject } from "../json.ts";
import { PhoneNumber, SubdivisionCode } from "../schemas/scalars.ts";
import { commentsOf, compact, emailOf, type Note } from "./values-to-ocf.ts";

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
    formation_date: row.formationDate ?? row.createdAt.slice(0, "YYYY-MM-DD".length),
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
