// What all pages do where an answer is not what was hoped for: each by an answer that the test puts in its place.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import type { Browser, Page } from "playwright-core";
import { HAS_CHROMIUM, IN_BROWSER } from "../kit/chromium.ts";
import { clearSession, follow, inPage, type Staying, staying, type Visitor, visit } from "../kit/pages.ts";
import type { TestServer } from "../kit/service.ts";
import { setStage } from "../kit/stage.ts";

setDefaultTimeout(300_000);

const NO_SUCH_ID = "0190f5a2-6c1e-7b3a-9d4e-000000000000";

let server: TestServer;
let browser: Browser;
let org: string;
let emptyOrg: string;
let asViewer: Staying["turn"];
let asAdministrator: Staying["turn"];

/** Answers with refusals first, as many as are given, and then as the server does; counts the requests. */
async function refusing(page: Page, path: string, refusals: readonly { status: number; retryAfter?: string }[]) {
  let asked = 0;
  await page.route(path, async (route) => {
    const refusal = refusals[asked++];
    if (!refusal) return route.continue();
    const { status, retryAfter } = refusal;
    await route.fulfill({
      status,
      headers: retryAfter === undefined ? {} : { "retry-after": retryAfter },
      contentType: "application/problem+json",
      body: JSON.stringify({ type: "x/problems/refused", title: `Refused ${asked}`, detail: `Refusal ${asked}.` }),
    });
  });
  return () => asked;
}

describe.skipIf(!HAS_CHROMIUM)(IN_BROWSER, () => {
  setStage(async ({ sample, stays, ...stage }) => {
    ({ server, browser } = stage);
    await sample();
    org = `/o/${server.orgId}`;
    asViewer = stays({ role: "VIEWER" });
    const orgId = await server.newOrganization();
    emptyOrg = `/o/${orgId}`;
    asAdministrator = stays({ orgId });
  });

  /** Visits as a viewer; leaves provoked errors out of the complaints. */
  const visiting = (does: (visitor: Visitor) => Promise<void>) =>
    asViewer(async (visitor) => {
      await does(visitor);
      expect(visitor.complaints.splice(0).filter((each) => !/status of [45]\d\d/.test(each))).toEqual([]);
    });
  const LIST = "**/api/v1/stakeholders?**";

  // Loaded, for a list that was read a moment ago is not asked for again.
  test("429: waits as it is told, at most twice, and then says so", () =>
    visiting(async ({ page, go }) => {
      const twice = [429, 429].map((status) => ({ status, retryAfter: "0" }));
      await refusing(page, LIST, twice);
      await go(`${org}/stakeholders`);
      await page.getByRole("link", { name: "Ada Lovelace" }).waitFor();
      await page.unroute(LIST);
      const asked = await refusing(page, LIST, [...twice, { status: 429, retryAfter: "0" }]);
      await go(`${org}/stakeholders`);
      await page.getByRole("alert").getByText("Refusal 3.").waitFor();
      expect(asked()).toBe(3);
      await page.getByRole("button", { name: "Try again" }).click();
      await page.getByRole("link", { name: "Ada Lovelace" }).waitFor();
    }));

  test("503: a bar says so, and the read is sent again by itself", () =>
    visiting(async ({ page, go }) => {
      await refusing(page, LIST, [{ status: 503 }]);
      await go(`${org}/stakeholders`);
      await page.getByText("The server is unavailable.").waitFor();
      await page.getByRole("link", { name: "Ada Lovelace" }).waitFor();
      await page.getByText("The server is unavailable.").waitFor({ state: "detached" });
    }));

  test.each([
    ["stakeholders", "stakeholder", "Stakeholders"],
    ["securities", "security", "Securities"],
    ["ledger", "entry", "Ledger"],
    ["approvals", "approval", "Approvals"],
    ["corporate-actions", "corporate action", "Corporate actions"],
  ])("404 of %s: says what is not there, and leads to the list", (path, noun, list) =>
    visiting(async ({ page, turnTo }) => {
      await turnTo(`${org}/${path}/${NO_SUCH_ID}`);
      const notice = page.getByRole("alert");
      await notice.getByText(`There is no such ${noun}, or it was deleted.`).waitFor();
      await notice.getByRole("link", { name: list }).click();
      await page.getByRole("heading", { level: 1, name: list }).waitFor();
    }),
  );

  test("nothing that matches: says so, and clears the filters", () =>
    visiting(async ({ page, turnTo }) => {
      await turnTo(`${org}/stakeholders?q=no+holder+of+this+name`);
      await page.getByText("Nothing matches these filters.").waitFor();
      await page.getByRole("button", { name: "Clear filters" }).click();
      await page.getByRole("link", { name: "Ada Lovelace" }).waitFor();
      expect(new URL(page.url()).search).toBe("");
    }));

  test("what a role does not allow is not there", () =>
    visiting(async (visitor) => {
      const { page, turnTo } = visitor;
      for (const path of [
        "",
        "/stakeholders",
        "/securities",
        "/classes-and-plans",
        "/ledger",
        "/valuations",
        "/approvals",
      ]) {
        await follow(visitor, org + path);
        expect(await page.getByRole("button", { name: /^(Record|Verify now|New approval)$/ }).count()).toBe(0);
        expect(await page.getByRole("link", { name: /^Add / }).count()).toBe(0);
      }
      await turnTo(`${org}/record/transfer`);
      await page.getByText("Only editors can record.").waitFor();
    }));

  test.each([
    ["stakeholders", "Nobody is in the register yet.", "Add stakeholder"],
    ["securities", "No security has been issued.", null],
    ["classes-and-plans", "No share class yet.", null],
    ["ledger", "The ledger begins with the first issuance.", null],
    ["valuations", "No valuation yet; options need one.", null],
    ["approvals", "Approvals gather decisions before shares are issued.", null],
    ["documents", "No documents yet.", null],
  ])("nothing yet in %s: one sentence, and what makes the first", (path, words, action) =>
    asAdministrator(async ({ page, turnTo }) => {
      await turnTo(`${emptyOrg}/${path}`);
      await page.getByText(words).first().waitFor();
      if (action) expect(await page.locator(".empty").getByRole("link", { name: action }).count()).toBe(1);
    }),
  );

  test("a window that stays fails the test in which its page complained, and no other", async () => {
    const opened: Visitor[] = [];
    const complaining = staying(async () => {
      const visitor = await visit(browser, server);
      opened.push(visitor);
      return visitor;
    }, clearSession);
    const turn = (expression: string) =>
      complaining.turn(async (visitor) => {
        await visitor.go("/healthz");
        await inPage(visitor, visitor.page, expression);
      });
    expect(await turn('console.error("planted")').catch(String)).toBe("Error: complained: planted");
    await turn("0");
    await turn("0");
    expect(
      await turn('setTimeout(() => { throw "late" }); new Promise((resolve) => setTimeout(resolve, 1))').catch(String),
    ).toContain("late");
    expect(opened.length).toBe(2);
    await complaining.leave();
  });
});
