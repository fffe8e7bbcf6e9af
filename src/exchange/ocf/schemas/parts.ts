// Schemas of the small objects within OCF's objects (types/*.schema.json of OCF 1.2.0), conversions and vesting apart.
import type { TSchema } from "@sinclair/typebox";
import { Type } from "@sinclair/typebox";
import { atLeastOne, ruled } from "./rules.ts";
import {
  CountryCode,
  CurrencyCode,
  DateText,
  EmailAddress,
  Id,
  list,
  Md5,
  Numeric,
  oneOf,
  optional,
  PhoneNumber,
  record,
  SubdivisionCode,
  SubdivisionCodeDevelopment,
  Text,
} from "./scalars.ts";

/** An amount of money. */
export const Monetary = record({ amount: Numeric, currency: CurrencyCode });
/** `numerator : denominator`. */
export const Ratio = record({ numerator: Numeric, denominator: Numeric });
/** A person's or firm's name. */
export const Name = record({ legal_name: Text, first_name: optional(Text), last_name: optional(Text) });
/** A tax number and whose. */
export const TaxId = record({ tax_id: Text, country: CountryCode });
/** An e-mail address with its kind. */
export const Email = record({ email_type: oneOf("PERSONAL", "BUSINESS", "OTHER"), email_address: EmailAddress });
/** A telephone number with its kind. */
export const Phone = record({ phone_type: oneOf("HOME", "MOBILE", "BUSINESS", "OTHER"), phone_number: PhoneNumber });
/** An exemption from registration that an issuance relies on. */
export const SecurityExemption = record({ description: Text, jurisdiction: Text });
/** A run of share numbers, both ends included. */
export const ShareNumberRange = record({ starting_share_number: Numeric, ending_share_number: Numeric });
/** How long after leaving a grant may be exercised. */
export const TerminationWindow = record({
  reason: oneOf(
    "VOLUNTARY_OTHER",
    "VOLUNTARY_GOOD_CAUSE",
    "VOLUNTARY_RETIREMENT",
    "INVOLUNTARY_OTHER",
    "INVOLUNTARY_DEATH",
    "INVOLUNTARY_DISABILITY",
    "INVOLUNTARY_WITH_CAUSE",
  ),
  period: Type.Integer({ says: "a whole number without quotation marks" }),
  period_type: oneOf("DAYS", "MONTHS", "YEARS"),
});
/** A quantity that vests on a day. */
export const Vesting = record({ date: DateText, amount: Numeric });
/** A class's or issuer's authorized shares. */
export const AuthorizedShares = Type.Union([Type.Literal("NOT APPLICABLE"), Type.Literal("UNLIMITED"), Numeric], {
  says: 'a number in quotation marks, "UNLIMITED" or "NOT APPLICABLE"',
});
/** An entry of the manifest's lists. */
export const FileEntry = record({ filepath: Text, md5: Md5 });

function address<T extends TSchema>(subdivision: T) {
  return record({
    address_type: oneOf("LEGAL", "CONTACT", "OTHER"),
    street_suite: optional(Text),
    city: optional(Text),
    country_subdivision: optional(subdivision),
    country: CountryCode,
    postal_code: optional(Text),
  });
}

/** A postal address. */
export const Address = address(SubdivisionCode);
/** As {@link Address}, of the development version. */
export const AddressDevelopment = address(SubdivisionCodeDevelopment);

const channels = { phone_numbers: optional(list(Phone)), emails: optional(list(Email)) };
/** How to reach a firm: whom, and by what. */
export const ContactInfo = ruled(record({ name: Name, ...channels }), atLeastOne("phone_numbers", "emails"));
/** How to reach a person. */
export const ContactInfoWithoutName = ruled(record(channels), atLeastOne("phone_numbers", "emails"));

/** The members that every OCF object starts with. `objectTypes` holds its name, and an older one where it has one. */
export function objectOf<const T extends readonly string[]>(objectTypes: T) {
  return { object_type: oneOf(...objectTypes), id: Id, comments: optional(list(Text)) };
}

/** The members that every transaction starts with. */
export function transactionOf<const T extends readonly string[]>(objectTypes: T) {
  return { ...objectOf(objectTypes), date: DateText };
}

/** When board and stockholders approved. */
export const approvals = {
  board_approval_date: optional(DateText),
  stockholder_approval_date: optional(DateText),
};
