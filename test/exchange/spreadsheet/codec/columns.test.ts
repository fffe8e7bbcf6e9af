// Each kind of row has one list of columns for both directions: the template's, and members that the routes take.
import { expect, test } from "bun:test";
import { asText, columnsOf, membersOf } from "../../../../src/exchange/spreadsheet/codec/column.ts";
import { EVENT_COLUMNS, EVENTS } from "../../../../src/exchange/spreadsheet/codec/event-columns.ts";
import { type RecordTable, recordColumns } from "../../../../src/exchange/spreadsheet/codec/record-columns.ts";
import { securityColumns } from "../../../../src/exchange/spreadsheet/codec/security-columns.ts";
import { TEMPLATE } from "../../../../src/exchange/spreadsheet/file/template.ts";
import { allRoutes } from "../../../../src/server/routes.ts";

const routes = allRoutes("test");

/** The members that the body of a `POST` takes. */
function taken(path: string): string[] {
  const route = routes.find((each) => each.method === "POST" && each.path === `/api/v1/${path}`);
  if (route === undefined || route.method === "GET" || !route.body) throw new Error(`no body of ${path}`);
  return Object.keys(route.body.properties as object);
}

const RECORDS: Readonly<Record<RecordTable, string>> = {
  stakeholders: "stakeholders",
  share_classes: "share-classes",
  equity_plans: "equity-plans",
  vesting_terms: "vesting-terms",
  valuations: "valuations",
};
const SECURITIES = {
  STOCK: "issue-shares",
  STOCK_OPTION: "issue-options",
  WARRANT: "issue-warrant",
  CONVERTIBLE: "issue-convertible",
} as const;

test("a codec that lacks a column of the template, or has another, is refused", () => {
  const sheet = TEMPLATE.find(({ to }) => to === "valuations")?.columns ?? [];
  const all = Object.fromEntries(sheet.map(({ field }) => [field, { member: field, read: asText }]));
  expect(columnsOf("valuations", all)).toBe(all);
  const { provider: _provider, ...others } = all;
  expect(() => columnsOf("valuations", others)).toThrow("the codec of valuations lacks provider, and has no other");
  const one = { member: "taxId", read: asText };
  expect(() => columnsOf("valuations", { ...all, taxId: one })).toThrow("lacks nothing, and has taxId other");
  expect(columnsOf("valuations", { ...all, taxId: one }, ["taxId"])).toHaveProperty("taxId");
});

test("records take every member of their columns", () => {
  for (const [table, path] of Object.entries(RECORDS)) {
    const members = Object.values(membersOf(recordColumns(table as RecordTable)));
    expect({ table, unknown: members.filter((member) => !taken(path).includes(member)) }).toEqual({
      table,
      unknown: [],
    });
  }
});

test("issuances take every member of their columns, and changes of a security those of its description", () => {
  const patch = routes.find(({ operationId }) => operationId === "updateSecurity");
  const described = patch && patch.method !== "GET" && patch.body ? Object.keys(patch.body.properties as object) : [];
  for (const [type, path] of Object.entries(SECURITIES)) {
    const columns = Object.values(securityColumns(type as keyof typeof SECURITIES));
    const missing = columns.filter(({ part, member }) => {
      // Of stock under a plan alone, which another route issues.
      if (member === null || (type === "STOCK" && member === "stockPlanId")) return false;
      return !(part === "describe" ? described : taken(`transactions/${path}`)).includes(member);
    });
    expect({ type, missing }).toEqual({ type, missing: [] });
  }
});

test("operations take every member of their events, and events are of columns", () => {
  for (const [event, { route, takes }] of Object.entries(EVENTS)) {
    const unknown = Object.values(takes).filter((member) => !taken(`transactions/${route}`).includes(member));
    const strange = Object.keys(takes).filter((field) => EVENT_COLUMNS[field] === undefined);
    expect({ event, unknown, strange }).toEqual({ event, unknown: [], strange: [] });
  }
});
