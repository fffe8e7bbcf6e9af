// Schemas of the objects of OCF 1.2.0 that are not transactions (objects/*.schema.json), vesting terms apart. Those
// ending in `Development` accept the additions of OCF's unreleased next version as well.
import { type TProperties, type TSchema, Type } from "@sinclair/typebox";
import { StockClassRight } from "./conversion.ts";
import {
  Address,
  AddressDevelopment,
  AuthorizedShares,
  approvals,
  ContactInfo,
  ContactInfoWithoutName,
  Email,
  Monetary,
  Name,
  objectOf,
  Phone,
  TaxId,
} from "./parts.ts";
import { atMostOne, exactlyOne, ruled } from "./rules.ts";
import {
  CountryCode,
  DateText,
  Id,
  list,
  Md5,
  Numeric,
  oneOf,
  optional,
  record,
  SubdivisionCode,
  SubdivisionCodeDevelopment,
  Text,
} from "./scalars.ts";

function issuer<S extends TSchema, A extends TSchema, P extends TProperties>(subdivision: S, address: A, extras: P) {
  return record({
    ...objectOf(["ISSUER"]),
    legal_name: Text,
    dba: optional(Text),
    formation_date: DateText,
    country_of_formation: CountryCode,
    country_subdivision_of_formation: optional(subdivision),
    tax_ids: optional(list(TaxId)),
    email: optional(Email),
    phone: optional(Phone),
    address: optional(address),
    initial_shares_authorized: optional(AuthorizedShares),
    ...extras,
  });
}

/** ISSUER: the company; it stands in the manifest. */
export const Issuer = issuer(SubdivisionCode, Address, {});
/** ISSUER of the development version. */
export const IssuerDevelopment = ruled(
  issuer(SubdivisionCodeDevelopment, AddressDevelopment, { country_subdivision_name_of_formation: optional(Text) }),
  atMostOne("country_subdivision_of_formation", "country_subdivision_name_of_formation"),
);

/** What a stakeholder is to the company. */
export const Relationship = oneOf(
  "ADVISOR",
  "BOARD_MEMBER",
  "CONSULTANT",
  "EMPLOYEE",
  "EX_ADVISOR",
  "EX_CONSULTANT",
  "EX_EMPLOYEE",
  "EXECUTIVE",
  "FOUNDER",
  "INVESTOR",
  "NON_US_EMPLOYEE",
  "OFFICER",
  "OTHER",
);
/** Whether a stakeholder is still with the company (development version). */
export const StakeholderStatus = oneOf(
  "ACTIVE",
  "LEAVE_OF_ABSENCE",
  "TERMINATION_VOLUNTARY_OTHER",
  "TERMINATION_VOLUNTARY_GOOD_CAUSE",
  "TERMINATION_VOLUNTARY_RETIREMENT",
  "TERMINATION_INVOLUNTARY_OTHER",
  "TERMINATION_INVOLUNTARY_DEATH",
  "TERMINATION_INVOLUNTARY_DISABILITY",
  "TERMINATION_INVOLUNTARY_WITH_CAUSE",
);

function stakeholder<A extends TSchema, P extends TProperties>(address: A, extras: P) {
  return record({
    ...objectOf(["STAKEHOLDER"]),
    name: Name,
    stakeholder_type: oneOf("INDIVIDUAL", "INSTITUTION"),
    issuer_assigned_id: optional(Text),
    current_relationship: optional(Relationship),
    primary_contact: optional(ContactInfo),
    contact_info: optional(ContactInfoWithoutName),
    addresses: optional(list(address)),
    tax_ids: optional(list(TaxId)),
    ...extras,
  });
}

/** STAKEHOLDER. */
export const Stakeholder = stakeholder(Address, {});
/** STAKEHOLDER of the development version: several relationships, and a status. */
export const StakeholderDevelopment = stakeholder(AddressDevelopment, {
  current_relationships: optional(list(Relationship)),
  current_status: optional(StakeholderStatus),
});

/** STOCK_CLASS. `seniority`: the higher, the more senior. */
export const StockClass = record({
  ...objectOf(["STOCK_CLASS"]),
  name: Text,
  class_type: oneOf("COMMON", "PREFERRED"),
  default_id_prefix: Text,
  initial_shares_authorized: AuthorizedShares,
  ...approvals,
  votes_per_share: Numeric,
  par_value: optional(Monetary),
  price_per_share: optional(Monetary),
  seniority: Numeric,
  conversion_rights: optional(list(StockClassRight)),
  liquidation_preference_multiple: optional(Numeric),
  participation_cap_multiple: optional(Numeric),
});

/** STOCK_PLAN. */
export const StockPlan = ruled(
  record({
    ...objectOf(["STOCK_PLAN"]),
    plan_name: Text,
    ...approvals,
    initial_shares_reserved: Numeric,
    default_cancellation_behavior: optional(
      oneOf("RETIRE", "RETURN_TO_POOL", "HOLD_AS_CAPITAL_STOCK", "DEFINED_PER_PLAN_SECURITY"),
    ),
    stock_class_id: optional(Id),
    stock_class_ids: optional(list(Id, { minItems: 1 })),
  }),
  exactlyOne("stock_class_id", "stock_class_ids"),
);

/** STOCK_LEGEND_TEMPLATE. */
export const StockLegendTemplate = record({ ...objectOf(["STOCK_LEGEND_TEMPLATE"]), name: Text, text: Text });

/** VALUATION: of one class, by 409A. */
export const Valuation = record({
  ...objectOf(["VALUATION"]),
  provider: optional(Text),
  ...approvals,
  price_per_share: Monetary,
  effective_date: DateText,
  stock_class_id: Id,
  valuation_type: oneOf("409A"),
});

/** FINANCING: issuances that belong to one round. */
export const Financing = record({
  ...objectOf(["FINANCING"]),
  name: Text,
  issuance_ids: list(Id, { minItems: 1 }),
  date: DateText,
});

/** DOCUMENT; `objectTypes` are the words that its references may use. The file itself is never in a package. */
export function documentOf(objectTypes: readonly string[]) {
  const says = "the object_type of an OCF object";
  const ObjectType = Type.Union(
    objectTypes.map((type) => Type.Literal(type)),
    { says },
  );
  const Document = record({
    ...objectOf(["DOCUMENT"]),
    path: optional(Text),
    uri: optional(Text),
    related_objects: optional(list(record({ object_type: ObjectType, object_id: Id }))),
    md5: Md5,
  });
  return ruled(Document, exactlyOne("path", "uri"));
}
