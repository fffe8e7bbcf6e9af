import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { PROBLEMS } from "../../../../src/kernel/problem.ts";
import { HAS_CHROMIUM, IN_BROWSER, launchChromium } from "../../../kit/chromium.ts";
import { startTestServer, type TestServer } from "../../../kit/service.ts";

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
    const embedded = Bun.gunzipSync(readFileSync(`src/server/http/assets/${file}.gz`));
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
  let browser: Browser;

  beforeAll(async () => {
    browser = await launchChromium();
  });

  afterAll(async () => {
    await browser?.close();
  });

  test("the reference shows every operation, from this server alone, and its Authorize button works", async () => {
    const { page, complaints, requests } = await watchedPage(browser, WHOLE_PAGE);
    const { paths } = (await server.api("GET", "/openapi.json")).json;
    const count = Object.values<object>(paths).flatMap((methods) => Object.keys(methods)).length;
    await page.emulateMedia({ colorScheme: "dark" });
    await page.goto(`${server.url}/docs`);
    await page.locator(`:nth-match(.opblock, ${count})`).waitFor({ timeout: 200_000 });
    expect(await page.locator(".opblock").count()).toBe(count);
    await page.getByText("OAS 3.1").waitFor();
    await page.locator("html.dark-mode").waitFor();
    await page.emulateMedia({ colorScheme: "light" });
    await page.locator("html:not(.dark-mode)").waitFor();

    await authorize(page, await server.key("VIEWER"));
    const operation = page.locator("#operations-Organization-getOrganization");
    await operation.locator(".opblock-summary-control").click();
    await operation.locator(".try-out__btn").click();
    await operation.locator(".execute").click();
    const answered = operation.locator(".live-responses-table");
    await answered.getByText("Unnamed organization").first().waitFor();
    expect(await answered.textContent()).toContain("200");

    expect(requests.filter((url) => !url.startsWith(server.url) && !url.startsWith("data:"))).toEqual([]);
    expect(complaints).toEqual([]);
    await page.context().close();
  }, 300_000);

  test("a problem's page is styled and readable", async () => {
    const { page, complaints } = await watchedPage(browser);
    await page.goto(`${server.url}/problems/insufficient-plan-reserve`);
    await page.getByRole("heading", { level: 1, name: "Insufficient Plan Reserve" }).waitFor();
    expect(await page.evaluate<string>("getComputedStyle(document.querySelector('main')).maxWidth")).toBe("640px");
    expect(complaints).toEqual([]);
    await page.context().close();
  }, 300_000);
});

/** The reference makes only what can be seen. */
const WHOLE_PAGE = { viewport: { width: 1280, height: 30_000 } };

/** A page, what it complains of (failed loads, policy violations, exceptions), and every address that it asks for. */
async function watchedPage(browser: Browser, look: BrowserContextOptions = {}) {
  const context = await browser.newContext(look);
  const page = await context.newPage();
  const [complaints, requests]: [string[], string[]] = [[], []];
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("request", (request) => requests.push(request.url()));
  return { page, complaints, requests };
}

/** Enters a key as a person would. */
async function authorize(page: Page, key: string): Promise<void> {
  await page.locator(".btn.authorize").click();
  await page.locator(".auth-container input").first().fill(key);
  await page.locator(".auth-btn-wrapper .authorize").first().click();
  await page.locator(".auth-container h6").filter({ hasText: "Authorized" }).first().waitFor();
  await page.locator(".btn-done").first().click();
}
