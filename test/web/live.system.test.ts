// Live pages, in real browsers against a real service: what one person records, another sees a moment later, with focus,
// scroll and selection as they were; four pages of one browser; the server gone and back; the idle end.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { rmSync } from "node:fs";
import { dirname } from "node:path";
import type { Browser, Page, Request } from "playwright-core";
import { systemRuntime } from "../../src/kernel/runtime.ts";
import { HAS_CHROMIUM, IN_BROWSER, launchChromium } from "../kit/chromium.ts";
import { type Ask, asking } from "../kit/company.ts";
import { inPage, signIn, type Visitor, visit } from "../kit/pages.ts";
import { makeMember, PASSWORD, Browser as Person } from "../kit/people.ts";
import { newDataDir, serveProgram } from "../kit/program.ts";
import { startTestServer, type TestServer } from "../kit/service.ts";

setDefaultTimeout(300_000);

let server: TestServer;
let browser: Browser;
/** How far the server's clock is ahead. */
let aheadMs = 0;
const MINUTE_MS = 60_000;
const LOOK_EVERY_MS = 20;

const STREAM = "/api/v1/events/stream";

/** Waits until a page follows the stream. */
const followed = (page: Page) =>
  page.waitForResponse((response) => response.url().endsWith(STREAM) && response.status() === 200);

/** Waits until a page's stream ends, by the server or by the page. */
const ended = (page: Page) => {
  const isStream = (request: Request) => request.url().endsWith(STREAM);
  return Promise.race([page.waitForEvent("requestfinished", isStream), page.waitForEvent("requestfailed", isStream)]);
};

/** What a page shows of a text. */
const shown = (page: Page, text: string) => page.getByText(text).locator("visible=true").first();

/** Pages wait 30 and 60 seconds for nothing: here they wait for less. What shows that a stream is dead is as ever. */
const QUICK = `(() => {
  const real = setTimeout;
  const quick = { 30000: 150, 60000: 300 };
  globalThis.setTimeout = (does, ms, ...more) => real(does, quick[ms] ?? ms, ...more);
})()`;

interface Company {
  readonly orgId: string;
  readonly ask: Ask;
  readonly classId: string;
  readonly holders: readonly string[];
  /** Records shares of the first holder. */
  issue(quantity: string): Promise<unknown>;
}

/** An organization with a class of shares, and holders of a hundred each. */
async function company(count: number): Promise<Company> {
  const orgId = await server.newOrganization("Acme, Inc.");
  return fill(asking(server.url, await server.key("ADMIN", orgId)), orgId, count);
}

async function fill(ask: Ask, orgId: string, count: number): Promise<Company> {
  const { id: classId } = await ask("POST", "/share-classes", {
    ...{ name: "Common", classType: "COMMON", defaultIdPrefix: "CS-" },
    ...{ initialSharesAuthorized: "1000000", votesPerShare: "1", seniority: 1 },
  });
  let number = 0;
  const issueTo = (stakeholderId: string, quantity: string) =>
    ask("POST", "/transactions/issue-shares", {
      ...{ stakeholderId, stockClassId: classId, quantity, certificateId: `CS-${++number}` },
      effectiveDate: "2020-01-01",
    });
  const holders: string[] = [];
  for (let n = 1; n <= count; n += 1) {
    const name = `Holder ${String(n).padStart(2, "0")}`;
    const made = await ask("POST", "/stakeholders", {
      ...{ displayName: name, name: { legalName: name }, type: "INDIVIDUAL" },
    });
    await issueTo(made.id, "100");
    holders.push(made.id);
  }
  return { orgId, ask, classId, holders, issue: (quantity) => issueTo(holders[0] ?? "", quantity) };
}

const total = (page: Page, figure: string) =>
  page.getByRole("row", { name: new RegExp(`Holder 01 .*${figure}`) }).first();

describe.skipIf(!HAS_CHROMIUM)(IN_BROWSER, () => {
  beforeAll(async () => {
    const runtime = { ...systemRuntime, nowMs: () => Date.now() + aheadMs };
    server = await startTestServer({ CAPTABLE_SESSION_IDLE_MINUTES: "30" }, { runtime });
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser.close();
    await server.stop();
  });

  async function visitorIn(orgId: string, given: Parameters<typeof signIn>[2] = {}): Promise<Visitor> {
    const visitor = await visit(browser, server);
    await visitor.context.addInitScript(QUICK);
    await signIn(visitor, server, { role: "EDITOR", orgId, ...given });
    return visitor;
  }

  /** Opens a page, and waits until it is whole and follows the stream. */
  async function open(visitor: Visitor, path: string): Promise<void> {
    const isFollowed = followed(visitor.page);
    await visitor.go(path);
    await isFollowed;
    await visitor.settled();
  }

  /** Remembers what a user looks at and does in a page: what is said later is whether all of it is as it was. */
  const REMEMBER = `(() => {
    const row = [...document.querySelectorAll("tr")].find((each) => each.innerText.startsWith("Holder 33"));
    const field = document.querySelector("input[type=date]");
    field.focus();
    getSelection().selectAllChildren(row.querySelector("th, td"));
    row.scrollIntoView({ block: "center" });
    const state = () => [document.activeElement, row.isConnected && row, scrollY, getSelection().toString(), getSelection().anchorNode];
    const before = state();
    globalThis.isAsBefore = () => state().map((each, at) => each === before[at]);
    return [before[2] > 0, before[3], before[0] === field];
  })()`;
  const IS_AS_BEFORE = "isAsBefore()";
  const DRAW_ANEW = `(() => {
    const row = [...document.querySelectorAll("tr")].find((each) => each.innerText.startsWith("Holder 33"));
    row.replaceWith(row.cloneNode(true));
  })()`;
  /** Counts what is drawn in the page. */
  const WATCH = `(() => {
    globalThis.drawn = 0;
    const watch = new MutationObserver((records) => { globalThis.drawn += records.length; });
    watch.observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });
  })()`;
  const showing = (state: "hidden" | "visible") => `(() => {
    Object.defineProperty(document, "visibilityState", { value: "${state}", configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
  })()`;
  const posting = (path: string, body: object) => `fetch("${path}", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: ${JSON.stringify(JSON.stringify(body))},
  }).then(({ status }) => status)`;

  test("what one records, another's page shows a moment later, with focus, scroll and selection as they were", async () => {
    const { orgId } = await company(40);
    const [one, other] = [await visitorIn(orgId), await visitorIn(orgId)];
    await open(other, `/o/${orgId}`);
    await total(other.page, "100").waitFor();
    expect(await inPage<unknown[]>(other, other.page, REMEMBER)).toEqual([
      true,
      expect.stringContaining("Holder 33"),
      true,
    ]);

    const { page } = one;
    await one.go(`/o/${orgId}/record/issue-shares`);
    await page.getByRole("combobox", { name: "Holder", exact: true }).fill("Holder 01");
    await page.getByRole("option", { name: "Holder 01" }).click();
    await page.getByLabel("Number of shares").fill("5000");
    await page.getByText("Checked", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Record issuance" }).click();
    await page.getByText("Recorded as entry 41.").waitFor();
    await total(other.page, "5,100").waitFor();
    expect(await inPage<unknown[]>(other, other.page, IS_AS_BEFORE)).toEqual([true, true, true, true, true]);
    // A page that drew a row anew would be found out.
    await inPage(other, other.page, DRAW_ANEW);
    expect(await inPage<unknown[]>(other, other.page, IS_AS_BEFORE)).not.toEqual([true, true, true, true, true]);
    await one.leave();
    await other.leave();
  });

  test("what is as it was is neither sent nor drawn, and what happened elsewhere is not looked at", async () => {
    const { orgId, ask, issue, holders, classId } = await company(3);
    const visitor = await visitorIn(orgId);
    const { page } = visitor;
    const answers: string[] = [];
    page.on("response", (response) => {
      const { pathname } = new URL(response.url());
      if (pathname.startsWith("/api/") && !pathname.endsWith("/stream"))
        answers.push(`${response.status()} ${pathname}`);
    });
    await open(visitor, `/o/${orgId}/stakeholders`);
    await page.getByText("Holder 03").waitFor();
    await inPage(visitor, page, WATCH);
    const drawn = () => inPage<number>(visitor, page, "drawn");
    answers.length = 0;

    const elsewhere = await company(1);
    await elsewhere.issue("5");
    await ask("POST", "/scenarios", { name: "A round", model: "CAP_TABLE", input: { asOf: "2026-01-01" } });
    while (!answers.some((each) => each.endsWith("/stakeholders"))) await page.waitForTimeout(LOOK_EVERY_MS);
    await visitor.settled();
    // The cap table says when it was asked for.
    expect(answers.filter((each) => !each.startsWith("304") && !each.endsWith("/cap-table"))).toEqual([]);
    expect(answers.filter((each) => each.startsWith("304")).length).toBeGreaterThan(0);
    expect(await drawn()).toBe(0);

    // What ends a line elsewhere ends none of the stream's: an entry is told with all that it says.
    await ask("POST", "/transactions/issue-shares", {
      ...{ stakeholderId: holders[1], stockClassId: classId, quantity: "5", certificateId: "Z-1" },
      ...{ effectiveDate: "2020-01-01", description: "One\u2028two\u2029three: four" },
    });
    await shown(page, "105").waitFor();
    await issue("900");
    await shown(page, "1,000").waitFor();
    expect(await drawn()).toBeGreaterThan(0);
    expect(answers.some((each) => each.startsWith("200"))).toBe(true);
    expect(visitor.requests.filter((url) => url.endsWith(STREAM)).length).toBe(1);
    await visitor.leave();
  });

  test("of four pages three have a stream, the fourth asks, and has one once another page is closed", async () => {
    const { orgId, issue } = await company(2);
    const visitor = await visitorIn(orgId);
    const pages = [visitor.page];
    await open(visitor, `/o/${orgId}`);
    for (let n = 0; n < 2; n += 1) {
      const page = await visitor.context.newPage();
      const isFollowed = followed(page);
      await page.goto(`${server.url}/o/${orgId}`);
      await isFollowed;
      pages.push(page);
    }
    const fourth = await visitor.context.newPage();
    const asked: string[] = [];
    fourth.on("request", (request) => asked.push(new URL(request.url()).pathname));
    await fourth.goto(`${server.url}/o/${orgId}`);
    await total(fourth, "100").waitFor();
    const times = (path: string) => asked.filter((each) => each === path).length;
    while (times("/api/v1/events") < 3) await fourth.waitForTimeout(LOOK_EVERY_MS);
    expect(times(STREAM)).toBe(0);
    await issue("5000");
    for (const page of [...pages, fourth]) await total(page, "5,100").waitFor();
    expect(times(STREAM)).toBe(0);
    const isFollowed = followed(fourth);
    await pages[1]?.close();
    await isFollowed;
    await visitor.leave();
  });

  test("a page that is hidden for a minute lets the stream go, and catches up when it is looked at", async () => {
    const { orgId, issue } = await company(2);
    const visitor = await visitorIn(orgId);
    const { page } = visitor;
    await open(visitor, `/o/${orgId}`);
    const isLeft = ended(page);
    await inPage(visitor, page, showing("hidden"));
    await isLeft;
    await issue("5000");
    const isFollowed = followed(page);
    await inPage(visitor, page, showing("visible"));
    await isFollowed;
    await total(page, "5,100").waitFor();
    await visitor.leave();
  });

  test("streams and what they bring keep no session alive; the page goes on after a sign-in", async () => {
    const { orgId, ask, issue } = await company(2);
    const visitor = await visitorIn(orgId);
    const { page } = visitor;
    // What the page asks last by itself, as its user's: later, it would keep the session alive.
    const isAsked = page.waitForResponse((response) => response.url().endsWith("/api/v1/dates"));
    await open(visitor, `/o/${orgId}`);
    await isAsked;
    try {
      aheadMs += 20 * MINUTE_MS;
      await issue("1000");
      await total(page, "1,100").waitFor();
      aheadMs += 11 * MINUTE_MS;
      const isEnded = ended(page);
      await issue("1000");
      await isEnded;
      expect(await page.getByRole("dialog").count()).toBe(0);
      await page.getByRole("link", { name: "Stakeholders", exact: true }).click();
      const dialog = page.getByRole("dialog", { name: "Sign in to continue" });
      await dialog.getByLabel("Password", { exact: true }).fill(PASSWORD);
      const isFollowed = followed(page);
      await dialog.getByRole("button", { name: "Sign in", exact: true }).click();
      await isFollowed;
      await shown(page, "2,100").waitFor();
      await ask("POST", "/stakeholders", {
        ...{ displayName: "Ada Lovelace", name: { legalName: "Ada Lovelace" }, type: "INDIVIDUAL" },
      });
      await shown(page, "Ada Lovelace").waitFor();
      visitor.complaints.splice(
        0,
        visitor.complaints.length,
        ...visitor.complaints.filter((each) => !each.includes("401")),
      );
    } finally {
      aheadMs = 0;
    }
    await visitor.leave();
  });

  test("a session that its user uses lives on: without a request it ends", async () => {
    const { orgId, issue } = await company(2);
    const visitor = await visitorIn(orgId);
    const { page } = visitor;
    await open(visitor, `/o/${orgId}`);
    try {
      aheadMs += 20 * MINUTE_MS;
      await page.getByRole("link", { name: "Stakeholders", exact: true }).click();
      await page.getByText("Holder 01").first().waitFor();
      aheadMs += 11 * MINUTE_MS;
      await issue("1000");
      await shown(page, "1,100").waitFor();
    } finally {
      aheadMs = 0;
    }
    await visitor.leave();
  });

  test("that a person is seen meanwhile is no change of their role", async () => {
    const { orgId } = await company(1);
    const { memberId, email } = await makeMember(server.app.writer, orgId, { role: "VIEWER", name: "Vera Viewer" });
    const visitor = await visitorIn(orgId, { role: "ADMIN" });
    const { page } = visitor;
    await open(visitor, `/o/${orgId}/settings?tab=members`);
    await page.getByRole("button", { name: /^Change.*Vera Viewer/ }).click();
    const dialog = page.getByRole("dialog", { name: "Vera Viewer" });
    await dialog.getByLabel("Role").selectOption("EDITOR");
    const member = async () => (await server.api("GET", `/members/${memberId}`, undefined, { orgId })).json;
    const before = await member();
    const vera = new Person(server);
    await vera.api("POST", "/auth/sign-in", { email, password: PASSWORD }, { orgId: null });
    await vera.api("GET", "/organization", undefined, { orgId });
    while ((await member()).lastSeenAt === before.lastSeenAt) await page.waitForTimeout(LOOK_EVERY_MS);
    const sent: number[] = [];
    page.on("response", (response) => {
      if (response.request().method() === "PATCH") sent.push(response.status());
    });
    await dialog.getByRole("button", { name: "Save role and stakeholders" }).click();
    await page.getByText("Vera Viewer saved").waitFor();
    expect(sent).toEqual([200]);
    expect(await member()).toMatchObject({ role: "EDITOR" });
    await visitor.leave();
  });

  test("nothing is asked after signing out, by the stream's end neither", async () => {
    const { orgId } = await company(1);
    const visitor = await visitorIn(orgId);
    const { page } = visitor;
    await open(visitor, `/o/${orgId}`);
    const isEnded = ended(page);
    const asked: string[] = [];
    page.on("request", (request) => asked.push(`${request.method()} ${new URL(request.url()).pathname}`));
    await page.getByRole("button", { name: /account, theme/ }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.getByRole("button", { name: "Sign in", exact: true }).waitFor();
    await isEnded;
    const after = asked.slice(asked.indexOf("DELETE /api/v1/auth/session") + 1);
    expect(after.filter((each) => each.includes("/api/"))).toEqual(["GET /api/v1/auth/session"]);
    expect(asked).toContain("DELETE /api/v1/auth/session");
    await visitor.leave();
  });

  test("the portal follows no stream, and reads again when the window has the focus", async () => {
    const { orgId, holders, issue } = await company(1);
    const visitor = await visitorIn(orgId, { role: "STAKEHOLDER", stakeholderIds: holders });
    const { page } = visitor;
    await visitor.go(`/o/${orgId}/mine`);
    await page.getByText("CS-1", { exact: true }).first().waitFor();
    await visitor.settled();
    await issue("5000");
    await inPage(visitor, page, "window.dispatchEvent(new Event('focus'))");
    await page.getByText("CS-2", { exact: true }).first().waitFor();
    expect(visitor.requests.filter((url) => url.includes("/events"))).toEqual([]);
    await visitor.leave();
  });

  test.each(["SIGTERM", "SIGKILL"] as const)(
    "the server is gone by %s and back, and the page is as it is",
    async (signal) => {
      const dataDir = newDataDir();
      const first = await serveProgram(dataDir, { CAPTABLE_CHAIN: "off" });
      let served = first;
      const visitor = await visit(browser, { url: first.url });
      const { page } = visitor;
      await visitor.context.addInitScript(QUICK);
      try {
        await visitor.go("/setup");
        const setUp = { key: first.key, email: "ada@example.com", name: "Ada", password: PASSWORD };
        const made = await inPage<number>(visitor, page, posting("/api/v1/auth/setup", setUp));
        expect(made).toBe(201);
        const { id: orgId } = await asking(first.url, first.key)("GET", "/organization");
        const { issue } = await fill(asking(first.url, first.key), orgId, 2);
        await open(visitor, `/o/${orgId}`);
        await first.end(signal);
        const isFollowed = followed(page);
        await page.getByText("No connection to the server.").waitFor();
        served = await serveProgram(dataDir, { CAPTABLE_CHAIN: "off" }, { more: ["--port", new URL(first.url).port] });
        await issue("5000");
        await total(page, "5,100").waitFor();
        await page.getByText("No connection to the server.").waitFor({ state: "detached" });
        await isFollowed;
        await issue("5000");
        await total(page, "10,100").waitFor();
        visitor.complaints.splice(0);
      } finally {
        await visitor.context.close();
        await served.end("SIGKILL");
        rmSync(dirname(dataDir), { recursive: true, force: true });
      }
    },
  );
});
