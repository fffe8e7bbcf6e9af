// `GET /api/v1/cap-table`: the cap table as of a date, by what was known at an instant (DECISIONS section 16).
import { Type } from "@sinclair/typebox";
import { inSnapshot } from "../database/snapshot.ts";
import type { Reader } from "../database/sql.ts";
import { present } from "../kernel/assert.ts";
import { body, date, decimal, id, instant, nullable, oneOf, text, total } from "../kernel/fields.ts";
import { readInstant } from "../kernel/instant.ts";
import { toTimestamp, toUtcDate } from "../kernel/runtime.ts";
import { replayCounted } from "../ledger/counting.ts";
import { initialState } from "../ledger/replay.ts";
import { iterateCountedEntries, listAdjustments, listClassRows, listPlanRows } from "../ledger/replay-store.ts";
import type { ReadRoute } from "../route.ts";
import { listStakeholderNames } from "./store.ts";
import { layOutTable, type Moment } from "./table.ts";

const figure = () => total({ description: "In shares." });
const signed = (description: string) => total({ description });
const percent = () => Type.String({ description: "6 places, rounded half even.", examples: ["12.500000"] });

const CapTable = Type.Object({
  asOf: date(),
  knownAt: Type.String({ format: "date-time" }),
  shareClasses: Type.Array(
    Type.Object({
      id: id(),
      name: text(100),
      classType: oneOf(["COMMON", "PREFERRED"]),
      authorized: Type.String({ description: "A decimal, or `UNLIMITED` or `NOT APPLICABLE` where imported." }),
      issued: figure(),
      available: Type.String({
        description: "Authorized less issued, or its word; negative where an import brought more than was authorized.",
        examples: ["1500"],
      }),
    }),
  ),
  equityPlans: Type.Array(
    Type.Object({
      id: id(),
      name: text(100),
      reserved: total({ description: "The total reserve." }),
      granted: signed("All ever granted."),
      exercised: figure(),
      available: signed("What can still be granted; negative where an import brought more than was reserved."),
    }),
  ),
  stakeholders: Type.Array(
    Type.Object({
      id: nullable(id()),
      displayName: nullable(text(100)),
      outstanding: figure(),
      options: figure(),
      warrants: figure(),
      fullyDiluted: figure(),
      percentOutstanding: percent(),
      percentFullyDiluted: percent(),
      holdings: Type.Array(Type.Object({ stockClassId: id(), quantity: figure() })),
    }),
    { description: "Everybody who holds something, the largest first." },
  ),
  convertibles: Type.Array(Type.Object({ securityId: id(), stakeholderId: nullable(id()), quantity: decimal() })),
  totals: Type.Object({
    outstanding: figure(),
    options: figure(),
    warrants: figure(),
    poolAvailable: figure(),
    fullyDiluted: figure(),
  }),
});

/** What is recorded is known now, though the clock was set back since and says that it is yet to come. */
const END_OF_TIME = "9999-12-31T23:59:59.999Z";

/** The cap table at a moment, replayed from the first entry within one snapshot. */
function readCapTable(db: Reader, orgId: string, moment: Moment) {
  return inSnapshot(db, () => {
    const classes = listClassRows(db, orgId);
    const plans = listPlanRows(db, orgId);
    const state = initialState(classes, plans, listAdjustments(db, orgId));
    const counted = replayCounted(iterateCountedEntries(db, orgId, moment.asOf, moment.knownAt), state);
    const stakeholders = listStakeholderNames(db, orgId);
    return layOutTable(moment, state, counted, { classes, plans, stakeholders });
  });
}

/** The route. */
export const capTableAsOf: ReadRoute = {
  method: "GET",
  path: "/api/v1/cap-table",
  operationId: "getCapTable",
  tag: "Cap table",
  summary: "Show the cap table as of a date",
  description:
    "Counts the ledger entries whose `effectiveDate` is on or before `asOf` and that were recorded at or before " +
    "`knownAt`. An entry dated before what it builds on counts from the day on which that does. Fully diluted is " +
    "outstanding stock, outstanding options and warrants, and what plans have available; convertibles are listed and " +
    "not counted.",
  role: "VIEWER",
  isExtension: true,
  status: 200,
  query: body({
    asOf: Type.Optional(date({ description: "Defaults to today in UTC." })),
    knownAt: Type.Optional(instant({ description: "Defaults to now." })),
  }),
  response: Type.Object({ data: CapTable }),
  expense: ({ asOf, knownAt }) => (asOf === undefined && knownAt === undefined ? null : "much"),
  run(db, { orgId, query, nowMs }) {
    const asked = query.knownAt === undefined ? null : present(readInstant(query.knownAt), "a checked timestamp");
    const table = readCapTable(db, orgId, { asOf: query.asOf ?? toUtcDate(nowMs), knownAt: asked ?? END_OF_TIME });
    return { status: 200, json: { data: { ...table, knownAt: asked ?? toTimestamp(nowMs) } } };
  },
};
