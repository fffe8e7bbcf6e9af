// Codec of VALUATION ↔ valuation; OCF knows 409A valuations that took effect. Pure.
import type { Row } from "../../../storage/database/sql.ts";
import { type JsonObject, listOf, textOf } from "../json.ts";
import type { ObjectContext, RecordCodec } from "./record-codec.ts";
import { approvalDates, commentsText, requiredAmount, requiredDate } from "./values.ts";
import { commentsOf, compact, money } from "./values-to-ocf.ts";

/** Valuations in OCF. */
export const VALUATION: RecordCodec<"valuations"> = {
  objectType: "VALUATION",
  table: "valuations",
  noun: "valuation",
  counted: "valuations",
  columns: [
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
  ],
  references: [{ column: "stockClassId", table: "share_classes", member: "stock_class_id" }],
  fromOcf: valuationFromOcf,
  whyNot: whyNoValuation,
  toOcf: valuationToOcf,
};

/** The comment of an export with members that OCF does not have, for the import. */
const EXPIRED_COMMENT = "Status: EXPIRED";

/**
 * The valuation of an OCF valuation: approved, since a package states facts, or expired if our own comment says so.
 * Throws `Refusal` without a price or a date.
 */
function valuationFromOcf(value: JsonObject) {
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
  };
}

/** Why OCF has no form for a valuation, or null where it has one. */
function whyNoValuation(row: Row<"valuations">): string | null {
  if (row.type !== "409A") return `a valuation of type ${row.type} has no OCF form; left out`;
  if (row.status !== "APPROVED" && row.status !== "EXPIRED") {
    return "a valuation that is not approved is no fact yet; left out";
  }
  return row.stockClassId === null ? "a valuation has lost its class, which OCF requires; left out" : null;
}

/** A valuation as OCF writes one, its price in the currency of its class. */
function valuationToOcf(row: Row<"valuations">, context: ObjectContext): JsonObject {
  return compact({
    object_type: "VALUATION",
    id: row.id,
    provider: row.provider,
    board_approval_date: row.boardApprovalDate,
    stockholder_approval_date: row.stockholderApprovalDate,
    price_per_share: money(row.pricePerShare, context.currencyOfValuation(row)),
    effective_date: row.effectiveDate,
    stock_class_id: row.stockClassId,
    valuation_type: row.type,
    comments: commentsOf(row.comments, row.status === "EXPIRED" ? EXPIRED_COMMENT : null),
  });
}
