// `GET /valuations/in-force`: the 409A valuation by which options of a day are priced, and its price in that day's shares.
import { Type } from "@sinclair/typebox";
import { body, date, decimal, id, nullable } from "../../kernel/fields.ts";
import { problem } from "../../kernel/problem.ts";
import { toUtcDate } from "../../kernel/runtime.ts";
import { listDatedSplits, priceInSharesOn } from "../../ledger/splits/dated-splits.ts";
import { Reserving } from "../../ledger/warnings/short-of-reserved.ts";
import { Valuations409A } from "../../ledger/warnings/valuation-in-force.ts";
import { listValuationsOf } from "../../ledger/warnings/warning-store.ts";
import { getRecord } from "../../storage/database/records.ts";
import { inSnapshot } from "../../storage/database/snapshot.ts";
import type { Reader, Row } from "../../storage/database/sql.ts";
import type { Asked } from "../crud.ts";
import type { Query, ReadRoute } from "../route.ts";
import { Valuation } from "./schema.ts";

type Show = (db: Reader, asked: Asked) => (row: Row<"valuations">) => Record<string, unknown>;

/** The route; `show` is how the resource shows its records. */
export function inForceRoute(show: Show): ReadRoute {
  return {
    method: "GET",
    path: "/api/v1/valuations/in-force",
    operationId: "getValuationInForce",
    tag: "Valuations",
    summary: "Get the 409A valuation in force on a day",
    description:
      "Of the class, or of the class for which options of the plan are: the approved 409A with the latest effective " +
      "date, for twelve months or until it expires. Options granted on that day are held against `pricePerShare`. Name " +
      "one of `stockClassId` and `equityPlanId`.",
    role: "VIEWER",
    isExtension: true,
    status: 200,
    problems: [404],
    query: body({ on: date(), stockClassId: Type.Optional(id()), equityPlanId: Type.Optional(id()) }),
    response: Type.Object({
      data: Type.Object({
        valuation: { ...nullable(Valuation), description: "The valuation in force; null without one." },
        pricePerShare: nullable(
          decimal({ description: "Its price in the shares of `on`, after the class's splits up to that day." }),
        ),
      }),
    }),
    run(db, { orgId, query, nowMs }) {
      const data = inSnapshot(db, () => readInForce(db, { orgId, today: toUtcDate(nowMs) }, query, show));
      return { status: 200, json: { data } };
    },
  };
}

function readInForce(db: Reader, asked: Asked, query: Query, show: Show) {
  const { orgId } = asked;
  const on = String(query.on);
  const stockClassId = classOf(db, orgId, query);
  const ofClass = stockClassId === null ? [] : listValuationsOf(db, { orgId, stockClassId });
  const found = new Valuations409A(ofClass).inForce(stockClassId, on);
  if (found === null) return { valuation: null, pricePerShare: null };
  return {
    valuation: show(db, asked)(getRecord<Row<"valuations">>(db, "valuations", orgId, found.id)),
    pricePerShare: priceInSharesOn(on, found, listDatedSplits(db, orgId)),
  };
}

/** The requested class, as option grants count it; null for a plan in a company without common shares. */
function classOf(db: Reader, orgId: string, { stockClassId, equityPlanId }: Query): string | null {
  if ((stockClassId === undefined) === (equityPlanId === undefined)) {
    throw problem("validation-failed", "The query is not acceptable.", [
      { parameter: "stockClassId", detail: "name this or `equityPlanId`, one of the two" },
    ]);
  }
  if (stockClassId !== undefined) return getRecord<Row<"share_classes">>(db, "share_classes", orgId, stockClassId).id;
  const plan = getRecord<Row<"equity_plans">>(db, "equity_plans", orgId, String(equityPlanId));
  return new Reserving(db, orgId).counting.ofPlan(plan.id);
}
