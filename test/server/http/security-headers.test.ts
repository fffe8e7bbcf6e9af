// What every answer says to a browser, and two things that no address does: repeat a request, and take a parameter twice.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { connect } from "node:net";
import { startTestServer, type TestServer } from "../../kit/service.ts";

setDefaultTimeout(60_000);

let server: TestServer;
let key: string;

beforeAll(async () => {
  server = await startTestServer();
  key = await server.key("ADMIN");
});
afterAll(() => server.stop());

const ask = (path: string, authorized = true) =>
  fetch(`${server.url}${path}`, { headers: authorized ? { authorization: `Bearer ${key}` } : {} });

/** The directives of an answer's policy, by name. */
function policyOf(answer: Response): Map<string, string> {
  const text = answer.headers.get("content-security-policy") ?? "";
  const directives = text.split(";").map((each) => each.trim().split(" "));
  return new Map(directives.map(([name = "", ...values]) => [name, values.join(" ")]));
}

test.each([
  ["an answer of the API", "/api/v1/stakeholders", true, 200],
  ["a refusal", "/api/v1/stakeholders", false, 401],
  ["an address that is not there", "/nothing", true, 404],
  ["a page", "/docs", false, 200],
  ["the description of the API", "/api/v1/openapi.json", false, 200],
  ["the health of the service", "/healthz", false, 200],
])(
  "%s lets nothing be loaded by default, is framed by no site and is not guessed at",
  async (_, path, authorized, status) => {
    const answer = await ask(path, authorized);
    const policy = policyOf(answer);
    expect(answer.status).toBe(status);
    expect([policy.get("default-src"), policy.get("base-uri"), policy.get("frame-ancestors")]).toEqual(
      Array(3).fill("'none'"),
    );
    const names = [
      "x-content-type-options",
      "referrer-policy",
      "cross-origin-opener-policy",
      "access-control-allow-origin",
    ];
    expect(names.map((name) => answer.headers.get(name))).toEqual(["nosniff", "no-referrer", "same-origin", null]);
  },
);

test("TRACE repeats no header to the caller", async () => {
  const socket = connect(Number(new URL(server.url).port), "127.0.0.1");
  const lines = ["TRACE /api/v1/stakeholders HTTP/1.1", "host: localhost", `authorization: Bearer ${key}`];
  socket.write([...lines, "x-marker: mirrored", "connection: close", "", ""].join("\r\n"));
  let text = "";
  for await (const chunk of socket) text += chunk;
  expect(text).toStartWith("HTTP/1.1 405 ");
  expect(text).not.toContain("mirrored");
  expect(text).not.toContain(key);
});

test("a parameter that a query has twice is refused at its name", async () => {
  const answer = await ask("/api/v1/stakeholders?limit=1&limit=2");
  expect(answer.status).toBe(422);
  expect(await answer.json()).toMatchObject({ errors: [{ parameter: "limit", detail: "must be given once" }] });
  expect((await ask("/api/v1/stakeholders?limit=1")).status).toBe(200);
});
