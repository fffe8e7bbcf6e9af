// The largest document, and one byte more.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { startTestServer, type TestServer } from "../kit/service.ts";
import { refusal } from "./support.ts";

const MIB = 1024 * 1024;
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

test("the content of a document is taken up to 25 MiB, beyond a JSON body's limit, and not a byte more", async () => {
  const { id } = (await server.api("POST", "/documents", { path: "board/deed.pdf" })).json;
  const path = `/documents/${id}/content`;
  const headers = { "content-type": "application/pdf" };
  const put = (content: string | Uint8Array) => server.api("PUT", path, content, { headers });
  expect((await put(new Uint8Array(25 * MIB).fill(7))).json.size).toBe(25 * MIB);
  const authorization = `Bearer ${await server.key("VIEWER")}`;
  const content = await fetch(`${server.url}/api/v1${path}`, { headers: { authorization } });
  expect((await content.bytes()).byteLength).toBe(25 * MIB);
  expect(refusal(await put(new Uint8Array(25 * MIB + 1)))).toEqual([413, "payload-too-large"]);
  expect((await server.api("GET", `/documents/${id}`)).json.size).toBe(25 * MIB);
  expect(refusal(await put(""))).toEqual([400, "malformed-json"]);
});
