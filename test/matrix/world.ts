// Two organizations with a record of every kind each, made over HTTP, and the routes to walk.

import type { Route } from "../../src/resources/route.ts";
import { insertCheckpoint } from "../../src/safekeeping/checkpoint/kept-store.ts";
import { allRoutes } from "../../src/server/routes.ts";
import type { Writer } from "../../src/storage/database/writer.ts";
import { makeMember, signedIn } from "../kit/people.ts";
import { makeStakeholder } from "../kit/records.ts";
import type { TestServer } from "../kit/service.ts";

/** Every route of the service. */
export const ROUTES: readonly Route[] = allRoutes("test");

/** A route's path below `/api/v1`, with `{id}` for parameters. */
export function pathOf(route: Route): string {
  return route.path.replace("/api/v1", "").replace(/:([a-zA-Z]+)/g, "{$1}");
}

/** `METHOD /path`, as the tables of expectations name a route. */
export function nameOf(route: Route): string {
  return `${route.method} ${pathOf(route)}`;
}

/** The path with its parameters filled in; a step's id is looked for under `steps`. */
export function fill(route: Route, ids: Readonly<Record<string, string>>): string {
  return pathOf(route).replace(/\{([a-zA-Z]+)\}/g, (_, name: string) => encodeURIComponent(ids[name] ?? ""));
}

/** Ids by URL segment (`stakeholders`, `steps`, …). */
export type Records = Readonly<Record<string, string>>;

/** What records are made with; without a writer there are no members. */
type Maker = Pick<TestServer, "api"> & { readonly app?: Pick<TestServer["app"], "writer">; readonly writer?: Writer };

/** Makes one record of every kind in an organization. */
export async function makeRecords(server: Maker, orgId: string): Promise<Records> {
  const ids: Record<string, string> = {};
  async function make(segment: string, body: unknown, path = `/${segment}`): Promise<void> {
    const answer = await server.api("POST", path, body, { orgId });
    if (answer.status !== 201) throw new Error(`POST ${path}: ${answer.status} ${answer.text}`);
    const { data } = answer.json;
    ids[segment] = answer.json.id ?? data.id ?? data.securityId;
    ids.transactions ??= data?.transactionId;
  }
  await make("api-keys", { name: "Another's", role: "VIEWER" });
  // Disabled: the tests have no network, and what is sent would be more rows.
  await make("webhook-endpoints", { url: "https://hooks.invalid/captable" });
  const endpoint = `/webhook-endpoints/${ids["webhook-endpoints"]}`;
  await server.api("PATCH", endpoint, { status: "DISABLED" }, { orgId });
  await make("deliveries", undefined, `${endpoint}/test`);
  const writer = server.writer ?? server.app?.writer;
  if (writer) {
    ids.members = (await makeMember(writer, orgId, { role: "VIEWER" })).memberId;
    await make("invitations", { email: "grace@example.com", role: "EDITOR" });
  }
  await make("documents", { title: "Charter", uri: "https://example.com/charter.pdf" });
  await makeImport(server, orgId, ids);
  await make("stock-legends", { name: "Restricted", text: "These shares are restricted." });
  await make("stakeholders", { displayName: "Ada", name: { legalName: "Ada" }, type: "INDIVIDUAL" });
  await make("share-classes", {
    name: "Common",
    classType: "COMMON",
    defaultIdPrefix: "CS-",
    initialSharesAuthorized: "1000000",
    votesPerShare: "1",
    seniority: 1,
  });
  const stockClassId = ids["share-classes"];
  await make("equity-plans", { planName: "Plan", initialSharesReserved: "1000", stockClassIds: [stockClassId] });
  await make("vesting-terms", {
    name: "Monthly",
    description: "Four years",
    vestingConditions: [
      {
        id: "month",
        trigger: { type: "TIME_BASED", periodLength: 1, periodType: "MONTHS" },
        portion: { numerator: 1, denominator: 48 },
      },
    ],
  });
  await make("valuations", { type: "409A", stockClassId, pricePerShare: "1", effectiveDate: "2026-01-01" });
  await make("vesting-milestones", { name: "First customer" });
  await make("corporate-actions", { type: "Termination", title: "End", effectiveDate: "2026-01-01" });
  await make("scenarios", { name: "As it is", model: "CAP_TABLE", input: {} });
  await make("approvals", { title: "Founders", entityType: "Other" });
  await make("steps", { name: "Board" }, `/approvals/${ids.approvals}/steps`);
  const issue = { stakeholderId: ids.stakeholders, stockClassId, quantity: "1000", effectiveDate: "2026-01-15" };
  await make("securities", { ...issue, certificateId: "CS-1" }, "/transactions/issue-shares");
  ids["audit-log"] = (await server.api("GET", "/audit-log?limit=1", undefined, { orgId })).json.items?.[0]?.id;
  if (writer) ids.checkpoints = await keepOne(writer, orgId);
  await make("acceptances", { acceptedOn: "2026-02-01" }, `/securities/${ids.securities}/acceptances`);
  return ids;
}

/** A kept checkpoint. */
async function keepOne(writer: Pick<Writer, "submit">, orgId: string): Promise<string> {
  const [id, head] = [Bun.randomUUIDv7(), "0".repeat(64)];
  const note = "text\n\n— w.example AAAAAAA=\n";
  const notes = { note, ledgerNote: note, logNote: note };
  const heads = { ledgerSize: 0, ledgerHead: head, logSize: 0, logHead: head };
  await writer.submit((tx) =>
    insertCheckpoint(tx, { orgId, id, time: "2026-01-15T00:00:00.000Z", ...heads, ...notes }),
  );
  return id;
}

/** An import, of a document of its own: `imported` names that. */
async function makeImport(server: Maker, orgId: string, ids: Record<string, string>): Promise<void> {
  const document = await server.api("POST", "/documents", { title: "Holders", path: "Stakeholders.csv" }, { orgId });
  ids.imported = document.json.id;
  const headers = { "content-type": "text/csv" };
  await server.api("PUT", `/documents/${ids.imported}/content`, "Holder,Type\nAda,Individual\n", { orgId, headers });
  const asked = await server.api("POST", "/imports", { documentId: ids.imported }, { orgId });
  if (asked.status !== 201) throw new Error(`POST /imports: ${asked.status} ${asked.text}`);
  ids.imports = asked.json.data.id;
}

/** The records that a route's path parameters name, of the given ones. */
export function pathIds(route: Route, records: Records): Record<string, string> {
  const [, first = "", second = ""] = pathOf(route).split("/");
  const segment = first === "portal" ? second : first;
  return { id: records[segment] ?? "", stepId: records.steps ?? "", deliveryId: records.deliveries ?? "" };
}

/** The same server, whose portal is asked for as a holder, by default one who holds nothing: keys have no portal. */
export async function withHolder(server: TestServer, stakeholderId?: string): Promise<TestServer> {
  const stakeholderIds = [stakeholderId ?? (await makeStakeholder(server))];
  const holder = await signedIn(server, { role: "STAKEHOLDER", stakeholderIds });
  return {
    ...server,
    api(method, path, body, options) {
      const isHolders = path.startsWith("/portal") && options?.key === undefined;
      const { headers = {} } = options ?? {};
      return isHolders ? holder.api(method, path, body, { headers }) : server.api(method, path, body, options);
    },
  };
}
