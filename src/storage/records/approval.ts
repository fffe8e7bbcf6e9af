// The fields of an approval.
import { date, freeText, oneOf, optional, text } from "../../kernel/fields.ts";
import type { Register } from "./register.ts";

const ENTITY_TYPES = [
  "Stock Issuance",
  "Option Grant",
  "RSU Grant",
  "Warrant Issuance",
  "Convertible Issuance",
  "Stock Transfer",
  "Exercise",
  "Conversion",
  "Cancellation",
  "Repurchase",
  "Valuation",
  "Equity Plan",
  "Stock Split",
  "Other",
] as const;

/** The body of an approval. */
export const APPROVAL_FIELDS = {
  title: text(200, { description: "A short title." }),
  entityType: oneOf(ENTITY_TYPES, { description: "What is to be approved." }),
  dueDate: optional(date({ description: "When it should be decided." })),
  notes: optional(freeText(2000, { description: "Free text, for people." })),
};

/** How approvals are listed. */
export const APPROVAL_REGISTER = {
  title: "Approvals",
  none: "Approvals gather decisions before shares are issued.",
  list: { title: "Title", kind: "For", state: "State", steps: "Decided", due: "Due" },
  filters: { q: "Search", state: "State", kind: "For" },
} as const satisfies Register;
