// VALUATION ↔ valuation (OCF.md section 7.6). Pure.
import type { Row } from "../../database/sql.ts";
import { type JsonObject, textOf } from "../json.ts";
import { approvalDates, commentsText, requiredAmount, requiredDate } from "./values.ts";

/** The columns that OCF carries. */
export const VALUATION_COLUMNS = [
  "type",
  "stockClassId",
  "pricePerShare",
  "effectiveDate",
  "provider",
  "boardApprovalDate",
  "stockholderApprovalDate",
  "comments",
  "sourceDocumentId",
] as const satisfies readonly (keyof Row<"valuations">)[];

/** What an OCF valuation becomes: approved, since a package tells facts. Throws `Refusal` without a price or a date. */
export function valuationFromOcf(value: JsonObject) {
  return {
    type: "409A",
    status: "APPROVED",
    stockClassId: textOf(value, "stock_class_id"),
    pricePerShare: requiredAmount(value, "price_per_share"),
    effectiveDate: requiredDate(value, "effective_date"),
    provider: textOf(value, "provider"),
    ...approvalDates(value),
    comments: commentsText(value),
  } as const;
}
