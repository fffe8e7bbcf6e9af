// The company's record as its form has it, and back: what is left empty is said to be nothing.
import type { components } from "../../api/types.ts";

/** The organization as the API shows it. */
export type Organization = components["schemas"]["Organization"];

const TAX_ID = /^(.+?)[,\s]+([A-Za-z]{2})$/;

/** Tax numbers as lines: `12-3456789, US`. */
export function taxLines(taxIds: Organization["taxIds"]): string {
  return (taxIds ?? []).map(({ taxId, country }) => `${taxId}, ${country}`).join("\n");
}

/** The lines read; null where one of them is no number with a country. */
export function readTaxLines(text: string): readonly { readonly taxId: string; readonly country: string }[] | null {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const read = lines.flatMap((line) => {
    const [, taxId, country] = TAX_ID.exec(line.trim()) ?? [];
    return taxId && country ? [{ taxId: taxId.trim(), country: country.toUpperCase() }] : [];
  });
  return read.length === lines.length ? read : null;
}

/** What the form begins with; names are those of the API, so that its pointers find the fields. */
export function valuesOf(organization: Organization) {
  const { address } = organization;
  return {
    legalName: organization.legalName,
    dba: organization.dba ?? "",
    formationDate: organization.formationDate ?? "",
    countryOfFormation: organization.countryOfFormation ?? "",
    countrySubdivisionOfFormation: organization.countrySubdivisionOfFormation ?? "",
    currency: organization.currency,
    votesRounding: String(organization.votesRounding),
    taxIds: taxLines(organization.taxIds),
    email: organization.email ?? "",
    phone: organization.phone ?? "",
    "address.street": address?.street ?? "",
    "address.city": address?.city ?? "",
    "address.countrySubdivision": address?.countrySubdivision ?? "",
    "address.country": address?.country ?? "",
    "address.postalCode": address?.postalCode ?? "",
    comments: organization.comments ?? "",
  };
}

/** The values of the form. */
export type CompanyValues = ReturnType<typeof valuesOf>;

const orNull = (text: string) => text.trim() || null;
const codeOrNull = (text: string) => text.trim().toUpperCase() || null;

function addressOf(values: CompanyValues) {
  const address = {
    street: orNull(values["address.street"]),
    city: orNull(values["address.city"]),
    countrySubdivision: orNull(values["address.countrySubdivision"]),
    country: codeOrNull(values["address.country"]),
    postalCode: orNull(values["address.postalCode"]),
  };
  return Object.values(address).some((part) => part !== null) ? address : null;
}

function recordOf(values: CompanyValues) {
  const taxIds = readTaxLines(values.taxIds) ?? [];
  return {
    legalName: values.legalName.trim(),
    dba: orNull(values.dba),
    formationDate: orNull(values.formationDate),
    countryOfFormation: codeOrNull(values.countryOfFormation),
    countrySubdivisionOfFormation: codeOrNull(values.countrySubdivisionOfFormation),
    currency: codeOrNull(values.currency),
    votesRounding: values.votesRounding,
    taxIds: taxIds.length > 0 ? [...taxIds] : null,
    email: orNull(values.email),
    phone: orNull(values.phone),
    address: addressOf(values),
    comments: orNull(values.comments),
  };
}

/** What the form sends: what differs from the record, and nothing else; a space or a small letter in a code is no difference. */
export function patchOf(values: CompanyValues, before: CompanyValues) {
  const was: Readonly<Record<string, unknown>> = recordOf(before);
  const changed = Object.entries(recordOf(values)).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(was[name]),
  );
  return Object.fromEntries(changed);
}
