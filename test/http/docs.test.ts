import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync } from "node:fs";
import { PROBLEMS } from "../../src/kernel/problem.ts";
import { openBrowser } from "../kit/browser.ts";
import { HAS_CHROMIUM, IN_BROWSER } from "../kit/chromium.ts";
import { startTestServer, type TestServer } from "../kit/service.ts";

setDefaultTimeout(60_000);

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ CAPTABLE_RATE_LIMIT: "6" });
});
afterAll(() => server.stop());

const PAGES = ["/docs", ...Object.keys(PROBLEMS).map((slug) => `/problems/${slug}`)];
const FILES = [
  "/pages.css",
  ...["swagger-ui.css", "swagger-ui-bundle.js", "docs.css", "docs.js"].map((file) => `/docs/${file}`),
];

describe("the pages", () => {
  test("are HTML under a strict policy that names no other host, with a request id, unlimited and without a key", async () => {
    for (const path of PAGES) {
      const answer = await fetch(server.url + path);
      expect({ path, status: answer.status }).toEqual({ path, status: 200 });
      expect(answer.headers.get("content-type")).toBe("text/html; charset=utf-8");
      expect(answer.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
      expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
      const policy = answer.headers.get("content-security-policy") ?? "";
      expect(policy).toStartWith("default-src 'none'; script-src 'self'; style-src 'self';");
      expect(policy).not.toMatch(/unsafe|http|\*/);
      expect(answer.headers.get("ratelimit-limit")).toBeNull();
      expect(await answer.text()).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
    }
  });

  test("have everything that they load", async () => {
    for (const path of FILES) {
      const answer = await fetch(server.url + path);
      expect({ path, status: answer.status }).toEqual({ path, status: 200 });
      expect(answer.headers.get("content-type")).toStartWith(path.endsWith(".css") ? "text/css" : "text/javascript");
    }
  });

  test("of a problem say what it is and what to do", async () => {
    for (const [slug, kind] of Object.entries(PROBLEMS)) {
      const html = await (await fetch(`${server.url}/problems/${slug}`)).text();
      expect(html).toContain(`<h1>${kind.title}</h1>`);
      expect(html).toContain(`HTTP ${kind.status}`);
      expect(html.replace(/<\/?code>/g, "`")).toContain(
        Bun.escapeHTML(kind.explanation.split("`")[0] ?? "").replaceAll("&#x27;", "'"),
      );
      expect(html).not.toMatch(/<key>|undefined/);
    }
  });

  test("of no problem are 404 problems", async () => {
    for (const slug of ["nothing", "__proto__", "constructor", "%00", "<script>", "a/b"]) {
      const answer = await fetch(`${server.url}/problems/${slug}`);
      expect({ slug, status: answer.status }).toEqual({ slug, status: 404 });
      expect(answer.headers.get("content-type")).toBe("application/problem+json");
      expect(await answer.json()).toMatchObject({ status: 404, type: expect.stringContaining("/problems/not-found") });
    }
  });

  test("are where a refusal's `type` leads", async () => {
    const refusal = await server.api("GET", "/stakeholders", undefined, { key: null });
    const page = await fetch(server.url + new URL(refusal.json.type).pathname);
    expect(await page.text()).toContain("<h1>Unauthorized</h1>");
  });

  test("take no other method", async () => {
    const answer = await fetch(`${server.url}/docs`, { method: "POST" });
    expect(answer.status).toBe(405);
    expect(answer.headers.get("allow")).toBe("GET, HEAD");
  });
});

test("the embedded files are those of the pinned swagger-ui-dist", async () => {
  for (const file of ["swagger-ui-bundle.js", "swagger-ui.css"]) {
    const embedded = Bun.gunzipSync(readFileSync(`src/http/assets/${file}.gz`));
    const pinned = readFileSync(`node_modules/swagger-ui-dist/${file}`);
    expect(Buffer.from(embedded).equals(pinned)).toBe(true);
    const plain = await fetch(`${server.url}/docs/${file}`, { headers: { "accept-encoding": "identity" } });
    expect(plain.headers.get("content-encoding")).toBeNull();
    expect(Buffer.from(await plain.bytes()).equals(pinned)).toBe(true);
  }
});

describe("health", () => {
  test("/healthz and /readyz answer without a key", async () => {
    for (const [path, state] of [
      ["/healthz", "alive"],
      ["/readyz", "ready"],
    ]) {
      const answer = await fetch(server.url + path);
      expect(answer.status).toBe(200);
      expect(await answer.json()).toEqual({ state });
    }
  });
});

describe.skipIf(!HAS_CHROMIUM)(IN_BROWSER, () => {
  test("the reference shows every operation, from this server alone, and its Authorize button works", async () => {
    const page = await openBrowser();
    try {
      const { paths } = (await server.api("GET", "/openapi.json")).json;
      const count = Object.values<object>(paths).flatMap((methods) => Object.keys(methods)).length;
      await page.prefer("dark");
      await page.open(`${server.url}/docs`);
      await page.until(`document.querySelectorAll(".opblock").length === ${count}`);
      expect(await page.evaluate<string>("document.body.innerText")).toContain("OAS 3.1");
      expect(await page.evaluate<boolean>("document.documentElement.classList.contains('dark-mode')")).toBe(true);
      await page.prefer("light");
      await page.until("!document.documentElement.classList.contains('dark-mode')");

      await authorize(page, await server.key("VIEWER"));
      const operation = "#operations-Organization-getOrganization";
      await page.evaluate(`document.querySelector("${operation} .opblock-summary-control").click()`);
      await page.until(`document.querySelector("${operation} .try-out__btn") !== null`);
      await page.evaluate(`document.querySelector("${operation} .try-out__btn").click()`);
      await page.until(`document.querySelector("${operation} .execute") !== null`);
      await page.evaluate(`document.querySelector("${operation} .execute").click()`);
      const answered = `document.querySelector("${operation} .live-responses-table")?.innerText`;
      await page.until(`${answered}?.includes("200")`);
      expect(await page.evaluate<string>(answered)).toContain("Unnamed organization");

      expect(page.requests.filter((url) => !url.startsWith(server.url) && !url.startsWith("data:"))).toEqual([]);
      expect(page.complaints).toEqual([]);
    } finally {
      await page.close();
    }
  }, 60_000);

  test("a problem's page is styled and readable", async () => {
    const page = await openBrowser();
    try {
      await page.open(`${server.url}/problems/insufficient-plan-reserve`);
      await page.until("document.querySelector('h1')?.innerText === 'Insufficient Plan Reserve'");
      expect(await page.evaluate<string>("getComputedStyle(document.querySelector('main')).maxWidth")).toBe("640px");
      expect(page.complaints).toEqual([]);
    } finally {
      await page.close();
    }
  }, 60_000);
});

/** Enters a key as a person would: into React's own input. */
async function authorize(page: Awaited<ReturnType<typeof openBrowser>>, key: string): Promise<void> {
  await page.evaluate("document.querySelector('.btn.authorize').click()");
  await page.until("document.querySelector('.auth-container input') !== null");
  await page.evaluate(`(() => {
    const input = document.querySelector(".auth-container input");
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set.call(input, ${JSON.stringify(key)});
    input.dispatchEvent(new Event("input", { bubbles: true }));
    input.dispatchEvent(new Event("change", { bubbles: true }));
  })()`);
  await page.evaluate("document.querySelector('.auth-btn-wrapper .authorize').click()");
  await page.until("document.querySelector('.auth-container h6')?.innerText === 'Authorized'");
  await page.evaluate("document.querySelector('.btn-done').click()");
}
