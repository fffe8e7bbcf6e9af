// Dates to come on pages: on the overview and on My holdings, and calendars under Account, made, copied and ended.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { HAS_CHROMIUM, IN_BROWSER } from "../kit/chromium.ts";
import { type Staying, signIn } from "../kit/pages.ts";
import type { SampleCompany } from "../kit/sample.ts";
import type { TestServer } from "../kit/service.ts";
import { setStage } from "../kit/stage.ts";

setDefaultTimeout(120_000);

let server: TestServer;
let company: SampleCompany;
let visiting: Staying["turn"];

function inDays(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
}

describe.skipIf(!HAS_CHROMIUM)(IN_BROWSER, () => {
  setStage(async ({ sample, stays, ...stage }) => {
    ({ server } = stage);
    visiting = stays(null);
    company = await sample();
    for (let at = 1; at <= 7; at++) {
      const body = { title: `Resolution ${at}`, entityType: "Other", dueDate: inDays(at) };
      await server.api("POST", "/approvals", body);
    }
  });

  test("the overview shows what comes up, the next first, with links to the records", async () => {
    await visiting(async (visitor) => {
      await signIn(visitor, server, { role: "VIEWER" });
      await visitor.go(`/o/${server.orgId}`);
      const card = visitor.page.getByRole("region", { name: "Coming up" });
      await card.getByRole("link", { name: "Approval due: Resolution 1" }).waitFor();
      expect(await card.getByRole("listitem").count()).toBe(5);
      await card.getByRole("button", { name: /^Show \d+ more$/ }).click();
      expect(await card.getByRole("listitem").count()).toBeGreaterThan(6);
      await card.getByRole("link", { name: "Approval due: Resolution 2" }).click();
      await visitor.page.getByRole("heading", { level: 1, name: "Resolution 2" }).waitFor();
      await visitor.go(`/o/${server.orgId}?asOf=${inDays(-30)}`);
      await visitor.page.getByRole("heading", { name: "Cap table" }).first().waitFor();
      expect(await card.count()).toBe(0);
    });
  });

  test("a holder sees its own dates and no others", async () => {
    await visiting(async (visitor) => {
      const { kurt = "", elodie = "" } = company.holders;
      await signIn(visitor, server, { role: "STAKEHOLDER", stakeholderIds: [kurt, elodie] });
      await visitor.go(`/o/${server.orgId}/mine`);
      const card = visitor.page.getByRole("region", { name: "Coming up" });
      const { data } = (await server.api("GET", "/dates")).json;
      const own = data.items.filter((each: { stakeholderId: string }) => [kurt, elodie].includes(each.stakeholderId));
      await visitor.page.getByRole("heading", { level: 1 }).waitFor();
      await visitor.settled();
      expect(await card.count()).toBe(own.length === 0 ? 0 : 1);
      for (const { title } of own.slice(0, 5)) await card.getByText(title).waitFor();
      expect(await visitor.page.getByText("Approval due").count()).toBe(0);
    });
  });

  test("a calendar is added under Account, its address is shown once and read, and it ends", async () => {
    await visiting(async (visitor) => {
      const { page } = visitor;
      await signIn(visitor, server, { role: "VIEWER" });
      await visitor.go("/account");
      const card = page.getByRole("region", { name: "Calendars" });
      await card.getByRole("button", { name: "Add one without names" }).click();
      const dialog = page.getByRole("dialog", { name: "Calendar added" });
      const url = (await dialog.locator("code").textContent()) ?? "";
      const read = async () => {
        const { status } = await fetch(url);
        return status;
      };
      expect(await read()).toBe(200);
      await dialog.getByRole("button", { name: "I have copied it" }).click();
      await card.getByText("No names or numbers").waitFor();
      expect(await page.getByText(url).count()).toBe(0);
      await card.getByRole("button", { name: "End", exact: true }).click();
      await card.getByRole("alert").getByRole("button", { name: "End", exact: true }).click();
      await card.getByText("No names or numbers").waitFor({ state: "detached" });
      expect(await read()).toBe(404);
    });
  });
});
