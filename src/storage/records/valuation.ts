// The fields of a valuation.
import {
  date,
  decimal,
  defaulted,
  EXTENSION,
  freeText,
  oneOf,
  optional,
  positiveDecimal,
  text,
} from "../../kernel/fields.ts";
import { refersTo } from "./reference.ts";

/** The status of a valuation. */
export const VALUATION_STATUS = oneOf(["DRAFT", "PENDING_APPROVAL", "APPROVED", "EXPIRED"]);

/** The body of a valuation. */
export const VALUATION_FIELDS = {
  type: oneOf(["409A", "BOARD", "FINANCING"]),
  status: defaulted(VALUATION_STATUS, "DRAFT"),
  stockClassId: refersTo("share_classes", { description: "The share class valued." }),
  pricePerShare: positiveDecimal({ examples: ["1.25"] }),
  effectiveDate: date(),
  expirationDate: optional(date({ description: "A 409A typically expires twelve months after its effective date." })),
  provider: optional(text(200, { description: "The firm or person that made the valuation." })),
  reportId: optional(text(100, { description: "The provider's number of the report.", ...EXTENSION })),
  fairMarketValue: optional(decimal()),
  enterpriseValue: optional(decimal()),
  boardApprovalDate: optional(date()),
  stockholderApprovalDate: optional(date()),
  comments: optional(freeText()),
  sourceDocumentId: optional(refersTo("documents")),
};
