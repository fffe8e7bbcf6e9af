// Models in a real browser against a real service: a round that is modelled, closed, and found in the cap table as the model
// said; an exit whose tables are the API's; scenarios kept and compared; refusals at their fields; terms of convertibles.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import type { Page, Request } from "playwright-core";
import { HAS_CHROMIUM, IN_BROWSER } from "../kit/chromium.ts";
import type { Staying } from "../kit/pages.ts";
import type { SampleCompany } from "../kit/sample.ts";
import type { TestServer } from "../kit/service.ts";
import { setStage } from "../kit/stage.ts";

setDefaultTimeout(300_000);

let server: TestServer;
let company: SampleCompany;
let visiting: Staying["turn"];

const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name }).waitFor();
const computed = (page: Page) =>
  page.getByRole("banner").or(page.locator(".page-head")).getByText("Computed").waitFor();
const ungrouped = (text: string) => text.replaceAll(/(?<=\d),(?=\d)/g, "").trim();

/** An amount with two places at least, as a column of amounts shows it. */
function cents(amount: string): string {
  const [whole = "", places = ""] = amount.split(".");
  return `${whole}.${places.padEnd(2, "0")}`;
}

/** The rows of a table as texts, figures without grouping. */
async function rowsOf(page: Page, label: string): Promise<readonly (readonly string[])[]> {
  const rows = await page.getByRole("group", { name: label, exact: true }).locator("tbody tr").all();
  return Promise.all(
    rows.map(async (row) => (await row.locator("th, td").allInnerTexts()).map((cell) => ungrouped(cell))),
  );
}

async function fillRound(page: Page, { valuation = "40,000,000", invests = "10000000" } = {}): Promise<void> {
  await page.getByLabel("Pre-money valuation").fill(valuation);
  await page.getByRole("combobox", { name: "Investor" }).fill("Turing Growth Fund");
  await page.getByLabel("Invests").fill(invests);
}

describe.skipIf(!HAS_CHROMIUM)(IN_BROWSER, () => {
  setStage(async ({ sample, stays, ...stage }) => {
    ({ server } = stage);
    company = await sample();
    visiting = stays();
  });

  test("an exit's tables are the API's, at the value of the hand and at one that is typed", () =>
    visiting(async (visitor) => {
      const { page } = visitor;
      await visitor.turnTo(`/o/${server.orgId}/models/exit`);
      await page.getByRole("slider", { name: "Exit value on the chart" }).fill("15");
      await expectExit(page, "15000000");
      await page.getByLabel("Exit value", { exact: true }).fill("12,345,678.90");
      await expectExit(page, "12345678.9");
    }));

  /** The tables of an exit are what the API answers for its value. */
  async function expectExit(page: Page, exitValue: string): Promise<void> {
    const { data } = (await server.api("POST", "/models/waterfall", { exitValues: [exitValue] })).json;
    const [point] = data.points;
    await page
      .locator(".strip-figure")
      .first()
      .filter({ hasText: new Intl.NumberFormat("en-US", { maximumFractionDigits: 20 }).format(Number(exitValue)) })
      .waitFor();
    await computed(page);
    const holders = await rowsOf(page, "By holder");
    expect(holders.slice(0, -1).map(([name, proceeds]) => [name, proceeds])).toEqual(
      point.holders.map((each: { name: string; proceeds: string }) => [each.name, cents(each.proceeds)]),
    );
    const units = await rowsOf(page, "By class");
    expect(units.map((cells) => [cells[0]?.split("\n")[0], cells[3]])).toEqual(
      point.units.map((each: { name: string; proceeds: string }) => [each.name, cents(each.proceeds)]),
    );
    const breakpoints = await rowsOf(page, "Breakpoints");
    expect(breakpoints.map(([from]) => from)).toEqual(
      data.breakpoints.map((each: { distributable: string }) => cents(each.distributable)),
    );
  }

  test("a refusal stands at its field, and goes when it is put right", () =>
    visiting(async (visitor) => {
      const { page } = visitor;
      await visitor.turnTo(`/o/${server.orgId}/models/round`);
      await fillRound(page);
      await page.getByLabel("After the round", { exact: true }).selectOption("TARGET");
      const target = page.getByLabel("Pool after closing");
      await target.fill("100");
      await page.locator("input[name='pool.targetPercent'][aria-invalid=true]").waitFor();
      await page.getByRole("alert").getByText("This cannot be computed").waitFor();
      await target.fill("12.5");
      await computed(page);
      expect(await target.getAttribute("aria-invalid")).toBe("false");
      await page.getByRole("combobox", { name: "Investor" }).fill("Mary Somerville");
      await page.getByRole("button", { name: "Add investor" }).click();
      const row = page.getByRole("group", { name: "Investor 2" });
      await row.getByRole("combobox", { name: "Investor" }).fill("Mary Somerville");
      await row.getByLabel("Invests").fill("5");
      await page.locator("input[name='investors.1.who'][aria-invalid=true]").waitFor();
      expect(visitor.complaints.splice(0).every((each) => each.includes("status of 422"))).toBe(true);
    }));

  test("what is typed is there again after the page is loaded anew", () =>
    visiting(async (visitor) => {
      const { page } = visitor;
      await visitor.turnTo(`/o/${server.orgId}/models/round`);
      await fillRound(page, { valuation: "33000000" });
      await computed(page);
      await page.reload();
      await computed(page);
      expect(await page.getByLabel("Pre-money valuation").inputValue()).toBe("33000000");
      await page.getByRole("button", { name: "Begin anew" }).click();
      expect(await page.getByLabel("Pre-money valuation").inputValue()).toBe("");
    }));

  test("a name that was typed before the register had come is that of who is on record", () =>
    visiting(async (visitor) => {
      const { page } = visitor;
      const { promise: isTyped, resolve: typed } = Promise.withResolvers<void>();
      await page.route(/\/api\/v1\/stakeholders\?/, async (route) => {
        await isTyped;
        await route.continue();
      });
      const bodies: string[] = [];
      const note = (request: Request) => bodies.push(request.postData() ?? "");
      page.on("request", note);
      // By loading it: nothing is known of the register.
      await visitor.go(`/o/${server.orgId}/models/round`);
      await page.getByLabel("Pre-money valuation").fill("40000000");
      await page.getByRole("combobox", { name: "Investor" }).fill("Mary Somerville");
      await page.getByLabel("Invests").fill("1000000");
      await computed(page);
      expect(bodies.some((body) => body.includes('"name":"Mary Somerville"'))).toBe(true);
      typed();
      await page.waitForRequest((request) => (request.postData() ?? "").includes(company.holders.mary ?? ""));
      await computed(page);
      expect(await page.getByRole("combobox", { name: "Investor" }).inputValue()).toBe("Mary Somerville");
      page.off("request", note);
    }));

  test("an exit comes after a kept round, which begins with a SAFE that is not there, as the API says", () =>
    visiting(async (visitor) => {
      const { page } = visitor;
      await visitor.turnTo(`/o/${server.orgId}/models/round`);
      await fillRound(page);
      await page.getByText("Planned securities").click();
      await page.getByRole("button", { name: "Add security" }).click();
      const row = page.getByRole("group", { name: "Security 1" });
      await row.getByLabel("Principal").fill("750,000");
      await row.getByRole("combobox", { name: "Holder" }).fill("Angel Fund");
      await row.getByLabel("Valuation cap").fill("0");
      await row.getByLabel("Discount").fill("100");
      await page.locator("input[name='add.0.discountPercent'][aria-invalid=true]").waitFor();
      await row.getByLabel("Valuation cap").fill("9000000");
      await row.getByLabel("Discount").fill("");
      await page.getByRole("group", { name: "Cap table before and after" }).getByText("Angel Fund").waitFor();
      await computed(page);
      await page.locator("summary", { hasText: /^Convertibles$/ }).click();
      await page.getByLabel("SAFE 1 converts").selectOption({ label: "Not in this round" });
      await page.getByText("You excluded it.").waitFor();
      await page.getByLabel("SAFE 1 converts").selectOption({ label: "By its terms" });
      await page.getByText("You excluded it.").waitFor({ state: "detached" });
      await computed(page);
      expect(await page.getByRole("button", { name: "Close this round" }).count()).toBe(0);
      await page.getByText("Record them first, then close it").waitFor();
      await page.getByRole("button", { name: "Save as scenario" }).click();
      await page.getByRole("dialog").getByLabel("Name").fill("With the angel");
      await page.getByRole("dialog").getByRole("button", { name: "Save as scenario" }).click();
      await heading(page, "Scenario “With the angel”");
      await computed(page);
      expect(await row.getByRole("combobox", { name: "Holder" }).inputValue()).toBe("Angel Fund");

      await visitor.turnTo(`/o/${server.orgId}/models/exit`);
      await page.getByLabel("Starts from").selectOption({ label: "After the round “With the angel”" });
      await page.getByLabel("Exit value", { exact: true }).fill("60000000");
      await page.getByRole("group", { name: "By holder" }).getByText("Angel Fund").waitFor();
      await computed(page);
      const { items } = (await server.api("GET", "/scenarios")).json;
      const { input } = items.find((each: { name: string }) => each.name === "With the angel");
      const { add, asOf: _asOf, ...round } = input;
      const asked = { add, rounds: [round], exitValues: ["60000000"] };
      const { data } = (await server.api("POST", "/models/waterfall", asked)).json;
      const holders = await rowsOf(page, "By holder");
      expect(holders.slice(0, -1).map(([name, proceeds]) => [name, proceeds])).toEqual(
        data.points[0].holders.map((each: { name: string; proceeds: string }) => [each.name, cents(each.proceeds)]),
      );
      await server.api("DELETE", `/scenarios/${items[0].id}`);
      expect(visitor.complaints.splice(0).every((each) => each.includes("status of 422"))).toBe(true);
    }));

  test("scenarios are kept, opened, compared side by side as the API does, and deleted", () =>
    visiting(async (visitor) => {
      const { page } = visitor;
      for (const [name, valuation] of [
        ["At 20 million", "20000000"],
        ["At 30 million", "30000000"],
      ] as const) {
        await visitor.turnTo(`/o/${server.orgId}/models/round`);
        await fillRound(page, { valuation });
        await computed(page);
        await page.getByRole("button", { name: "Save as scenario" }).click();
        const dialog = page.getByRole("dialog");
        await dialog.getByLabel("Name").fill(name);
        await dialog.getByRole("button", { name: "Save as scenario" }).click();
        await heading(page, `Scenario “${name}”`);
        await computed(page);
      }
      const { items } = (await server.api("GET", "/scenarios")).json;
      expect(items.map((each: { name: string }) => each.name).sort()).toEqual(["At 20 million", "At 30 million"]);
      await page.getByRole("link", { name: "Scenarios" }).click();
      await page.getByRole("link", { name: "At 20 million" }).click();
      await heading(page, "Scenario “At 20 million”");
      expect(await page.getByLabel("Pre-money valuation").inputValue()).toBe("20000000");
      await page.getByRole("link", { name: "Scenarios" }).click();
      for (const name of ["At 20 million", "At 30 million"]) await page.getByLabel(`Compare ${name}`).check();
      await page.getByRole("link", { name: "Compare" }).click();
      await heading(page, "Compare scenarios");
      const ids = new URL(page.url()).searchParams.get("ids")?.split(",");
      const { data } = (await server.api("POST", "/scenarios/compare", { scenarioIds: ids })).json;
      await page.getByRole("group", { name: "Compare scenarios" }).waitFor();
      const rows = await rowsOf(page, "Compare scenarios");
      expect(rows.map(([name, first, , second]) => [name, first, second])).toEqual(
        data.holders.map((each: { name: string; values: { fullyDiluted: string }[] }) => [
          each.name,
          ...each.values.map(({ fullyDiluted }) => fullyDiluted),
        ]),
      );
      await page.getByRole("link", { name: "Scenarios" }).click();
      await page
        .getByRole("row", { name: /At 30 million/ })
        .getByRole("button", { name: "Delete" })
        .click();
      await page.getByRole("button", { name: "Delete At 30 million" }).click();
      await page.getByText("“At 30 million” deleted").waitFor();
      expect((await server.api("GET", "/scenarios")).json.items).toHaveLength(1);
    }));

  test("the terms of a convertible are changed in its form, and models count with them", () =>
    visiting(async (visitor) => {
      const { page } = visitor;
      const { items } = (await server.api("GET", "/securities?type=CONVERTIBLE")).json;
      const { id } = items[0];
      await visitor.turnTo(`/o/${server.orgId}/securities/${id}`);
      await page.getByRole("link", { name: "Change terms" }).click();
      await heading(page, "Terms of SAFE-1");
      await page.getByLabel("Discount").fill("100");
      await page.getByRole("button", { name: "Save terms" }).click();
      await page.locator("input[name='convertibleTerms.discountPercent'][aria-invalid=true]").waitFor();
      await page.getByLabel("Discount").fill("25");
      await page.getByLabel("The cap counts").selectOption("PRE_MONEY");
      await page.getByRole("button", { name: "Save terms" }).click();
      await page.getByText("Terms saved.").waitFor();
      const { convertibleTerms } = (await server.api("GET", `/securities/${id}`)).json;
      const [{ mechanism }] = convertibleTerms.triggers;
      expect([mechanism.discountPercent, mechanism.timing, mechanism.valuationCap]).toEqual([
        "25",
        "PRE_MONEY",
        "12000000",
      ]);
      expect(visitor.complaints.splice(0).every((each) => each.includes("status of 422"))).toBe(true);
    }));

  test("what a closing asks is to be seen on a phone, and Escape leaves it", () =>
    visiting(
      async (visitor) => {
        const { page } = visitor;
        await visitor.turnTo(`/o/${server.orgId}/models/round`);
        await fillRound(page);
        await computed(page);
        await page.getByRole("button", { name: "Close this round" }).click();
        await page.getByRole("dialog").getByRole("button", { name: "Add as a person" }).waitFor();
        await page.keyboard.press("Escape");
        await page.getByRole("dialog").waitFor({ state: "detached" });
      },
      { width: 375, height: 812 },
    ));

  test("a round is modelled, closed, and the cap table is what the model said", () =>
    visiting(async (visitor) => {
      const { page } = visitor;
      await visitor.turnTo(`/o/${server.orgId}/models/round`);
      await fillRound(page);
      await page.getByLabel("After the round", { exact: true }).selectOption("TARGET");
      await page.getByLabel("Pool after closing").fill("10");
      await computed(page);
      const said = await rowsOf(page, "Cap table before and after");
      await page.getByRole("button", { name: "Close this round" }).click();
      const dialog = page.getByRole("dialog", { name: "Close this round" });
      await dialog.getByRole("button", { name: "Add as a company" }).click();
      await dialog.getByRole("table").getByText("SB-1", { exact: true }).waitFor();
      const ledger = async () => (await server.api("GET", "/ledger")).json.data.entries as number;
      const before = await ledger();
      await dialog.getByRole("button", { name: "Record the closing" }).click();
      await heading(page, "Series B financing");
      expect(await ledger()).toBeGreaterThan(before);

      const { data } = (await server.api("POST", "/models/cap-table", {})).json;
      type Holder = { readonly name: string; readonly fullyDiluted: string };
      const now = new Map(data.before.holders.map((each: Holder) => [each.name, each.fullyDiluted]));
      const holders = said.slice(0, -2).map(([name = "", , , after = ""]) => [name.split("\n")[0], after] as const);
      expect(new Map(holders)).toEqual(now as Map<string, string>);
      const [pool, total] = said.slice(-2);
      expect([pool?.[3], total?.[3]]).toEqual([data.before.pool.available, data.before.totals.fullyDiluted]);
      const { stakeholders } = (await server.api("GET", "/cap-table")).json.data;
      const names = stakeholders.map((each: { displayName: string }) => each.displayName);
      expect(names).toContain("Turing Growth Fund");
      expect(company.holders.mary).toBeString();
    }));
});
