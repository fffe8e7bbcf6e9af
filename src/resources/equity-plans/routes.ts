// Routes of equity plans. The ledger determines their reserve and its available part: grants draw on it, adjustments
// move it.

import type { Call } from "../../kernel/call.ts";
import { formatDecimal, isSameFigure, parseDecimal, ZERO } from "../../kernel/numbers/decimal.ts";
import { problem } from "../../kernel/problem.ts";
import { shortOfReserved } from "../../ledger/warnings/short-of-reserved.ts";
import { recordDecision } from "../../ledger/writes/execute.ts";
import { Loader } from "../../ledger/writes/load.ts";
import type { Row, Tx } from "../../storage/database/sql.ts";
import { isNamedByActive } from "../active-store.ts";
import { crudRoutes, type Resource } from "../crud.ts";
import { toColumns } from "../present.ts";
import { EQUITY_PLAN_EXAMPLE, EquityPlan, EquityPlanCreate, EquityPlanPatch } from "./schema.ts";

type PlanRow = Row<"equity_plans">;

const equityPlans: Resource<PlanRow, typeof EquityPlanCreate, typeof EquityPlanPatch> = {
  segment: "equity-plans",
  table: "equity_plans",
  name: "EquityPlan",
  plural: "EquityPlans",
  tag: "Equity plans",
  about: "Plans under which options are granted, and their reserves.",
  deleteNote: "Refused while grants under the plan are outstanding.",
  listKey: "items",
  isWrapped: false,
  create: EquityPlanCreate,
  patch: EquityPlanPatch,
  record: EquityPlan,
  example: EQUITY_PLAN_EXAMPLE,
  derive: () => (row) => ({ name: row.planName }),
  warn(row, db, before) {
    const isSame =
      before?.totalSharesReserved === row.totalSharesReserved && before.stockClassIds === row.stockClassIds;
    return isSame ? [] : shortOfReserved(db, row.orgId, [{ stockClassId: null, equityPlanId: row.id }]);
  },
  prepare(_tx, _call, given) {
    const { initialSharesReserved: reserve, boardApprovalDate } = given;
    return {
      ...toColumns(given),
      adoptedDate: given.adoptedDate ?? boardApprovalDate,
      totalSharesReserved: reserve,
      currentSharesReserved: reserve,
    };
  },
  alter(_tx, _call, _before, patch) {
    return toColumns(patch);
  },
  afterChange(tx, call, before, after) {
    if (!isSameFigure(before.initialSharesReserved, after.initialSharesReserved)) {
      adjustReserve(tx, call, before, after);
    }
  },
  checkDelete(tx, call, row) {
    if (isNamedByActive(tx, "equityPlanId", call, row.id))
      throw problem("in-use", "The equity plan has outstanding grants.");
  },
};

/** The five routes of equity plans. */
export const equityPlanRoutes = crudRoutes(equityPlans);

/** A new initial reserve moves the total and the available reserve by the same difference, recorded in the ledger. */
function adjustReserve(tx: Tx, call: Call, before: PlanRow, after: PlanRow): void {
  const facts = new Loader(tx, call.orgId).load({ plans: [before.id] });
  const difference = parseDecimal(after.initialSharesReserved) - parseDecimal(before.initialSharesReserved);
  const newFigure = facts.state.plan(before.id).reserved + difference;
  if (newFigure < ZERO) throw problem("insufficient-plan-reserve", "The plan's reserve would fall below zero.");
  recordDecision(tx, call, facts, {
    entries: [
      {
        type: "STOCK_PLAN_ADJUSTMENT",
        securityId: null,
        stakeholderId: null,
        quantity: formatDecimal(newFigure),
        effectiveDate: call.today,
        metadata: {
          equityPlanId: before.id,
          newSharesReserved: formatDecimal(newFigure),
          initialSharesReserved: { before: before.initialSharesReserved, after: after.initialSharesReserved },
        },
      },
    ],
  });
}
