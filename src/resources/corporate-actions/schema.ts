// Schemas of corporate actions: request bodies and answers.
import { Type } from "@sinclair/typebox";
import { body, EXTENSION, patchOf } from "../../kernel/fields.ts";
import {
  CORPORATE_ACTION_FIELDS,
  CORPORATE_ACTION_STATUS,
  CORPORATE_ACTION_TYPE,
} from "../../storage/records/corporate-action.ts";
import { RECORD_HEAD, RECORD_TAIL, shown } from "../present.ts";

/** The body of `POST /corporate-actions`. */
export const CorporateActionCreate = body(CORPORATE_ACTION_FIELDS);
/** The body of `PATCH /corporate-actions/{id}`. */
export const CorporateActionPatch = patchOf(CorporateActionCreate);
/** A corporate action as answers show it. */
export const CorporateAction = Type.Object({ ...RECORD_HEAD, ...shown(CORPORATE_ACTION_FIELDS), ...RECORD_TAIL });
/** The filters of `GET /corporate-actions`. */
export const CorporateActionFilters = body({
  type: Type.Optional({ ...CORPORATE_ACTION_TYPE, ...EXTENSION }),
  status: Type.Optional({ ...CORPORATE_ACTION_STATUS, ...EXTENSION }),
});

export const CORPORATE_ACTION_EXAMPLE = {
  type: "Financing Round",
  title: "Series A",
  summary: "Sale of Series A Preferred Stock.",
  effectiveDate: "2026-01-15",
  metadata: { notes: "Signed by all directors.", boardApprovalDate: "2026-01-10" },
};
