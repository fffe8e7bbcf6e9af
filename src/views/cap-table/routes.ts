// The cap table's views.
import { Type } from "@sinclair/typebox";
import type { CalendarDate } from "../../kernel/date.ts";
import { date, decimal, EXTENSION, id, nullable, oneOf, total } from "../../kernel/fields.ts";
import { formatDecimal, sum, ZERO } from "../../kernel/numbers/decimal.ts";
import { toUtcDate } from "../../kernel/runtime.ts";
import { listDatedSplits, priceInSharesOn } from "../../ledger/splits/dated-splits.ts";
import { toClassState } from "../../ledger/writes/load.ts";
import { getOrganization } from "../../resources/organization/store.ts";
import type { Route } from "../../resources/route.ts";
import { listAllClasses } from "../../resources/share-classes/store.ts";
import { PRICE_TODAY } from "../../resources/valuations/schema.ts";
import type { Reader } from "../../storage/database/sql.ts";
import { capTableAsOf } from "./as-of-route.ts";
import { capTableHistory } from "./history-route.ts";
import { stakeholderPosition } from "./position-route.ts";
import { findLatestValuation } from "./store.ts";

const Summary = Type.Object({
  orgId: id({ description: "The organization that it belongs to." }),
  shareClassCount: Type.Integer({ description: "Includes classes with no issued shares." }),
  stakeholderCount: Type.Integer({ description: "How many stakeholders there are." }),
  totalAuthorized: total({ description: "Sum of `currentSharesAuthorized`; an unlimited class counts 0." }),
  totalIssued: total({ description: "Sum of `quantity` over ACTIVE stock securities." }),
  latestValuation: nullable(
    Type.Object(
      {
        id: id({ description: "Identifies the valuation." }),
        type: oneOf(["409A", "BOARD", "FINANCING"], {
          description: "How the value was found: by a 409A report, the board, or a financing.",
        }),
        pricePerShare: decimal({ description: "The value of one share." }),
        effectiveDate: date({ description: "The day from which it counts." }),
        pricePerShareToday: decimal({ ...PRICE_TODAY, ...EXTENSION }),
      },
      { description: "The approved valuation with the latest effective date; null without one." },
    ),
  ),
});

/** The figures of `GET /cap-table/summary`. Class totals are kept in the commit of each write, so none is counted here. */
function summarize(db: Reader, orgId: string, today: CalendarDate) {
  const classes = listAllClasses(db, { orgId }).map(toClassState);
  return {
    orgId,
    shareClassCount: classes.length,
    stakeholderCount: getOrganization(db, orgId).stakeholderCount,
    totalAuthorized: formatDecimal(sum(classes.map((stockClass) => stockClass.authorized ?? ZERO))),
    totalIssued: formatDecimal(sum(classes.map((stockClass) => stockClass.issued))),
    latestValuation: latestValuation(db, orgId, today),
  };
}

function latestValuation(db: Reader, orgId: string, today: CalendarDate) {
  const latest = findLatestValuation(db, { orgId });
  if (!latest) return null;
  const { stockClassId, ...shown } = latest;
  const pricePerShareToday = priceInSharesOn(today, { ...shown, stockClassId }, listDatedSplits(db, orgId));
  return { ...shown, pricePerShareToday };
}

/** The routes under `/api/v1/cap-table`, and the position of one stakeholder. */
export const capTableRoutes: readonly Route[] = [
  capTableAsOf,
  capTableHistory,
  {
    method: "GET",
    path: "/api/v1/cap-table/summary",
    operationId: "getCapTableSummary",
    tag: "Cap table",
    summary: "Summarize the cap table",
    role: "VIEWER",
    status: 200,
    response: Type.Object({ data: Summary }),
    run: (db, { orgId, nowMs }) => ({ status: 200, json: { data: summarize(db, orgId, toUtcDate(nowMs)) } }),
  },
  stakeholderPosition,
];
