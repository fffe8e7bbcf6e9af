// STOCK_PLAN ↔ equity plan (OCF.md section 7.4). Pure.
import type { Row } from "../../database/sql.ts";
import { type JsonObject, textOf, textsOf } from "../json.ts";
import { approvalDates, commentsText, requiredName, requiredNumber } from "./values.ts";
import { commentsOf, compact } from "./values-to-ocf.ts";

/** The columns that OCF carries. */
export const STOCK_PLAN_COLUMNS = [
  "planName",
  "initialSharesReserved",
  "stockClassIds",
  "defaultCancellationBehavior",
  "boardApprovalDate",
  "stockholderApprovalDate",
  "comments",
  "sourceDocumentId",
] as const satisfies readonly (keyof Row<"equity_plans">)[];

/** What an OCF stock plan becomes. Throws `Refusal` without a name or a reserve. */
export function stockPlanFromOcf(value: JsonObject) {
  const initialSharesReserved = requiredNumber(value, "initial_shares_reserved");
  const approvals = approvalDates(value);
  const returns = value.default_cancellation_behavior === "RETURN_TO_POOL";
  return {
    planName: requiredName(value, "plan_name"),
    initialSharesReserved,
    totalSharesReserved: initialSharesReserved,
    currentSharesReserved: initialSharesReserved,
    stockClassIds: JSON.stringify(planClassIds(value)),
    defaultCancellationBehavior: returns ? "RETURN_TO_POOL" : "RETIRE",
    ...approvals,
    adoptedDate: approvals.boardApprovalDate,
    comments: commentsText(value),
  } as const;
}

/** The classes that the plan names, in today's list or in the older single field. */
function planClassIds(value: JsonObject): string[] {
  const single = textOf(value, "stock_class_id");
  return [...new Set([...textsOf(value, "stock_class_ids"), ...(single === null ? [] : [single])])];
}

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
