// Models over HTTP: cap table, round, waterfall, expense, closing and scenarios. A model is asked with a body and only
// reads.
import { type AskRoute, askRoute, later, type ReadRoute, type Route } from "../../resources/route.ts";
import { CapTableModelAnswer, RoundModelAnswer, WaterfallModelAnswer } from "./answers.ts";
import { closeRoundRoute } from "./closing/closing-route.ts";
import { complianceReadRoutes, expenseRoute } from "./compliance/routes.ts";
import { CapTableModel, RoundModel, WaterfallModel } from "./rules.ts";
import { compareScenarios, scenarioResult, scenarioRoutes } from "./scenarios/routes.ts";

const model = () => import("./model.ts");
const MODEL = { method: "POST", tag: "Models", role: "VIEWER", status: 200, isExtension: true } as const;
const PROBLEMS = [404, 409] as const;

const capTable = askRoute({
  ...MODEL,
  path: "/api/v1/models/cap-table",
  operationId: "modelCapTable",
  summary: "Model the cap table",
  description: "The table on a day as it is, and with securities, reserves and rounds that are not there.",
  problems: PROBLEMS,
  body: CapTableModel,
  bodyExample: {
    add: [
      { type: "STOCK_OPTION", equityPlanId: "0190f5a2", name: "New hire", quantity: "25000", exercisePrice: "1.2" },
    ],
  },
  response: CapTableModelAnswer,
  ask: later(model, ({ runModel }) => (db, { orgId, body, nowMs }) => ({
    status: 200,
    json: { data: runModel(db, { orgId, model: "CAP_TABLE", body, nowMs }) },
  })),
});

const round = askRoute({
  ...MODEL,
  path: "/api/v1/models/round",
  operationId: "modelRound",
  summary: "Model a financing round",
  description:
    "What everybody owns after a round: price, conversions of SAFEs and notes with their working, the pool, anti-dilution, " +
    "and the table before and after. Every figure is computed exactly and rounded once.",
  problems: PROBLEMS,
  body: RoundModel,
  bodyExample: {
    newClass: { name: "Series A" },
    valuation: { kind: "PRE_MONEY", amount: "15000000" },
    investors: [{ name: "Lead", amount: "5000000" }],
    pool: { targetPercent: "10" },
  },
  response: RoundModelAnswer,
  ask: later(model, ({ runModel }) => (db, { orgId, body, nowMs }) => ({
    status: 200,
    json: { data: runModel(db, { orgId, model: "ROUND", body, nowMs }) },
  })),
});

const waterfall = askRoute({
  ...MODEL,
  path: "/api/v1/models/waterfall",
  operationId: "modelWaterfall",
  summary: "Model an exit",
  description:
    "Who gets what at one or many exit values: preferences, participation, options, and who converts because that pays; and " +
    "the values between which every further unit of money is divided in one way.",
  problems: PROBLEMS,
  body: WaterfallModel,
  bodyExample: { exitValues: ["10000000", "50000000"], detail: "HOLDERS" },
  response: WaterfallModelAnswer,
  ask: later(model, ({ runModel }) => (db, { orgId, body, nowMs }) => ({
    status: 200,
    json: { data: runModel(db, { orgId, model: "WATERFALL", body, nowMs }) },
  })),
});

/** The models that are asked with a body. */
export const modelAskRoutes: readonly AskRoute[] = [
  capTable,
  round,
  waterfall,
  expenseRoute,
  compareScenarios,
] as readonly AskRoute[];
/** What of the models is read by an address alone. */
export const modelReadRoutes: readonly ReadRoute[] = [...complianceReadRoutes, scenarioResult];
/** What of the models writes: scenarios, and closing a round. */
export const modelWriteRoutes: readonly Route[] = [closeRoundRoute, ...scenarioRoutes];
