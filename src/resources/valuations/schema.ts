// Schemas of valuations: request bodies and answers.
import { Type } from "@sinclair/typebox";
import { body, decimal, EXTENSION, id, nullable, patchOf } from "../../kernel/fields.ts";
import { VALUATION_FIELDS, VALUATION_STATUS } from "../../storage/records/valuation.ts";
import { RECORD_HEAD, RECORD_TAIL, shown, VERIFICATION_STATUS } from "../present.ts";

/** Members of bodies whose return in answers is an extension of the interface that this service implements. */
const ADDITIVE = [
  "fairMarketValue",
  "enterpriseValue",
  "boardApprovalDate",
  "stockholderApprovalDate",
  "sourceDocumentId",
];

/** The description of `pricePerShareToday`, wherever a valuation is shown. */
export const PRICE_TODAY = {
  description: "`pricePerShare` in today's shares: after the splits of the class since `effectiveDate`, up to today.",
};

/** The body of `POST /valuations`. */
export const ValuationCreate = body(VALUATION_FIELDS);
/** The body of `PATCH /valuations/{id}`. */
export const ValuationPatch = patchOf(
  body({
    ...VALUATION_FIELDS,
    verificationStatus: {
      ...VERIFICATION_STATUS,
      ...EXTENSION,
      description: "Whether a person checked the record against its source.",
    },
  }),
);
/** A valuation as answers show it. */
export const Valuation = Type.Object({
  ...RECORD_HEAD,
  ...shown(VALUATION_FIELDS, ADDITIVE),
  stockClassId: nullable(id({ description: "Null after the class was deleted." })),
  pricePerShareToday: decimal({ ...PRICE_TODAY, ...EXTENSION }),
  verificationStatus: {
    ...VERIFICATION_STATUS,
    description: "Whether a person checked the record against its source.",
  },
  ...RECORD_TAIL,
});

/** The filters of `GET /valuations`. */
export const ValuationFilters = body({
  status: Type.Optional({ ...VALUATION_STATUS, ...EXTENSION }),
  stockClassId: Type.Optional(id(EXTENSION)),
});

export const VALUATION_EXAMPLE = {
  type: "409A",
  stockClassId: "0190f5a2-6c1e-7b3a-9d4e-1f2a3b4c5d6f",
  pricePerShare: "1.25",
  effectiveDate: "2026-01-15",
  expirationDate: "2027-01-15",
  provider: "Fair Valuations LLC",
};
