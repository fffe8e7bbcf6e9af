// Ledger entries on share classes and plans, and the OCF transactions for them: splits and new figures. Pure.
import { type Decimal, formatDecimal } from "../../kernel/decimal.ts";
import type { JsonObject } from "../json.ts";
import { commentsOf, compact } from "./values-to-ocf.ts";

/** What every such transaction says. */
export interface Adjusting {
  readonly id: string;
  readonly date: string;
  readonly boardApprovalDate: string | null;
  readonly stockholderApprovalDate: string | null;
  readonly comments: readonly (string | null)[];
}

/** TX_STOCK_CLASS_AUTHORIZED_SHARES_ADJUSTMENT: the new figure. */
export function authorizedAdjustmentOf(what: Adjusting, stockClassId: string, figure: Decimal): JsonObject {
  return compact({
    object_type: "TX_STOCK_CLASS_AUTHORIZED_SHARES_ADJUSTMENT",
    id: what.id,
    date: what.date,
    stock_class_id: stockClassId,
    new_shares_authorized: formatDecimal(figure),
    board_approval_date: what.boardApprovalDate,
    stockholder_approval_date: what.stockholderApprovalDate,
    comments: commentsOf(...what.comments),
  });
}

/** TX_STOCK_PLAN_POOL_ADJUSTMENT: the new figure. */
export function poolAdjustmentOf(what: Adjusting, stockPlanId: string, figure: Decimal): JsonObject {
  return compact({
    object_type: "TX_STOCK_PLAN_POOL_ADJUSTMENT",
    id: what.id,
    date: what.date,
    stock_plan_id: stockPlanId,
    shares_reserved: formatDecimal(figure),
    board_approval_date: what.boardApprovalDate,
    stockholder_approval_date: what.stockholderApprovalDate,
    comments: commentsOf(...what.comments),
  });
}

/** TX_STOCK_CLASS_SPLIT: every `denominator` shares become `numerator`. */
export function classSplitOf(
  what: Adjusting,
  stockClassId: string,
  numerator: bigint,
  denominator: bigint,
): JsonObject {
  return compact({
    object_type: "TX_STOCK_CLASS_SPLIT",
    id: what.id,
    date: what.date,
    stock_class_id: stockClassId,
    split_ratio: { numerator: String(numerator), denominator: String(denominator) },
    comments: commentsOf(...what.comments),
  });
}
