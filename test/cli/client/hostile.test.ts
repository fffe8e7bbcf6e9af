// The typed client against servers that drop, stall, refuse for a while, answer HTML or cut what they answer.
import { afterEach, expect, test } from "bun:test";
import { createServer, type Server, type Socket } from "node:net";
import { inspect } from "node:util";
import { Captable, ConnectionError, eventsOf, ProblemError, Sender } from "../../kit/client.ts";

const KEY = "pg_test_SecretSecretSecret";

/** What a server does with a connection: writes, and may end it. */
type Deed = (socket: Socket, request: string) => void;

const opened: { server: Server; sockets: Set<Socket> }[] = [];
afterEach(() => {
  for (const { server, sockets } of opened.splice(0)) {
    server.close();
    for (const socket of sockets) socket.destroy();
  }
});

interface Hostile {
  readonly url: string;
  /** The requests as they came. */
  readonly requests: string[];
}

/** A server that does one deed for each request, the last one for all further ones. */
async function hostile(...deeds: readonly Deed[]): Promise<Hostile> {
  const [requests, sockets] = [[] as string[], new Set<Socket>()];
  const server = createServer((socket) => {
    sockets.add(socket);
    let received = "";
    socket.on("error", () => undefined);
    socket.on("data", (bytes) => {
      received += bytes;
      const length = Number(/content-length: (\d+)/i.exec(received)?.[1] ?? 0);
      const end = received.indexOf("\r\n\r\n");
      if (end < 0 || received.length < end + 4 + length) return;
      const request = received;
      received = "";
      requests.push(request);
      deeds[Math.min(requests.length, deeds.length) - 1]?.(socket, request);
    });
  });
  opened.push({ server, sockets });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return { url: `http://127.0.0.1:${address.port}`, requests };
}

const answer =
  (status: string, body: string, headers = "content-type: application/json\r\n"): Deed =>
  (socket) =>
    void socket.end(
      `HTTP/1.1 ${status}\r\n${headers}content-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`,
    );
const problem = (status: number, slug: string, headers = ""): Deed =>
  answer(
    `${status} No`,
    JSON.stringify({
      type: `http://x/problems/${slug}`,
      title: "No",
      status,
      detail: `not ${KEY.length}`,
      instance: "",
    }),
    `content-type: application/problem+json\r\nx-request-id: r-1\r\n${headers}`,
  );
const drop: Deed = (socket) => void socket.destroy();
const stall: Deed = () => undefined;
const halfHead: Deed = (socket) => void socket.end("HTTP/1.1 200 OK\r\ncontent-ty");
const cut: Deed = (socket) =>
  void socket.end('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n{"id":"a');
const cutByProxy = answer("200 OK", '{"id":"a');
const stallInBody: Deed = (socket) =>
  void socket.write('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n{"id":"a');
const html = (status: string) => answer(status, "<html>Bad gateway</html>", "content-type: text/html\r\n");
const ok = answer("200 OK", '{"id":"made"}');

/** A client whose waits between attempts are noted in place of waited. */
function clientOf(url: string, { retries = 3, stallMs = 60_000 } = {}) {
  const waits: number[] = [];
  const sender = new Sender({ server: url, key: KEY, retries, stallMs }, async (ms) => void waits.push(ms));
  return { sender, waits };
}

const READ = { method: "GET", path: "/api/v1/organization", isSafe: true } as const;
const WRITE = { method: "PATCH", path: "/api/v1/organization", isSafe: false, body: Buffer.from("{}") } as const;

async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    (value) => value,
    (failure: unknown) => failure,
  );
}

test.each([
  ["drops", drop],
  ["stalls", stall],
  ["ends in the middle of a head", halfHead],
  ["cuts the body", cut],
  ["stalls in the body", stallInBody],
  ["has a proxy that cuts the body", cutByProxy],
  ["has a proxy that answers 502 in HTML", html("502 Bad Gateway")],
  ["is busy: 503", problem(503, "unavailable", "retry-after: 7\r\n")],
  ["limits: 429", problem(429, "rate-limited", "retry-after: 7\r\n")],
])("a read is sent again to a server that %s, a write without a key is not", async (_words, deed) => {
  // A stall is noticed by a clock: on a busy machine it may take a good answer for one, and ask once more.
  const isStall = deed === stall || deed === stallInBody;
  const given = isStall ? { stallMs: 200 } : {};
  const passing = await hostile(deed, deed, ok);
  const { sender, waits } = clientOf(passing.url, given);
  expect(await (await sender.send(READ)).json()).toEqual({ id: "made" });
  expect(waits).toHaveLength(passing.requests.length - 1);
  if (!isStall) expect(waits).toHaveLength(2);
  // The control: a client that is told to send once does not come to the good answer.
  const alone = await hostile(deed, ok);
  const first = await failureOf(clientOf(alone.url, { ...given, retries: 0 }).sender.send(READ));
  expect([alone.requests.length, first instanceof Response && first.ok]).toEqual([1, false]);
  const lasting = await hostile(deed);
  const reading = clientOf(lasting.url, given);
  const failure = await failureOf(reading.sender.send(READ));
  expect(lasting.requests).toHaveLength(4);
  expect(failure instanceof ConnectionError || failure instanceof Response).toBe(true);
  const writing = await hostile(deed, ok);
  const once = await failureOf(clientOf(writing.url, given).sender.send(WRITE));
  expect(writing.requests).toHaveLength(1);
  expect(once instanceof Response && once.status === 200).toBe(false);
});

test("waits follow Retry-After, a minute at most, and else grow", async () => {
  const told = await hostile(
    problem(503, "unavailable", "retry-after: 7\r\n"),
    problem(429, "rate-limited", "retry-after: 86400\r\n"),
    problem(429, "rate-limited", "retry-after: soon\r\n"),
    ok,
  );
  const { sender, waits } = clientOf(told.url);
  await sender.send(READ);
  expect(waits.slice(0, 2)).toEqual([7000, 60_000]);
  expect(waits[2]).toBeLessThanOrEqual(1000);
  const silent = await hostile(drop);
  const growing = clientOf(silent.url, { retries: 8 });
  await failureOf(growing.sender.send(READ));
  expect(growing.waits).toHaveLength(8);
  for (const [at, ms] of growing.waits.entries()) {
    const most = Math.min(250 * 2 ** at, 10_000);
    expect(ms).toBeGreaterThanOrEqual(most / 2);
    expect(ms).toBeLessThanOrEqual(most);
  }
});

test("a write with a key is sent again with the same key", async () => {
  const server = await hostile(drop, cut, ok);
  const captable = new Captable({ server: server.url, key: KEY });
  const body = { displayName: "A", name: { legalName: "A" }, type: "INDIVIDUAL" } as const;
  const { data } = await captable.api.POST("/api/v1/stakeholders", { body });
  expect(data.id).toBe("made");
  const keys = server.requests.map((request) => /^idempotency-key: (\S+)/im.exec(request)?.[1] ?? "none");
  expect([keys.length, new Set(keys).size]).toEqual([3, 1]);
  expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
  const bodies = server.requests.map((request) => request.slice(request.indexOf("\r\n\r\n") + 4));
  expect(new Set(bodies)).toEqual(new Set([JSON.stringify(body)]));
});

test("what is refused for good is sent once, and HTML is no answer of captable", async () => {
  const refusing = await hostile(problem(409, "invalid-state"));
  const captable = new Captable({ server: refusing.url, key: KEY });
  const refusal = await failureOf(captable.api.GET("/api/v1/organization"));
  expect(refusal).toBeInstanceOf(ProblemError);
  expect(refusal).toMatchObject({ slug: "invalid-state", status: 409, requestId: "r-1" });
  expect(refusing.requests).toHaveLength(1);
  const other = await hostile(html("404 Not Found"));
  const foreign = await failureOf(new Captable({ server: other.url, key: KEY }).api.GET("/api/v1/organization"));
  expect(foreign).toBeInstanceOf(ConnectionError);
  expect(foreign).toMatchObject({ status: 404 });
  const paged = await hostile(html("200 OK"));
  const captive = new Captable({ server: paged.url, key: KEY });
  const asked = [
    captive.api.GET("/api/v1/organization"),
    captive.api.POST("/api/v1/batch", { body: { operations: [] } }),
    captive.list("/api/v1/stakeholders").pages().next(),
    captive.update("/api/v1/organization", { comments: "x" }),
  ];
  for (const failure of await Promise.all(asked.map(failureOf))) {
    expect(failure).toMatchObject({ name: "ConnectionError", status: 200 });
  }
  const leading = await hostile(answer("301 Moved", "", "location: https://elsewhere.example/\r\n"));
  const moved = await failureOf(new Captable({ server: leading.url, key: KEY }).api.GET("/api/v1/organization"));
  expect(moved).toMatchObject({ name: "ConnectionError", status: 301 });
  expect(leading.requests).toHaveLength(1);
});

test("a signal ends an attempt and a wait with its reason, and nothing is sent after it", async () => {
  const server = await hostile(stall);
  const controller = new AbortController();
  const sender = new Sender({ server: server.url, key: KEY, retries: 3 });
  const waiting = failureOf(sender.send({ ...READ, signal: controller.signal }));
  while (server.requests.length === 0) await Bun.sleep(5);
  controller.abort(new Error("enough"));
  expect(await waiting).toMatchObject({ message: "enough" });
  const busy = await hostile(problem(503, "unavailable", "retry-after: 60\r\n"));
  const second = new AbortController();
  const resting = failureOf(new Sender({ server: busy.url, key: KEY }).send({ ...READ, signal: second.signal }));
  while (busy.requests.length === 0) await Bun.sleep(5);
  second.abort(new Error("enough"));
  expect(await resting).toMatchObject({ message: "enough" });
  expect([server.requests.length, busy.requests.length]).toEqual([1, 1]);
});

test("no error, and no client that is looked into, shows the key", async () => {
  const told = (thing: unknown) =>
    [
      inspect(thing, { depth: 20, showHidden: true }),
      Bun.inspect(thing, { depth: 20 }),
      JSON.stringify(thing),
      String(thing),
      thing instanceof Error ? thing.stack : "",
    ].join("\n");
  const leaking = () => Promise.reject(new Error(`cannot send Bearer ${KEY}`, { cause: { headers: KEY } }));
  const failures = [
    failureOf(new Captable({ server: "http://127.0.0.1:1", key: KEY, retries: 0 }).api.GET("/api/v1/organization")),
    failureOf(
      new Captable({ server: "http://127.0.0.1:1", key: KEY, retries: 0, fetch: leaking }).api.GET(
        "/api/v1/organization",
      ),
    ),
    ...[drop, cut, html("502 Bad Gateway"), problem(401, "unauthorized")].map(async (deed) => {
      const { url } = await hostile(deed);
      return failureOf(new Captable({ server: url, key: KEY, retries: 0 }).api.GET("/api/v1/organization"));
    }),
  ];
  for (const failure of await Promise.all(failures)) {
    expect(failure).toBeInstanceOf(Error);
    expect(told(failure)).not.toContain(KEY);
  }
  const client = new Captable({ server: "http://127.0.0.1:1", key: KEY });
  for (const thing of [client, client.api, client.batch(), client.list("/api/v1/stakeholders"), client.events()]) {
    expect(told(thing)).not.toContain(KEY);
  }
  for (const key of [`${KEY}\nx`, `${KEY} `, "", `${KEY}é`]) {
    const thrown = await failureOf((async () => new Captable({ server: "http://127.0.0.1:1", key }))());
    expect(thrown).toBeInstanceOf(TypeError);
    expect(told(thrown)).not.toContain(KEY);
  }
  expect(told(new Error(KEY))).toContain(KEY);
});

test("an address of a server is one: no user, no query, no other protocol", () => {
  for (const server of ["cap.example.com", "ftp://x", "http://u:p@x", "http://x/?a=1", "http://x/#a", ""]) {
    expect(() => new Captable({ server, key: KEY })).toThrow(TypeError);
  }
  expect(new Sender({ server: "https://x.example/base//", key: KEY }).server).toBe("https://x.example/base");
});

const block = (cursor: string, event?: object) =>
  `id: ${cursor}\n${event === undefined ? "" : `data: ${JSON.stringify(event)}\n`}\n`;
const stream =
  (text: string, isEnded = true): Deed =>
  (socket) => {
    socket.write(`HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n${text}`);
    if (isEnded) socket.end();
  };
const page = (cursor: string, hasMore: boolean, ...ids: string[]) =>
  answer("200 OK", JSON.stringify({ items: ids.map((id) => ({ id })), cursor, hasMore }));

/** Takes so many events, and notes the waits. */
async function take(url: string, count: number, after?: string) {
  const waits: number[] = [];
  const wait = async (ms: number) => void waits.push(ms);
  const sender = new Sender({ server: url, key: KEY, retries: 0 }, wait);
  const taken: [id: string, cursor: string][] = [];
  for await (const { id, cursor } of eventsOf(sender, after === undefined ? {} : { after }, wait)) {
    taken.push([id, cursor]);
    if (taken.length === count) break;
  }
  return { taken, waits };
}

test("a stream that breaks off goes on behind what came last, signs of life too", async () => {
  const server = await hostile(
    page("c0", false),
    stream(`retry: 2000\n\n${block("c1", { id: "e1" })}${block("c2")}id: c3\ndata: {"id":"e`),
    drop,
    problem(500, "internal-error"),
    stream("id: c9\ndata: {no json\n\n"),
    stream(`${block("c3", { id: "e2" })}event: end\ndata: {"reason":"server-stops"}\n\n`),
    stream(block("c4", { id: "e3" }), false),
  );
  const { taken } = await take(server.url, 3);
  expect(taken).toEqual([
    ["e1", "c1"],
    ["e2", "c3"],
    ["e3", "c4"],
  ]);
  const places = server.requests.map((request) => /after=(\w+)/.exec(request)?.[1] ?? "");
  expect(places).toEqual(["latest", "c0", "c2", "c2", "c2", "c2", "c3"]);
});

test("a signal keeps nothing of the connections that are over", async () => {
  const events = Array.from({ length: 20 }, (_, at) => stream(block(`c${at}`, { id: `e${at}` })));
  const server = await hostile(...events);
  const { signal } = new AbortController();
  let listeners = 0;
  const [add, remove] = [signal.addEventListener.bind(signal), signal.removeEventListener.bind(signal)];
  signal.addEventListener = (...given: Parameters<typeof add>) => {
    listeners++;
    add(...given);
  };
  signal.removeEventListener = (...given: Parameters<typeof remove>) => {
    listeners--;
    remove(...given);
  };
  const sender = new Sender({ server: server.url, key: KEY, retries: 0 });
  let taken = 0;
  for await (const _event of eventsOf(sender, { after: "c", signal }, async () => undefined)) {
    expect(listeners).toBeLessThanOrEqual(2);
    if (++taken === 20) break;
  }
  expect([listeners, server.requests.length]).toEqual([0, 20]);
});

test("without a stream the feed is asked every five seconds, and no event is lost by its cursor", async () => {
  const noStream = html("200 OK");
  const server = await hostile(
    noStream,
    page("p1", true, "e1", "e2"),
    page("p2", false, "e3"),
    page("p2", false),
    page("p3", false, "e4"),
  );
  const { taken, waits } = await take(server.url, 4, "p0");
  expect(taken).toEqual([
    ["e1", "p0"],
    ["e2", "p1"],
    ["e3", "p2"],
    ["e4", "p3"],
  ]);
  expect(waits).toEqual([5000, 5000]);
  const places = server.requests.map((request) => /after=(\w+)/.exec(request)?.[1] ?? "");
  expect(places).toEqual(["p0", "p0", "p1", "p2", "p2"]);
});

test("too many streams are waited out by asking, and what is rewound ends it with the place to go on from", async () => {
  const server = await hostile(problem(429, "rate-limited"), page("p1", false, "e1"));
  expect((await take(server.url, 1, "p0")).taken).toEqual([["e1", "p1"]]);
  const rewound = await hostile(
    answer(
      "409 Conflict",
      JSON.stringify({ type: "x/events-rewound", title: "", status: 409, detail: "", instance: "", cursor: "c9" }),
      "content-type: application/problem+json\r\n",
    ),
  );
  const failure = (await failureOf(take(rewound.url, 1, "p0"))) as InstanceType<typeof ProblemError>;
  expect([failure.slug, failure.problem.cursor]).toEqual(["events-rewound", "c9"]);
});
