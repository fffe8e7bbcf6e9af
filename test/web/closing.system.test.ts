// What stands in the way of closing a round and of adjusting a conversion, in a real browser: every refusal and warning is
// said in words, at its field or on top, and what leads on from it does.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import type { Page } from "playwright-core";
import { present } from "../../src/kernel/assert.ts";
import { HAS_CHROMIUM, IN_BROWSER } from "../kit/chromium.ts";
import { type Ask, asking } from "../kit/company.ts";
import type { Staying, Visitor } from "../kit/pages.ts";
import type { TestServer } from "../kit/service.ts";
import { setStage } from "../kit/stage.ts";

setDefaultTimeout(300_000);

const TESTS = 5;

let server: TestServer;
/** One for each test, and a window of a user who edits all of them. */
let companies: Company[];
let turn: Staying["turn"];

interface Company {
  readonly org: string;
  readonly ask: Ask;
  readonly common: string;
  readonly seed: string;
  readonly lead: string;
}

/** Founder's shares in a class that has few left to issue, and a preferred class. */
async function makeCompany(): Promise<Company> {
  const orgId = await server.newOrganization();
  const ask = asking(server.url, await server.key("ADMIN", orgId));
  const holder = async (displayName: string): Promise<string> =>
    (await ask("POST", "/stakeholders", { displayName, name: { legalName: displayName }, type: "INDIVIDUAL" })).id;
  const figures = { votesPerShare: "1", initialSharesAuthorized: "1000000" };
  const { id: common } = await ask("POST", "/share-classes", {
    ...{ name: "Common", classType: "COMMON", defaultIdPrefix: "CS-", seniority: 2, ...figures },
  });
  const { id: seed } = await ask("POST", "/share-classes", {
    ...{ name: "Seed", classType: "PREFERRED", defaultIdPrefix: "SD-", seniority: 1, pricePerShare: "2", ...figures },
  });
  const founder = await holder("Ada Lovelace");
  await ask("POST", "/transactions/issue-shares", {
    ...{ stakeholderId: founder, stockClassId: common, quantity: "900000", certificateId: "CS-1" },
    effectiveDate: "2025-01-01",
  });
  return { org: `/o/${orgId}`, ask, common, seed, lead: await holder("Turing Growth Fund") };
}

const computed = (page: Page) => page.locator(".page-head").getByText("Computed").waitFor();
const dialogOf = (page: Page) => page.getByRole("dialog", { name: "Close this round" });
const faultOf = (page: Page, name: string) => page.locator(`.field:has([name="${name}"]) .fault`);

async function modelRound(
  { turnTo, page }: Visitor,
  { org }: Company,
  { day = "2026-03-01", invests = "300000" } = {},
) {
  await turnTo(`${org}/models/round`);
  await page.getByLabel("New class").fill("Series A");
  await page.getByLabel("Closing date").fill(day);
  await page.getByLabel("Pre-money valuation").fill("900000");
  await page.getByRole("combobox", { name: "Investor" }).fill("Turing");
  await page.getByRole("option", { name: "Turing Growth Fund" }).click();
  await page.getByLabel("Invests").fill(invests);
  await computed(page);
}

async function openClosing(page: Page) {
  await page.getByRole("button", { name: "Close this round" }).click();
  const dialog = dialogOf(page);
  await dialog.getByRole("table").getByText("SA-1", { exact: true }).waitFor();
  return dialog;
}

describe.skipIf(!HAS_CHROMIUM)(IN_BROWSER, () => {
  setStage(async ({ stays, ...stage }) => {
    ({ server } = stage);
    companies = await Promise.all(Array.from({ length: TESTS }, makeCompany));
    const [orgId, ...alsoIn] = companies.map(({ org }) => org.slice("/o/".length));
    turn = stays({ role: "EDITOR", ...(orgId && { orgId }), alsoIn });
  });

  const visiting = (does: (visitor: Visitor, company: Company) => Promise<void>): Promise<void> =>
    turn(async (visitor) => {
      await does(visitor, present(companies.pop(), "a company for each test"));
      // A refusal is an answer; browsers complain of each.
      const others = visitor.complaints.splice(0).filter((each) => !/status of 4(09|22)/.test(each));
      visitor.complaints.push(...others);
    });

  test("shares that are short are warned of, and a figure that is too low is refused at its field", () =>
    visiting(async (visitor, company) => {
      const { page } = visitor;
      await modelRound(visitor, company);
      const dialog = await openClosing(page);
      const raise = dialog.getByLabel("Raise Common to");
      expect(await raise.inputValue()).toBe("1200000");
      await raise.fill("");
      await dialog.getByText("Common needs 1,200,000 shares").waitFor();
      await raise.fill("5");
      await faultOf(page, `raise.${company.common}`).getByText("with 5 authorized").waitFor();
      await raise.fill("1300000");
      await dialog.getByText("Common needs").waitFor({ state: "detached" });
      expect(await faultOf(page, `raise.${company.common}`).count()).toBe(0);

      const made = dialog.getByLabel("Authorized shares of Series A");
      await made.fill("7");
      await made.blur();
      await faultOf(page, "new.0").getByText("The round issues 300,000.").waitFor();
      await made.fill("400000");
      await dialog.getByRole("button", { name: "Record the closing" }).click();
      await page.getByRole("heading", { level: 1, name: "Series A financing" }).waitFor();
      const { items } = await company.ask("GET", "/share-classes");
      expect(items.map((each: { currentSharesAuthorized: string }) => each.currentSharesAuthorized).sort()).toEqual([
        ...["1000000", "1300000", "400000"],
      ]);
    }));

  test("a round that another user closed leads to its corporate action", () =>
    visiting(async (visitor, company) => {
      const { page } = visitor;
      await modelRound(visitor, company);
      const dialog = await openClosing(page);
      const model = {
        ...{ asOf: "2026-03-01", closingDate: "2026-03-01", newClass: { name: "Series A" } },
        valuation: { kind: "PRE_MONEY", amount: "900000" },
        investors: [{ stakeholderId: company.lead, amount: "300000" }],
      };
      const { digest } = (await company.ask("POST", "/models/round", model)).data;
      await company.ask("POST", "/models/round/close", { model, digest });
      await dialog.getByRole("button", { name: "Record the closing" }).click();
      await dialog.getByText("This round is already closed: see Series A.").waitFor();
      await dialog.getByRole("link", { name: "Open its corporate action" }).click();
      await page.getByRole("heading", { level: 1, name: "Series A financing" }).waitFor();
    }));

  test("a round whose cap table has changed is computed again, and closed with what was typed", () =>
    visiting(async (visitor, company) => {
      const { page } = visitor;
      await modelRound(visitor, company);
      const dialog = await openClosing(page);
      await dialog.getByLabel("Title of the corporate action").fill("First closing");
      await company.ask("POST", "/transactions/issue-shares", {
        ...{ stakeholderId: company.lead, stockClassId: company.common, quantity: "50000", certificateId: "CS-2" },
        effectiveDate: "2025-02-01",
      });
      await dialog.getByRole("button", { name: "Record the closing" }).click();
      await dialog.getByText("The cap table changed since this was computed.").first().waitFor();
      await dialog.getByRole("button", { name: "Recompute round" }).click();
      await dialog.getByRole("table").getByText("SA-1", { exact: true }).waitFor();
      expect(await dialog.getByLabel("Title of the corporate action").inputValue()).toBe("First closing");
      await dialog.getByRole("button", { name: "Record the closing" }).click();
      await page.getByRole("heading", { level: 1, name: "First closing" }).waitFor();
    }));

  test("a day before a split, an amount that buys nothing, and a pool without a plan are said in words", () =>
    visiting(async (visitor, company) => {
      const { page } = visitor;
      await company.ask("POST", "/transactions/split", {
        ...{ stockClassId: company.common, numerator: 1, denominator: 1000, rounding: "DOWN" },
        effectiveDate: "2026-05-01",
      });
      await modelRound(visitor, company);
      await page.getByRole("button", { name: "Close this round" }).click();
      const refused = dialogOf(page).getByRole("alert");
      await refused.getByText("This cannot be recorded").waitFor();
      await refused.getByText("Closing date: the ledger has an entry of May 1, 2026 on it").waitFor();
      await page.keyboard.press("Escape");

      await modelRound(visitor, company, { day: "2026-06-01", invests: "0.01" });
      await page.getByRole("button", { name: "Close this round" }).click();
      await refused.getByText("Turing Growth Fund: buys no share at this price.").waitFor();
      await page.keyboard.press("Escape");
      await faultOf(page, "investors.0.amount").getByText("Buys no share at this price.").waitFor();

      await page.getByLabel("Invests").fill("300000");
      await page.getByLabel("After the round", { exact: true }).selectOption("INCREASE");
      await page.getByLabel("Shares added").fill("100");
      await computed(page);
      await page.getByRole("button", { name: "Close this round" }).click();
      await refused.getByText("Adding shares to the pool needs an equity plan.").waitFor();
    }));

  test("a conversion that is adjusted says what changes, and what is odd or refused of it", () =>
    visiting(async (visitor, { org, ask, seed }) => {
      const { page, turnTo } = visitor;
      await turnTo(`${org}/record/adjust-conversion`);
      const shareClass = page.getByLabel("Share class");
      await shareClass.locator("option", { hasText: "Seed" }).waitFor({ state: "attached" });
      expect(await shareClass.locator("option").allInnerTexts()).not.toContain("Common");
      await shareClass.selectOption({ label: "Seed" });
      await page.getByLabel("Common shares").fill("2");
      await page.getByLabel("For shares of the class").fill("1.6");
      await page.getByLabel("Conversion price").fill("1.6");
      await page.getByLabel("Date", { exact: true }).fill("2026-05-01");
      await page.getByText("Checked", { exact: true }).waitFor();
      const line = page.getByRole("row", { name: /^Seed into common/ });
      expect(await line.locator(".before").textContent()).toBe("one for one");
      expect(await line.locator(".after").textContent()).toBe("2 for 1.6, at 1.6");

      await page.getByLabel("Conversion price").fill("1.55");
      await page.getByText("give a conversion price of 1.6, not 1.55").waitFor();
      await page.getByLabel("Common shares").fill("0");
      await page.getByLabel("Common shares").blur();
      await faultOf(page, "ratio.numerator").waitFor();

      const ratio = { numerator: "2", denominator: "1.6" };
      await ask("POST", "/transactions/adjust-conversion", {
        ...{ stockClassId: seed, ratio, conversionPrice: "1.6", effectiveDate: "2026-06-01" },
      });
      await page.getByLabel("Common shares").fill("2");
      const refused = page.getByRole("alert");
      await refused.getByText("This cannot be recorded").waitFor();
      await refused.getByText("The ledger has an entry of Jun 1, 2026 on it").waitFor();
      await refused.getByRole("button", { name: "Reload" }).waitFor();
    }));
});
