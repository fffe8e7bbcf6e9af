// The registers in a real browser: the tabs of their pages at two widths, filters, a file, an edit, and the chain of the ledger.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync } from "node:fs";
import { present } from "../../src/kernel/assert.ts";
import { quantityText } from "../../src/web/locale.ts";
import { axeFindings } from "../kit/axe.ts";
import { HAS_CHROMIUM, IN_BROWSER } from "../kit/chromium.ts";
import { type Ask, asking } from "../kit/company.ts";
import { follow, inPage, type Staying } from "../kit/pages.ts";
import type { SampleCompany } from "../kit/sample.ts";
import { setStage } from "../kit/stage.ts";

setDefaultTimeout(300_000);

describe.skipIf(!HAS_CHROMIUM)(IN_BROWSER, () => {
  let ask: Ask;
  let company: SampleCompany;
  let org: string;
  let asAdministrator: Staying["turn"];
  let asViewer: Staying["turn"];
  setStage(async ({ server, sample, stays }) => {
    ask = asking(server.url, await server.key("ADMIN"));
    company = await sample();
    org = `/o/${server.orgId}`;
    asAdministrator = stays({ role: "ADMIN" });
    asViewer = stays({ role: "VIEWER" });
  });

  // A page as it is when it is first gone to is looked at in pages.system.test.ts.
  test.each([
    ["1440 px, light", { width: 1440, theme: "light" }],
    ["375 px, dark", { width: 375, theme: "dark" }],
  ] as const)("each tab of a holder and of a security at %s", (_, look) =>
    asAdministrator(async (visitor) => {
      const tabs = [
        [`/stakeholders/${company.holders.george}`, ["vesting", "transactions", "documents", "details"]],
        [`/securities/${company.grant}`, ["vesting", "history", "documents", "details"]],
      ] as const;
      for (const path of tabs.flatMap(([page, names]) => names.map((name) => `${page}?tab=${name}`))) {
        await follow(visitor, org + path);
        const overflow = "document.documentElement.scrollWidth - document.documentElement.clientWidth";
        const found = await inPage<number>(visitor, visitor.page, overflow);
        expect({ path, overflow: found }).toEqual({ path, overflow: 0 });
        expect({ path, findings: await axeFindings(visitor) }).toEqual({ path, findings: [] });
      }
    }, look),
  );

  test("a list keeps what matches, says so in the address, and is the same as a file", () =>
    asAdministrator(async (visitor) => {
      const { page } = visitor;
      await visitor.turnTo(`${org}/securities`);
      await page.getByLabel("Certificate or holder").fill("george");
      await page.getByRole("status").getByText("2 of 14").waitFor();
      expect(page.url()).toContain("q=george");
      const downloading = page.waitForEvent("download");
      await page.getByRole("button", { name: "Download CSV" }).click();
      const lines = readFileSync(await (await downloading).path(), "utf8")
        .trim()
        .split("\r\n");
      expect(lines.slice(1).map((line) => line.split(",").slice(0, 3))).toEqual([
        ["CS-4", "George Boole", "Shares"],
        ["ES-2", "George Boole", "Option"],
      ]);
      await page.getByLabel("Type").selectOption("CONVERTIBLE");
      await page.getByRole("button", { name: "Clear filters" }).click();
      await page.getByRole("status").getByText("14 of 14").waitFor();
    }));

  test("columns are chosen by keys, kept in the browser, and left out of no file", () =>
    asAdministrator(async (visitor) => {
      const { page } = visitor;
      const heads = async () => (await page.getByRole("columnheader").allInnerTexts()).map((each) => each.trim());
      const sorted = "?sort=-diluted";
      await visitor.turnTo(`${org}/stakeholders${sorted}`);
      await visitor.settled();
      const all = await heads();
      const firstRow = await page.getByRole("rowheader").first().textContent();
      await page.getByRole("button", { name: "Columns" }).press("Enter");
      await page.keyboard.press("f");
      await page.keyboard.press("Enter");
      await page.getByRole("menuitemcheckbox", { name: "Fully diluted", checked: false }).waitFor();
      await page.keyboard.press("Escape");
      const left = all.filter((head) => head !== "Fully diluted");
      expect(await heads()).toEqual(left);
      await page.reload();
      await visitor.settled();
      expect(await heads()).toEqual(left);
      expect(await page.getByRole("rowheader").first().textContent()).toBe(firstRow);
      const downloading = page.waitForEvent("download");
      await page.getByRole("button", { name: "Download CSV" }).click();
      expect(readFileSync(await (await downloading).path(), "utf8").split("\r\n")[0]).toContain("Fully diluted");
      await page.getByRole("button", { name: "Columns" }).click();
      await page.getByRole("menuitemcheckbox", { name: "Fully diluted" }).click();
      expect(await heads()).toEqual(all);
      expect(await inPage(visitor, page, "localStorage.length")).toBe(0);
    }));

  test("figures of a holder are the API's, and a changed detail is recorded", () =>
    asAdministrator(async (visitor) => {
      const { page } = visitor;
      const id = present(company.holders.george, "George");
      const { totals } = await ask("GET", `/stakeholders/${id}/position`);
      await visitor.turnTo(`${org}/stakeholders/${id}`);
      await visitor.settled();
      const shown = await page.locator(".strip-figure").allInnerTexts();
      const { fullyDiluted, outstanding, vested, unvested, exercisable } = totals;
      expect(shown).toEqual([fullyDiluted, outstanding, vested, unvested, exercisable].map(quantityText));
      await page.getByRole("link", { name: "Details" }).click();
      await page.getByRole("link", { name: "Change a stakeholder" }).click();
      await page.getByLabel("First name").fill("George");
      await page.getByLabel("Former employee").check();
      await page.getByRole("button", { name: "Save changes" }).click();
      await page.getByText("Changes saved.").waitFor();
      const { name, relationships } = await ask("GET", `/stakeholders/${id}`);
      expect([name.firstName, relationships]).toEqual(["George", ["EMPLOYEE", "EX_EMPLOYEE"]]);
    }));

  test("a register with a page by itself is listed, filtered and filed as its record declares", () =>
    asViewer(async (visitor) => {
      const { page } = visitor;
      await visitor.turnTo(org);
      await page.getByRole("navigation").getByRole("link", { name: "Stock legends", exact: true }).click();
      await page.getByText("No stock legends yet.").waitFor();
      const act = "Not registered under the Securities Act of 1933.";
      await ask("POST", "/stock-legends", { name: "Securities Act", text: act });
      await ask("POST", "/stock-legends", { name: "Lock-up", text: '=1+1, "quoted"', comments: "Since the round" });
      await page.reload();
      await page.getByRole("status").getByText("2 of 2").waitFor();
      const heads = await page.getByRole("columnheader").allInnerTexts();
      expect(heads.map((each) => each.trim())).toEqual(["Name", "Text on the certificate", "Note"]);
      const downloading = page.waitForEvent("download");
      await page.getByRole("button", { name: "Download CSV" }).click();
      const text = readFileSync(await (await downloading).path(), "utf8");
      expect(text).toContain(`Securities Act,${act},\r\n`);
      expect(text).toContain(`Lock-up,"'=1+1, ""quoted""",Since the round\r\n`);
      await page.getByLabel("Name or text").fill("SECURITIES act of");
      await page.getByRole("status").getByText("1 of 2").waitFor();
      expect(await axeFindings(visitor)).toEqual([]);
      await page.setViewportSize({ width: 375, height: 800 });
      await page.getByText("Securities Act", { exact: true }).waitFor();
      await follow(visitor, `${org}/registers/constructor`);
      await page.getByRole("heading", { level: 1, name: "Not found" }).waitFor();
    }));

  test("what one page has asked is not taken for what another asks", () =>
    asAdministrator(async (visitor) => {
      const { page } = visitor;
      const inNavigation = (name: string) =>
        page.getByRole("navigation").getByRole("link", { name, exact: true }).click();
      await visitor.turnTo(`${org}/stakeholders/${present(company.holders.kurt, "Kurt")}`);
      await page.getByRole("link", { name: "Vesting", exact: true }).click();
      await page.getByRole("heading", { name: "ES-4", exact: true }).waitFor();
      await page.getByRole("link", { name: "Holdings", exact: true }).click();
      await page.getByRole("link", { name: "ES-4", exact: true }).first().click();
      await page.getByRole("heading", { level: 1, name: "ES-4" }).waitFor();
      await page.getByRole("link", { name: "Vesting", exact: true }).click();
      await page.getByText(/^All \d+ dates/).waitFor();
      await inNavigation("Settings");
      await page.getByRole("link", { name: "Members", exact: true }).click();
      await page.getByRole("button", { name: "Invite" }).waitFor();
      await page
        .getByRole("row", { name: /Administrator/ })
        .first()
        .waitFor();
    }));

  test("an administrator verifies the ledger, and every member sees the differences", async () => {
    await asAdministrator(async ({ page, turnTo }) => {
      await turnTo(`${org}/ledger`);
      await page.getByRole("button", { name: "Verify now" }).click();
      await page.getByText(/entries, no difference/).waitFor();
    });
    await asViewer(async ({ page, turnTo }) => {
      const difference = { code: "hash-differs", orgId: null, subject: "entry 1", detail: "its hash is another" };
      await page.route("**/api/v1/ledger", async (route) => {
        const response = await route.fetch();
        const { data } = await response.json();
        const verification = { ...data.verification, state: "DIFFERENT", differences: [difference] };
        await route.fulfill({ response, json: { data: { ...data, verification } } });
      });
      await turnTo(`${org}/ledger`);
      await page.getByRole("alert").getByText("its hash is another").waitFor();
      expect(await page.getByRole("button", { name: "Verify now" }).count()).toBe(0);
      await page.getByRole("link", { name: "Entry 1", exact: true }).click();
      await page.getByText("Hash verified").waitFor();
    });
  });
});
