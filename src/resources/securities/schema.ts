// Securities on the wire (API.md, "Security"; DECISIONS section 8).
import { Type } from "@sinclair/typebox";
import { body, date, decimal, EXTENSION, freeText, id, listOf, nullable, oneOf, text } from "../../kernel/fields.ts";
import { RECORD_HEAD, RECORD_TAIL } from "../present.ts";

export const SECURITY_TYPES = ["STOCK", "STOCK_OPTION", "WARRANT", "CONVERTIBLE"] as const;
export const SECURITY_STATUSES = [
  "ACTIVE",
  "CANCELLED",
  "EXERCISED",
  "CONVERTED",
  "REPURCHASED",
  "TRANSFERRED",
] as const;
const type = oneOf(SECURITY_TYPES);

/** A security as answers show it. */
export const Security = Type.Object({
  ...RECORD_HEAD,
  type,
  status: oneOf(SECURITY_STATUSES),
  stakeholderId: nullable(id()),
  stockClassId: nullable(id()),
  equityPlanId: nullable(id()),
  vestingTermsId: nullable(id()),
  certificateId: nullable(text(50)),
  quantity: decimal({ description: "What is outstanding now." }),
  pricePerShare: nullable(decimal()),
  purchasePrice: nullable(decimal({ description: "Total consideration paid." })),
  exercisePrice: nullable(decimal(EXTENSION)),
  optionType: nullable(oneOf(["ISO", "NSO"], EXTENSION)),
  grantDate: date(),
  expirationDate: nullable(date()),
  vestingStartDate: nullable(date(EXTENSION)),
  valuationId: nullable(id(EXTENSION)),
  boardApprovalDate: nullable(date(EXTENSION)),
  stockholderApprovalDate: nullable(date(EXTENSION)),
  comments: nullable(freeText()),
  sourceDocumentId: nullable(id(EXTENSION)),
  approvalId: nullable(id({ description: "The approval that gates its tokens.", ...EXTENSION })),
  originSecurityId: nullable(id({ description: "The security that this one came from.", ...EXTENSION })),
  stockLegendIds: listOf(id(), EXTENSION),
  convertibleTerms: nullable(Type.Object({}, { additionalProperties: true, ...EXTENSION })),
  tokenStatus: oneOf(["NOT_APPLICABLE", "PENDING_APPROVAL", "PENDING", "MINTED", "FAILED"], EXTENSION),
  tokenTransactionHash: nullable(Type.String(EXTENSION)),
  tokenError: nullable(Type.String(EXTENSION)),
  verificationStatus: oneOf(["UNVERIFIED", "VERIFIED"]),
  ...RECORD_TAIL,
});
/** The filters of `GET /securities`. */
export const SecurityFilters = body({ type: Type.Optional(type), stakeholderId: Type.Optional(id()) });
