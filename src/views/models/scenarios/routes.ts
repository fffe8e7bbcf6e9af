// Routes of scenarios: inputs of models stored under a name. Results are computed on request, since the ledger moves
// on, and compared.
import { Type } from "@sinclair/typebox";
import { body, date, decimal, EXTENSION, id, listOf, optional, patchOf } from "../../../kernel/fields.ts";
import { refuse } from "../../../kernel/problem.ts";
import { crudRoutes, type Resource } from "../../../resources/crud.ts";
import { RECORD_HEAD, RECORD_TAIL, shown, toColumns } from "../../../resources/present.ts";
import { askRoute, later, needing, type ReadRoute, type Route } from "../../../resources/route.ts";
import type { Row } from "../../../storage/database/sql.ts";
import { SCENARIO_FIELDS } from "../../../storage/records/scenario.ts";
import { CompareAnswer } from "../answers.ts";
import { refuseInput } from "./scenario-rules.ts";

const ScenarioCreate = body(SCENARIO_FIELDS);
const ScenarioPatch = patchOf(ScenarioCreate);
const Scenario = Type.Object({ ...RECORD_HEAD, ...shown(SCENARIO_FIELDS), ...RECORD_TAIL });
const TAG = "Scenarios";
const computing = () => import("./compute.ts");
const tryOut = later(computing, (module) => module.tryOut);

const scenarios: Resource<Row<"scenarios">, typeof ScenarioCreate, typeof ScenarioPatch> = {
  segment: "scenarios",
  table: "scenarios",
  name: "Scenario",
  plural: "Scenarios",
  tag: TAG,
  about: "Inputs of models, kept under a name. No result is stored.",
  listKey: "items",
  isWrapped: false,
  isExtension: true,
  create: ScenarioCreate,
  patch: ScenarioPatch,
  record: Scenario,
  example: {
    name: "Series A at 15M",
    model: "ROUND",
    input: {
      newClass: { name: "Series A" },
      valuation: { kind: "PRE_MONEY", amount: "15000000" },
      investors: [{ name: "Lead", amount: "5000000" }],
    },
  },
  filters: body({ model: Type.Optional(SCENARIO_FIELDS.model) }),
  prepare(tx, call, given) {
    refuseInput(given.model, given.input);
    tryOut(tx, call, given.model, given.input);
    return toColumns(given);
  },
  alter(tx, call, before, patch) {
    if (patch.model !== undefined && patch.model !== before.model) refuse([["#/model", "does not change"]]);
    if (patch.input !== undefined) {
      refuseInput(before.model, patch.input);
      tryOut(tx, call, before.model, patch.input);
    }
    return toColumns(patch);
  },
};

const result: ReadRoute = {
  method: "GET",
  path: "/api/v1/scenarios/:id/result",
  operationId: "getScenarioResult",
  tag: TAG,
  summary: "Compute a scenario's result",
  description: "What the model answers to its input now.",
  role: "VIEWER",
  status: 200,
  isExtension: true,
  problems: [404, 409],
  query: body({ asOf: Type.Optional(date({ description: "For an input without a day." })) }),
  response: Type.Object({
    data: Type.Object({
      scenarioId: id({ description: "The scenario that was computed." }),
      model: SCENARIO_FIELDS.model,
      result: Type.Object({}, { additionalProperties: true, description: "The `data` of the model's answer." }),
    }),
  }),
  expense: () => "much",
  isComputed: true,
  run: later(computing, ({ compute }) => (db, { orgId, params, query, nowMs }) => {
    const { row, result: computed } = compute(db, orgId, params.id ?? "", { asOf: query.asOf, nowMs });
    const data = { scenarioId: row.id, model: row.model, result: computed };
    return { status: 200, json: { data }, isOfMoment: true };
  }),
};

const Comparison = body({
  scenarioIds: listOf(id(), {
    description: "The scenarios, in the order in which they are shown.",
    minItems: 2,
    maxItems: 5,
  }),
  asOf: optional(date({ description: "For inputs without a day." })),
  exitValue: optional(decimal({ description: "Of exits only, and required there.", ...EXTENSION })),
});

export const compareScenarios = askRoute({
  method: "POST",
  path: "/api/v1/scenarios/compare",
  operationId: "compareScenarios",
  tag: TAG,
  summary: "Compare scenarios",
  description: "What each holder has in 2 to 5 scenarios of one model.",
  role: "VIEWER",
  status: 200,
  isExtension: true,
  problems: [404, 409],
  body: Comparison,
  bodyExample: { scenarioIds: ["0190f5a2-6c1e-7b3a-9d4e-1f2a3b4c5d6e", "0190f5a2-6c1e-7b3a-9d4e-1f2a3b4c5d6f"] },
  response: CompareAnswer,
  ask: later(computing, ({ compareResults }) => (db, { orgId, body: asked, nowMs }) => ({
    status: 200,
    json: { data: compareResults(db, orgId, asked, nowMs) },
  })),
});

export const scenarioRoutes: readonly Route[] = crudRoutes(scenarios);
// Those that store an input try it out.
for (const route of scenarioRoutes) if ("run" in route && route.method !== "GET") needing(tryOut, route.run);
export const scenarioResult = result;
