// The commands that are made from the route table: each route has one, each with a name and options of its own.
import { expect, test } from "bun:test";
import { type ApiCommand, commandAt, parametersOf } from "../../../cli/api/api-command.ts";
import { commandsOf } from "../../../cli/api/from-routes.ts";
import { fieldOptionsOf } from "../../../cli/api/route-command.ts";
import { accessRoutes } from "../../../src/people/routes.ts";
import type { Route } from "../../../src/resources/route.ts";
import { allRoutes } from "../../../src/server/routes.ts";
import { commands } from "./support.ts";

const nameOf = ({ words }: ApiCommand) => words.join(" ");
const found = (name: string) => commands.find((entry) => nameOf(entry) === name);

/** What commands have besides the options of fields. */
const OWN = [
  ...["server", "key-file", "profile", "allow-http", "data-dir", "json", "output", "columns", "all", "data", "unset"],
  ...["if-match", "idempotency-key", "yes", "out", "content-type", "help", "version"],
];

/** Names that several commands have. */
function twice(entries: readonly ApiCommand[]): string[] {
  return [...Map.groupBy(entries, nameOf)].filter(([, held]) => held.length > 1).map(([name]) => name);
}

test("every route that a key may call has one command, and no name is there twice", () => {
  const routes = allRoutes("production");
  const without = routes.filter((route) => route.role === "STAKEHOLDER" || "live" in route);
  expect(commands).toHaveLength(routes.length - without.length);
  expect(twice(commands)).toEqual([]);
  const planted = { ...routes[0], path: "/api/v1/organization/get", method: "POST" } as Route;
  expect(twice(commandsOf([...routes, planted]))).toEqual(["organization get"]);
  const paths = new Set(commands.map(({ path }) => path));
  expect(accessRoutes.filter(({ path }) => paths.has(path))).toEqual([]);
  expect([...paths].filter((path) => path.includes("/portal"))).toEqual([]);
});

test("names are the words of paths, with list, get, create, update, delete, upload and download", () => {
  const expected: Readonly<Record<string, string>> = {
    "organization get": "GET /api/v1/organization",
    "organization update": "PATCH /api/v1/organization",
    "stakeholders list": "GET /api/v1/stakeholders",
    "stakeholders create": "POST /api/v1/stakeholders",
    "stakeholders get": "GET /api/v1/stakeholders/:id",
    "stakeholders delete": "DELETE /api/v1/stakeholders/:id",
    "stakeholders csv": "GET /api/v1/stakeholders.csv",
    "approvals steps list": "GET /api/v1/approvals/:id/steps",
    "approvals steps create": "POST /api/v1/approvals/:id/steps",
    "approvals steps get": "GET /api/v1/approvals/:id/steps/:stepId",
    "transactions issue-shares": "POST /api/v1/transactions/issue-shares",
    "transactions create": "POST /api/v1/transactions",
    "securities certificate pdf": "GET /api/v1/securities/:id/certificate.pdf",
    "cap-table get": "GET /api/v1/cap-table",
    "cap-table ocf-import": "POST /api/v1/cap-table/ocf-import",
    "cap-table ocf-import get": "GET /api/v1/cap-table/ocf-import",
    "documents upload": "PUT /api/v1/documents/:id/content",
    "documents download": "GET /api/v1/documents/:id/content",
    "models round": "POST /api/v1/models/round",
    "models round close": "POST /api/v1/models/round/close",
    "members sessions delete": "DELETE /api/v1/members/:id/sessions",
    "reports cap-table xlsx": "GET /api/v1/reports/cap-table.xlsx",
    "ledger get": "GET /api/v1/ledger",
    "ledger verify": "POST /api/v1/ledger/verify",
    "valuations in-force": "GET /api/v1/valuations/in-force",
    "events get": "GET /api/v1/events",
    batch: "POST /api/v1/batch",
  };
  for (const [name, route] of Object.entries(expected)) {
    const entry = found(name);
    expect([name, entry && `${entry.method} ${entry.path}`]).toEqual([name, route]);
  }
});

test.each([
  ["GET", "/api/v1/securities/next-certificate?stockClassId=a", "securities next-certificate"],
  ["GET", "/api/v1/securities/0190", "securities get"],
  ["GET", "/api/v1/stakeholders.csv", "stakeholders csv"],
  ["GET", "/api/v1/stakeholdersXcsv", null],
  ["GET", "/api/v1/securities/", null],
  ["GET", "/api/v1/approvals/{made.id}/steps/2", "approvals steps get"],
  ["POST", "/api/v1/securities/0190", null],
])("%s %s is the request of one command, in whatever order the table has them", (method, path, name) => {
  for (const table of [commands, commands.toReversed()]) {
    const entry = commandAt(table, method, path);
    expect(entry === undefined ? null : nameOf(entry)).toBe(name);
  }
});

test("no field's option is another's, or one that every command has", () => {
  const clashes = commands.flatMap((entry) => {
    const names = fieldOptionsOf(entry).map(({ option }) => option);
    const all = [...names, ...OWN];
    return all.filter((name, at) => all.indexOf(name) !== at).map((name) => `${nameOf(entry)} --${name}`);
  });
  expect(clashes).toEqual([]);
  const options = commands.flatMap(fieldOptionsOf);
  expect(options.length).toBeGreaterThan(700);
  expect(options.filter(({ option }) => !/^[a-z][a-z0-9.-]*$/.test(option) || option.startsWith("no-"))).toEqual([]);
});

test("a word behind a command is never taken for an argument of it", () => {
  const isParent = (entry: ApiCommand) =>
    commands.some(
      ({ words }) => words.length > entry.words.length && entry.words.every((word, at) => words[at] === word),
    );
  expect(commands.filter((entry) => isParent(entry) && parametersOf(entry).length > 0)).toEqual([]);
  expect(commands.filter(isParent).map(nameOf).sort()).toContain("models round");
});

test("deletions, and what cannot be taken back, are asked about", () => {
  const asked = commands.filter(({ isDangerous }) => isDangerous).map(nameOf);
  const deletions = commands.filter(({ method }) => method === "DELETE").map(nameOf);
  const others = ["transactions retract", "transactions split", "transactions terminate-service", "models round close"];
  expect(asked.sort()).toEqual([...deletions, ...others].sort());
});
