// The `Host` header: a malformed one is refused and never a failure, supervisors are answered whatever they name, and
// the figures of /metrics show under no name that another site could point here.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { connect } from "node:net";
import { startTestServer, type TestServer } from "../../kit/service.ts";

setDefaultTimeout(60_000);

let server: TestServer;
let key: string;

beforeAll(async () => {
  server = await startTestServer({ CAPTABLE_PUBLIC_URL: "https://Cap.Example.com/table" });
  key = await server.key("ADMIN");
});
afterAll(() => server.stop());

interface Seen {
  readonly status: number;
  /** The last part of the problem's `type`; empty where it is no problem. */
  readonly slug: string;
}

/** Sends a request with exactly these header lines, and a key. */
async function send(line: string, headers: readonly string[], body = ""): Promise<Seen> {
  const own = [`authorization: Bearer ${key}`, "connection: close"];
  const length = body === "" ? [] : ["content-type: application/json", `content-length: ${Buffer.byteLength(body)}`];
  const socket = connect(Number(new URL(server.url).port), "127.0.0.1");
  socket.write([line, ...headers, ...own, ...length, "", body].join("\r\n"), "latin1");
  let text = "";
  for await (const chunk of socket) text += chunk;
  const problem = /\r\ncontent-type: application\/problem\+json\r\n/i.test(text) ? text : "";
  return {
    status: Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1]),
    slug: /"type":"[^"]*\/problems\/([a-z-]+)"/.exec(problem)?.[1] ?? "",
  };
}

const LEGEND = JSON.stringify({ name: "Restricted", text: "Not registered." });
const REFUSED = { status: 400, slug: "malformed-host" };
const MALFORMED = [
  ...["", " ", "a b", "a/b", "a?b", "a#b", "a@b", "a\\b", "a<b", "%zz", ":80", "a:x", "a:99999", "[::1", "[x]"],
  ...["300.1.1.1", "xn--", "é", "a, b", "a\tb"],
];

describe("a Host that is", () => {
  test.each(MALFORMED)("malformed, as %j, is 400 with a problem everywhere", async (host) => {
    const lines = [`Host: ${host}`];
    expect(await send("GET /api/v1/stock-legends HTTP/1.1", lines)).toEqual(REFUSED);
    expect(await send("POST /api/v1/stock-legends HTTP/1.1", lines, LEGEND)).toEqual(REFUSED);
    expect(await send("GET /nothing HTTP/1.1", lines)).toEqual(REFUSED);
    expect(await send("GET /docs HTTP/1.1", lines)).toEqual(REFUSED);
    expect(await send("GET /api/v1/stock-legends HTTP/1.0", lines)).toEqual(REFUSED);
    for (const path of ["/healthz", "/readyz"]) expect((await send(`GET ${path} HTTP/1.1`, lines)).status).toBe(200);
  });

  test.each([
    [["Host: a", "Host: b"]],
    [["Host: a", "host: a"]],
    [["Host: a", "Accept: x", "Host:"]],
    [["Host:", "Host: a"]],
  ])("given twice, as %p, is too", async (lines) => {
    expect(await send("GET /api/v1/stock-legends HTTP/1.1", lines)).toEqual(REFUSED);
    expect(await send("POST /api/v1/stock-legends HTTP/1.1", lines, LEGEND)).toEqual(REFUSED);
    expect((await send("GET /healthz HTTP/1.1", lines)).status).toBe(200);
  });

  test("missing is 400 in HTTP/1.1, which the runtime says without a problem, and as good as any in HTTP/1.0", async () => {
    expect((await send("POST /api/v1/stock-legends HTTP/1.1", [], LEGEND)).status).toBe(400);
    expect((await send("GET /api/v1/stock-legends HTTP/1.0", [])).status).toBe(200);
    expect((await send("POST /api/v1/stock-legends HTTP/1.0", [], LEGEND)).status).toBe(201);
    expect(await send("GET /nothing HTTP/1.0", [])).toEqual({ status: 404, slug: "not-found" });
  });

  test.each(["localhost", "cap.example.com:443", "127.0.0.1:", "[::1]:8080", "a_b", "captable.", "CAP"])(
    "right, as %s, is answered",
    async (host) => {
      expect((await send("POST /api/v1/stock-legends HTTP/1.1", [`Host: ${host}`], LEGEND)).status).toBe(201);
    },
  );

  test("malformed says nothing of the inside, and nothing is written", async () => {
    const before = (await server.api("GET", "/audit-log?limit=100")).json.items.length;
    await send("POST /api/v1/stock-legends HTTP/1.1", ["Host: a b"], LEGEND);
    expect((await server.api("GET", "/audit-log?limit=100")).json.items).toHaveLength(before);
    expect(server.log.join("")).not.toContain('"status":500');
  });
});

describe("/metrics", () => {
  test.each([
    "127.0.0.1",
    "10.1.2.3:9000",
    "[::1]:8080",
    "localhost:8080",
    "cap.localhost",
    "cap.example.com",
    "CAP.EXAMPLE.COM.:80",
  ])("answers under %s", async (host) =>
    expect((await send("GET /metrics HTTP/1.1", [`Host: ${host}`])).status).toBe(200),
  );

  test.each(["evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "example.com", "x.cap.example.com"])(
    "is 421 under %s",
    async (host) =>
      expect(await send("GET /metrics HTTP/1.1", [`Host: ${host}`])).toEqual({
        status: 421,
        slug: "misdirected-request",
      }),
  );

  test("is 421 under no name, and 404 to clients of a proxy, as before", async () => {
    expect((await send("GET /metrics HTTP/1.0", [])).status).toBe(421);
    const proxied = ["Host: localhost", "X-Forwarded-For: 203.0.113.9"];
    expect(await send("GET /metrics HTTP/1.1", proxied)).toEqual({ status: 404, slug: "not-found" });
  });
});

test("what was made is where the public address has it, below its path", async () => {
  const made = await server.api("POST", "/stock-legends", JSON.parse(LEGEND));
  expect(made.headers.get("location")).toBe(`/table/api/v1/stock-legends/${made.json.id}`);
});

test.each(["x", "a_b", "localhost:8080"])(
  "an address with a slash too many is 404, under the name %s and without one",
  async (host) => {
    for (const path of ["/api/v1/stock-legends/", "/api/v1/stock-legends/?limit=1", "//healthz", "/readyz/"]) {
      for (const method of ["GET", "HEAD", "POST"]) {
        const named = await send(`${method} ${path} HTTP/1.1`, [`Host: ${host}`]);
        expect([method, path, named.status]).toEqual([method, path, 404]);
        const nameless = await send(`${method} ${path} HTTP/1.0`, []);
        expect([method, path, nameless.status]).toEqual([method, path, 404]);
      }
    }
  },
);
