// The stream of events over a real socket: what happens is there at once, once, and in order; who may not read any more is
// told so at its end; a client that reads nothing holds no memory.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { BEGINNING } from "../../src/resources/events/cursor.ts";
import { LiveFeed } from "../../src/resources/events/live.ts";
import { signedIn } from "../kit/people.ts";
import { makeStakeholder } from "../kit/records.ts";
import { startTestServer, type TestServer } from "../kit/service.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ CAPTABLE_ENV: "test" });
});
afterAll(() => server.stop());

/** A block of a stream: its fields by name. */
type Block = Readonly<Record<string, string>>;

/** A client of the stream, which reads a block when it is asked for one. */
class Client {
  readonly response: Response;
  readonly #abort: AbortController;
  readonly #reader;
  #text = "";

  private constructor(response: Response, abort: AbortController) {
    this.response = response;
    this.#abort = abort;
    this.#reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  }

  static async open(query = "", headers: Record<string, string> = {}, key?: string): Promise<Client> {
    const abort = new AbortController();
    const authorization = `Bearer ${key ?? (await server.key("ADMIN"))}`;
    const given = "cookie" in headers ? headers : { authorization, ...headers };
    const response = await fetch(`${server.url}/api/v1/events/stream${query}`, {
      headers: given,
      signal: abort.signal,
    });
    return new Client(response, abort);
  }

  /** The next block; null at the end. */
  async next(): Promise<Block | null> {
    for (;;) {
      const end = this.#text.indexOf("\n\n");
      if (end >= 0) {
        const lines = this.#text.slice(0, end).split("\n");
        this.#text = this.#text.slice(end + 2);
        return Object.fromEntries(lines.map((line) => /^(\w+): (.*)$/.exec(line)?.slice(1) ?? [line, ""]));
      }
      const read = await this.#reader?.read();
      if (read === undefined || read.done) return null;
      this.#text += read.value;
    }
  }

  /** So many blocks. */
  async take(count: number): Promise<Block[]> {
    const blocks: Block[] = [];
    for (let n = 0; n < count; n++) {
      const block = await this.next();
      if (block === null) throw new Error(`the stream ended after ${n} of ${count} blocks`);
      blocks.push(block);
    }
    return blocks;
  }

  async leave(): Promise<void> {
    this.#abort.abort();
    await this.#reader?.cancel().catch(() => undefined);
  }
}

const eventsOf = (blocks: readonly Block[]) => blocks.map(({ data = "" }) => JSON.parse(data));
const page = async (query: string) => (await server.api("GET", `/events?${query}`)).json;
const streams = async () => {
  const text = await (await fetch(`${server.url}/metrics`)).text();
  return Number(/^captable_event_streams (\d+)$/m.exec(text)?.[1]);
};
const noneIsOpen = async () => {
  while ((await streams()) > 0) await Bun.sleep(5);
};

describe("a stream", () => {
  test("begins now, and has each event once, in order, with its cursor", async () => {
    const client = await Client.open();
    const { headers, status } = client.response;
    expect([status, headers.get("content-type"), headers.get("x-accel-buffering")]).toEqual([
      ...[200, "text/event-stream", "no"],
    ]);
    expect(await client.next()).toEqual({ retry: "2000" });
    const before = (await page("after=latest")).cursor;
    const ids = [await makeStakeholder(server), await makeStakeholder(server), await makeStakeholder(server)];
    const blocks = await client.take(3);
    await client.leave();
    const { items, cursor } = await page(`after=${before}`);
    expect(eventsOf(blocks)).toEqual(items);
    expect(items.map((event: { data: { resourceId: string } }) => event.data.resourceId)).toEqual(ids);
    expect(blocks.at(-1)?.id).toBe(cursor);
    // From the cursor of the first message on come the other two.
    expect((await page(`after=${blocks[0]?.id}`)).items).toEqual(items.slice(1));
    await noneIsOpen();
  });

  test("begins behind a cursor, which the header names before the query", async () => {
    const before = (await page("after=latest")).cursor;
    await makeStakeholder(server);
    const between = (await page("after=latest")).cursor;
    const last = await makeStakeholder(server);
    // An empty header is no place.
    const all = await Client.open(`?after=${before}`, { "last-event-id": "" });
    expect(eventsOf((await all.take(3)).slice(1)).length).toBe(2);
    const one = await Client.open(`?after=${before}&types=stakeholder.*`, { "last-event-id": between });
    const [, only] = await one.take(2);
    expect(eventsOf([only ?? {}])[0].data.resourceId).toBe(last);
    await Promise.all([all.leave(), one.leave()]);
    await noneIsOpen();
  });

  test("has the types that are asked for, and those of administrators for them alone", async () => {
    const before = (await page("after=latest")).cursor;
    const types = await Client.open(`?after=${before}&types=stock_legend.created`);
    const viewer = await Client.open(`?after=${before}`, {}, await server.key("VIEWER"));
    await makeStakeholder(server);
    const made = (await server.api("POST", "/api-keys", { name: "K", role: "VIEWER" })).json.id;
    const legend = (await server.api("POST", "/stock-legends", { name: "L", text: "T" })).json.id;
    const [, only] = await types.take(2);
    expect(eventsOf([only ?? {}])[0].data.resourceId).toBe(legend);
    const seen = eventsOf((await viewer.take(3)).slice(1)).map(({ data }) => data.resourceId);
    expect(seen).not.toContain(made);
    expect(seen.at(-1)).toBe(legend);
    await Promise.all([types.leave(), viewer.leave()]);
    await noneIsOpen();
  });

  test("is refused as a page is: other forms, unknown types, other data", async () => {
    for (const [query, headers, where] of [
      ["?after=abc", {}, "after"],
      ["?types=nothing", {}, "types"],
      ["?since=2026-01-01T00:00:00Z", {}, "since"],
      ["", { "last-event-id": "abc" }, "Last-Event-ID"],
    ] as const) {
      const { status, json } = await server.api("GET", `/events/stream${query}`, undefined, { headers });
      expect([status, json.errors[0].parameter ?? json.errors[0].header]).toEqual([422, where]);
    }
    const orgId = await server.newOrganization();
    await makeStakeholder(server, {}, { orgId });
    const foreign = (await server.api("GET", "/events?after=latest", undefined, { orgId })).json.cursor;
    const headers = { "last-event-id": foreign };
    const { status, json } = await server.api("GET", "/events/stream", undefined, { headers });
    expect([status, json.type.split("/").at(-1)]).toEqual([409, "events-rewound"]);
    expect(await streams()).toBe(0);
  });

  test("ends where its key is revoked, its session ends, or its member goes", async () => {
    const made = (await server.api("POST", "/api-keys", { name: "K", role: "VIEWER" })).json;
    const ofKey = await Client.open("", {}, made.key);
    const person = await signedIn(server, { role: "VIEWER" });
    const cookie = `${person.cookieName}=${person.token}`;
    const headers = { cookie, "captable-organization": server.orgId, "sec-fetch-site": "same-origin" };
    const ofPerson = await Client.open("", headers);
    await Promise.all([ofKey.take(1), ofPerson.take(1)]);
    await server.api("DELETE", `/api-keys/${made.id}`);
    const last = async (client: Client) => {
      for (let block: Block | null = {}; ; ) {
        const next = await client.next();
        if (next === null) return block;
        block = next;
      }
    };
    expect(await last(ofKey)).toEqual({ event: "end", data: '{"reason":"unauthorized"}' });
    await server.api("DELETE", `/members/${person.memberId}`);
    expect((await last(ofPerson))?.event).toBe("end");
    await noneIsOpen();
  });

  test("tells a member who is an administrator no more nothing of keys", async () => {
    const person = await signedIn(server, { role: "ADMIN" });
    const cookie = `${person.cookieName}=${person.token}`;
    const headers = { cookie, "captable-organization": server.orgId, "sec-fetch-site": "same-origin" };
    const client = await Client.open("?types=api_key.created,stakeholder.created", headers);
    await client.take(1);
    const made = async () => (await server.api("POST", "/api-keys", { name: "K", role: "VIEWER" })).json.id;
    const first = await made();
    expect(eventsOf(await client.take(1))[0].data.resourceId).toBe(first);
    await server.api("PATCH", `/members/${person.memberId}`, { role: "VIEWER" });
    await made();
    const holder = await makeStakeholder(server);
    expect(eventsOf(await client.take(1))[0].data.resourceId).toBe(holder);
    await client.leave();
    await noneIsOpen();
  });

  test("of a key are 20 at most; those that left count no more", async () => {
    const key = await server.key("EDITOR");
    const clients = await Promise.all(Array.from({ length: 20 }, () => Client.open("", {}, key)));
    expect(clients.map(({ response }) => response.status)).toEqual(clients.map(() => 200));
    const refused = await Client.open("", {}, key);
    expect([refused.response.status, refused.response.headers.get("retry-after")]).toEqual([429, "30"]);
    await refused.leave();
    await Promise.all(clients.map((client) => client.leave()));
    await noneIsOpen();
    const again = await Client.open("", {}, key);
    expect(again.response.status).toBe(200);
    await again.leave();
    await noneIsOpen();
  });

  test("is not begun by HEAD", async () => {
    const authorization = `Bearer ${await server.key("ADMIN")}`;
    const response = await fetch(`${server.url}/api/v1/events/stream`, { method: "HEAD", headers: { authorization } });
    expect([response.status, await streams()]).toEqual([200, 0]);
  });
});

test("streams at one place share what is read in one look, of which little is kept", () => {
  const { orgId } = server;
  const look = {};
  const read = (types: string) =>
    new LiveFeed({ orgId, from: BEGINNING, isAsked: () => true, types }).next(server.app.reader, {
      look,
      role: "ADMIN",
    });
  const first = read("*");
  expect(read("*")).toBe(first);
  for (let n = 0; n < 15; n++) read(`${n}`);
  expect(read("*")).toBe(first);
  read("16");
  expect(read("*")).not.toBe(first);
  expect(read("*")).toEqual(first);
});

test("all streams of an organization have what 10 clients write at once, in one order", async () => {
  const before = (await page("after=latest")).cursor;
  const clients = await Promise.all(Array.from({ length: 10 }, () => Client.open(`?after=${before}`)));
  const written = 100;
  await Promise.all(
    Array.from({ length: 10 }, async () => {
      for (let n = 0; n < written / 10; n++) await makeStakeholder(server);
    }),
  );
  const seen = await Promise.all(clients.map(async (client) => eventsOf((await client.take(written + 1)).slice(1))));
  const { items } = await page(`after=${before}&limit=500`);
  for (const events of seen) expect(events).toEqual(items);
  await Promise.all(clients.map((client) => client.leave()));
  await noneIsOpen();
});

test("a server that stops says so, at once", async () => {
  const own = await startTestServer({ CAPTABLE_ENV: "test" });
  const response = await fetch(`${own.url}/api/v1/events/stream`, {
    headers: { authorization: `Bearer ${await own.key("ADMIN")}` },
  });
  const stopped = own.stop();
  expect(await response.text()).toEndWith('event: end\ndata: {"reason":"server-stops"}\n\n');
  await stopped;
});
