// Codec of STOCK_PLAN ↔ equity plan. Pure.
import type { Row } from "../../../storage/database/sql.ts";
import { type JsonObject, textOf, textsOf } from "../json.ts";
import type { ObjectContext, RecordCodec } from "./record-codec.ts";
import { approvalDates, commentsText, requiredName, requiredNumber } from "./values.ts";
import { commentsOf, compact } from "./values-to-ocf.ts";

/** Stock plans in OCF. */
export const STOCK_PLAN: RecordCodec<"equity_plans"> = {
  objectType: "STOCK_PLAN",
  table: "equity_plans",
  noun: "stock plan",
  counted: "stockPlans",
  columns: [
    "planName",
    "initialSharesReserved",
    "stockClassIds",
    "defaultCancellationBehavior",
    "boardApprovalDate",
    "stockholderApprovalDate",
    "comments",
    "sourceDocumentId",
  ],
  references: [{ column: "stockClassIds", table: "share_classes", member: "stock_class_ids" }],
  fromOcf: stockPlanFromOcf,
  whyNot: whyNoPlan,
  toOcf: stockPlanToOcf,
};

/** What an OCF stock plan becomes. Throws `Refusal` without a name or a reserve. */
function stockPlanFromOcf(value: JsonObject) {
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
  };
}

/** The classes that the plan names, in today's list or in the older single field. */
function planClassIds(value: JsonObject): string[] {
  const single = textOf(value, "stock_class_id");
  return [...new Set([...textsOf(value, "stock_class_ids"), ...(single === null ? [] : [single])])];
}

function whyNoPlan({ stockClassIds }: Row<"equity_plans">, { defaultClassId }: ObjectContext): string | null {
  if (stockClassIds !== "[]" || defaultClassId !== null) return null;
  return "a plan names no class and the organization has none, which OCF requires; left out";
}

/** An equity plan as OCF writes one. OCF requires a class: another class stands in if the plan names none. */
function stockPlanToOcf(row: Row<"equity_plans">, context: ObjectContext): JsonObject {
  const named: string[] = JSON.parse(row.stockClassIds);
  if (named.length === 0) context.note("a plan names no class, which OCF requires; the first common class exported");
  return compact({
    object_type: "STOCK_PLAN",
    id: row.id,
    plan_name: row.planName,
    board_approval_date: row.boardApprovalDate,
    stockholder_approval_date: row.stockholderApprovalDate,
    initial_shares_reserved: context.initialReserve(row),
    default_cancellation_behavior: row.defaultCancellationBehavior,
    stock_class_ids: named.length > 0 ? named : [context.defaultClassId ?? ""],
    comments: commentsOf(row.comments),
  });
}
