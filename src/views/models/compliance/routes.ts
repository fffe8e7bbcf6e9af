// Compliance reads and the expense schedule over HTTP.
import { Type } from "@sinclair/typebox";
import { addDays } from "../../../kernel/date.ts";
import { body, date, decimal, id, oneOf } from "../../../kernel/fields.ts";
import { refuse } from "../../../kernel/problem.ts";
import { toUtcDate } from "../../../kernel/runtime.ts";
import { askRoute, later, type ReadRoute } from "../../../resources/route.ts";
import { ExpenseModel } from "../rules.ts";
import { ExpenseModelAnswer, IsoLimitAnswer, OptionGrantsAnswer, Rule701Answer } from "./compliance-answers.ts";

const reads = () => import("./reads.ts");
const READ = { method: "GET", tag: "Compliance", role: "VIEWER", status: 200, isExtension: true } as const;
const asOf = Type.Optional(date({ description: "Today in UTC by default." }));
const PERIODS_MAX = 120;

const isoLimit: ReadRoute = {
  ...READ,
  path: "/api/v1/compliance/iso-limit",
  operationId: "getIsoLimit",
  summary: "Show which options are incentive options",
  description: "The $100,000 limit of 26 USC 422(d), year by year for each holder of ISO grants.",
  query: body({
    asOf,
    stakeholderId: Type.Optional(id()),
    earlyExercise: Type.Optional(
      oneOf(["true", "false"], { description: "`true`: a whole grant counts in its year." }),
    ),
  }),
  response: IsoLimitAnswer,
  expense: () => null,
  run: later(reads, ({ readIsoLimit }) => (db, { orgId, query, nowMs }) => {
    const { stakeholderId, earlyExercise } = query;
    const asked = { stakeholderId, isEarly: earlyExercise === "true" };
    return { status: 200, json: { data: readIsoLimit(db, orgId, query.asOf ?? toUtcDate(nowMs), asked) } };
  }),
};

const rule701Route: ReadRoute = {
  ...READ,
  path: "/api/v1/compliance/rule-701",
  operationId: "getRule701",
  summary: "Show sales to employees against Rule 701",
  description:
    "Options granted and stock issued under plans in twelve months, against the limits of 17 CFR 230.701(d) and (e).",
  problems: [409],
  query: body({
    asOf,
    totalAssets: Type.Optional(decimal()),
    balanceSheetDate: Type.Optional(date({ description: "`asOf` by default." })),
  }),
  response: Rule701Answer,
  expense: () => null,
  run: later(reads, ({ readRule701 }) => (db, { orgId, query, nowMs }) => {
    const { totalAssets, balanceSheetDate } = query;
    const data = readRule701(db, orgId, query.asOf ?? toUtcDate(nowMs), { totalAssets, balanceSheetDate });
    return { status: 200, json: { data } };
  }),
};

const optionGrants: ReadRoute = {
  ...READ,
  path: "/api/v1/compliance/option-grants",
  operationId: "getOptionGrants",
  summary: "Show grants against valuations",
  description:
    "Each option granted in a span, with the 409A valuation in force on its day (26 CFR 1.409A-1(b)(5)(iv)(B)).",
  query: body({
    from: Type.Optional(date({ description: "365 days before `to` by default." })),
    to: Type.Optional(date({ description: "Today in UTC by default." })),
  }),
  response: OptionGrantsAnswer,
  expense: () => null,
  run: later(reads, ({ readOptionGrants }) => (db, { orgId, query, nowMs }) => {
    const to = query.to ?? toUtcDate(nowMs);
    const from = query.from ?? addDays(to, -364);
    return { status: 200, json: { data: readOptionGrants(db, orgId, from, to) } };
  }),
};

const expense = askRoute({
  method: "POST",
  tag: "Models",
  role: "VIEWER",
  status: 200,
  isExtension: true,
  path: "/api/v1/models/expense",
  operationId: "modelExpense",
  summary: "Model the expense of grants",
  description:
    "ASC 718: straight-line, over all of a grant or one vesting after the other, or graded; forfeitures as they occur.",
  problems: [404],
  body: ExpenseModel,
  bodyExample: {
    method: "STRAIGHT_LINE",
    from: "2026-01-01",
    to: "2026-12-31",
    period: "QUARTER",
    grants: [{ securityId: "0190f5a2-6c1e-7b3a-9d4e-1f2a3b4c5d6e", fairValuePerShare: "0.84" }],
  },
  response: ExpenseModelAnswer,
  ask: later(
    async () => ({ ...(await reads()), ...(await import("../expense.ts")) }),
    ({ periodsOf, readExpense }) =>
      (db, { orgId, body: { method, from, to, period, grants } }) => {
        const periods = periodsOf(from, to, period);
        if (periods.length > PERIODS_MAX) refuse([["#/period", `makes more than ${PERIODS_MAX} periods`]]);
        return { status: 200, json: { data: readExpense(db, orgId, { method, periods, grants }) } };
      },
  ),
});

export const complianceReadRoutes: readonly ReadRoute[] = [isoLimit, rule701Route, optionGrants];
export const expenseRoute = expense;
