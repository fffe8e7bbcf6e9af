// The founder's path by the keyboard alone: a class, a plan, terms, a holder, shares, a grant, an exercise and a transfer. No
// pointer touches a page; actions are found by Ctrl K, fields by Tab.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import type { Browser, Locator, Page } from "playwright-core";
import { HAS_CHROMIUM, IN_BROWSER } from "../kit/chromium.ts";
import { asking } from "../kit/company.ts";
import { signIn, visit } from "../kit/pages.ts";
import type { TestServer } from "../kit/service.ts";
import { setStage } from "../kit/stage.ts";

setDefaultTimeout(300_000);

/** More than any form has stops. */
const TABS_MAX = 120;

let server: TestServer;
let browser: Browser;

/** Goes on by Tab until something has the focus. Throws where Tab never comes to it. */
async function reach(page: Page, wanted: Locator): Promise<void> {
  await wanted.first().waitFor();
  const focused = page.locator(":focus").and(wanted);
  for (let count = 0; count < TABS_MAX; count++) {
    if ((await focused.count()) > 0) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`Tab does not come to ${wanted}`);
}

async function type(page: Page, label: string, text: string): Promise<void> {
  await reach(page, page.getByLabel(label, { exact: true }));
  await page.keyboard.press("Control+a");
  await page.keyboard.type(text);
}

/** Chooses in a combobox: what is typed, then the first that is found. */
async function choose(page: Page, label: string, text: string): Promise<void> {
  await reach(page, page.getByRole("combobox", { name: label }));
  await page.keyboard.type(text);
  await page.getByRole("option", { name: text }).first().waitFor();
  await page.keyboard.press("Enter");
}

async function press(page: Page, name: string): Promise<void> {
  await reach(page, page.getByRole("button", { name, exact: true }));
  await page.keyboard.press("Enter");
}

/** Opens an action by what is said in the search. */
async function act(page: Page, name: string): Promise<void> {
  await page.keyboard.press("Control+k");
  await page.locator(":focus[role=combobox]").waitFor();
  await page.keyboard.type(name);
  await page.getByRole("option", { name }).first().waitFor();
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name }).waitFor();
}

const checked = (page: Page) => page.getByText("Checked", { exact: true }).waitFor();
/** Waits until an entry is recorded, and the page that is shown then is there. */
async function recorded(page: Page, entry: number): Promise<void> {
  await page.getByText(`Recorded as entry ${entry}.`).waitFor();
  await page.waitForURL((url) => !url.pathname.includes("/record/"));
  await page.locator("main:focus h1").waitFor();
}

describe.skipIf(!HAS_CHROMIUM)(IN_BROWSER, () => {
  setStage((stage) => {
    ({ server, browser } = stage);
  });

  test("from an empty company to a transfer", async () => {
    const orgId = await server.newOrganization();
    const ask = asking(server.url, await server.key("ADMIN", orgId));
    const visitor = await visit(browser, server);
    const { page, go, turnTo } = visitor;
    try {
      await signIn(visitor, server, { role: "EDITOR", orgId });
      await go(`/o/${orgId}`);
      await reach(page, page.getByRole("link", { name: "Add a share class" }));
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { level: 1, name: "New share class" }).waitFor();
      await type(page, "Name", "Common");
      await type(page, "Authorized shares", "1000000");
      await page.keyboard.press("Enter");
      await page.getByText("Share class added.").waitFor();

      await turnTo(`/o/${orgId}/new/equity-plan`);
      await type(page, "Name", "2026 Plan");
      await type(page, "Reserved shares", "100000");
      await press(page, "Add equity plan");
      await page.getByText("Equity plan added.").waitFor();
      await turnTo(`/o/${orgId}/new/vesting-terms`);
      await page.getByText("All 37 dates").waitFor();
      await press(page, "Add vesting terms");
      await page.getByText("Vesting terms added.").waitFor();
      for (const name of ["Ada Lovelace", "Bo Engineer"]) {
        await turnTo(`/o/${orgId}/new/stakeholder`);
        await type(page, "Name", name);
        await press(page, "Add stakeholder");
        await page.getByRole("heading", { level: 1, name }).waitFor();
      }

      await act(page, "Issue shares");
      await choose(page, "Holder", "Ada Lovelace");
      await type(page, "Number of shares", "800000");
      await checked(page);
      await press(page, "Record issuance");
      await recorded(page, 1);

      await act(page, "Grant options");
      await choose(page, "Holder", "Bo Engineer");
      await type(page, "Number of options", "48000");
      await type(page, "Strike price", "0.25");
      await checked(page);
      await press(page, "Record grant");
      await recorded(page, 2);

      // From the grant itself, by its menu.
      await reach(
        page,
        page.getByRole("button", { name: "Record", exact: true }).or(page.locator("main [aria-haspopup]")),
      );
      await page.keyboard.press("Enter");
      await page.locator(":focus[role=menuitem]").waitFor();
      await page.keyboard.press("e");
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { level: 1, name: "Exercise" }).waitFor();
      await type(page, "How many", "1000");
      await checked(page);
      await press(page, "Record exercise");
      await recorded(page, 3);

      await act(page, "Transfer");
      await choose(page, "Security", "CS-1");
      await type(page, "How many", "10000");
      await choose(page, "Recipient", "Bo Engineer");
      await checked(page);
      await press(page, "Record transfer");
      await recorded(page, 4);
      const { data } = await ask("GET", "/cap-table");
      const held = data.stakeholders.map((each: { displayName: string; outstanding: string }) => [
        each.displayName,
        each.outstanding,
      ]);
      expect(held.sort()).toEqual([
        ["Ada Lovelace", "790000"],
        ["Bo Engineer", "11000"],
      ]);
      await visitor.leave();
    } finally {
      await visitor.context.close();
    }
  });
});
