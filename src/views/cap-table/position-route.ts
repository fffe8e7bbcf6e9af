// `GET /api/v1/stakeholders/{id}/position`: all that one stakeholder holds, in one call.
import { Type } from "@sinclair/typebox";
import { body, date, nullable } from "../../kernel/fields.ts";
import { toUtcDate } from "../../kernel/runtime.ts";
import { later, type ReadRoute } from "../../resources/route.ts";
import { Security } from "../../resources/securities/schema.ts";
import { Stakeholder } from "../../resources/stakeholders/schema.ts";
import { inSnapshot } from "../../storage/database/snapshot.ts";
import {
  ByClass,
  figure,
  figures,
  MOMENT_QUERY,
  MomentWarnings,
  momentExpense,
  percents,
  readMoment,
} from "./schema.ts";

const Position = Type.Object({
  asOf: date({ description: "Entries effective up to and including this day count." }),
  knownAt: Type.String({ description: "Entries recorded at or before this instant count.", format: "date-time" }),
  stakeholder: Stakeholder,
  totals: Type.Object(
    {
      ...figures(),
      exercisable: figure("The exercisable part of options and warrants."),
      ...percents(),
    },
    { description: "The sums, in shares." },
  ),
  byClass: ByClass,
  securities: Type.Array(
    Type.Object({
      ...Security.properties,
      vested: figure("`quantity` less `unvested`."),
      unvested: figure("Of what is outstanding."),
      exercised: figure("All that was ever exercised."),
      exercisable: figure("What of an option or a warrant has vested, until it expires."),
      exercisableUntil: nullable(date({ description: "The last day on which it can be exercised." })),
    }),
    { description: "Open stock, options and warrants, the oldest first, with what the ledger had of them then." },
  ),
  convertibles: Type.Array(Security, { description: "Open convertibles." }),
  warnings: MomentWarnings,
});

/** The route. */
export const stakeholderPosition: ReadRoute = {
  method: "GET",
  path: "/api/v1/stakeholders/:id/position",
  operationId: "getStakeholderPosition",
  tag: "Stakeholders",
  summary: "Show a stakeholder's position",
  description:
    "Every security that the stakeholder holds as of a date, with what of it has vested and can be exercised, and the " +
    "sums. Counts what `GET /cap-table` counts for the same `asOf` and `knownAt`.",
  role: "VIEWER",
  isExtension: true,
  status: 200,
  problems: [404],
  query: body(MOMENT_QUERY),
  response: Position,
  expense: momentExpense,
  run: later(
    async () => ({ ...(await import("./fold.ts")), ...(await import("./position.ts")) }),
    ({ viewOf, readHolderPosition }) =>
      (db, { orgId, params, query, nowMs }) => {
        const { moment, knownAt } = readMoment(query, nowMs);
        const today = toUtcDate(nowMs);
        const position = inSnapshot(db, () => {
          return readHolderPosition(db, orgId, viewOf(db, orgId, moment, today), { id: params.id ?? "", today });
        });
        return { status: 200, json: { ...position, knownAt } };
      },
  ),
};
