// Valuations as OCF's VALUATION, which knows 409A valuations that took effect. Pure.
import type { Row } from "../../database/sql.ts";
import type { JsonObject } from "../json.ts";
import { EXPIRED_COMMENT } from "./valuation.ts";
import { commentsOf, compact, money } from "./values-to-ocf.ts";

/** Why OCF has no form for a valuation, or null where it has one. */
export function whyNoValuation(row: Row<"valuations">): string | null {
  if (row.type !== "409A") return `a valuation of type ${row.type} has no OCF form; left out`;
  if (row.status !== "APPROVED" && row.status !== "EXPIRED") {
    return "a valuation that is not approved is no fact yet; left out";
  }
  return row.stockClassId === null ? "a valuation has lost its class, which OCF requires; left out" : null;
}

/** A valuation as OCF writes one, its price in the currency of its class. */
export function valuationToOcf(row: Row<"valuations">, currency: string): JsonObject {
  return compact({
    object_type: "VALUATION",
    id: row.id,
    provider: row.provider,
    board_approval_date: row.boardApprovalDate,
    stockholder_approval_date: row.stockholderApprovalDate,
    price_per_share: money(row.pricePerShare, currency),
    effective_date: row.effectiveDate,
    stock_class_id: row.stockClassId,
    valuation_type: row.type,
    comments: commentsOf(row.comments, row.status === "EXPIRED" ? EXPIRED_COMMENT : null),
  });
}
