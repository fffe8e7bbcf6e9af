// Equity plans as OCF's STOCK_PLAN. Pure.
import type { Row } from "../../database/sql.ts";
import type { JsonObject } from "../json.ts";
import { commentsOf, compact } from "./values-to-ocf.ts";

/**
 * An equity plan as OCF writes one. OCF wants a class: `defaultClassId` stands in for none. `initialReserved` is the
 * figure at creation; every later one is an adjustment of its own.
 */
export function stockPlanToOcf(row: Row<"equity_plans">, initialReserved: string, defaultClassId: string): JsonObject {
  const named: string[] = JSON.parse(row.stockClassIds);
  return compact({
    object_type: "STOCK_PLAN",
    id: row.id,
    plan_name: row.planName,
    board_approval_date: row.boardApprovalDate,
    stockholder_approval_date: row.stockholderApprovalDate,
    initial_shares_reserved: initialReserved,
    default_cancellation_behavior: row.defaultCancellationBehavior,
    stock_class_ids: named.length > 0 ? named : [defaultClassId],
    comments: commentsOf(row.comments),
  });
}
