// Where a server is found that listens on every address: no problem's `type` and no line of `serve` leads to `0.0.0.0`.
import { expect, setDefaultTimeout, test } from "bun:test";
import { reachableUrl } from "../../../src/server/http/listen.ts";
import { startTestServer } from "../../kit/service.ts";

setDefaultTimeout(60_000);

test.each([
  ["0.0.0.0", "http://127.0.0.1:8080"],
  ["0", "http://127.0.0.1:8080"],
  ["::", "http://[::1]:8080"],
  ["0:0:0:0:0:0:0:0", "http://[::1]:8080"],
  ["::ffff:0.0.0.0", "http://127.0.0.1:8080"],
  ["127.0.0.1", "http://127.0.0.1:8080"],
  ["10.0.0.0", "http://10.0.0.0:8080"],
  ["fe80::1%eth0", "http://[fe80::1%eth0]:8080"],
  ["cap.example", "http://cap.example:8080"],
])("who listens on %s is reached at %s", (host, url) => {
  expect(reachableUrl({ host, port: 8080 })).toBe(url);
});

test("the type of a problem and the documentation lead to an address that answers", async () => {
  const server = await startTestServer({ CAPTABLE_HOST: "0.0.0.0" });
  try {
    const { port } = new URL(server.url);
    const { type } = (await server.api("GET", "/stakeholders", undefined, { key: null })).json;
    expect(type).toBe(`http://127.0.0.1:${port}/problems/unauthorized`);
    expect(server.app.publicUrl).toBe(`http://127.0.0.1:${port}`);
    for (const url of [type, `${server.app.publicUrl}/docs`]) expect((await fetch(url)).status).toBe(200);
  } finally {
    await server.stop();
  }
});
