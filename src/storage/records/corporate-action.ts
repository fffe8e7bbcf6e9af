// The fields of a corporate action.
import { Type } from "@sinclair/typebox";
import { body, date, defaulted, freeText, id, oneOf, optional, text } from "../../kernel/fields.ts";
import type { Register } from "./register.ts";

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
    notes: optional(freeText(2000, { description: "Free text, for people." })),
    boardApprovalDate: optional(date({ description: "When the board approved." })),
    stockholderApprovalDate: optional(date({ description: "When the stockholders approved." })),
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
  type: { ...CORPORATE_ACTION_TYPE, description: "The kind of corporate action." },
  title: text(200, { description: "A short title." }),
  summary: optional(freeText(2000, { description: "Free text, for people." })),
  status: defaulted({ ...CORPORATE_ACTION_STATUS, description: "How far the corporate action is." }, "Draft"),
  effectiveDate: date({ description: "The day from which it counts." }),
  metadata: optional(metadata),
};

/** How corporate actions are listed. */
export const CORPORATE_ACTION_REGISTER = {
  title: "Corporate actions",
  none: "Corporate actions document splits, rounds and other events.",
  list: { title: "Title", type: "Kind", status: "State", date: "Day" },
  filters: { q: "Search", type: "Kind", status: "State" },
} as const satisfies Register;
