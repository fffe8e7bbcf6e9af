// The fields of an organization: what OCF's Issuer object needs.
import { Type } from "@sinclair/typebox";
import {
  body,
  country,
  currency,
  date,
  EXTENSION,
  email,
  freeText,
  name,
  oneOf,
  optional,
  text,
} from "../../kernel/fields.ts";
import { DECIMAL_PATTERN } from "../../kernel/numbers/decimal.ts";

/** The currency of an organization, if it has one. */
export const ORGANIZATION_CURRENCY = currency({
  description: "ISO 4217: the currency of new records. If unset, it is the first import's, and shown as `USD`.",
});

const short = (description: string) => optional(text(200, { description }));

/** Rules for its members, and the contents of its stakeholders' portal. */
export const ORGANIZATION_SWITCHES = {
  requireSecondFactor: Type.Boolean({ description: "Whether members need a second factor." }),
  portalShowsOwnership: Type.Boolean({ description: "Whether the portal shows a holder its part of the whole." }),
  portalShowsValue: Type.Boolean({
    description: "Whether the portal shows what a holding is worth by the latest approved 409A valuation.",
  }),
  asksAcceptance: Type.Boolean({ description: "Whether new securities ask their holders to accept them." }),
};

/** Whether an organization takes writes. */
export const ORGANIZATION_STATES = ["OPEN", "CLOSED"] as const;

/** Whether an organization takes writes. */
export type OrganizationState = (typeof ORGANIZATION_STATES)[number];

/** How as-converted votes round to whole ones, holder by holder. */
export const VOTES_ROUNDING = oneOf(["DOWN", "NEAREST"], {
  description: "How a holder's votes as converted become whole: cut off, or to the nearest (halves up).",
  ...EXTENSION,
});

/** The body of an organization, besides its currency and its switches. */
export const ORGANIZATION_FIELDS = {
  legalName: name(200, { description: "The full legal name.", examples: ["Acme, Inc."] }),
  dba: short("The name under which it does business, if that differs."),
  formationDate: optional(date({ description: "When it was formed." })),
  countryOfFormation: optional(country({ description: "ISO 3166-1 alpha-2." })),
  countrySubdivisionOfFormation: optional(
    Type.String({
      pattern: "^[A-Z0-9]{1,3}$",
      description: "The part after the dash in ISO 3166-2.",
      examples: ["DE"],
    }),
  ),
  taxIds: optional(
    Type.Array(
      body({
        taxId: text(200, { description: "The tax identification number." }),
        country: country({ description: "The country that gave the number, ISO 3166-1 alpha-2." }),
      }),
      { description: "Tax identification numbers." },
    ),
  ),
  email: optional(email({ description: "An email address of the company." })),
  phone: short("A telephone number of the company."),
  address: optional(
    body(
      {
        street: short("Street and number."),
        city: short("The city."),
        countrySubdivision: short("State, province or the like."),
        country: optional(country({ description: "The country, ISO 3166-1 alpha-2." })),
        postalCode: short("The postal code."),
      },
      { description: "The company's postal address." },
    ),
  ),
  initialSharesAuthorized: optional(
    Type.String({
      pattern: `${DECIMAL_PATTERN.slice(0, -1)}$|^UNLIMITED$|^NOT APPLICABLE$`,
      description: "A decimal, or OCF's words `UNLIMITED` or `NOT APPLICABLE`.",
      examples: ["10000000"],
    }),
  ),
  comments: optional(freeText(2000, { description: "Free text, for people." })),
  portalContact: optional(text(200, { description: "The contact for holders, shown in the portal." })),
};
