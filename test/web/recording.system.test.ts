// A founder's path through the guided forms, in a real browser against a real service: every figure is compared with what
// the API says afterwards. What is refused leads on, a lost answer is sent again and recorded once, what is doubtful is asked.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import type { Page } from "playwright-core";
import { HAS_CHROMIUM, IN_BROWSER } from "../kit/chromium.ts";
import { type Ask, asking } from "../kit/company.ts";
import { inPage, type Staying, signIn, type Visitor } from "../kit/pages.ts";
import type { TestServer } from "../kit/service.ts";
import { setStage } from "../kit/stage.ts";

setDefaultTimeout(300_000);

let server: TestServer;
let visiting: Staying["turn"];

const CHECKED = "Checked";
const LOOK_EVERY_MS = 20;

describe.skipIf(!HAS_CHROMIUM)(IN_BROWSER, () => {
  setStage(({ stays, ...stage }) => {
    ({ server } = stage);
    visiting = stays(null);
  });

  /** In an organization of its own, that has a class and a holder where it is not to begin with nothing. */
  async function recording(
    does: (visitor: Visitor, org: string, ask: Ask) => Promise<void>,
    { isEmpty = false } = {},
  ): Promise<void> {
    const orgId = await server.newOrganization();
    const ask = asking(server.url, await server.key("ADMIN", orgId));
    if (!isEmpty) await begin(ask);
    await visiting(async (visitor) => {
      await signIn(visitor, server, { role: "EDITOR", orgId });
      await does(visitor, `/o/${orgId}`, ask);
      // A refusal is an answer; browsers complain of each.
      const refusals = visitor.complaints.splice(0).filter((each) => !/status of 4(09|22)/.test(each));
      visitor.complaints.push(...refusals);
    });
  }

  async function begin(ask: Ask): Promise<void> {
    const figures = { initialSharesAuthorized: "1000", votesPerShare: "1", seniority: 1 };
    const common = await ask("POST", "/share-classes", {
      name: "Common",
      classType: "COMMON",
      defaultIdPrefix: "CS-",
      ...figures,
    });
    const ada = await ask("POST", "/stakeholders", {
      displayName: "Ada Lovelace",
      name: { legalName: "Ada Lovelace" },
      type: "INDIVIDUAL",
    });
    await ask("POST", "/transactions/issue-shares", {
      ...{ stakeholderId: ada.id, stockClassId: common.id, quantity: "100", certificateId: "CS-1" },
      effectiveDate: "2020-01-01",
    });
  }

  const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name }).waitFor();
  const checked = (page: Page) => page.getByText(CHECKED, { exact: true }).waitFor();
  const checkedNot = (page: Page) => page.getByText(CHECKED, { exact: true }).waitFor({ state: "detached" });
  /** Waits until a field holds something. */
  const holds = async (page: Page, label: string, value: string) => {
    while ((await page.getByLabel(label).inputValue()) !== value) await page.waitForTimeout(LOOK_EVERY_MS);
  };
  const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();
  const choose = async (page: Page, label: string, typed: string) => {
    await page.getByRole("combobox", { name: label, exact: true }).fill(typed);
    await page.getByRole("option", { name: typed }).first().click();
  };
  /** The figure after, in the panel's line of a name. */
  const after = async (page: Page, line: string | RegExp) =>
    (await page.getByRole("row", { name: line }).locator(".after").textContent())?.replaceAll(",", "") ?? "";

  test("class, plan, terms, holders, shares, options, exercise, transfer, and a raise from a refusal", async () => {
    await recording(
      async ({ page, turnTo }, org, ask) => {
        await turnTo(`${org}/new/share-class`);
        await heading(page, "New share class");
        await page.getByLabel("Name").fill("Common");
        await page.getByLabel("Authorized shares").fill("1,000,000");
        await press(page, "Add share class");
        await page.getByText("Share class added.").waitFor();

        await turnTo(`${org}/new/equity-plan`);
        await page.getByLabel("Name").fill("2026 Plan");
        await page.getByLabel("Reserved shares").fill("100'000");
        expect(await page.getByRole("checkbox", { name: "Common" }).isChecked()).toBe(true);
        await press(page, "Add equity plan");
        await page.getByText("Equity plan added.").waitFor();

        await turnTo(`${org}/new/vesting-terms`);
        await page.getByText("All 37 dates").waitFor();
        await press(page, "Add vesting terms");
        await page.getByText("Vesting terms added.").waitFor();

        // Shares for a holder who is not in the register yet: the form keeps its values while the holder is added.
        await turnTo(`${org}/record/issue-shares`);
        await heading(page, "Issue shares");
        await page.getByLabel("Number of shares").fill("800000");
        await page.getByRole("link", { name: "New holder" }).click();
        await heading(page, "New stakeholder");
        await page.getByLabel("Name", { exact: true }).fill("Ada Lovelace");
        await page.getByLabel("Founder").check();
        await press(page, "Add stakeholder");
        await heading(page, "Issue shares");
        await checked(page);
        expect(await page.getByLabel("Certificate number").inputValue()).toBe("CS-1");
        expect(await after(page, /^Common issued/)).toBe("800000");
        const promised = await after(page, /^Fully diluted/);
        // Before the page records, for then it reads all again.
        await ask("POST", "/stakeholders", {
          displayName: "Bo Engineer",
          name: { legalName: "Bo Engineer" },
          type: "INDIVIDUAL",
        });
        await press(page, "Record issuance");
        await page.getByText("Recorded as entry 1.").waitFor();
        const { data: table } = await ask("GET", "/cap-table");
        expect(table.totals.fullyDiluted).toBe(promised);
        expect(table.shareClasses[0].issued).toBe("800000");

        await turnTo(`${org}/record/issue-options`);
        await choose(page, "Holder", "Bo Engineer");
        await page.getByLabel("Number of options").fill("48000");
        await page.getByLabel("Strike price").fill("0.25");
        await page.getByLabel("Vesting terms").selectOption({ label: "4 years monthly, 1 year cliff" });
        const start = await page.getByLabel("Grant date").inputValue();
        const [year = "", ...rest] = start.split("-");
        await page.getByLabel("Vesting starts").fill([String(Number(year) - 2), ...rest].join("-"));
        await checked(page);
        expect(await after(page, /^2026 Plan available/)).toBe("52000");
        await press(page, "Record grant");
        await page.getByText("Recorded as entry 2.").waitFor();

        const { items: options } = await ask("GET", "/securities?type=STOCK_OPTION");
        await turnTo(`${org}/record/exercise?securityId=${options[0].id}`);
        await checked(page);
        const { vested } = await ask("GET", `/securities/${options[0].id}/vesting`);
        expect(await page.getByLabel("How many").inputValue()).toBe(vested);
        await page.getByLabel("How many").fill("40000");
        await page.getByRole("button", { name: "Exercise early" }).waitFor();
        await page.getByLabel("How many").fill("1000");
        await checked(page);
        await page.getByText("Exercise cost").waitFor();
        expect(await page.getByRole("definition").filter({ hasText: /^250$/ }).count()).toBe(1);
        await press(page, "Record exercise");
        await page.getByText("Recorded as entry 3.").waitFor();

        await turnTo(`${org}/record/transfer`);
        await choose(page, "Security", "CS-1");
        await page.getByLabel("How many").fill("10000");
        await choose(page, "Recipient", "Bo Engineer");
        await checked(page);
        expect(await after(page, /^CS-1/)).toBe("790000");
        await press(page, "Record transfer");
        await page.getByText("Recorded as entry 4.").waitFor();

        await turnTo(`${org}/record/issue-shares`);
        await choose(page, "Holder", "Ada Lovelace");
        await page.getByLabel("Number of shares").fill("500000");
        await page
          .getByText(/would have 1,301,000 shares outstanding with 1,000,000 authorized/)
          .first()
          .waitFor();
        await page.getByRole("link", { name: "Raise the authorized figure" }).click();
        await heading(page, "Change authorized shares");
        expect(await page.getByLabel("New authorized shares").inputValue()).toBe("1301000");
        await checked(page);
        await press(page, "Record the change");
        await page.getByText("Recorded as entry 5.").waitFor();
        await heading(page, "Issue shares");
        await checked(page);
        expect(await page.getByLabel("Number of shares").inputValue()).toBe("500000");
        await press(page, "Record issuance");
        await page.getByText("Recorded as entry 6.").waitFor();
        const { data: raised } = await ask("GET", "/cap-table");
        expect(raised.shareClasses[0]).toMatchObject({ issued: "1301000", authorized: "1301000", available: "0" });
      },
      { isEmpty: true },
    );
  });

  /**
   * Types a value once the page has the answer about a security and has shown it, and before it puts in what follows from
   * it: pages do that when the next frame is drawn, which comes late here.
   */
  const TYPES_AT_ONCE = `(() => {
    requestAnimationFrame = (does) => setTimeout(does, 500);
    const type = () => {
      const field = document.querySelector("input[name=quantity]");
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set.call(field, "70");
      field.dispatchEvent(new Event("input", { bubbles: true }));
    };
    for (const name of ["json", "text", "arrayBuffer"]) {
      const read = Response.prototype[name];
      Response.prototype[name] = async function () {
        const body = await read.call(this);
        if (/\\/securities\\/[^/?]+$/.test(this.url)) setTimeout(type, 3);
        return body;
      };
    }
  })()`;

  /** Asks for all of a certificate to be put in, and lets that wait until `does` is done. */
  async function chooseSlowly(page: Page, does: () => Promise<unknown>): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const isAsked = Promise.withResolvers<void>();
    await page.route(/\/securities\/[^/?]+$/, async (route) => {
      isAsked.resolve();
      await promise;
      await route.continue();
    });
    await choose(page, "Security", "CS-1");
    await isAsked.promise;
    await does();
    resolve();
  }

  test("what is typed while the form looks up what it puts in stands, and no figure comes of both", async () => {
    await recording(async (visitor, org) => {
      const { page, turnTo } = visitor;
      await turnTo(`${org}/record/transfer`);
      await chooseSlowly(page, () => inPage(visitor, page, TYPES_AT_ONCE));
      await page.getByText("Certificate").first().waitFor();
      await choose(page, "Recipient", "Ada Lovelace");
      expect(await page.getByLabel("How many").inputValue()).toBe("70");
      await page.unrouteAll({ behavior: "wait" });

      // In the field already, and nothing typed yet: the next key replaces what was put in.
      await visitor.go(`${org}/record/cancel`);
      await chooseSlowly(page, () => page.getByLabel("How many").focus());
      await holds(page, "How many", "100");
      await page.keyboard.type("7");
      expect(await page.getByLabel("How many").inputValue()).toBe("7");
    });
  });

  test("an answer that was lost: sent again, recorded once", async () => {
    await recording(async ({ page, turnTo, complaints }, org, ask) => {
      const { items: classes } = await ask("GET", "/share-classes");
      const before = (await ask("GET", "/transactions")).data.length;
      await turnTo(`${org}/record/adjust-authorized?stockClassId=${classes[0].id}&newSharesAuthorized=2000000`);
      await checked(page);
      let isLost = true;
      await page.route("**/transactions/adjust-authorized", async (route) => {
        const isDry = route.request().postData()?.includes("dryRun") ?? false;
        if (isDry || !isLost) return route.continue();
        isLost = false;
        await route.fetch();
        await route.abort();
      });
      await press(page, "Record the change");
      await page.getByText("this may or may not be recorded").waitFor();
      expect(await page.getByLabel("New authorized shares").isDisabled()).toBe(true);
      await press(page, "Send again");
      await page.getByText("This was recorded once already").waitFor();
      expect((await ask("GET", "/transactions")).data.length).toBe(before + 1);
      expect(complaints.splice(0).every((each) => /ERR_FAILED/.test(each))).toBe(true);
    });
  });

  test("what was typed is still there when the page is loaded anew, and is gone once recorded or cancelled", async () => {
    await recording(async (visitor, org, ask) => {
      const { page, turnTo } = visitor;
      const stored = () => inPage<string[]>(visitor, page, "Object.keys(sessionStorage)");
      await turnTo(`${org}/record/issue-shares`);
      await heading(page, "Issue shares");
      expect(await stored()).toEqual([]);
      await choose(page, "Holder", "Ada Lovelace");
      await page.getByLabel("Number of shares").fill("7");
      await checked(page);
      await page.reload();
      await page.getByText("Your draft was restored.").waitFor();
      await holds(page, "Number of shares", "7");
      await press(page, "Begin anew");
      await checkedNot(page);
      await holds(page, "Number of shares", "");
      await holds(page, "Certificate number", "CS-2");
      expect(await stored()).toEqual([]);

      await page.getByLabel("Number of shares").fill("8");
      await page.getByLabel("Number of shares").blur();
      await page.getByRole("link", { name: "Cancel" }).click();
      await heading(page, "Overview");
      expect(await stored()).toEqual([]);

      // An answer that was lost, and then the page: what was sent is sent again under its key.
      await turnTo(`${org}/record/issue-shares`);
      await choose(page, "Holder", "Ada Lovelace");
      await page.getByLabel("Number of shares").fill("9");
      await checked(page);
      const before = (await ask("GET", "/transactions")).data.length;
      await page.route("**/transactions/issue-shares", async (route) => {
        if (route.request().postData()?.includes("dryRun") ?? false) return route.continue();
        await route.fetch();
        await route.abort();
      });
      await press(page, "Record issuance");
      await page.getByText("this may or may not be recorded").waitFor();
      await page.unroute("**/transactions/issue-shares");
      await page.reload();
      await page.getByText("this may or may not be recorded").waitFor();
      await press(page, "Send again");
      await page.getByText("This was recorded once already").waitFor();
      expect((await ask("GET", "/transactions")).data.length).toBe(before + 1);
      expect(await stored()).toEqual([]);
      // A form that had the time to ask what it would do was answered that its number is taken.
      expect(visitor.complaints.splice(0).filter((each) => !/ERR_FAILED|status of 409/.test(each))).toEqual([]);
    });
  });

  test("of a leaver's stock and options, what is ticked goes on, and all else stops or is cancelled", async () => {
    await recording(async ({ page, turnTo }, org, ask) => {
      const [holder] = (await ask("GET", "/stakeholders")).items;
      const [stockClass] = (await ask("GET", "/share-classes")).items;
      const month = { type: "TIME_BASED", periodLength: 1, periodType: "MONTHS", occurrences: 48 };
      const condition = { id: "month", trigger: month, portion: { numerator: 1, denominator: 48 } };
      const named = { name: "Monthly", description: "Monthly" };
      const terms = await ask("POST", "/vesting-terms", { ...named, vestingConditions: [condition] });
      const made = { stakeholderId: holder.id, stockClassId: stockClass.id, quantity: "48", vestingTermsId: terms.id };
      for (const certificateId of ["CS-8", "CS-9"]) {
        await ask("POST", "/transactions/issue-shares", { ...made, certificateId, effectiveDate: "2026-01-01" });
      }
      await turnTo(`${org}/record/terminate-service?stakeholderId=${holder.id}&effectiveDate=2026-03-01`);
      await heading(page, "Record a leaver");
      await page.getByRole("checkbox", { name: /^CS-8, Ada Lovelace/ }).check();
      await checked(page);
      await press(page, "Record the end of service");
      await page.getByText(/^Recorded/).waitFor();
      const { items } = await ask("GET", "/securities");
      const stops = items.map((each: Record<string, unknown>) => [each.certificateId, each.vestingStoppedOn]);
      expect(stops.toSorted()).toEqual([
        ["CS-1", null],
        ["CS-8", null],
        ["CS-9", "2026-03-01"],
      ]);
    });
  });

  test("what is wrong stands at its field; what is doubtful is asked; a number that is taken is replaced", async () => {
    await recording(async ({ page, turnTo }, org) => {
      await turnTo(`${org}/record/issue-shares`);
      await page.getByLabel("Number of shares").fill("1,5");
      await page.getByLabel("Number of shares").blur();
      await page.getByText("Type 1.5").waitFor();
      await press(page, "Record issuance");
      await page.getByText("2 fields need your attention.").waitFor();

      await choose(page, "Holder", "Ada Lovelace");
      await page.getByLabel("Number of shares").fill("5");
      await checked(page);
      const next = await page.getByLabel("Certificate number").inputValue();
      await page.getByLabel("Certificate number").fill("CS-1");
      await page.getByRole("button", { name: `Use ${next}` }).click();
      await checked(page);
      expect(await page.getByLabel("Certificate number").inputValue()).toBe(next);

      await page.getByLabel("Date of issue").fill("2020-02-29");
      await checked(page);
      await press(page, "Record issuance");
      await page.getByText("The date is Feb 29, 2020, more than a year ago.").waitFor();
      await press(page, "Record anyway");
      await page.getByText(/^Recorded as entry/).waitFor();
    });
  });

  test("a correction changes what was typed anew and nothing else, and its refusal stands at the field", async () => {
    await recording(async ({ page, turnTo }, org, ask) => {
      const [before] = (await ask("GET", "/securities")).items;
      await turnTo(`${org}/securities/${before.id}?tab=details`);
      const quantity = page.getByLabel("Quantity");
      expect(await quantity.inputValue()).toBe("100");
      await quantity.fill("2,000");
      await press(page, "Record correction");
      await page.locator("[name=quantity][aria-invalid=true]").waitFor();
      await page.locator("[name=quantity]:focus").waitFor();
      await quantity.fill("100");
      await page.getByLabel("Certificate").fill(" CS-7 ");
      await page.getByLabel("Comments").fill("Typed wrongly.");
      await press(page, "Record correction");
      await page.getByText("Correction recorded").waitFor();
      const { id, updatedAt: _at, certificateId, comments, ...rest } = await ask("GET", `/securities/${before.id}`);
      expect([id, certificateId, comments]).toEqual([before.id, "CS-7", "Typed wrongly."]);
      const { updatedAt: _before, ...was } = before;
      expect({ id, certificateId: "CS-1", comments: null, ...rest }).toEqual(was);
    });
  });
});
