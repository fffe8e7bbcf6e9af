// What people do with the pages, in a real browser against a real service: set up, sign in, lose a session in the middle of
// a form, look at two organizations, look at another day. Each ends without a complaint and without another host.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { systemRuntime } from "../../src/kernel/runtime.ts";
import { stepAt, totpCode } from "../../src/people/sign-in/totp.ts";
import { HAS_CHROMIUM, IN_BROWSER } from "../kit/chromium.ts";
import { giveCookie, inPage, type Staying, signIn, type Visitor, visit } from "../kit/pages.ts";
import { beginSession, joinOrganization, makeMember, PASSWORD } from "../kit/people.ts";
import type { SampleCompany } from "../kit/sample.ts";
import { startTestServer, type TestServer } from "../kit/service.ts";
import { setStage } from "../kit/stage.ts";
import { addAuthenticator } from "../people/page.ts";

setDefaultTimeout(300_000);

let server: TestServer;
let browser: Browser;
let company: SampleCompany;
let visiting: Staying["turn"];
let asViewer: Staying["turn"];

const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name }).waitFor();

describe.skipIf(!HAS_CHROMIUM)(IN_BROWSER, () => {
  setStage(
    async ({ sample, stays, ...stage }) => {
      ({ server, browser } = stage);
      company = await sample();
      visiting = stays(null);
      asViewer = stays({ role: "VIEWER" });
    },
    // Passkeys are of a name, and not of a number.
    { CAPTABLE_HOST: "localhost" },
  );

  test("the first user sets the server up, adds codes, signs out, and signs in with both", async () => {
    const fresh = await startTestServer();
    try {
      const visitor = await visit(browser, fresh);
      const { page } = visitor;
      await visitor.go("/");
      await heading(page, "Set up captable");
      expect(new URL(page.url()).pathname).toBe("/setup");
      await page.getByRole("button", { name: "Create the account" }).click();
      expect(await page.getByText("4 fields need your attention.").isVisible()).toBe(true);
      await expectFocus(visitor, "key");
      await page.getByLabel("Administrator key").fill(readFileSync(join(fresh.dataDir, "admin.key"), "utf8"));
      await page.getByLabel("Your name").fill("Grace Hopper");
      await page.getByLabel("E-mail").fill("grace@example.com");
      await page.getByLabel("Password", { exact: true }).fill("grace hopper");
      await page.getByRole("button", { name: "Create the account" }).click();
      await page.getByText("Is mostly a name or an address that others know.").waitFor();
      await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
      await page.getByRole("button", { name: "Create the account" }).click();
      await heading(page, "Overview");
      expect(await page.getByText("Unnamed organization").count()).toBeGreaterThan(0);

      const secret = await setUpCodes(visitor);
      await page.getByRole("button", { name: /account, theme/ }).click();
      await page.getByRole("menuitem", { name: "Sign out" }).click();
      await heading(page, "Sign in");
      await page.getByLabel("E-mail").fill("grace@example.com");
      await page.getByLabel("Password", { exact: true }).fill("not the password");
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.getByText("E-mail, password or code is wrong.").waitFor();
      await expectFocus(visitor, "password");
      await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.getByText("Also enter the code from your app.").waitFor();
      await expectFocus(visitor, "code");
      // Each step counts once: the one that set the codes up was this one, or the one before.
      await page.getByLabel("Code").fill(codeIn(secret, 30_000));
      await page.getByRole("button", { name: "Sign in" }).click();
      await heading(page, "Overview");
      expect(visitor.complaints.splice(0).every((each) => /status of 4(01|22)/.test(each))).toBe(true);
      await visitor.leave();
    } finally {
      await fresh.stop();
    }
  });

  test("nothing is kept in the browser but the theme", () =>
    asViewer(async (visitor) => {
      await visitor.turnTo(`/o/${server.orgId}`);
      await heading(visitor.page, "Overview");
      await visitor.page.getByRole("button", { name: /account, theme/ }).click();
      await visitor.page.getByRole("menuitemradio", { name: "Dark" }).click();
      const stored = "JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])";
      expect(await inPage<string>(visitor, visitor.page, stored)).toBe('[{"theme":"dark"},{},""]');
      const paper = "getComputedStyle(document.documentElement).backgroundColor";
      expect(await inPage<string>(visitor, visitor.page, paper)).toBe("rgb(14, 19, 17)");
      const databases = "indexedDB.databases().then((all) => all.length)";
      expect(await inPage<number>(visitor, visitor.page, databases)).toBe(0);
    }));

  test("a session that ends in the middle of a form is begun again over the page, and nothing is lost", () =>
    visiting(async (visitor) => {
      const { page } = visitor;
      const { memberId, email } = await signIn(visitor, server, { name: "Before" });
      await visitor.go("/account");
      await page.getByLabel("Name", { exact: true }).fill("After");
      expect((await server.api("DELETE", `/members/${memberId}/sessions`)).status).toBe(204);
      await page.getByRole("button", { name: "Save name and e-mail" }).click();
      await page.getByRole("dialog", { name: "Sign in to continue" }).waitFor();
      const dialog = page.getByRole("dialog");
      expect(await dialog.getByLabel("E-mail").inputValue()).toBe(email);
      await dialog.getByLabel("Password", { exact: true }).fill(PASSWORD);
      await dialog.getByRole("button", { name: "Sign in", exact: true }).click();
      await page.getByText("Name and e-mail saved").waitFor();
      expect(await page.getByLabel("Name", { exact: true }).inputValue()).toBe("After");
      await page.getByRole("button", { name: /After ?: account/ }).waitFor();
      expect(visitor.complaints.splice(0).filter((each) => !/status of 401/.test(each))).toEqual([]);
    }));

  test("what needs a proof asks for the password, and goes on", () =>
    visiting(async (visitor) => {
      const { page } = visitor;
      await signIn(visitor, server, { confirmedAt: "2026-01-01T00:00:00.000Z" });
      await visitor.go("/account");
      await page.getByLabel("New password").fill("another violet sings daily");
      await page.getByRole("button", { name: "Change password" }).click();
      const dialog = page.getByRole("dialog", { name: "Confirm your identity" });
      await dialog.getByLabel("Password", { exact: true }).fill("wrong");
      await dialog.getByRole("button", { name: "Confirm" }).click();
      await dialog.getByText("is wrong").waitFor();
      await page.keyboard.press("Escape");
      await page.getByText("Nothing was changed, because you did not confirm your identity.").waitFor();
      await page.getByRole("button", { name: "Change password" }).click();
      await dialog.getByLabel("Password", { exact: true }).fill(PASSWORD);
      await dialog.getByRole("button", { name: "Confirm" }).click();
      await page.getByText("Password changed").waitFor();
      expect(visitor.complaints.splice(0).filter((each) => !/status of 40[13]/.test(each))).toEqual([]);
    }));

  test("a passkey is added, and signs in alone", () =>
    visiting(async (visitor) => {
      const { page, context } = visitor;
      const authenticator = await context.newCDPSession(page);
      await addAuthenticator(authenticator);
      await signIn(visitor, server);
      await visitor.go("/account");
      await page.getByRole("button", { name: "Add a passkey" }).click();
      const dialog = page.getByRole("dialog", { name: "Add a passkey" });
      await dialog.getByLabel("Name").fill("This laptop");
      await dialog.getByRole("button", { name: "Add a passkey" }).click();
      await page.getByRole("button", { name: "I have stored them" }).click();
      await page.getByRole("heading", { name: "This laptop" }).waitFor();
      await context.clearCookies();
      await visitor.go("/sign-in");
      await page.getByRole("button", { name: "Sign in with a passkey" }).click();
      await heading(page, "Overview");
      await authenticator.detach();
    }));

  test("an invitation is accepted, once, and a reset link sets another password", () =>
    visiting(async (visitor) => {
      const { page } = visitor;
      const invited = { email: "joan@example.com", role: "EDITOR" };
      const { url } = (await server.api("POST", "/invitations", invited)).json;
      const { pathname, hash } = new URL(url);
      await visitor.go(pathname + hash);
      await page.getByText("Acme Robotics, Inc. invites you. Your role: Editor.").waitFor();
      expect(await page.getByLabel("E-mail").inputValue()).toBe(invited.email);
      await page.getByLabel("Your name").fill("Joan Clarke");
      await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
      await page.getByRole("button", { name: "Accept and create the account" }).click();
      await heading(page, "Overview");
      await visitor.turnTo(`/organizations`);
      await visitor.go(pathname + hash);
      await page.getByText("This invitation does not work").waitFor();

      const { items } = (await server.api("GET", "/members")).json;
      const member = items.find(({ email }: { email: string }) => email === invited.email);
      const reset = new URL((await server.api("POST", `/members/${member.id}/reset-link`)).json.url);
      await visitor.context.clearCookies();
      await visitor.go(reset.pathname + reset.hash);
      await page.getByText(`For ${invited.email}.`).waitFor();
      await page.getByLabel("New password", { exact: true }).fill("quiet rivers count backwards");
      await page.getByRole("button", { name: "Set the password" }).click();
      await page.getByText("The password is set. Sign in with it.").waitFor();
      await page.getByRole("link", { name: "Go to sign in" }).click();
      await page.getByLabel("E-mail").fill(invited.email);
      await page.getByLabel("Password", { exact: true }).fill("quiet rivers count backwards");
      await page.getByRole("button", { name: "Sign in", exact: true }).click();
      await heading(page, "Overview");
      expect(visitor.complaints.splice(0).every((each) => each.includes("status of 409"))).toBe(true);
    }));

  test("two tabs show two organizations and mix nothing", () =>
    visiting(async (visitor) => {
      const { page, context } = visitor;
      const other = await server.newOrganization("Other, Inc.");
      const { accountId } = await makeMember(server.app.writer, server.orgId, { role: "VIEWER" });
      await joinOrganization(server.app.writer, other, accountId, { role: "EDITOR" });
      const { token } = await beginSession(server.app.writer, accountId);
      await giveCookie(visitor, server, token);
      await visitor.go("/");
      await heading(page, "Organizations");
      await page.getByRole("main").getByRole("link", { name: "Acme Robotics, Inc." }).click();
      await page.getByRole("rowheader", { name: "Ada Lovelace" }).waitFor();
      const second = await context.newPage();
      await second.goto(`${server.url}/o/${other}`);
      await second.getByText("The cap table is empty.").waitFor();
      await page.reload();
      await page.getByRole("rowheader", { name: "Ada Lovelace" }).waitFor();
      expect(await second.getByText("Ada Lovelace").locator("visible=true").count()).toBe(1); // who is signed in
      expect(await page.title()).toBe("Overview · Acme Robotics, Inc.");
      expect(await second.title()).toBe("Overview · Other, Inc.");
      await second.getByRole("button", { name: /Other, Inc/ }).click();
      await second.getByRole("link", { name: /Acme Robotics/ }).click();
      await second.getByRole("rowheader", { name: "Ada Lovelace" }).waitFor();
      await second.close();
    }));

  // Before the days of the history, which are then known.
  test("a lost connection is told, and what was read comes back by itself", () =>
    asViewer(async (visitor) => {
      const { page } = visitor;
      await visitor.turnTo(`/o/${server.orgId}`);
      await page.getByRole("rowheader", { name: "Ada Lovelace" }).waitFor();
      let isGone = true;
      await page.route("**/api/v1/cap-table?**", (route) => (isGone ? route.abort("failed") : route.continue()));
      await page.getByLabel("Day shown").fill("2022-06-10");
      await page.getByText("No connection to the server.").waitFor();
      await heading(page, "Overview");
      isGone = false;
      await page.getByText("No connection to the server.").waitFor({ state: "detached" });
      await page
        .getByRole("row", { name: /^Total/ })
        .first()
        .waitFor();
      expect(visitor.complaints.splice(0).every((each) => each.includes("ERR_FAILED"))).toBe(true);
    }));

  test("the overview shows the API's figures on each day of the history", () =>
    asViewer(async (visitor) => {
      const { page } = visitor;
      await visitor.turnTo(`/o/${server.orgId}`);
      await page.getByRole("table").first().waitFor();
      const { points } = (await server.api("GET", "/cap-table/history")).json.data;
      for (const { date } of points) {
        await page.getByLabel("Day shown").fill(date);
        const { totals, shareClasses } = (await server.api("GET", `/cap-table?asOf=${date}`)).json.data;
        await page.getByRole("heading", { name: `As of ${day(date)}` }).waitFor();
        const row = page.getByRole("region", { name: "Cap table" }).getByRole("row", { name: /^Total/ });
        await row.getByText(grouped(totals.asConverted), { exact: true }).waitFor();
        for (const { issued } of shareClasses) {
          if (issued !== "0") await row.getByText(grouped(issued), { exact: true }).waitFor();
        }
      }
      expect(new URL(page.url()).searchParams.get("asOf")).toBe(points.at(-1).date);
      const hand = page.getByRole("slider", { name: "Day on the chart" });
      await hand.focus();
      await page.keyboard.press("Home");
      await page.getByRole("heading", { name: `As of ${day(points[0].date)}` }).waitFor();
      await page.keyboard.press("PageUp");
      await page.getByRole("heading", { name: `As of ${day("2021-04-01")}` }).waitFor();
      expect(company.grant).not.toBe("");
    }));
});

async function expectFocus(visitor: Visitor, name: string): Promise<void> {
  const focused = "document.activeElement.name";
  for (let tries = 0; tries < 100; tries++) {
    if ((await inPage<string>(visitor, visitor.page, focused)) === name) return;
    await Bun.sleep(20);
  }
  expect(await inPage<string>(visitor, visitor.page, focused)).toBe(name);
}

/** Sets up one-time codes on the account page; returns the secret. */
async function setUpCodes({ page, turnTo }: Visitor): Promise<string> {
  await turnTo("/account");
  await page.getByRole("button", { name: "Set up codes" }).click();
  const dialog = page.getByRole("dialog", { name: "Set up codes" });
  await dialog.getByRole("img").waitFor();
  const secret = (await dialog.locator("code").textContent())?.replace(/\s/g, "") ?? "";
  await dialog.getByLabel("Code from the app").fill(codeIn(secret, 0));
  await dialog.getByRole("button", { name: "Turn on codes" }).click();
  const codes = page.getByRole("dialog", { name: "Recovery codes" });
  await codes.waitFor();
  expect(await codes.getByRole("listitem").count()).toBe(10);
  await codes.getByRole("button", { name: "I have stored them" }).click();
  return secret;
}

/** The code that an app shows after a while. */
function codeIn(secret: string, ms: number): string {
  return totpCode(secret, stepAt(systemRuntime.nowMs() + ms));
}

function grouped(decimal: string): string {
  const [whole = "", fraction] = decimal.split(".");
  return whole.replace(/\B(?=(\d{3})+$)/g, ",") + (fraction ? `.${fraction}` : "");
}

function day(date: string): string {
  return new Intl.DateTimeFormat("en-US", { dateStyle: "medium", timeZone: "UTC" }).format(Date.parse(date));
}
