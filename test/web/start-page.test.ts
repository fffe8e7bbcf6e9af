// `/`: a page for browsers, from this server alone; for programs it is what any address is that no route has.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { BROWSER, openBrowser } from "../kit/browser.ts";
import { startTestServer, type TestServer } from "../kit/service.ts";

setDefaultTimeout(60_000);

const OF_A_BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const ask = (accept: string, method = "GET") => fetch(`${server.url}/`, { method, headers: { accept } });

describe("/", () => {
  test.each([OF_A_BROWSER, "text/html", "application/json;q=0.1, TEXT/HTML ; q=0.5"])(
    "answers %p with a page under the strict policy, without a key",
    async (accept) => {
      const answer = await ask(accept);
      expect(answer.status).toBe(200);
      expect(answer.headers.get("content-type")).toBe("text/html; charset=utf-8");
      expect(answer.headers.get("vary")).toBe("accept");
      expect(answer.headers.get("cache-control")).toBe("no-store");
      const policy = answer.headers.get("content-security-policy") ?? "";
      expect(policy).toStartWith("default-src 'none'; script-src 'self'; style-src 'self';");
      expect(policy).not.toMatch(/unsafe|http|\*/);
      const html = await answer.text();
      expect(html).toContain("<h1>captable</h1>");
      expect(html).toContain('href="/docs"');
      expect(html).toContain("captable keys create --name Office --role EDITOR");
      expect(html).not.toMatch(/<script|<style|style=|\son\w+=|(?:src|href)="(?:https?:)?\/\//);
      for (const inner of [server.dataDir, "Unnamed organization", server.orgId]) expect(html).not.toContain(inner);
    },
  );

  test.each(["*/*", "application/json", "application/xhtml+xml", "text/html;q=0, */*", "text/htmlx", ""])(
    "answers %p as any unknown address",
    async (accept) => {
      const answer = await ask(accept);
      const other = await fetch(`${server.url}/nothing-here`, { headers: { accept } });
      const told = async (from: Response) => {
        const { instance: _instance, ...body } = (await from.json()) as Record<string, unknown>;
        return [from.status, from.headers.get("content-type"), body];
      };
      expect(await told(answer)).toEqual(await told(other));
      expect(answer.status).toBe(404);
    },
  );

  test("answers HEAD as GET without a body, and takes nothing else", async () => {
    const answer = await ask(OF_A_BROWSER, "HEAD");
    expect([answer.status, await answer.text()]).toEqual([200, ""]);
    expect((await ask(OF_A_BROWSER, "POST")).status).toBe(405);
  });

  test("is in no description of the API", async () => {
    const { paths } = (await server.api("GET", "/openapi.json")).json;
    expect(Object.keys(paths)).not.toContain("/");
  });
});

test.skipIf(BROWSER === null)("a real browser shows it without a complaint and asks nobody else", async () => {
  const page = await openBrowser(BROWSER ?? "");
  try {
    await page.open(`${server.url}/`);
    await page.until("document.querySelector('h1')?.innerText === 'captable'");
    expect(await page.evaluate<string>("getComputedStyle(document.querySelector('main')).maxWidth")).toBe("640px");
    expect(page.requests.filter((url) => !url.startsWith(server.url) && !url.startsWith("data:"))).toEqual([]);
    expect(page.complaints).toEqual([]);
  } finally {
    await page.close();
  }
});
