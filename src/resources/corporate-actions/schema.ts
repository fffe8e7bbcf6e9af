// Corporate actions on the wire (API.md, "Corporate action").
import { Type } from "@sinclair/typebox";
import { body, date, defaulted, EXTENSION, freeText, id, oneOf, optional, patchOf, text } from "../../kernel/fields.ts";
import { RECORD_HEAD, RECORD_TAIL, shown } from "../present.ts";

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

const type = oneOf(TYPES);
const status = oneOf(["Draft", "In Review", "Approved", "Finalized"]);

const fields = {
  type,
  title: text(200),
  summary: optional(freeText()),
  status: defaulted(status, "Draft"),
  effectiveDate: date(),
  metadata: optional(metadata),
};

/** The body of `POST /corporate-actions`. */
export const CorporateActionCreate = body(fields);
/** The body of `PATCH /corporate-actions/{id}`. */
export const CorporateActionPatch = patchOf(CorporateActionCreate);
/** A corporate action as answers show it. */
export const CorporateAction = Type.Object({ ...RECORD_HEAD, ...shown(fields), ...RECORD_TAIL });
/** The filters of `GET /corporate-actions`. */
export const CorporateActionFilters = body({
  type: Type.Optional({ ...type, ...EXTENSION }),
  status: Type.Optional({ ...status, ...EXTENSION }),
});

export const CORPORATE_ACTION_EXAMPLE = {
  type: "Financing Round",
  title: "Series A",
  summary: "Sale of Series A Preferred Stock.",
  effectiveDate: "2026-01-15",
  metadata: { notes: "Signed by all directors.", boardApprovalDate: "2026-01-10" },
};
