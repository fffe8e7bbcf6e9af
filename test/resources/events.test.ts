// The feed of events over a real socket: in order, whole, once, and from a cursor that proves itself.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { TObject } from "@sinclair/typebox";
import { present } from "../../src/kernel/assert.ts";
import { ASIDE, FOLLOWING, HIDDEN } from "../../src/resources/events/event-members.ts";
import { issueShares, makeShareClass, makeStakeholder } from "../kit/records.ts";
import { startTestServer, type TestServer } from "../kit/service.ts";
import { makeRecords, ROUTES } from "../matrix/world.ts";

interface EventShown {
  readonly id: string;
  readonly type: string;
  readonly timestamp: string;
  readonly data: {
    readonly resourceType: string;
    readonly resourceId: string | null;
    readonly url: string | null;
    readonly changed: readonly string[];
    readonly states: Readonly<Record<string, string>>;
    readonly actor: string | null;
    readonly requestId: string | null;
    readonly transaction?: Readonly<Record<string, unknown>>;
  };
}

interface Page {
  readonly items: readonly EventShown[];
  readonly cursor: string;
  readonly hasMore: boolean;
}

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ CAPTABLE_ENV: "test" });
});
afterAll(() => server.stop());

type Options = Parameters<TestServer["api"]>[3];

async function page(query: string, options?: Options): Promise<Page> {
  const { status, json, text } = await server.api("GET", `/events?${query}`, undefined, options);
  if (status !== 200) throw new Error(`${query}: ${status} ${text}`);
  return json;
}

/** Everything from a cursor on, by pages. */
async function follow(query: string, limit = 500, options?: Options): Promise<EventShown[]> {
  const all: EventShown[] = [];
  let more = query;
  for (;;) {
    const { items, cursor, hasMore } = await page(`${more}&limit=${limit}`, options);
    all.push(...items);
    if (!hasMore) return all;
    const types = new URLSearchParams(query).get("types");
    more = `after=${cursor}${types === null ? "" : `&types=${types}`}`;
  }
}
const latest = async (options?: Options) => (await page("after=latest", options)).cursor;
const typesOf = (events: readonly EventShown[]) => events.map(({ type }) => type);
const refusalOf = async (query: string) => {
  const { status, json } = await server.api("GET", `/events?${query}`);
  return [status, json.errors?.map(({ parameter }: { parameter: string }) => parameter)];
};

describe("an event", () => {
  test("of each change of a record: made, changed, its state, deleted", async () => {
    const after = await latest();
    const id = await makeStakeholder(server, { displayName: "Ada" });
    const requestId = "0190f5a2-6c1e-7b3a-9d4e-bbbbbbbbbbbb";
    const change = { displayName: "Ada King", status: "FORMER" };
    await server.api("PATCH", `/stakeholders/${id}`, change, { headers: { "x-request-id": requestId } });
    await server.api("DELETE", `/stakeholders/${id}`);
    const events = await follow(`after=${after}`);
    const of = events.filter(({ type }) => type.startsWith("stakeholder."));
    expect(typesOf(events).filter((type) => type.startsWith("transaction."))).toEqual([
      "transaction.stakeholder_update",
    ]);
    expect(typesOf(of)).toEqual(["stakeholder.created", "stakeholder.updated", "stakeholder.deleted"]);
    const [made, changed, deleted] = of;
    const url = `/api/v1/stakeholders/${id}`;
    const { orgId } = server;
    expect(made?.data).toMatchObject({
      orgId,
      resourceType: "stakeholder",
      resourceId: id,
      url,
      changed: [],
      states: {},
    });
    expect(changed?.data).toMatchObject({ url, changed: ["displayName", "status"], states: { status: "FORMER" } });
    expect(changed?.data).toMatchObject({ actor: "api-key", requestId });
    expect(deleted?.data).toMatchObject({ url: null, changed: [], states: {} });
    expect(made?.id).toMatch(/^evt_[0-9a-f]{32}$/);
    expect(JSON.stringify(of)).not.toContain("Ada");
    const { items } = (await server.api("GET", `/audit-log?resourceId=${id}`)).json;
    const rows = items.toReversed();
    expect(of.map((event) => event.id)).toEqual(rows.map((row: { hash: string }) => `evt_${row.hash.slice(0, 32)}`));
    expect(of.map(({ timestamp }) => timestamp)).toEqual(rows.map((row: { at: string }) => row.at));
  });

  test("of an entry of the ledger has the entry, and comes before what it changed", async () => {
    const [stakeholderId, stockClassId] = [await makeStakeholder(server), await makeShareClass(server)];
    const after = await latest();
    const securityId = await issueShares(server, { stakeholderId, stockClassId });
    const events = await follow(`after=${after}`);
    expect(typesOf(events)).toEqual(["transaction.stock_issuance", "security.created"]);
    const [issued, made] = events;
    const { data } = (await server.api("GET", "/transactions?limit=1")).json;
    expect(issued?.data.transaction).toEqual(data[0]);
    expect(issued?.data).toMatchObject({
      resourceType: "transaction",
      url: `/api/v1/transactions/${data[0].id}`,
      actor: null,
    });
    expect(issued?.id).toBe(`evt_${data[0].hash.slice(0, 32)}`);
    expect(made?.data).toMatchObject({ resourceId: securityId, url: `/api/v1/securities/${securityId}` });
    expect("transaction" in (made?.data ?? {})).toBe(false);
  });

  test("of an approval's step names its address, and a plan's name as answers do", async () => {
    const body = { title: "A", entityType: "Other", steps: [{ name: "Board" }] };
    const { data } = (await server.api("POST", "/approvals", body)).json;
    const stepId = data.steps[0].id;
    const plan = (await server.api("POST", "/equity-plans", { planName: "P", initialSharesReserved: "10" })).json.id;
    const after = await latest();
    await server.api("PATCH", `/approvals/${data.id}/steps/${stepId}`, { name: "The board" });
    await server.api("POST", `/approvals/${data.id}/submit`);
    await server.api("PATCH", `/equity-plans/${plan}`, { planName: "Q" });
    const events = await follow(`after=${after}`);
    expect(typesOf(events)).toEqual(["approval_step.updated", "approval.updated", "equity_plan.updated"]);
    expect(events[0]?.data.url).toBe(`/api/v1/approvals/${data.id}/steps/${stepId}`);
    expect(events[1]?.data.states).toEqual({ state: "Submitted" });
    expect(events[2]?.data.changed).toEqual(["planName", "name"]);
  });

  test("of keys, members and invitations is an administrator's alone", async () => {
    const after = await latest();
    const key = (await server.api("POST", "/api-keys", { name: "K", role: "VIEWER" })).json.id;
    await server.api("DELETE", `/api-keys/${key}`);
    const invited = { email: "grace@example.com", role: "EDITOR" };
    const invitation = (await server.api("POST", "/invitations", invited)).json.id;
    await server.api("DELETE", `/invitations/${invitation}`);
    const own = ["api_key.created", "api_key.deleted", "invitation.created", "invitation.deleted"];
    expect(typesOf(await follow(`after=${after}`))).toEqual(own);
    expect(await follow(`after=${after}`, 500, { role: "EDITOR" })).toEqual([]);
    expect(await follow(`after=${after}&types=api_key.*`, 500, { role: "VIEWER" })).toEqual([]);
  });

  test("is of no other organization", async () => {
    const orgId = await server.newOrganization();
    const after = await latest();
    await makeStakeholder(server, {}, { orgId });
    expect(await follow(`after=${after}`)).toEqual([]);
    expect(typesOf(await follow("", 500, { orgId }))).toEqual([
      "organization.created",
      "api_key.created",
      "stakeholder.created",
    ]);
  });

  test("names the members that answers show: each column of a record is one, follows from one, or is hidden", () => {
    const tables: Readonly<Record<string, string>> = {
      ...{ organization: "organizations", stakeholder: "stakeholders", share_class: "share_classes" },
      ...{ security: "securities", valuation: "valuations", equity_plan: "equity_plans" },
      ...{ vesting_terms: "vesting_terms", vesting_milestone: "vesting_milestones", approval: "approvals" },
      ...{ corporate_action: "corporate_actions", approval_step: "approval_steps", document: "documents" },
      ...{ stock_legend: "stock_legends", scenario: "scenarios", api_key: "api_keys", member: "memberships" },
    };
    const segments: Readonly<Record<string, string>> = {
      ...{ organization: "organization", vesting_terms: "vesting-terms/:id", security: "securities/:id" },
      ...{ share_class: "share-classes/:id", approval_step: "approvals/:id/steps/:stepId" },
    };
    for (const [noun, table] of Object.entries(tables)) {
      const path = `/api/v1/${segments[noun] ?? `${noun.replaceAll("_", "-")}s/:id`}`;
      const route = ROUTES.find((each) => each.method === "GET" && each.path === path);
      const { properties } = present(route?.response, path) as TObject;
      const shown = Object.keys(properties.data?.properties ?? properties);
      const db = server.app.reader.sqlite;
      const columns = db.prepare<[], string>(`select name from pragma_table_info('${table}')`).pluck().all();
      const hidden = HIDDEN[noun as keyof typeof HIDDEN] ?? [];
      expect([noun, columns.filter((name) => !shown.includes(name) && !ASIDE.includes(name)).sort()]).toEqual([
        noun,
        [...hidden].sort(),
      ]);
      const following = Object.entries(FOLLOWING[noun as keyof typeof FOLLOWING] ?? {});
      for (const [column, members] of following) {
        expect(columns).toContain(column);
        for (const member of members) expect(shown).toContain(member);
      }
    }
  });
});

describe("a reader", () => {
  test("gets everything once and in order, whatever its pages, beside writers", async () => {
    const orgId = await server.newOrganization();
    const where = { orgId };
    const stockClassId = await makeShareClass(server, { initialSharesAuthorized: "100000000" }, where);
    const write = async () => {
      for (let n = 0; n < 12; n++) {
        const stakeholderId = await makeStakeholder(server, {}, where);
        await issueShares(server, { stakeholderId, stockClassId }, where);
      }
    };
    let isWriting = true;
    const writing = Promise.all(Array.from({ length: 8 }, write)).then(() => {
      isWriting = false;
    });
    const read = async (limit: number) => {
      const seen: EventShown[] = [];
      let [query, isLast] = ["", false];
      for (;;) {
        const { items, cursor, hasMore } = await page(`${query}&limit=${limit}`, where);
        seen.push(...items);
        query = `after=${cursor}`;
        if (!hasMore && isLast) return seen;
        isLast = !isWriting;
      }
    };
    const readers = await Promise.all([read(1), read(7), read(100), read(500)]);
    await writing;
    const { items } = (await server.api("GET", "/audit-log?limit=1", undefined, where)).json;
    const { data } = (await server.api("GET", "/transactions?limit=1", undefined, where)).json;
    const whole = await follow("", 500, where);
    expect(whole.length).toBe(items[0].sequence + data[0].sequence);
    for (const seen of readers) {
      expect(new Set(seen.map(({ id }) => id)).size).toBe(seen.length);
      // Each list is in its own order; of both together the order is that of the moment at which they are read.
      for (const isEntry of [true, false]) {
        const of = (events: readonly EventShown[]) =>
          events.flatMap(({ id, data }) => ("transaction" in data === isEntry ? [id] : []));
        expect(of(seen)).toEqual(of(whole));
      }
    }
    expect(typesOf(whole).filter((type) => type === "transaction.stock_issuance").length).toBe(96);
  });

  test("asks for types: exact ones, all of a noun, all", async () => {
    const orgId = await server.newOrganization();
    await makeRecords(server, orgId);
    const where = { orgId };
    const whole = await follow("", 500, where);
    const of = (types: string) => follow(`types=${types}`, 500, where);
    expect(await of("*")).toEqual(whole);
    expect(await of("security.*")).toEqual(whole.filter(({ type }) => type.startsWith("security.")));
    expect(typesOf(await of("transaction.stock_issuance,approval.created"))).toEqual([
      "approval.created",
      "transaction.stock_issuance",
    ]);
    expect(typesOf(await of("security.deleted"))).toEqual([]);
    for (const types of ["nothing.created", "security", "security.moved", "", "*.created", ",", "Security.created"]) {
      expect([types, await refusalOf(`types=${types}`)]).toEqual([types, [422, ["types"]]]);
    }
    const many = Array.from({ length: 51 }, (_, n) => (n === 0 ? "*" : `security.updated${"x".repeat(n)}`)).join(",");
    expect(await refusalOf(`types=${many}`)).toEqual([422, ["types"]]);
  });

  test("begins at an instant, at a cursor, now, or with the first event", async () => {
    const orgId = await server.newOrganization();
    const where = { orgId };
    await makeStakeholder(server, {}, where);
    const [, , second] = await follow("", 500, where);
    const since = async (instant: string) => typesOf(await follow(`since=${encodeURIComponent(instant)}`, 500, where));
    expect(await since("2000-01-01T00:00:00Z")).toEqual([
      "organization.created",
      "api_key.created",
      "stakeholder.created",
    ]);
    expect(await since(second?.timestamp ?? "")).toContain("stakeholder.created");
    expect(await since("9000-01-01T00:00:00+02:00")).toEqual([]);
    expect(await follow("after=latest", 500, where)).toEqual([]);
    expect(await refusalOf("after=latest&since=2026-01-01T00:00:00Z")).toEqual([422, ["since"]]);
    expect(await refusalOf("since=yesterday")).toEqual([422, ["since"]]);
    expect(await refusalOf("after=abc&limit=x")).toEqual([422, ["after", "limit"]]);
  });

  test("whose cursor is of other data is led back", async () => {
    const other = await server.newOrganization();
    await makeStakeholder(server, {}, { orgId: other });
    const foreign = await latest({ orgId: other });
    const { status, json } = await server.api("GET", `/events?after=${foreign}`);
    expect([status, json.type.split("/").at(-1)]).toEqual([409, "events-rewound"]);
    expect((await page(`after=${json.cursor}&limit=1`)).items).toEqual((await page("limit=1")).items);
  });
});
