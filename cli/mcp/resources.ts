// Resources: the summary, the cap table on a date, and each record, by an address of their own.
import { type McpServer, ProtocolError, ProtocolErrorCode, ResourceTemplate } from "@modelcontextprotocol/server";
import type { Row } from "../api/output.ts";
import { fitted, refused } from "./answer.ts";
import { RECORDS, summaryOf } from "./reading-tools.ts";
import { type Query, type Requests, recordPath } from "./requests.ts";

const JSON_TYPE = "application/json";

/** Offers them. */
export function addResources(server: McpServer, requests: Requests): void {
  const capTable = (query: Query) => requests.get("/api/v1/cap-table", query);
  const summary = { title: "Summary", description: "The company and its totals.", mimeType: JSON_TYPE };
  server.registerResource("summary", "captable://summary", summary, (uri) => read(uri, () => summaryOf(requests)));
  const table = { title: "Cap table", description: "The cap table today.", mimeType: JSON_TYPE };
  server.registerResource("cap-table", "captable://cap-table", table, (uri) => read(uri, () => capTable({})));
  server.registerResource(
    "cap-table-on",
    new ResourceTemplate("captable://cap-table{?asOf}", { list: undefined }),
    { ...table, description: "The cap table on a date." },
    (uri, { asOf }) => read(uri, () => capTable({ asOf: one(asOf) })),
  );
  server.registerResource(
    "record",
    new ResourceTemplate("captable://{resource}/{id}", { list: undefined }),
    { title: "Record", description: `A record: ${RECORDS.join(", ")}.`, mimeType: JSON_TYPE },
    (uri, { resource, id }) => read(uri, () => recordOf(requests, one(resource), one(id))),
  );
}

function one(value: string | readonly string[] | undefined): string {
  return typeof value === "string" ? value : (value?.[0] ?? "");
}

async function recordOf(requests: Requests, resource: string, id: string): Promise<Row> {
  if (!RECORDS.includes(resource)) throw new TypeError(`${resource} are no records that are offered`);
  return requests.get(recordPath(resource, id));
}

/** What a resource holds. A refusal is an error of the protocol. */
async function read(uri: URL, answer: () => Promise<Row>) {
  try {
    const text = JSON.stringify(fitted(await answer()));
    return { contents: [{ uri: uri.href, mimeType: JSON_TYPE, text }] };
  } catch (failure) {
    const [said] = refused(failure).content;
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, said?.type === "text" ? said.text : "refused");
  }
}
