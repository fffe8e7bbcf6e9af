// Valuations on the wire (API.md, "Valuation").
import { Type } from "@sinclair/typebox";
import {
  body,
  date,
  decimal,
  defaulted,
  EXTENSION,
  freeText,
  id,
  nullable,
  oneOf,
  optional,
  patchOf,
  positiveDecimal,
  text,
} from "../../kernel/fields.ts";
import { refersTo } from "../../records/reference.ts";
import { RECORD_HEAD, RECORD_TAIL, shown, VERIFICATION_STATUS } from "../present.ts";

const status = oneOf(["DRAFT", "PENDING_APPROVAL", "APPROVED", "EXPIRED"]);

const fields = {
  type: oneOf(["409A", "BOARD", "FINANCING"]),
  status: defaulted(status, "DRAFT"),
  stockClassId: refersTo("share_classes", { description: "The share class valued." }),
  pricePerShare: positiveDecimal({ examples: ["1.25"] }),
  effectiveDate: date(),
  expirationDate: optional(date({ description: "A 409A typically expires twelve months after its effective date." })),
  provider: optional(text(200, { description: "Who made the valuation." })),
  reportId: optional(text(100, { description: "The provider's number of the report.", ...EXTENSION })),
  fairMarketValue: optional(decimal()),
  enterpriseValue: optional(decimal()),
  boardApprovalDate: optional(date()),
  stockholderApprovalDate: optional(date()),
  comments: optional(freeText()),
  sourceDocumentId: optional(refersTo("documents")),
};

/** What API.md takes and shows in no answer. */
const ADDITIVE = [
  "fairMarketValue",
  "enterpriseValue",
  "boardApprovalDate",
  "stockholderApprovalDate",
  "sourceDocumentId",
];

/** The body of `POST /valuations`. */
export const ValuationCreate = body(fields);
/** The body of `PATCH /valuations/{id}`. */
export const ValuationPatch = patchOf(
  body({ ...fields, verificationStatus: { ...VERIFICATION_STATUS, ...EXTENSION } }),
);
/** A valuation as answers show it. */
export const Valuation = Type.Object({
  ...RECORD_HEAD,
  ...shown(fields, ADDITIVE),
  stockClassId: nullable(id({ description: "Null after the class was deleted." })),
  verificationStatus: VERIFICATION_STATUS,
  ...RECORD_TAIL,
});

/** The filters of `GET /valuations`. */
export const ValuationFilters = body({
  status: Type.Optional({ ...status, ...EXTENSION }),
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
