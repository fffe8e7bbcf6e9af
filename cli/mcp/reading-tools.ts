// The tools that read: each is one request that a VIEWER may send.
import type { JsonSchemaType } from "@modelcontextprotocol/server";
import { isRow, type Row, rowsOf } from "../api/output.ts";
import { answered, fitted, Refusal } from "./answer.ts";
import type { Operations } from "./operations.ts";
import { pageThatFits } from "./pages.ts";
import { type Query, type Requests, recordPath } from "./requests.ts";
import { type Args, type Tool, text } from "./tool.ts";

/** The records that are offered, by the last segment of their list's address. */
export const RESOURCES = [
  "stakeholders",
  "share-classes",
  "securities",
  "valuations",
  "equity-plans",
  "vesting-terms",
  "vesting-milestones",
  "corporate-actions",
  "approvals",
  "documents",
  "stock-legends",
  "scenarios",
  "checkpoints",
  "transactions",
] as const;
/** Records that have an address and no list of their own. */
const LISTLESS = ["acceptances"] as const;
/** The records that have an address. */
export const RECORDS: readonly string[] = [...RESOURCES, ...LISTLESS];

/** Events about keys, people and endpoints, which no tool shows, whatever the key may read. */
const HIDDEN = /^(api_key|member|invitation|webhook_endpoint)\./;

const PAGE = 50;
const PAGE_MAX = 100;

const string = (description: string): JsonSchemaType => ({ type: "string", maxLength: 500, description });
const asOf = string("A date as 2026-06-30: as it was at the end of that day. Default: today.");
const cursor = string("Where to go on: the cursor of the last answer.");
const id = (of: string) => string(`The id of ${of}.`);
const limit: JsonSchemaType = { type: "integer", minimum: 1, maximum: PAGE_MAX, description: `Default ${PAGE}.` };
const model: JsonSchemaType = {
  type: "object",
  description: "The body as the API takes it; describe_operation has its schema and an example.",
};

/** What a tool that reads one answer needs. */
interface Reading extends Pick<Tool, "name" | "title" | "description" | "args" | "required"> {
  readonly read: (requests: Requests, args: Args, signal: AbortSignal) => Promise<Row>;
}

/** What a tool that reads a page needs. */
interface Listing extends Pick<Tool, "name" | "title" | "description" | "args" | "required"> {
  readonly place: (args: Args) => readonly [path: string, query: Query];
  /** What of a page is shown; default all. */
  readonly shown?: (page: Row) => Row;
}

/** In the order in which they are listed. */
const TOOLS: readonly (Reading | Listing)[] = [
  {
    name: "get_summary",
    title: "Summary",
    description: "The company, and its cap table in a few numbers. Begin here.",
    args: {},
    read: (requests, _, signal) => summaryOf(requests, signal),
  },
  {
    name: "get_cap_table",
    title: "Cap table",
    description: "Classes, plans, holders with their holdings, and totals, on a date and as known at an instant.",
    args: { asOf, knownAt: string("An instant as 2026-06-30T12:00:00Z: what was recorded by then. Default: now.") },
    read: (requests, args, signal) => requests.get("/api/v1/cap-table", taken(args, "asOf", "knownAt"), signal),
  },
  {
    name: "list_holders",
    title: "Holders",
    description: "Holders with their totals and percentages, without single holdings (get_position has those).",
    args: { asOf, q: string("Only those whose name has this in it.") },
    async read(requests, args, signal) {
      const { data } = await requests.get("/api/v1/cap-table", taken(args, "asOf"), signal);
      if (!isRow(data)) throw new Refusal("the server answered no cap table");
      const sought = text(args, "q")?.toLowerCase() ?? "";
      const rows = (Array.isArray(data.stakeholders) ? data.stakeholders : []).filter(isRow);
      const found = rows.filter(({ displayName }) => String(displayName).toLowerCase().includes(sought));
      return { asOf: data.asOf, knownAt: data.knownAt, holders: found.map(({ holdings, ...totals }) => totals) };
    },
  },
  {
    name: "get_position",
    title: "Position of a holder",
    description: "All that one holder has on a date, security by security, with vesting.",
    args: { stakeholderId: id("the holder"), asOf },
    required: ["stakeholderId"],
    read: (requests, args, signal) =>
      requests.get(recordPath("stakeholders", given(args, "stakeholderId"), "/position"), taken(args, "asOf"), signal),
  },
  {
    name: "find_records",
    title: "Find records",
    description:
      "Records of one kind, by filters of the API's list, such as status, type, stakeholderId, q, ids, sort.",
    args: {
      resource: { type: "string", enum: [...RESOURCES] },
      filters: { type: "object", additionalProperties: { type: "string" }, description: "Parameters of the list." },
      limit,
      cursor,
    },
    required: ["resource"],
    place: (args) => [`/api/v1/${given(args, "resource")}`, { ...filtersOf(args), ...taken(args, "cursor") }],
  },
  {
    name: "get_record",
    title: "Record",
    description: "One record with all its fields.",
    args: { resource: { type: "string", enum: [...RECORDS] }, id: id("the record") },
    required: ["resource", "id"],
    read: (requests, args, signal) => requests.get(recordPath(given(args, "resource"), given(args, "id")), {}, signal),
  },
  {
    name: "get_vesting",
    title: "Vesting of a security",
    description: "The schedule of a grant, and what of it has vested on a date.",
    args: { securityId: id("the security"), asOf },
    required: ["securityId"],
    read: (requests, args, signal) =>
      requests.get(recordPath("securities", given(args, "securityId"), "/vesting"), taken(args, "asOf"), signal),
  },
  {
    name: "list_transactions",
    title: "Transactions",
    description: "Entries of the ledger, newest first.",
    args: {
      type: string("Such as STOCK_ISSUANCE."),
      securityId: id("a security"),
      stakeholderId: id("a holder"),
      from: string("The first effective date."),
      to: string("The last effective date."),
      limit,
      cursor,
    },
    place: (args) => [
      "/api/v1/transactions",
      taken(args, "type", "securityId", "stakeholderId", "from", "to", "cursor"),
    ],
  },
  {
    name: "get_health",
    title: "Health report",
    description: "What in the records is wrong, missing or about to be.",
    args: {},
    read: (requests, _, signal) => requests.get("/api/v1/cap-table/health", {}, signal),
  },
  {
    name: "get_dates",
    title: "Dates",
    description:
      "What is due between two dates: exercise windows, maturities, vesting, valuations. Default: a year on.",
    args: { from: string("The first day."), to: string("The last day."), kinds: string("Kinds, with commas between.") },
    read: (requests, args, signal) => requests.get("/api/v1/dates", taken(args, "from", "to", "kinds"), signal),
  },
  {
    name: "get_events",
    title: "Events",
    description: "What happened, oldest first; with after: latest only the place from which to look again later.",
    args: {
      after: string("The cursor of the last answer, or latest. Default: from the first event."),
      types: string("Types, with commas between them: transaction.*, security.updated."),
      limit,
    },
    place: (args) => ["/api/v1/events", taken(args, "after", "types")],
    shown: (page) => ({ ...page, items: (rowsOf(page) ?? []).filter(({ type }) => !HIDDEN.test(String(type))) }),
  },
  {
    name: "model_round",
    title: "Model a round",
    description: "What a financing round would do to every holder. Nothing is recorded.",
    args: { body: model },
    required: ["body"],
    read: (requests, args, signal) => requests.ask("/api/v1/models/round", args.body, signal),
  },
  {
    name: "model_exit",
    title: "Model an exit",
    description: "What each holder would receive in a sale (a waterfall). Nothing is recorded.",
    args: { body: model },
    required: ["body"],
    read: (requests, args, signal) => requests.ask("/api/v1/models/waterfall", args.body, signal),
  },
];

/** The company, and its cap table in a few numbers. */
export async function summaryOf(requests: Requests, signal?: AbortSignal): Promise<Row> {
  const [organization, { data }] = await Promise.all([
    requests.get("/api/v1/organization", {}, signal),
    requests.get("/api/v1/cap-table/summary", {}, signal),
  ]);
  return { organization, summary: data };
}

/** The tools that read. */
export function readingTools(requests: Requests, operations: Operations): readonly Tool[] {
  const tools = TOOLS.map((each) => ("read" in each ? wholeTool(each, requests) : pagedTool(each, requests)));
  return [...tools, describingTool(operations)];
}

/** A tool whose answer has no pages: it is cut to what fits, and read on by a cursor of the cut. */
function wholeTool({ read, args, ...about }: Reading, requests: Requests): Tool {
  return {
    ...about,
    does: "reads",
    args: { ...args, cursor },
    run: async (given, { mcpReq: { signal } }) =>
      answered(fitted(await read(requests, given, signal), text(given, "cursor"))),
  };
}

/** A tool whose answer is a page of the server's. */
function pagedTool({ place, shown = (page) => page, ...about }: Listing, requests: Requests): Tool {
  return {
    ...about,
    does: "reads",
    run: async (given, { mcpReq: { signal } }) => {
      const [path, query] = place(given);
      const page = await pageThatFits(requests, path, { ...query, limit: Number(given.limit ?? PAGE) }, signal);
      return answered(shown(page));
    },
  };
}

/** The tool that says what changes and models take. */
function describingTool(operations: Operations): Tool {
  return {
    name: "describe_operation",
    title: "Describe an operation",
    description: "JSON Schema and an example of an operation's body; without an argument the list of operations.",
    args: { operation: string("Its name, such as issueShares.") },
    does: "reads",
    async run(args) {
      const name = text(args, "operation");
      return answered(name === undefined ? fitted(await operations.list()) : await operations.describe(name));
    },
  };
}

/** Arguments that are parameters of the query by the same name. */
function taken(args: Args, ...names: readonly string[]): Query {
  return Object.fromEntries(names.map((name) => [name, text(args, name)]));
}

/** An argument that the tool's schema demands. */
function given(args: Args, name: string): string {
  return text(args, name) ?? "";
}

function filtersOf({ filters }: Args): Query {
  return isRow(filters)
    ? Object.fromEntries(Object.entries(filters).map(([name, value]) => [name, String(value)]))
    : {};
}
