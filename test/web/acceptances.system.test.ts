// Accepting in a real browser: a holder reads, opens, ticks and accepts on a phone; an editor sees it, records what was
// signed on paper, and asks again.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync } from "node:fs";
import { toTimestamp } from "../../src/kernel/runtime.ts";
import { axeFindings } from "../kit/axe.ts";
import { HAS_CHROMIUM, IN_BROWSER } from "../kit/chromium.ts";
import { type Staying, signIn, type Visitor } from "../kit/pages.ts";
import { PASSWORD } from "../kit/people.ts";
import { makeShareClass, makeStakeholder } from "../kit/records.ts";
import type { TestServer } from "../kit/service.ts";
import { setStage } from "../kit/stage.ts";

setDefaultTimeout(300_000);

/** Where pictures go, if a person wants to look at the pages. */
const SHOTS = process.env.CAPTABLE_SHOTS;

describe.skipIf(!HAS_CHROMIUM)(IN_BROWSER, () => {
  let server: TestServer;
  let visiting: Staying["turn"];
  setStage(({ stays, ...stage }) => {
    ({ server } = stage);
    visiting = stays(null, { width: 390, height: 844 });
  });

  async function picture(visitor: Visitor, name: string): Promise<void> {
    for (const theme of ["dark", "light"] as const) {
      await visitor.show({ width: 390, height: 844, theme });
      expect({ name, theme, found: await axeFindings(visitor) }).toEqual({ name, theme, found: [] });
      if (!SHOTS) continue;
      await Bun.sleep(400);
      await visitor.page.screenshot({ path: `${SHOTS}/${name}-${theme}.png`, fullPage: true });
    }
  }

  async function company() {
    const orgId = await server.newOrganization("Acme, Inc.");
    const made = async (method: string, path: string, body: unknown) => {
      const { status, json, text } = await server.api(method, path, body, { orgId });
      if (status >= 300) throw new Error(`${method} ${path}: ${text}`);
      return json.data ?? json;
    };
    const ada = await makeStakeholder(server, { displayName: "Ada", name: { legalName: "Ada King" } }, { orgId });
    const stockClassId = await makeShareClass(server, { name: "Common" }, { orgId });
    const { id: legend } = await made("POST", "/stock-legends", { name: "Act", text: "Not registered." });
    const issue = { stakeholderId: ada, stockClassId, quantity: "1200", effectiveDate: "2026-01-15" };
    const issued = async (certificateId: string, asksAcceptance: boolean, quantity = "1200") => {
      const body = { ...issue, certificateId, asksAcceptance, quantity };
      return (await made("POST", "/transactions/issue-shares", body)).securityId as string;
    };
    const [first, second] = [await issued("CS-1", true), await issued("CS-2", false, "90")];
    await made("PATCH", `/securities/${first}`, { stockLegendIds: [legend] });
    const relatedObjects = [
      { objectType: "STAKEHOLDER", objectId: ada },
      { objectType: "SECURITY", objectId: first },
    ];
    const { id: documentId } = await made("POST", "/documents", {
      ...{ title: "Agreement", path: "agreement.txt", isSharedWithHolders: true, relatedObjects },
    });
    const put = (text: string) =>
      server.api("PUT", `/documents/${documentId}/content`, Buffer.from(text), {
        ...{ orgId, headers: { "content-type": "text/plain" } },
      });
    await put("You get 1,200 shares.");
    return { orgId, ada, first, second, put, made };
  }

  test("a holder accepts once each document was opened and the box is ticked, and gets a receipt", async () => {
    const { orgId, ada, first, put } = await company();
    await visiting(async (visitor) => {
      const { page } = visitor;
      // The proof of who one is was too long ago: it is asked for on the way.
      const confirmedAt = toTimestamp(Date.now() - 3_600_000);
      await signIn(visitor, server, { role: "STAKEHOLDER", stakeholderIds: [ada], orgId, confirmedAt });
      await visitor.go(`/o/${orgId}/mine`);
      await visitor.settled();
      const card = page.locator(".card").filter({ hasText: "Waiting for you" });
      const box = card.getByRole("checkbox");
      const accept = card.getByRole("button", { name: "Accept", exact: true });
      await picture(visitor, "waiting");
      const text = await card.textContent();
      for (const words of ["STOCK CERTIFICATE", "CS-1", "1,200 shares", "Ada King", "Not registered.", "Agreement"])
        expect(text).toContain(words);
      expect(text).toContain("I accept, for Ada King, the stock CS-1 of Acme, Inc.: 1,200 shares");
      const openAll = async () => {
        const [download] = await Promise.all([
          page.waitForEvent("download"),
          card.getByRole("button", { name: "Open: Agreement" }).click(),
        ]);
        await card.getByText("Opened", { exact: true }).waitFor();
        return readFileSync(await download.path(), "utf8");
      };
      await box.check();
      await card.getByText("Open the document first.").waitFor();
      await accept.click({ force: true });
      expect(await openAll()).toBe("You get 1,200 shares.");
      await picture(visitor, "opened");
      // A byte of the document is changed meanwhile: nothing is accepted, and it is to be opened anew.
      await put("You get 1,201 shares.");
      await accept.click();
      await page.getByRole("textbox", { name: "Password" }).fill(PASSWORD);
      await page.getByRole("button", { name: "Confirm" }).click();
      await card.getByText("Not accepted: it was changed").waitFor();
      await card.getByText("Open the document first.").waitFor();
      expect(await box.isChecked()).toBe(false);
      visitor.complaints.splice(0);
      expect(await openAll()).toBe("You get 1,201 shares.");
      await box.check();
      await accept.click();
      await card.waitFor({ state: "detached" });
      const held = page.locator(".held").filter({ hasText: "CS-1" });
      await held.getByText("Accepted", { exact: true }).waitFor();
      await picture(visitor, "accepted");
      const [receipt] = await Promise.all([
        page.waitForEvent("download"),
        held.getByRole("button", { name: "Receipt (PDF)" }).click(),
      ]);
      expect(receipt.suggestedFilename()).toEndWith(".pdf");
      expect(
        readFileSync(await receipt.path())
          .subarray(0, 5)
          .toString(),
      ).toBe("%PDF-");
      if (SHOTS) await receipt.saveAs(`${SHOTS}/receipt.pdf`);
      const { json } = await server.api("GET", `/securities/${first}`, undefined, { orgId });
      expect(json.acceptanceStatus).toBe("ACCEPTED");
    });
  });

  test("an editor asks, asks again, and records what was signed on paper", async () => {
    const { orgId, first, second } = await company();
    await visiting(async (visitor) => {
      const { page } = visitor;
      await signIn(visitor, server, { role: "EDITOR", orgId });
      await visitor.go(`/o/${orgId}/securities/${second}`);
      await visitor.settled();
      const card = page.locator(".card").filter({ has: page.getByRole("heading", { name: "Acceptance" }) });
      await card.getByText("Not asked").waitFor();
      await card.getByRole("button", { name: "Ask for acceptance" }).click();
      await card.getByText("Waiting for the holder").waitFor();
      await card.getByRole("button", { name: "Ask again" }).click();
      await page.getByText("The holder is asked again").waitFor();
      await picture(visitor, "asked");
      await card.getByRole("button", { name: "Record acceptance on paper" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Signed on").fill("2026-02-03");
      await dialog.getByLabel("Comments").fill("At the office");
      await picture(visitor, "paper");
      await dialog.getByRole("button", { name: "Record acceptance on paper" }).click();
      await card.getByText("On paper", { exact: true }).waitFor();
      await picture(visitor, "recorded");
      const { json } = await server.api("GET", `/securities/${second}/acceptances`, undefined, { orgId });
      expect(json.items).toMatchObject([
        { kind: "PAPER", acceptedAt: "2026-02-03T00:00:00.000Z", comments: "At the office" },
      ]);
      await visitor.show({ width: 1280 });
      await visitor.go(`/o/${orgId}/securities?acceptanceStatus=PENDING`);
      await visitor.settled();
      const rows = page.getByRole("row");
      expect(await rows.filter({ hasText: "CS-1" }).count()).toBe(1);
      expect(await rows.filter({ hasText: "CS-2" }).count()).toBe(0);
      await visitor.go(`/o/${orgId}/securities/${first}`);
      await visitor.settled();
      await card.getByText("Waiting for the holder").waitFor();
    });
  });

  test("an administrator has the organization ask", async () => {
    const { orgId } = await company();
    await visiting(async (visitor) => {
      await signIn(visitor, server, { role: "ADMIN", orgId });
      await visitor.go(`/o/${orgId}/settings`);
      await visitor.settled();
      await visitor.page.getByLabel("Ask holders to accept what is issued to them").check();
      await visitor.page.getByRole("button", { name: "Save what holders see" }).click();
      await visitor.page.getByText("saved", { exact: false }).first().waitFor();
      const { json } = await server.api("GET", "/organization", undefined, { orgId });
      expect(json.asksAcceptance).toBe(true);
    });
  });
});
