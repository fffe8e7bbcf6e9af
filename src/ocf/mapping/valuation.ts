// VALUATION ↔ valuation (OCF.md section 7.6). Pure.
import type { Row } from "../../database/sql.ts";
import { type JsonObject, listOf, textOf } from "../json.ts";
import { approvalDates, commentsText, requiredAmount, requiredDate } from "./values.ts";

/** The comment by which an export says what OCF has no member for, so that an import can tell. */
export const EXPIRED_COMMENT = "Status: EXPIRED";

/** The columns that OCF carries. */
export const VALUATION_COLUMNS = [
  "type",
  "status",
  "stockClassId",
  "pricePerShare",
  "effectiveDate",
  "provider",
  "boardApprovalDate",
  "stockholderApprovalDate",
  "comments",
  "sourceDocumentId",
] as const satisfies readonly (keyof Row<"valuations">)[];

/**
 * What an OCF valuation becomes: approved, since a package tells facts, or expired where our own comment says so.
 * Throws `Refusal` without a price or a date.
 */
export function valuationFromOcf(value: JsonObject) {
  const comments = listOf(value, "comments");
  const isExpired = comments.includes(EXPIRED_COMMENT);
  const said = isExpired ? { comments: comments.filter((comment) => comment !== EXPIRED_COMMENT) } : value;
  return {
    type: "409A",
    status: isExpired ? "EXPIRED" : "APPROVED",
    stockClassId: textOf(value, "stock_class_id"),
    pricePerShare: requiredAmount(value, "price_per_share"),
    effectiveDate: requiredDate(value, "effective_date"),
    provider: textOf(value, "provider"),
    ...approvalDates(value),
    comments: commentsText(said),
  } as const;
}
