// What the server sends of the pages: the shell at their addresses for browsers, and its files, from this server alone.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { PAGES } from "../../src/web/routes.ts";
import { startTestServer, type TestServer } from "../kit/service.ts";

setDefaultTimeout(300_000);

const OF_A_BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8";
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; " +
  "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; " +
  "require-trusted-types-for 'script'; trusted-types 'none'";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const ask = (path: string, accept = OF_A_BROWSER, init: RequestInit = {}) =>
  fetch(server.url + path, { ...init, headers: { accept, ...init.headers } });

describe("the shell", () => {
  test("is at the address of every page, under the strict policy, without a key", async () => {
    for (const { path } of Object.values(PAGES)) {
      const answer = await ask(path.replaceAll(/:\w+/g, server.orgId));
      expect({ path, status: answer.status }).toEqual({ path, status: 200 });
      expect(answer.headers.get("content-type")).toBe("text/html; charset=utf-8");
      expect(answer.headers.get("content-security-policy")).toBe(POLICY);
      expect(answer.headers.get("cross-origin-opener-policy")).toBe("same-origin");
      expect(answer.headers.get("cache-control")).toBe("no-store");
      expect(answer.headers.get("vary")).toBe("accept");
      const html = await answer.text();
      expect(html).not.toMatch(/<style|style=|<script>|\son\w+=|(?:src|href)="(?:https?:)?\/\/|\{\w+\}/);
      for (const inner of [server.dataDir, "Unnamed organization", server.orgId]) expect(html).not.toContain(inner);
    }
  });

  test.each(["*/*", "application/json", "application/xhtml+xml", "text/html;q=0, */*", "text/htmlx", ""])(
    "is nowhere for %p, which gets what any unknown address gives",
    async (accept) => {
      const told = async (path: string) => {
        const answer = await ask(path, accept);
        const { instance: _instance, ...body } = (await answer.json()) as Record<string, unknown>;
        return [answer.status, answer.headers.get("content-type"), body];
      };
      expect(await told("/")).toEqual(await told("/nothing-here"));
      expect((await told("/"))[0]).toBe(404);
    },
  );

  test("is at no other address, and takes nothing but GET and HEAD", async () => {
    expect((await ask("/nothing-here")).status).toBe(404);
    expect((await ask(`/o/${server.orgId}/nothing-here`)).status).toBe(404);
    const head = await ask("/", OF_A_BROWSER, { method: "HEAD" });
    expect([head.status, await head.text()]).toEqual([200, ""]);
    expect((await ask("/", OF_A_BROWSER, { method: "POST" })).status).toBe(405);
  });

  test("is in no description of the API", async () => {
    const { paths } = (await server.api("GET", "/openapi.json")).json;
    expect(Object.keys(paths).filter((path) => !path.startsWith("/api/"))).toEqual([]);
  });
});

test("what the shell loads is there, kept for ever, gzipped or plain", async () => {
  const html = await (await ask("/")).text();
  const names = [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path = ""]) => path);
  expect(names.map((path) => path.replace(/^.*\.(\w+)$/, "$1")).sort()).toEqual(["css", "js", "woff2"]);
  for (const path of names) {
    const answer = await ask(path);
    expect({ path, status: answer.status }).toEqual({ path, status: 200 });
    expect(answer.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    const plain = await ask(path, "*/*", { headers: { "accept-encoding": "identity" } });
    expect(plain.headers.get("content-encoding")).toBeNull();
    expect(Buffer.from(await plain.bytes()).equals(Buffer.from(await answer.bytes()))).toBe(true);
  }
  expect((await ask("/assets/nothing.js")).status).toBe(404);
  expect((await ask("/assets/dev-changes")).status).toBe(404);
});

test("with CAPTABLE_DASHBOARD=off the server has no pages", async () => {
  const off = await startTestServer({ CAPTABLE_DASHBOARD: "off" });
  try {
    for (const path of ["/", "/sign-in", `/o/${off.orgId}`, "/api/v1/auth/session"]) {
      expect((await fetch(off.url + path, { headers: { accept: OF_A_BROWSER } })).status).toBe(404);
    }
  } finally {
    await off.stop();
  }
});
