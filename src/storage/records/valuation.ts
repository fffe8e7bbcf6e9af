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
  type: oneOf(["409A", "BOARD", "FINANCING"], {
    description: "How the value was found: by a 409A report, the board, or a financing.",
  }),
  status: defaulted({ ...VALUATION_STATUS, description: "How far the valuation is." }, "DRAFT"),
  stockClassId: refersTo("share_classes", { description: "The share class valued." }),
  pricePerShare: positiveDecimal({ description: "The value of one share.", examples: ["1.25"] }),
  effectiveDate: date({ description: "The day from which it counts." }),
  expirationDate: optional(date({ description: "A 409A typically expires twelve months after its effective date." })),
  provider: optional(text(200, { description: "The firm or person that made the valuation." })),
  reportId: optional(text(100, { description: "The provider's number of the report.", ...EXTENSION })),
  fairMarketValue: optional(decimal({ description: "The value found for the class." })),
  enterpriseValue: optional(decimal({ description: "The value of the whole company." })),
  boardApprovalDate: optional(date({ description: "When the board approved." })),
  stockholderApprovalDate: optional(date({ description: "When the stockholders approved." })),
  comments: optional(freeText(2000, { description: "Free text, for people." })),
  sourceDocumentId: optional(refersTo("documents", { description: "The document that proves it." })),
};
