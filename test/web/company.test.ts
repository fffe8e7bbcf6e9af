// The company's record in the settings: what the form sends is what was changed, and nothing else.
import { expect, test } from "bun:test";
import { type Organization, patchOf, readTaxLines, taxLines, valuesOf } from "../../src/web/pages/settings/company.ts";

const ACME: Organization = {
  id: "0190f5a2-6c1e-7b3a-9d4e-a58aa24049f2",
  legalName: "Acme, Inc.",
  dba: "Acme",
  formationDate: "2021-03-01",
  countryOfFormation: "US",
  countrySubdivisionOfFormation: null,
  taxIds: [{ taxId: "12-3456789", country: "US" }],
  email: null,
  phone: null,
  address: { street: "1 Main St", city: "Dover", country: "US" },
  initialSharesAuthorized: null,
  comments: null,
  portalContact: null,
  requireSecondFactor: false,
  portalShowsOwnership: false,
  portalShowsValue: false,
  asksAcceptance: false,
  votesRounding: "DOWN",
  state: "OPEN",
  currency: "USD",
  ocfIssuerId: null,
  createdAt: "2026-01-15T14:30:00.000Z",
  updatedAt: "2026-01-15T14:30:00.000Z",
};
const BEFORE = valuesOf(ACME);

test("nothing is sent of what was not changed", () => {
  expect(patchOf(BEFORE, BEFORE)).toEqual({});
  const asRecorded = { ...BEFORE, legalName: ` ${BEFORE.legalName} `, currency: "usd", "address.country": "us" };
  expect(patchOf(asRecorded, BEFORE)).toEqual({});
});

test("how votes become whole is sent where it was chosen otherwise", () => {
  expect(BEFORE.votesRounding).toBe("DOWN");
  expect(patchOf({ ...BEFORE, votesRounding: "NEAREST" }, BEFORE)).toEqual({ votesRounding: "NEAREST" });
});

test("what is emptied is sent as nothing, codes in capitals, an address whole", () => {
  const changed = { ...BEFORE, dba: " ", countryOfFormation: "de", "address.city": "Wilmington" };
  expect(patchOf(changed, BEFORE)).toEqual({
    dba: null,
    countryOfFormation: "DE",
    address: { street: "1 Main St", city: "Wilmington", countrySubdivision: null, country: "US", postalCode: null },
  });
  const emptied = { ...BEFORE, "address.street": "", "address.city": "", "address.country": "" };
  expect(patchOf(emptied, BEFORE)).toEqual({ address: null });
});

test("tax numbers are lines of a number and a country", () => {
  const taxIds = [
    { taxId: "12-3456789", country: "US" },
    { taxId: "DE 812 345", country: "DE" },
  ];
  expect(readTaxLines(taxLines(taxIds))).toEqual(taxIds);
  expect(readTaxLines("12-3456789 us\n\n")).toEqual([{ taxId: "12-3456789", country: "US" }]);
  expect(readTaxLines("12-3456789")).toBeNull();
  expect(readTaxLines("")).toEqual([]);
});
