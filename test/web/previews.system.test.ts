// Preview panel of guided forms in a real browser: vesting, pools, rounding. The record then has the previewed values.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import type { Page } from "playwright-core";
import { formatDecimal, parseDecimal, scale, sum } from "../../src/kernel/numbers/decimal.ts";
import { today } from "../../src/web/clock.ts";
import { HAS_CHROMIUM, IN_BROWSER } from "../kit/chromium.ts";
import { type Ask, asking } from "../kit/company.ts";
import type { Staying } from "../kit/pages.ts";
import type { SampleCompany } from "../kit/sample.ts";
import { setStage } from "../kit/stage.ts";

setDefaultTimeout(300_000);

let org: string;
let company: SampleCompany;
let ask: Ask;
let visiting: Staying["turn"];

const checked = (page: Page) => page.getByText("Checked", { exact: true }).waitFor();
/** Waits until the page says that it was recorded, and takes that away: the next may be said in the same words. */
const recorded = async (page: Page) => {
  const said = page.locator(".toast", { hasText: /^Recorded as entry/ });
  await said.getByRole("button", { name: "Close" }).click();
  await said.waitFor({ state: "detached" });
};
/** The outline of the chart under a heading of the panel. */
const chart = (page: Page, heading: string) =>
  page.getByRole("heading", { name: heading, exact: true }).locator("+ figure .to-come");
const fact = (page: Page, name: string) => page.locator(".facts > div", { hasText: name }).getByRole("definition");

describe.skipIf(!HAS_CHROMIUM)(IN_BROWSER, () => {
  setStage(async ({ server, sample, stays }) => {
    ask = asking(server.url, await server.key("ADMIN"));
    company = await sample();
    org = `/o/${server.orgId}`;
    visiting = stays({ role: "EDITOR" });
  });
  async function grantTo(
    stakeholderId: string | undefined,
    certificateId: string,
    vestingTermsId = company.terms,
  ): Promise<string> {
    const { data } = await ask("POST", "/transactions/issue-options", {
      ...{ stakeholderId, stockPlanId: company.plan, quantity: "4801", exercisePrice: "0.5", certificateId },
      ...{ optionType: "NSO", vestingTermsId, effectiveDate: "2026-01-15" },
    });
    return data.securityId;
  }

  test("vesting that is accelerated, or starts on another day, is drawn as it then is", () =>
    visiting(async ({ page, turnTo, settled }) => {
      const id = await grantTo(company.holders.mary, "ES-901");
      await turnTo(`${org}/record/start-vesting?securityId=${id}&effectiveDate=2026-02-10`);
      await checked(page);
      const begun = await chart(page, "Vesting after").getAttribute("d");
      expect(begun).not.toBe(await chart(page, "Vesting now").getAttribute("d"));
      await page.getByRole("button", { name: "Start vesting", exact: true }).click();
      await recorded(page);

      await turnTo(
        `${org}/record/accelerate-vesting?securityId=${id}&quantity=1001&reason=Agreed&effectiveDate=2026-04-01`,
      );
      await checked(page);
      expect(await chart(page, "Vesting now").getAttribute("d")).toBe(begun ?? "");
      const faster = await chart(page, "Vesting after").getAttribute("d");
      const after = await fact(page, "Vested after").textContent();
      await page.getByRole("button", { name: "Record acceleration" }).click();
      await recorded(page);
      const { vested } = await ask("GET", `/securities/${id}/vesting?asOf=2026-04-01`);
      expect(after?.replaceAll(",", "")).toBe(vested);

      await turnTo(`${org}/record/accelerate-vesting?securityId=${id}&effectiveDate=2026-04-01`);
      await page.getByRole("heading", { name: "Vesting now" }).waitFor();
      await settled();
      expect(await chart(page, "Vesting now").getAttribute("d")).toBe(faster ?? "");
    }));

  test("an event that terms wait for is drawn as it then is", () =>
    visiting(async ({ page, turnTo }) => {
      const { id: vestingTermsId } = await ask("POST", "/vesting-terms", {
        ...{ name: "On sale", description: "All at once when the company is sold" },
        vestingConditions: [
          { id: "sale", trigger: { type: "EVENT_BASED" }, portion: { numerator: 1, denominator: 1 } },
        ],
      });
      const id = await grantTo(company.holders.mary, "ES-903", vestingTermsId);
      await turnTo(`${org}/record/record-vesting-event?securityId=${id}&conditionId=sale&effectiveDate=2026-05-04`);
      await checked(page);
      await page.getByRole("heading", { name: "Vesting after", exact: true }).waitFor();
      expect(await fact(page, "Vested after").textContent()).toBe("4,801");
      await page.getByRole("button", { name: "Record the event" }).click();
      await recorded(page);
      expect((await ask("GET", `/securities/${id}/vesting`)).vested).toBe("4801");
    }));

  test("terms in use show what has vested of each grant before and after", () =>
    visiting(async ({ page, turnTo }) => {
      const months = (each: number) => [
        {
          ...{ id: "monthly", nextConditionId: "monthly", portion: { numerator: 1, denominator: each } },
          trigger: { type: "TIME_BASED", periodLength: 1, periodType: "MONTHS" },
        },
      ];
      const { id: vestingTermsId } = await ask("POST", "/vesting-terms", {
        ...{ name: "Monthly", description: "Each month the same", vestingConditions: months(48) },
      });
      const id = await grantTo(company.holders.mary, "ES-904", vestingTermsId);
      await turnTo(`${org}/edit/vesting-terms/${vestingTermsId}`);
      const row = page.getByRole("row", { name: /ES-904/ });
      await row.waitFor();
      const cells = async () => (await row.getByRole("cell").allTextContents()).map((text) => text.replaceAll(",", ""));
      const now = (await ask("GET", `/securities/${id}/vesting`)).vested as string;
      expect(await cells()).toEqual(expect.arrayContaining([now]));
      await page.getByLabel("Of parts").fill("24");
      await row.locator("strong").waitFor();
      const promised = (await row.locator("strong").textContent())?.replaceAll(",", "");
      await page.getByRole("button", { name: "Save changes" }).click();
      await page.waitForURL(/classes-and-plans/);
      const { vested } = await ask("GET", `/securities/${id}/vesting`);
      expect([promised, vested === now]).toEqual([vested, false]);
    }));

  test("a strike is the grant's own, and a figure stands as it was read beside what is said of the field", () =>
    visiting(async ({ page, turnTo }) => {
      const id = await grantTo(company.holders.mary, "ES-902");
      await turnTo(`${org}/record/exercise?securityId=${id}`);
      const strike = page.getByLabel("Strike price");
      await page.locator("input[name=exercisePrice][readonly]").waitFor();
      expect(await strike.inputValue()).toBe("0.5");
      await turnTo(`${org}/record/adjust-authorized?stockClassId=${company.classes.common}`);
      await page.getByLabel("New authorized shares").fill("21'000'000");
      await page.getByText("21,000,000 shares in all").waitFor();
      await page.getByText("The new total, not the change.").waitFor();
      await checked(page);
    }));

  test("a form that gives itself 0 asks for no preview of it, and for one of what is typed", () =>
    visiting(async ({ page, turnTo }) => {
      let count = 0;
      page.on("request", (request) => {
        if (request.method() === "POST" && request.url().endsWith("/transactions/exercise")) count++;
      });
      // On that day nothing of it has vested.
      const id = await grantTo(company.holders.mary, "ES-905");
      await turnTo(`${org}/record/exercise?securityId=${id}&effectiveDate=2026-01-16`);
      await page.getByText("0 can be exercised now.").waitFor();
      const quantity = page.locator("input[name=quantity]");
      expect(await quantity.inputValue()).toBe("0");
      await page.getByText("Fill in the form to preview its changes.").waitFor();
      await page.getByLabel("Early exercise").check();
      await page.getByRole("button", { name: "Record exercise" }).click();
      await page.getByText("Enter more than 0").waitFor();
      expect(count).toBe(0);
      await quantity.fill("10");
      await checked(page);
      expect(count).toBe(1);
    }));

  test("a split says what rounding takes, and a security offers what can be recorded of it", () =>
    visiting(async ({ page, turnTo }) => {
      await turnTo(`${org}/securities/${company.shares}`);
      await page.getByRole("button", { name: "Record", exact: true }).click();
      await page.getByRole("menuitem", { name: /convert/i }).waitFor();
      await page.keyboard.press("Escape");

      await turnTo(`${org}/record/split?stockClassId=${company.classes.common}&numerator=1&denominator=7`);
      await checked(page);
      const taken = (await fact(page, "Removed by rounding").textContent())?.replaceAll(",", "");
      const body = { stockClassId: company.classes.common, numerator: 1, denominator: 7, rounding: "DOWN" };
      const told = await ask("POST", "/transactions/split", { ...body, effectiveDate: today(), dryRun: true });
      const quantities = told.data.effects.filter(
        ({ resourceType, field }: Record<string, string>) => resourceType === "security" && field === "quantity",
      );
      const of = (side: string) =>
        sum(quantities.map((each: Record<string, string>) => parseDecimal(each[side] ?? "0")));
      expect(taken).toBe(formatDecimal(scale(of("before"), 1n, 7n) - of("after")));
    }));
});
