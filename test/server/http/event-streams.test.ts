// Streams of events with a reader of their own: others have their turn between two pages of what is not asked for, the
// role is asked for before each, and a stream that fails leaves its place.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { Problem } from "../../../src/kernel/problem.ts";
import type { LiveMoment, LiveReader } from "../../../src/resources/route.ts";
import { EventStreams } from "../../../src/server/http/event-streams.ts";
import type { Exchange } from "../../../src/server/http/exchange.ts";
import { DATABASE_FILE, openReadOnly } from "../../../src/storage/database/open.ts";
import type { Reader } from "../../../src/storage/database/sql.ts";
import { migratedDataDir } from "../../kit/migrated.ts";

let dataDir: string;
let reader: Reader;
beforeAll(async () => {
  dataDir = await migratedDataDir();
  reader = openReadOnly(join(dataDir, DATABASE_FILE));
});
afterAll(() => {
  reader.sqlite.close();
  rmSync(dataDir, { recursive: true });
});

const roles = ["ADMIN", "VIEWER"] as const;
let admitted = 0;

function streamsOf(limits = {}): EventStreams {
  admitted = 0;
  const admission = { admitAgain: () => ({ role: roles[Math.min(admitted++, 1)] ?? "VIEWER", stakeholderIds: [] }) };
  return new EventStreams({ reader, admission, openTurn: () => undefined, limits });
}

const exchange = (): Exchange =>
  ({
    request: new Request("http://cap.example/api/v1/events/stream"),
    params: {},
    caller: { orgId: "o", id: "k", role: "ADMIN" },
    visit: { startedMs: 0 },
  }) as never;

/** Opens a stream of a reader, and reads from it. */
function open(streams: EventStreams, next: LiveReader["next"]) {
  const stream = streams.open(() => ({ next, heartbeat: () => "id: h\n\n" }), {} as never, exchange(), {});
  const client = stream.getReader();
  return { text: async () => new TextDecoder().decode((await client.read()).value), client };
}

test("others have their turn after each page of what is not asked for, and the role is that of now", async () => {
  const streams = streamsOf();
  let turns = 0;
  const immediate = () => {
    turns++;
    if (turns < 1000) setImmediate(immediate);
  };
  const seen: { readonly role: LiveMoment["role"]; readonly turns: number }[] = [];
  const { text, client } = open(streams, (_db, { role }) => {
    if (seen.length === 0) setImmediate(immediate);
    seen.push({ role, turns });
    return seen.length < 20 ? { text: "", hasMore: true } : { text: "id: 1\n\n", hasMore: false };
  });
  expect(await text()).toBe("retry: 2000\n\n");
  expect(await text()).toBe("id: 1\n\n");
  turns = 1000;
  expect(seen.map(({ role }) => role)).toEqual(["ADMIN", ...Array.from({ length: 19 }, () => "VIEWER" as const)]);
  for (const [at, one] of seen.entries()) if (at > 0) expect(one.turns).toBeGreaterThan(seen[at - 1]?.turns ?? 0);
  await client.cancel();
  expect(streams.count).toBe(0);
});

test("for a client that takes nothing, nothing is read, whatever happens", async () => {
  const streams = streamsOf();
  let pages = 0;
  const { text, client } = open(streams, () => ({ text: `id: ${++pages}\n\n`, hasMore: true }));
  expect(await text()).toBe("retry: 2000\n\n");
  for (let n = 0; n < 1000; n++) streams.wake();
  for (let n = 0; n < 10; n++) await new Promise((resolve) => setImmediate(resolve));
  expect([pages, admitted]).toEqual([0, 0]);
  expect(await text()).toBe("id: 1\n\n");
  expect(pages).toBe(1);
  await client.cancel();
});

test("of each look a stream reads once, and all read in the same", async () => {
  const streams = streamsOf();
  const looks: [object[], object[]] = [[], []];
  const opened = looks.map((mine) =>
    open(streams, (_db, { look }) => {
      mine.push(look);
      return { text: `id: ${mine.length}\n\n`, hasMore: false };
    }),
  );
  const texts = () => Promise.all(opened.map(({ text }) => text()));
  expect(await texts()).toEqual(["retry: 2000\n\n", "retry: 2000\n\n"]);
  for (let times = 0; times < 4; times++) {
    const next = texts();
    streams.wake();
    await next;
  }
  for (const mine of looks) expect(new Set(mine).size).toBe(mine.length);
  expect(looks[0].at(-1)).toBe(looks[1].at(-1) as object);
  for (const { client } of opened) await client.cancel();
});

test("a stream that has more to read goes on without another commit", async () => {
  const streams = streamsOf();
  let pages = 0;
  const { text, client } = open(streams, () => ({ text: `id: ${++pages}\n\n`, hasMore: pages < 5 }));
  expect(await text()).toBe("retry: 2000\n\n");
  streams.wake();
  for (let page = 1; page <= 5; page++) expect(await text()).toBe(`id: ${page}\n\n`);
  await client.cancel();
});

test("a stream that fails leaves its place", async () => {
  const streams = streamsOf();
  const { text } = open(streams, () => {
    throw new TypeError("the disk is gone");
  });
  expect(await text()).toBe("retry: 2000\n\n");
  expect(streams.count).toBe(1);
  await expect(text()).rejects.toThrow("the disk is gone");
  expect(streams.count).toBe(0);
});

test("too many are told when to come again", async () => {
  for (const limits of [{ ofCaller: 1 }, { ofOrganization: 1 }, { inAll: 1 }]) {
    const streams = streamsOf(limits);
    const nothing = () => ({ text: "", hasMore: false });
    const { client } = open(streams, nothing);
    let refused: unknown;
    try {
      open(streams, nothing);
    } catch (thrown) {
      refused = thrown;
    }
    expect(refused).toBeInstanceOf(Problem);
    const { status, retryAfterSeconds } = refused as Problem;
    expect([status, retryAfterSeconds]).toEqual(["inAll" in limits ? 503 : 429, 30]);
    await client.cancel();
    expect(streams.count).toBe(0);
  }
});
