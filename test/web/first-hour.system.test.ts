// A new user's first hour, as the program starts on an empty folder: set up, bring in a package, look at other days, make a plan
// and terms, grant, see it vest, invite the holder, look as the holder, exercise, transfer, raise a limit from a refused form,
// and take everything out again. Every figure is compared with what the API says.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { unzipSync } from "fflate";
import type { Browser, Page } from "playwright-core";
import { today } from "../../src/web/clock.ts";
import { quantityText } from "../../src/web/locale.ts";
import { HAS_CHROMIUM, IN_BROWSER, launchChromium } from "../kit/chromium.ts";
import { type Ask, asking } from "../kit/company.ts";
import { MATERIAL } from "../kit/ocf-material.ts";
import { type Visitor, visit } from "../kit/pages.ts";
import { newDataDir, type Served, serveProgram } from "../kit/program.ts";

setDefaultTimeout(300_000);

/** An official sample. */
const OFFICIAL = join(MATERIAL, "packages-derived/official-hist-samples-Acme-Holdings-repaired.zip");
const PASSWORD = "violet rocks sing daily";
const HOLDER_PASSWORD = "quiet rivers count backwards";

const heading = (page: Page, name: string | RegExp) => page.getByRole("heading", { level: 1, name }).waitFor();
const checked = (page: Page) => page.getByText("Checked", { exact: true }).waitFor();
const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();
/** Waits until the page says that it was recorded, and takes that away: the next is said in the same words. */
const recorded = async (page: Page) => {
  const said = page.locator(".toast", { hasText: /^Recorded as entry \d+\.$/ });
  await said.getByRole("button", { name: "Close" }).click();
  await said.waitFor({ state: "detached" });
};
const years = (day: string, by: number) => `${Number(day.slice(0, 4)) + by}${day.slice(4)}`;

async function choose(page: Page, label: string, typed: string): Promise<void> {
  await page.getByRole("combobox", { name: label, exact: true }).fill(typed);
  await page.getByRole("option", { name: typed }).first().click();
}

describe.skipIf(!HAS_CHROMIUM)(IN_BROWSER, () => {
  const dataDir = newDataDir();
  let served: Served;
  let browser: Browser;
  let ask: Ask;
  let founder: Visitor;
  let org: string;

  beforeAll(async () => {
    served = await serveProgram(dataDir);
    browser = await launchChromium();
    ask = asking(served.url, served.key);
    founder = await visit(browser, served);
  });
  afterAll(async () => {
    await browser.close();
    await served.end();
    rmSync(dirname(dataDir), { recursive: true, force: true });
  });

  /** That the page's cap table and its strip show what the API says of a day. */
  async function expectCapTable(page: Page, asOf: string | null): Promise<void> {
    const { totals } = (await ask("GET", asOf ? `/cap-table?asOf=${asOf}` : "/cap-table")).data;
    const row = page.getByRole("region", { name: "Cap table" }).getByRole("row", { name: /^Total/ });
    const figure = quantityText(totals.asConverted);
    await row.getByText(figure, { exact: true }).first().waitFor();
    await page.locator(".strip-figure").first().getByText(figure, { exact: true }).waitFor();
  }

  /** The class of which most is issued. */
  async function mainClass(): Promise<{ id: string; name: string; issued: string; authorized: string }> {
    const { shareClasses } = (await ask("GET", "/cap-table")).data;
    return shareClasses.toSorted(
      (a: { issued: string }, b: { issued: string }) => Number(b.issued) - Number(a.issued),
    )[0];
  }

  test("set up: the key makes the account, and the organization is empty", async () => {
    const { page, go } = founder;
    await go("/");
    await heading(page, "Set up captable");
    await page.getByLabel("Administrator key").fill(served.key);
    await page.getByLabel("Your name").fill("Grace Hopper");
    await page.getByLabel("E-mail").fill("grace@example.com");
    await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await press(page, "Create the account");
    await heading(page, "Overview");
    await page.getByText("The cap table is empty.").waitFor();
    org = new URL(page.url()).pathname;
  });

  test("a package comes in: checked, tried, imported; today and earlier days are as the API says", async () => {
    const { page } = founder;
    await page.getByRole("link", { name: "Import an OCF package" }).click();
    await heading(page, "Import and export");
    const chosen = { name: "acme.zip", mimeType: "application/zip", buffer: readFileSync(OFFICIAL) };
    await page.getByLabel("OCF package as a zip").setInputFiles(chosen);
    await press(page, "Preview import");
    await page.getByText("Import preview").waitFor();
    expect((await ask("GET", "/stakeholders")).items).toEqual([]);
    await press(page, "Import now");
    await page.getByText("Import report").waitFor();
    expect((await ask("GET", "/cap-table/ocf-import")).data.state).toBe("DONE");
    await page.getByRole("link", { name: "Open overview" }).click();
    await heading(page, "Overview");
    await expectCapTable(page, null);
    await founder.turnTo(`${org}?asOf=2021-12-31`);
    await expectCapTable(page, "2021-12-31");
    const { points } = (await ask("GET", "/cap-table/history")).data;
    await page.getByLabel("Day shown").fill(points[1].date);
    await expectCapTable(page, points[1].date);
    await press(page, "Today");
    await expectCapTable(page, null);
  });

  test("plan, terms, a grant to a new holder, and how it vests", async () => {
    const { page, turnTo } = founder;
    const { name } = await mainClass();
    await turnTo(`${org}/new/equity-plan`);
    await page.getByLabel("Name").fill("2026 Plan");
    await page.getByLabel("Reserved shares").fill("100,000");
    for (const each of (await ask("GET", "/share-classes")).items) {
      await page.getByRole("checkbox", { name: each.name, exact: true }).setChecked(each.name === name);
    }
    await press(page, "Add equity plan");
    await page.getByText("Equity plan added.").waitFor();
    await turnTo(`${org}/new/vesting-terms`);
    await page.getByText("All 37 dates").waitFor();
    await press(page, "Add vesting terms");
    await page.getByText("Vesting terms added.").waitFor();

    await turnTo(`${org}/record/issue-options`);
    await page.getByRole("link", { name: "New holder" }).click();
    await heading(page, "New stakeholder");
    await page.getByLabel("Name", { exact: true }).fill("Bo Engineer");
    await page.getByLabel("E-mail").fill("bo@example.com");
    await page.getByLabel("Employee", { exact: true }).check();
    await press(page, "Add stakeholder");
    await heading(page, "Grant options");
    await page.getByLabel("Equity plan").selectOption({ label: "2026 Plan" });
    await page.getByLabel("Number of options").fill("48000");
    await page.getByLabel("Strike price").fill("0.25");
    await page.getByLabel("Vesting terms").selectOption({ label: "4 years monthly, 1 year cliff" });
    await page.getByLabel("Vesting starts").fill(years(today(), -2));
    await checked(page);
    await press(page, "Record grant");
    await recorded(page);
    await page.getByRole("link", { name: "Vesting" }).click();
    const { items } = await ask("GET", "/securities?type=STOCK_OPTION&q=ES");
    const option = items.find(({ quantity }: { quantity: string }) => quantity === "48000");
    const { vested, unvested } = await ask("GET", `/securities/${option.id}/vesting`);
    const words = `${quantityText(vested)} of 48,000 vested`;
    await page.getByRole("img", { name: new RegExp(`^${words}`) }).waitFor();
    expect(await page.locator(".strip-figure").allTextContents()).toContain(quantityText(unvested));
  });

  test("the holder is invited, and sees what is theirs on a phone", async () => {
    const { page, turnTo } = founder;
    const { items } = await ask("GET", "/stakeholders?q=Bo");
    await turnTo(`${org}/stakeholders/${items[0].id}`);
    await press(page, "Invite");
    expect(await page.getByRole("dialog").getByLabel("E-mail").inputValue()).toBe("bo@example.com");
    await press(page, "Create link");
    const { pathname, hash } = new URL((await page.getByRole("dialog").locator("code").textContent()) ?? "");
    await press(page, "Done");

    const holder = await visit(browser, served, { width: 375, height: 800 });
    await holder.go(pathname + hash);
    await holder.page.getByLabel("Your name").fill("Bo Engineer");
    await holder.page.getByLabel("Password", { exact: true }).fill(HOLDER_PASSWORD);
    await press(holder.page, "Accept and create the account");
    await heading(holder.page, "Bo Engineer, your holdings");
    await holder.page.getByRole("heading", { name: "48,000 options" }).waitFor();
    expect(new URL(holder.page.url()).pathname).toBe(`${org}/mine`);
    expect(await holder.page.getByRole("link", { name: "Overview" }).count()).toBe(0);
    await holder.leave();
    await page.reload();
    await page.getByText("Bo Engineer has access as Stakeholder.").waitFor();
  });

  test("exercise, transfer, and a limit that is raised from a refused form", async () => {
    const { page, turnTo } = founder;
    const { items: options } = await ask("GET", "/securities?type=STOCK_OPTION&status=ACTIVE&q=ES");
    const option = options.find(({ quantity }: { quantity: string }) => quantity === "48000");
    await turnTo(`${org}/record/exercise?securityId=${option.id}`);
    await checked(page);
    await page.getByLabel("How many").fill("1000");
    await checked(page);
    await press(page, "Record exercise");
    await recorded(page);
    expect((await ask("GET", `/securities/${option.id}`)).quantity).toBe("47000");

    const { id, name, authorized } = await mainClass();
    const { items: stock } = await ask("GET", `/securities?type=STOCK&status=ACTIVE&stockClassId=${id}`);
    const [largest] = stock.toSorted(
      (a: { quantity: string }, b: { quantity: string }) => Number(b.quantity) - Number(a.quantity),
    );
    await turnTo(`${org}/record/transfer?securityId=${largest.id}`);
    await page.getByLabel("How many").fill("500");
    await choose(page, "Recipient", "Bo Engineer");
    await checked(page);
    await press(page, "Record transfer");
    await recorded(page);
    const [bo] = (await ask("GET", "/stakeholders?q=Bo")).items;
    expect((await ask("GET", `/stakeholders/${bo.id}/position`)).totals.outstanding).toBe("1500");

    await turnTo(`${org}/record/issue-shares`);
    await choose(page, "Holder", "Bo Engineer");
    await page.getByLabel("Share class").selectOption({ label: name });
    await page.getByLabel("Number of shares").fill(authorized);
    await page.getByRole("link", { name: "Raise the authorized figure" }).click();
    await heading(page, "Change authorized shares");
    await checked(page);
    await press(page, "Record the change");
    await recorded(page);
    await heading(page, "Issue shares");
    await checked(page);
    await press(page, "Record issuance");
    // Not the toast: that of the raise may still be there.
    await page.waitForURL(/\/securities\//);
    const raised = await mainClass();
    expect([raised.name, raised.authorized]).toEqual([name, raised.issued]);
    await turnTo(org);
    await expectCapTable(page, null);
  });

  test("everything goes out again as a package without a problem, and the ledger holds", async () => {
    const { page, turnTo } = founder;
    await turnTo(`${org}/ocf`);
    const [download] = await Promise.all([page.waitForEvent("download"), press(page, "Download package")]);
    const bytes = readFileSync(await download.path());
    expect(Object.keys(unzipSync(bytes)).length).toBeGreaterThan(3);
    const checking = await fetch(`${served.url}/api/v1/cap-table/ocf-validate`, {
      method: "POST",
      headers: { authorization: `Bearer ${served.key}`, "content-type": "application/zip" },
      body: bytes,
    });
    const { problems } = (await checking.json()) as { problems: { severity: string }[] };
    expect(problems.filter(({ severity }) => severity === "problem")).toEqual([]);
    await turnTo(`${org}/ledger`);
    await press(page, "Verify now");
    await page.getByText(/entries, no difference/).waitFor();
    // Refusals are answers, of which browsers complain.
    expect(founder.complaints.splice(0).every((each) => /status of 4(09|22)/.test(each))).toBe(true);
    await founder.leave();
  });
});
