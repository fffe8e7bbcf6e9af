// Running an organization from its pages: a key that is shown once, a member who is invited, an approval that is decided,
// a document that its holder sees, a package that comes in.

import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { zipSync } from "fflate";
import type { Browser } from "playwright-core";
import { addYears } from "../../src/kernel/date.ts";
import { scopesOfRole } from "../../src/storage/records/api-key.ts";
import { SCOPES_OF_ROLE } from "../../src/web/api/values.ts";
import { startReceiver } from "../exchange/webhooks/receiver.ts";
import { axeFindings } from "../kit/axe.ts";
import { HAS_CHROMIUM, IN_BROWSER } from "../kit/chromium.ts";
import { type Staying, signIn, visit } from "../kit/pages.ts";
import { issueShares, makeShareClass, makeStakeholder } from "../kit/records.ts";
import type { SampleCompany } from "../kit/sample.ts";
import type { TestServer } from "../kit/service.ts";
import { setStage } from "../kit/stage.ts";
import { importsHere, readsHere } from "../kit/threads-here.ts";
import { removeTemporaryFolders, temporaryFolder } from "../tokens/chain/support/people.ts";
import { classWith, securityWith, startOn } from "../tokens/jobs/support/tokens.ts";

setDefaultTimeout(300_000);

/** The receivers of webhooks are on this machine. */
const ALLOW = { CAPTABLE_WEBHOOK_ALLOW: "public,127.0.0.0/8" };
/** What threads of their own would do: this is about another thing. */
const HERE = { startReading: readsHere, startImporting: importsHere };
const PACKAGE = join(import.meta.dir, "../fixtures/ocf/small");

let server: TestServer;
let browser: Browser;
let company: SampleCompany;
let emptyOrg: string;
let asAdministrator: Staying["turn"];
let visiting: Staying["turn"];

describe.skipIf(!HAS_CHROMIUM)(IN_BROWSER, () => {
  setStage(async ({ sample, stays, ...stage }) => {
    ({ server, browser } = stage);
    company = await sample();
    emptyOrg = await server.newOrganization();
    asAdministrator = stays({ name: "Grace Hopper", alsoIn: [emptyOrg] });
    visiting = stays(null);
  }, ALLOW);

  const at = (path: string) => `/o/${server.orgId}${path}`;

  test("an API key is shown once, works, and works no more once it is revoked", async () => {
    await asAdministrator(async ({ page, turnTo }) => {
      await turnTo(at("/settings?tab=keys"));
      await page.getByRole("button", { name: "New API key" }).click();
      await page.getByLabel("Name").fill("Payroll sync");
      await page.getByRole("button", { name: "Create key" }).click();
      const dialog = page.getByRole("dialog", { name: "Your new API key" });
      const key = (await dialog.locator("code").textContent()) ?? "";
      const asked = () => fetch(`${server.url}/api/v1/organization`, { headers: { authorization: `Bearer ${key}` } });
      expect((await asked()).status).toBe(200);
      // A browser closes a dialog that is told so twice, whatever the page wants.
      for (let press = 0; press < 5; press++) await page.keyboard.press("Escape");
      expect(await dialog.locator("code").textContent()).toBe(key);
      await page.getByRole("button", { name: "I have stored it" }).click();
      await page.getByRole("row", { name: /Payroll sync/ }).waitFor();
      expect(await page.getByText(key).count()).toBe(0);
      const row = page.getByRole("row", { name: /Payroll sync/ });
      await row.getByRole("button", { name: "Revoke" }).click();
      await row.getByRole("alert").getByRole("button", { name: "Revoke" }).click();
      await page.getByText("Payroll sync revoked").waitFor();
      expect((await asked()).status).toBe(401);
    });
  });

  test("a webhook endpoint is made, its secret shown once, tested, disabled and deleted", async () => {
    const receiver = await startReceiver();
    await asAdministrator(async (visitor) => {
      const { page, turnTo } = visitor;
      await turnTo(at("/settings?tab=webhooks"));
      await page.getByRole("button", { name: "New endpoint" }).click();
      await page.getByLabel("URL").fill("https://10.1/");
      await page.getByLabel("Description").fill("Payroll");
      await page.getByLabel("Events", { exact: true }).fill("stock_legend.*, scenario.created");
      await page.getByRole("button", { name: "Create endpoint" }).click();
      await page.getByText("Is at an address that this server sends nothing to").first().waitFor();
      await page.getByLabel("URL").fill(receiver.url.replace("127.0.0.1", "127.0.0.2"));
      await page.getByRole("button", { name: "Create endpoint" }).click();
      const dialog = page.getByRole("dialog", { name: "The endpoint's secret" });
      const secret = (await dialog.locator("code").textContent()) ?? "";
      expect(secret).toMatch(/^whsec_/);
      await page.getByRole("button", { name: "I have stored it" }).click();
      expect(await page.getByText(secret).count()).toBe(0);
      const { items } = (await server.api("GET", "/webhook-endpoints")).json;
      expect(items).toMatchObject([{ description: "Payroll", types: ["stock_legend.*", "scenario.created"] }]);
      // The receiver is not at that address: the test fails, and goes through once the URL is right.
      await page
        .getByRole("row", { name: /Payroll/ })
        .getByRole("button", { name: "Manage" })
        .click();
      const managed = page.getByRole("dialog", { name: "Webhook endpoint Payroll" });
      await server.api("PATCH", `/webhook-endpoints/${items[0].id}`, { url: receiver.url });
      await managed.getByRole("button", { name: "Send test" }).click();
      await receiver.count(1);
      expect(receiver.received[0]?.event.type).toBe("webhook.test");
      await managed
        .getByRole("row", { name: /webhook\.test/ })
        .first()
        .waitFor();
      expect(await axeFindings(visitor)).toEqual([]);
      await managed.getByRole("button", { name: "Disable" }).click();
      await managed.getByText("Disabled by a member").waitFor();
      await managed.getByRole("button", { name: "Delete endpoint" }).click();
      await managed.getByRole("alert").getByRole("button", { name: "Delete endpoint" }).click();
      await page.getByText("Endpoint deleted").waitFor();
      await page.getByText("No webhook endpoints yet").waitFor();
      // The address that was refused; the list of deliveries may have been asked for just before they went.
      const complaints = visitor.complaints.splice(0).filter((each) => !each.includes("404"));
      expect(complaints).toEqual([expect.stringContaining("422")]);
    });
    await receiver.stop();
  });

  test("a new key ends in a year unless a day or never is chosen, and is limited to what its role may", async () => {
    await asAdministrator(async ({ page, turnTo }) => {
      await turnTo(at("/settings?tab=keys"));
      const shownIn = async (name: string) => {
        const { items } = (await server.api("GET", "/api-keys")).json;
        const { role, scopes, expiresAt } = items.find((each: { name: string }) => each.name === name);
        return { role, scopes, expiresAt };
      };
      const begin = async (name: string) => {
        await page.getByRole("button", { name: "New API key" }).click();
        await page.getByLabel("Name").fill(name);
      };
      const finish = async () => {
        await page.getByRole("button", { name: "Create key" }).click();
        await page.getByRole("button", { name: "I have stored it" }).click();
      };
      const scope = (name: string) => page.getByRole("checkbox", { name, exact: true });

      expect<object>(SCOPES_OF_ROLE).toEqual({
        VIEWER: [...scopesOfRole("VIEWER")],
        EDITOR: [...scopesOfRole("EDITOR")],
        ADMIN: [...scopesOfRole("ADMIN")],
      });
      await begin("As offered");
      expect([await scope("Read").isChecked(), await scope("Write").count()]).toEqual([true, 0]);
      await finish();
      const inAYear = addYears(new Date().toISOString().slice(0, 10), 1);
      expect(await shownIn("As offered")).toEqual({
        role: "VIEWER",
        scopes: ["read"],
        expiresAt: `${inAYear}T00:00:00.000Z`,
      });

      await begin("Importer");
      await page.getByLabel("Role").selectOption("ADMIN");
      for (const name of ["Read", "Write", "Import", "Manage keys"]) {
        expect([name, await scope(name).isChecked()]).toEqual([name, true]);
        await scope(name).uncheck();
      }
      await page.getByRole("button", { name: "Create key" }).click();
      await page.getByText("Choose at least one").waitFor();
      await scope("Import").check();
      await scope("Read").check();
      await page.getByLabel("Expires on").fill("");
      await page.getByRole("button", { name: "Create key" }).click();
      await page.getByText("Enter a day, or choose Never expires").waitFor();
      await scope("Never expires").check();
      await finish();
      expect(await shownIn("Importer")).toEqual({ role: "ADMIN", scopes: ["read", "import"], expiresAt: null });
      const row = page.getByRole("row", { name: /Importer/ });
      await row.getByText("Read, Import").waitFor();

      // Another role offers its own scopes, all of them.
      await begin("Editor");
      await page.getByLabel("Role").selectOption("ADMIN");
      await scope("Read").uncheck();
      await page.getByLabel("Role").selectOption("EDITOR");
      expect([
        await scope("Read").isChecked(),
        await scope("Write").isChecked(),
        await scope("Import").count(),
      ]).toEqual([true, true, 0]);
      await finish();
      expect(await shownIn("Editor")).toMatchObject({ role: "EDITOR", scopes: ["read", "write"] });
      const { key, id } = (await server.api("POST", "/api-keys", { name: "Used", role: "VIEWER" })).json;
      await server.api("GET", "/organization", undefined, { key });
      await server.app.writer.submit(() => undefined);
      const { lastUsedAddress } = (await server.api("GET", `/api-keys/${id}`)).json;
      await page.reload();
      await page.getByRole("row", { name: /Used/ }).getByText(`from ${lastUsedAddress}`).waitFor();
    });
  });

  test("an invitation link is shown once, and can be revoked", async () => {
    await asAdministrator(async ({ page, turnTo }) => {
      await turnTo(at("/settings?tab=members"));
      await page.getByRole("button", { name: "Invite a member" }).click();
      await page.getByLabel("E-mail").fill("elodie@acme.example");
      await page.getByLabel("Role").selectOption("STAKEHOLDER");
      await page.getByRole("button", { name: "Create invitation link" }).click();
      await page.getByText("Choose at least one").waitFor();
      await page.getByRole("combobox", { name: /Stakeholders/ }).fill("Élodie");
      await page.getByRole("option", { name: /Élodie/ }).click();
      await page.getByRole("button", { name: "Create invitation link" }).click();
      const dialog = page.getByRole("dialog", { name: "Send this link" });
      const url = (await dialog.locator("code").textContent()) ?? "";
      expect(url).toMatch(/\/join#\w{43}$/);
      const mail = (await dialog.getByRole("link", { name: "Open in mail" }).getAttribute("href")) ?? "";
      expect(mail.startsWith("mailto:elodie%40acme.example?")).toBe(true);
      expect(mail).toContain(encodeURIComponent(url));
      await dialog.getByRole("button", { name: "I have sent it" }).click();
      const row = page.getByRole("row", { name: /elodie@acme.example/ });
      await row.getByRole("button", { name: "Revoke" }).click();
      await row.getByRole("alert").getByRole("button", { name: "Revoke" }).click();
      await page.getByText("No open invitations.").waitFor();
      await turnTo(at("/audit-log?kind=invitation"));
      await page.getByRole("button", { name: "Revoked: Invitation" }).waitFor();
      await page.getByRole("row", { name: /^Created: Invitation elodie@acme.example/ }).waitFor();
    });
  });

  test("an administrator who removes herself is told that it is herself, and led out", async () => {
    await visiting(async (visitor) => {
      const { page, turnTo, settled, complaints } = visitor;
      await signIn(visitor, server, { name: "Leaving Administrator" });
      await turnTo(at("/settings?tab=members"));
      await page.getByRole("button", { name: /^Change.*Leaving Administrator/ }).click();
      const dialog = page.getByRole("dialog", { name: "Leaving Administrator" });
      expect(await dialog.getByRole("button", { name: "End sessions" }).count()).toBe(0);
      await dialog.getByRole("button", { name: "Remove", exact: true }).click();
      await dialog.getByText(/^You lose access to this organization at once/).waitFor();
      expect(await dialog.getByRole("alert").getByRole("button", { name: "Remove" }).isEnabled()).toBe(true);
      await dialog.getByRole("alert").getByRole("button", { name: "Remove" }).click();
      await page.getByRole("heading", { level: 1, name: /^(Organizations|Sign in)$/ }).waitFor();
      expect(await page.getByText("Leaving Administrator removed").count()).toBe(0);
      await settled();
      // What the page had still asked of the organization is refused.
      expect(complaints.splice(0).filter((each) => !/status of 401/.test(each))).toEqual([]);
    });
  });

  test("a record that is deleted on its page is left, and not asked for again", async () => {
    const stakeholder = await makeStakeholder(server, { displayName: "Dee Leted" });
    const idOf = async (place: string, body: object) => {
      const { json } = await server.api("POST", place, body);
      return json.data.id as string;
    };
    const action = { type: "Financing Round", title: "A mistaken round", status: "Draft", effectiveDate: "2026-01-02" };
    const made = {
      action: await idOf("/corporate-actions", action),
      approval: await idOf("/approvals", { title: "A mistaken draft", entityType: "Stock Issuance", steps: [] }),
    };
    await asAdministrator(async ({ page, turnTo, requests, settled }) => {
      const leave = async (place: string, id: string, removes: () => Promise<void>, done: string) => {
        await turnTo(at(`/${place}/${id}?tab=details`));
        await settled();
        const before = requests.length;
        await removes();
        await page.getByText(done).waitFor();
        await settled();
        expect(new URL(page.url()).pathname).toBe(at(`/${place}`));
        const asked = requests.slice(before).filter((url) => url.includes(`/api/v1/${place}/${id}`));
        expect([place, asked.length]).toEqual([place, 1]);
      };
      const confirmed = (label: string) => async () => {
        await page.getByRole("button", { name: label }).click();
        await page.getByRole("alert").getByRole("button", { name: label }).click();
      };
      const inDialog = async () => {
        await page.getByRole("button", { name: "Delete stakeholder" }).click();
        await page.getByRole("dialog").getByRole("button", { name: "Delete stakeholder" }).click();
      };
      await leave("stakeholders", stakeholder, inDialog, "Dee Leted deleted");
      await leave("corporate-actions", made.action, confirmed("Delete"), "Corporate action deleted");
      await leave("approvals", made.approval, confirmed("Delete draft"), "Draft deleted");
    });
  });

  test("an approval goes from a draft over its steps to locked", async () => {
    await asAdministrator(async ({ page, turnTo }) => {
      await turnTo(at("/approvals"));
      await page.getByRole("button", { name: "New approval" }).first().click();
      await page.getByLabel("Title").fill("Second closing");
      await page.getByLabel("Steps").fill("Board\n\nCounsel");
      await page.getByRole("button", { name: "Create draft" }).click();
      await page.getByRole("heading", { level: 1, name: "Second closing" }).waitFor();
      await page.getByRole("button", { name: "Submit" }).click();
      for (const step of ["Board", "Counsel"]) {
        await page.getByRole("button", { name: `Decide: ${step}` }).click();
        await page.getByLabel("Comment").fill(`Minutes of the ${step}`);
        await page.getByRole("button", { name: "Approve", exact: true }).click();
        await page.getByRole("row", { name: new RegExp(`${step}.*Grace Hopper.*Minutes of the ${step}`) }).waitFor();
      }
      await page.getByRole("button", { name: "Lock" }).click();
      await page.getByRole("alert").getByRole("button", { name: "Lock" }).click();
      await page.getByText("This approval is final and cannot be changed.").waitFor();
      expect(await page.getByRole("button", { name: "Add step" }).count()).toBe(0);
    });
  });

  test("one rejected step rejects the approval for good, after it was asked once more", async () => {
    await asAdministrator(async ({ page, turnTo }) => {
      await turnTo(at("/approvals"));
      await page.getByRole("button", { name: "New approval" }).first().click();
      await page.getByLabel("Title").fill("Third closing");
      await page.getByLabel("Steps").fill("Board\n\nCounsel");
      await page.getByRole("button", { name: "Create draft" }).click();
      await page.getByRole("heading", { level: 1, name: "Third closing" }).waitFor();
      await page.getByRole("button", { name: "Submit" }).click();
      await page.getByRole("button", { name: "Decide: Counsel" }).click();
      await page.getByLabel("Comment").fill("The price is missing");
      await page.getByRole("button", { name: "Reject", exact: true }).click();
      const asked = page.getByRole("alert").filter({ hasText: "This is final." });
      await asked.getByRole("button", { name: "Reject" }).click();
      await page.getByText("A step was rejected. This decision is final.").waitFor();
      await page.getByRole("row", { name: /Counsel.*Rejected.*Grace Hopper.*The price is missing/ }).waitFor();
      expect(await page.getByRole("button", { name: /^(Decide|Lock|Submit|Add step)/ }).count()).toBe(0);
    });
  });

  test("a document is stored and shared, and its holder has it back byte for byte, and nothing of others", async () => {
    const bytes = Buffer.from("grant agreement of ES-4");
    await asAdministrator(async ({ page, turnTo }) => {
      await turnTo(at("/documents"));
      const files = [{ name: "Letter_ES-4.txt", mimeType: "text/plain", buffer: bytes }];
      await page.locator("input[type=file]").setInputFiles(files);
      await page.getByRole("combobox", { name: /Related records/ }).fill("Kurt");
      await page.getByRole("option", { name: /Kurt.*Stakeholder/ }).click();
      await page.getByLabel("Share with holders").check();
      await page.getByText("Visible to Kurt Friedrich Gödel.").waitFor();
      await page.getByRole("button", { name: "Store 1 file" }).click();
      await page.getByRole("button", { name: "Open Letter ES-4" }).waitFor();
    });
    const holder = { role: "STAKEHOLDER", stakeholderIds: [company.holders.kurt ?? ""] } as const;
    await visiting(async (visitor) => {
      const { page, turnTo } = visitor;
      await signIn(visitor, server, holder);
      await turnTo(at("/mine"));
      await page.getByRole("heading", { level: 1, name: "Kurt Friedrich Gödel, your holdings" }).waitFor();
      await page.getByRole("heading", { name: "45,000.5 options" }).waitFor();
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("button", { name: "Download: Letter ES-4" }).click(),
      ]);
      expect(download.suggestedFilename()).toBe("Letter_ES-4.txt");
      expect(readFileSync(await download.path())).toEqual(bytes);
      expect(await page.getByText("Élodie").count()).toBe(0);
      await page.getByRole("link", { name: "Certificate" }).click();
      await page.getByRole("heading", { level: 1, name: "Certificate ES-4" }).waitFor();
      await page.getByText("not a signed certificate").waitFor();
    });
  });

  test("a package is checked, tried and taken in", async () => {
    const asked = async (path: string) => (await server.api("GET", path, undefined, { orgId: emptyOrg })).json;
    await asAdministrator(async (visitor) => {
      const { page, turnTo } = visitor;
      const files = Object.fromEntries(readdirSync(PACKAGE).map((name) => [name, readFileSync(join(PACKAGE, name))]));
      await turnTo(`/o/${emptyOrg}/ocf`);
      const buffer = Buffer.from(zipSync(files));
      const chosen = { name: "small.zip", mimeType: "application/zip", buffer };
      const field = page.getByLabel("OCF package as a zip");
      await field.setInputFiles(chosen);
      await page
        .getByText(/small\.zip/)
        .first()
        .waitFor();
      // A browser tells of no second choice of the same file: the field has forgotten the first.
      expect(await field.inputValue()).toBe("");
      await page.getByRole("button", { name: "Preview import" }).click();
      await page.getByText("Import preview").waitFor();
      const count = async () => (await asked("/stakeholders")).items.length;
      expect(await count()).toBe(0);
      expect(await axeFindings(visitor)).toEqual([]);
      const lines = await page.getByRole("group", { name: "Cap table" }).getByRole("row").allInnerTexts();
      await page.getByRole("button", { name: "Import now" }).click();
      await page.getByText("Import report").waitFor();
      expect(await count()).toBeGreaterThan(0);
      const { totals, shareClasses } = (await asked("/cap-table")).data;
      const inWords = (figure: string) => Number(figure).toLocaleString("en-US");
      const [first] = shareClasses;
      expect(lines.slice(0, 3).map((line) => line.split(/\s*\t\s*/))).toEqual([
        ["Shares", "Now", "After"],
        ["Fully diluted", "0", inWords(totals.asConverted)],
        ["Outstanding", "0", inWords(totals.outstanding)],
      ]);
      expect(lines.map((line) => line.split(/\s*\t\s*/))).toContainEqual([
        ...[`${first.name}, issued`, "–", inWords(first.issued)],
      ]);
      await turnTo(`/o/${emptyOrg}/ledger`);
      await turnTo(`/o/${emptyOrg}/ocf`);
      // All of it is there already, so it must be the same package that the page makes of the folder.
      await page.getByLabel("OCF package as a folder").setInputFiles(PACKAGE);
      await page.getByText(/ objects read\. No problems found\./).waitFor();
      await page.getByRole("button", { name: "Preview import" }).click();
      await page.getByText("The package has nothing new.").waitFor();
      await turnTo(`/o/${emptyOrg}/ocf`);
      await page.getByText(/^Last import, /).click();
      await page.getByText("Import report").waitFor();
    });
  });

  test("a class that got no token says why, and is tried again", async () => {
    const dataDir = temporaryFolder();
    const before = await startOn(dataDir, {}, HERE);
    const stockClassId = await makeShareClass(before);
    const stakeholderId = await makeStakeholder(before);
    await securityWith(before, await issueShares(before, { stakeholderId, stockClassId }), "MINTED");
    await before.stop();
    // Another chain in the place of ours: what was made on it is not there.
    for (const name of readdirSync(dataDir).filter((found) => found.startsWith("chain.db")))
      rmSync(join(dataDir, name));
    const after = await startOn(dataDir, {}, HERE);
    await issueShares(after, { stakeholderId, stockClassId });
    const { tokenError } = await classWith(after, stockClassId, "FAILED");
    const visitor = await visit(browser, after.app);
    try {
      const orgId = (await after.api("GET", "/organization")).json.id;
      await signIn(visitor, { ...after, url: after.app.url, orgId } as TestServer, { role: "EDITOR" });
      const { page } = visitor;
      // The settings offer it to the same people.
      await visitor.go(`/o/${orgId}/settings?tab=chain`);
      await page.getByRole("button", { name: "Try again" }).waitFor();
      await visitor.turnTo(`/o/${orgId}/classes-and-plans/classes/${stockClassId}`);
      const card = page.getByRole("region", { name: "Token" });
      await card.getByText("Failed", { exact: true }).first().waitFor();
      await card.getByText(tokenError).waitFor();
      await card.getByRole("button", { name: "Try again" }).click();
      await card.getByText("On the chain").waitFor();
      await classWith(after, stockClassId, "DEPLOYED");
      await visitor.leave();
    } finally {
      await visitor.context.close();
      await after.stop();
      removeTemporaryFolders();
    }
  });
});
