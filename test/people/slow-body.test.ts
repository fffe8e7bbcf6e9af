// A slow body: a caller that lost the right to write meanwhile writes nothing, and a client that hangs up is no failure
// of ours.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { signedIn } from "../kit/people.ts";
import { startTestServer, type TestServer } from "../kit/service.ts";

setDefaultTimeout(60_000);

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

/** Sends a head and the first byte of a body; `finish` sends the rest and answers the status. */
async function begun(path: string, body: string, headers: Readonly<Record<string, string>>) {
  const { hostname, port } = new URL(server.url);
  let answer = "";
  const done = Promise.withResolvers<string>();
  const socket = await Bun.connect({
    hostname,
    port: Number(port),
    socket: {
      data(_socket, bytes) {
        answer += bytes.toString();
        done.resolve(answer);
      },
      close: () => done.resolve(answer),
    },
  });
  const lines = Object.entries({ host: `${hostname}:${port}`, "content-type": "application/json", ...headers });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  socket.write(`POST /api/v1${path} HTTP/1.1\r\n${head}content-length: ${body.length}\r\n\r\n${body.slice(0, 1)}`);
  return {
    socket,
    async finish(): Promise<number> {
      socket.write(body.slice(1));
      const text = await done.promise;
      socket.end();
      return Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1]);
    },
  };
}

/** Longer than a body may take without being looked at again. */
const LONG_MS = 150;
const KEY = JSON.stringify({ name: "for later", role: "ADMIN" });

test("a key that was revoked while its body was under way makes no other key", async () => {
  const made = await server.api("POST", "/api-keys", { name: "going", role: "ADMIN" });
  const asked = await begun("/api-keys", KEY, { authorization: `Bearer ${made.json.key}` });
  await Bun.sleep(LONG_MS);
  await server.api("DELETE", `/api-keys/${made.json.id}`);
  expect(await asked.finish()).toBe(401);
});

test("nor does a member who was removed or demoted", async () => {
  const change = [
    (id: string) => server.api("DELETE", `/members/${id}`),
    (id: string) => server.api("PATCH", `/members/${id}`, { role: "VIEWER" }),
  ];
  for (const [index, act] of change.entries()) {
    const person = await signedIn(server);
    const asked = await begun("/api-keys", KEY, {
      cookie: `${person.cookieName}=${person.token}`,
      "captable-organization": server.orgId,
      "sec-fetch-site": "same-origin",
    });
    await Bun.sleep(LONG_MS);
    await act(person.memberId);
    expect(await asked.finish()).toBe(index === 0 ? 401 : 403);
  }
});

test("control: a caller that kept the right writes", async () => {
  const asked = await begun("/api-keys", KEY, { authorization: `Bearer ${await server.key("ADMIN")}` });
  await Bun.sleep(LONG_MS);
  expect(await asked.finish()).toBe(201);
});

test("a client that hangs up in the middle of a body is logged as gone, and as no failure", async () => {
  const before = server.log.length;
  const { socket } = await begun("/auth/sign-in", KEY, { "sec-fetch-site": "same-origin" });
  await Bun.sleep(LONG_MS);
  socket.terminate();
  const lines = () => server.log.slice(before).join("\n");
  while (!lines().includes('"/api/v1/auth/sign-in"')) await Bun.sleep(20);
  expect(lines()).toContain('"status":499');
  expect(lines()).not.toContain('"status":500');
});
