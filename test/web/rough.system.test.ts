// Pages under rough handling: pressed twice, gone back from, slow, zoomed, printed from the dark; extreme names
// and figures. Nothing is recorded twice, nothing runs, nothing is cut, and no page scrolls sideways.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { HAS_CHROMIUM, IN_BROWSER } from "../kit/chromium.ts";
import { type Ask, asking } from "../kit/company.ts";
import { follow, inPage, type Staying, signIn } from "../kit/pages.ts";
import type { SampleCompany } from "../kit/sample.ts";
import type { TestServer } from "../kit/service.ts";
import { setStage } from "../kit/stage.ts";

setDefaultTimeout(300_000);

/** Markup that would run, a direction that would turn, letters outside the plane, and as long as a name may be. */
const NAMES = [
  `<img src=x onerror="document.title='ran'"><script>document.title='ran'</script>`,
  "شركة الأمثلة 👩‍👩‍👧‍👦 ﷽ e\u0301\u0323",
  "W".repeat(100),
  `Long ${"and longer ".repeat(12)}`.trim().slice(0, 100).trim(),
];
/** The most digits that a figure may have, and one that has more. */
const HUGE = "999999999999999.9999999999";
const TOO_HUGE = "123456789012345678901234567890";
/** Ground, ink, and whether what has no colour of its own is light. */
const COLORS = `(() => {
  const of = (element) => getComputedStyle(element);
  const { backgroundColor, colorScheme } = of(document.documentElement);
  return [backgroundColor, of(document.querySelector("main")).color, colorScheme].join(" | ");
})()`;
const SIDEWAYS = "document.documentElement.scrollWidth - document.documentElement.clientWidth";

let server: TestServer;
let company: SampleCompany;
let strangeOrg: string;
let handling: Staying["turn"];
let asHolder: Staying["turn"];
let outside: Staying["turn"];

describe.skipIf(!HAS_CHROMIUM)(IN_BROWSER, () => {
  setStage(async ({ sample, stays, ...stage }) => {
    ({ server } = stage);
    company = await sample();
    strangeOrg = await server.newOrganization();
    handling = stays({ alsoIn: [strangeOrg] });
    asHolder = stays({ role: "STAKEHOLDER", stakeholderIds: [company.holders.george ?? ""] });
    outside = stays(null);
  });

  async function entries(): Promise<number> {
    return (await server.api("GET", "/ledger")).json.data.entries;
  }

  test("a button that is pressed twice records once, and going back records nothing and shows what is now", () =>
    handling(async ({ page, turnTo, settled }) => {
      const org = `/o/${server.orgId}`;
      await turnTo(`${org}/securities`);
      await settled();
      const given = `stakeholderId=${company.holders.mary}&stockClassId=${company.classes.common}&quantity=7`;
      await page.getByRole("button", { name: "Record" }).waitFor();
      await turnTo(`${org}/record/issue-shares?${given}`);
      await page.getByText("Checked", { exact: true }).waitFor();
      const before = await entries();
      await page.getByRole("button", { name: "Record issuance" }).dblclick();
      await page.getByText(/Recorded as entry \d+/).waitFor();
      expect(await entries()).toBe(before + 1);
      await page.goBack();
      await page.getByRole("heading", { level: 1 }).waitFor();
      await settled();
      expect(await entries()).toBe(before + 1);
      await page.goForward();
      await settled();
      expect(await entries()).toBe(before + 1);
      await turnTo(`${org}/stakeholders/${company.holders.mary}`);
      await page.getByText("7", { exact: true }).first().waitFor();

      await turnTo(`${org}/new/stakeholder`);
      await page.getByLabel("Name", { exact: true }).first().fill("Twice Pressed");
      await page.getByRole("button", { name: "Add stakeholder" }).dblclick();
      await page.getByRole("heading", { level: 1, name: "Twice Pressed" }).waitFor();
      const { items } = (await server.api("GET", "/stakeholders?q=Twice")).json;
      expect(items).toHaveLength(1);
    }));

  test("names of markup, of another direction, and as long as may be are shown as they are, on every page of theirs", async () => {
    const ask = asking(server.url, await server.key("ADMIN", strangeOrg));
    const { ids, securities } = await strange(ask);
    await handling(async (visitor) => {
      const { page } = visitor;
      const paths = ["", "/stakeholders", "/securities", "/classes-and-plans", "/ledger", "/models/round"];
      const own = [...ids.map((id) => `/stakeholders/${id}`), ...securities.map((id) => `/securities/${id}`)];
      for (const path of [...paths, ...own]) {
        await follow(visitor, `/o/${strangeOrg}${path}`);
        for (const width of [1440, 375]) {
          await page.setViewportSize({ width, height: 900 });
          const overflow = await inPage<number>(visitor, page, SIDEWAYS);
          expect({ path, width, overflow }).toEqual({ path, width, overflow: 0 });
        }
        expect(await page.title()).not.toBe("ran");
        if (path !== "") continue;
        for (const name of NAMES) await page.getByRole("link", { name, exact: true }).first().waitFor();
        const digits = ((await page.locator("main").textContent()) ?? "").replaceAll(",", "");
        expect(digits).toContain(HUGE);
        expect(await page.locator("main img, main script").count()).toBe(0);
      }
    }, {});
  });

  test("shares that came of an option have no strike and no expiry, for their holder and on their certificate", () =>
    asHolder(async ({ page, turnTo }) => {
      await turnTo(`/o/${server.orgId}/mine`);
      const shares = page.getByRole("region", { name: "30,000 shares" });
      await shares.getByText("Issued at").waitFor();
      expect(await page.getByText("Strike price").count()).toBe(1);
      await shares.getByRole("link", { name: "Certificate" }).click();
      await page.getByRole("heading", { level: 1, name: "Certificate CS-4" }).waitFor();
      await page.getByText("30,000 shares").waitFor();
      expect(await page.getByRole("term").allInnerTexts()).toEqual([
        ...["Certificate", "Date", "Price per share", "Ledger entry", "Entry hash"],
      ]);
    }));

  test("a figure of more digits than any may have is told at its field, and nothing is recorded", () =>
    handling(async (visitor) => {
      const { page } = visitor;
      const before = await entries();
      const given = `stakeholderId=${company.holders.mary}&stockClassId=${company.classes.common}&quantity=${TOO_HUGE}`;
      await visitor.turnTo(`/o/${server.orgId}/record/issue-shares?${given}`);
      await page.getByRole("button", { name: "Record issuance" }).click();
      await page.locator("input[name=quantity][aria-invalid=true]:focus").waitFor();
      await page.getByText("Enter at most 15 digits, and 10 of a fraction").waitFor();
      const overflow = await inPage<number>(visitor, page, SIDEWAYS);
      expect([await entries(), overflow]).toEqual([before, 0]);
    }));

  /** A company with such names, and as many shares as has 30 digits. */
  async function strange(ask: Ask) {
    const figures = { initialSharesAuthorized: HUGE, votesPerShare: "1", seniority: 1 };
    const { id: stockClassId } = await ask("POST", "/share-classes", {
      ...{ name: NAMES[0]?.slice(0, 80), classType: "COMMON", defaultIdPrefix: "CS-", ...figures },
    });
    const ids: string[] = [];
    const securities: string[] = [];
    for (const [index, displayName] of NAMES.entries()) {
      const name = { legalName: displayName };
      const { id } = await ask("POST", "/stakeholders", { displayName, name, type: "INDIVIDUAL" });
      ids.push(id);
      const quantity = index === 0 ? "999999999999996.9999999999" : "1";
      const body = { stakeholderId: id, stockClassId, certificateId: `CS-${index + 1}`, quantity };
      const { data } = await ask("POST", "/transactions/issue-shares", { ...body, effectiveDate: "2026-01-01" });
      securities.push(data.securityId);
    }
    return { ids, securities };
  }

  test("a slow server: what is waited for is said, and what was asked is asked once", () =>
    handling(async (visitor) => {
      const { page } = visitor;
      const { promise: isTime, resolve: go } = Promise.withResolvers<void>();
      const asked: string[] = [];
      await page.route("**/api/v1/stakeholders?**", async (route) => {
        asked.push(route.request().url());
        await isTime;
        await route.continue();
      });
      await visitor.go(`/o/${server.orgId}/stakeholders`);
      await page.getByRole("status").getByText("Loading").first().waitFor();
      await page.getByRole("link", { name: "Securities" }).first().click();
      await page.getByRole("heading", { level: 1, name: "Securities" }).waitFor();
      await page.getByRole("link", { name: "Stakeholders" }).first().click();
      await page.getByRole("heading", { level: 1, name: "Stakeholders" }).waitFor();
      go();
      await page.getByRole("link", { name: "Ada Lovelace" }).waitFor();
      expect(new Set(asked).size).toBeLessThanOrEqual(2);
    }));

  test("paper is white and ink is dark, also from a dark screen", () =>
    handling(
      async (visitor) => {
        const { page } = visitor;
        for (const path of ["", "/ledger", `/stakeholders/${company.holders.george}`]) {
          await follow(visitor, `/o/${server.orgId}${path}`);
          await page.emulateMedia({ media: "print" });
          const colors = await inPage<string>(visitor, page, COLORS);
          expect({ path, colors }).toEqual({ path, colors: "rgba(0, 0, 0, 0) | rgb(22, 32, 27) | light" });
          await page.emulateMedia({ media: "screen" });
          expect(await inPage<string>(visitor, page, COLORS)).not.toBe(colors);
        }
      },
      { theme: "dark" },
    ));

  test("paper as wide as a page of A4 shows every class, as a wide screen does, and a phone does not", () =>
    handling(
      async ({ page, turnTo, settled }) => {
        await turnTo(`/o/${server.orgId}`);
        await settled();
        const column = page.locator("th.wide").first();
        expect(await column.isVisible()).toBe(false);
        await page.emulateMedia({ media: "print" });
        expect(await column.isVisible()).toBe(true);
      },
      { width: 718, height: 1000 },
    ));

  test("who signs out in a second tab is signed out, and asked for nothing", () =>
    outside(async (visitor) => {
      const { context, page, go, settled, requests, complaints } = visitor;
      await signIn(visitor, server);
      const signOut = async (tab: typeof page) => {
        await tab.getByRole("button", { name: /account, theme/ }).click();
        await tab.getByRole("menuitem", { name: "Sign out" }).click();
        await tab.getByRole("heading", { level: 1, name: "Sign in" }).waitFor();
      };
      await go(`/o/${server.orgId}`);
      await settled();
      // How many approvals wait is asked later than all else; signed out by then, the page would ask to sign in again.
      while (!requests.some((url) => url.includes("/approvals"))) await page.waitForTimeout(10);
      await settled();
      const second = await context.newPage();
      await second.goto(`${server.url}/o/${server.orgId}`);
      await second.getByRole("heading", { level: 1 }).waitFor();
      await signOut(second);
      await signOut(page);
      expect(await page.getByRole("dialog").count()).toBe(0);
      await second.close();
      complaints.splice(0);
    }));

  test("a link that is put into the tab of another one is the one that is looked at", () =>
    outside(async ({ page, go, complaints }) => {
      const made = await server.api("POST", "/invitations", { email: "second@link.example", role: "VIEWER" });
      const { hash } = new URL(made.json.url);
      await go(`/join#${"A".repeat(hash.length - 1)}`);
      await page.getByText("This invitation does not work").waitFor();
      await page.evaluate(`location.hash = ${JSON.stringify(hash)}`).catch(() => undefined);
      await page.getByLabel("Your name").waitFor();
      expect(await page.getByLabel("E-mail").inputValue()).toBe("second@link.example");
      complaints.splice(0);
    }));

  test("an invitation of another person is not accepted by the signed-in account", () =>
    handling(async ({ page, go }) => {
      const made = await server.api("POST", "/invitations", { email: "third@link.example", role: "VIEWER" });
      const { pathname, hash } = new URL(made.json.url);
      await go(pathname + hash);
      await page.getByText(/^This invitation is for third@link.example/).waitFor();
      expect(await page.getByLabel("Your name").count()).toBe(0);
    }));

  test("a holder who types any other address of the organization comes to what is his", () =>
    asHolder(async (visitor) => {
      for (const path of ["", "/settings", "/ocf", "/ledger", "/record/issue-shares"]) {
        await follow(visitor, `/o/${server.orgId}${path}`);
        expect([path, new URL(visitor.page.url()).pathname]).toEqual([path, `/o/${server.orgId}/mine`]);
      }
      await visitor.go(`/o/${server.orgId}/settings`);
      await visitor.settled();
      expect(new URL(visitor.page.url()).pathname).toBe(`/o/${server.orgId}/mine`);
    }));

  test("numbers and dates follow the format chosen under Account, then the browser's again", () =>
    handling(async (visitor) => {
      const { page, go, turnTo, settled } = visitor;
      const path = `/o/${server.orgId}/stakeholders/${company.holders.ada}`;
      const shown = async () => (await page.locator("main").textContent()) ?? "";
      const choose = async (label: string) => {
        await turnTo("/account");
        await page.getByLabel("Format").selectOption({ label });
        await page.getByText(label === "German (Germany)" ? "1.234.567,5" : "1,234,567.5").waitFor();
      };
      await follow(visitor, path);
      const [figure = ""] = /\d{1,3}(?:,\d{3})+/.exec(await shown()) ?? [];
      expect(figure).not.toBe("");
      await choose("German (Germany)");
      // Also after it is loaded anew.
      await go(path);
      await settled();
      expect(await shown()).toContain(figure.replaceAll(",", "."));
      await choose("Browser language");
      await follow(visitor, path);
      expect(await shown()).toContain(figure);
    }));
});
