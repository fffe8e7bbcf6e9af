// The fields of a corporate action.
import { Type } from "@sinclair/typebox";
import { body, date, defaulted, freeText, id, oneOf, optional, text } from "../../kernel/fields.ts";

const TYPES = [
  "Stock Split",
  "Reverse Split",
  "Option Pool Change",
  "Financing Round",
  "Instrument Conversion",
  "Termination",
] as const;

const metadata = body(
  {
    notes: optional(freeText()),
    boardApprovalDate: optional(date()),
    stockholderApprovalDate: optional(date()),
    documentIds: optional(Type.Array(id(), { description: "Kept as sent; they need not name documents." })),
  },
  { description: "Kept as sent; a `PATCH` replaces it whole." },
);

/** Its type. */
export const CORPORATE_ACTION_TYPE = oneOf(TYPES);
/** Its status. */
export const CORPORATE_ACTION_STATUS = oneOf(["Draft", "In Review", "Approved", "Finalized"]);

/** The body of a corporate action. */
export const CORPORATE_ACTION_FIELDS = {
  type: CORPORATE_ACTION_TYPE,
  title: text(200),
  summary: optional(freeText()),
  status: defaulted(CORPORATE_ACTION_STATUS, "Draft"),
  effectiveDate: date(),
  metadata: optional(metadata),
};
