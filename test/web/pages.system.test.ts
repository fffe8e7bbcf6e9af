// Every page, in both themes and on wide and narrow screens: it loads, does not scroll sideways, and has nothing that axe-core
// finds of WCAG 2.2 A and AA and good practice. Then the states that all pages share, and the budgets of what is loaded.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import type { Browser } from "playwright-core";
import { buildPages } from "../../src/web/build.ts";
import { PAGES, type PageName } from "../../src/web/routes.ts";
import { addressIn } from "../kit/addresses.ts";
import { axeFindings, type Sought } from "../kit/axe.ts";
import { HAS_CHROMIUM, IN_BROWSER } from "../kit/chromium.ts";
import { follow, giveCookie, inPage, type Staying, signIn, type Visitor, visit } from "../kit/pages.ts";
import { beginSession, makeMember } from "../kit/people.ts";
import type { SampleCompany } from "../kit/sample.ts";
import type { TestServer } from "../kit/service.ts";
import { setStage } from "../kit/stage.ts";

setDefaultTimeout(300_000);

const WIDE_PX = 1440;
const PHONE_PX = 375;
/** Where no page may scroll sideways besides: zoomed to 200 % on a small screen, and on the narrowest. */
const OTHER_PX = [640, 320] as const;
const HEIGHT_PX = 900;
const SIDEWAYS = "document.documentElement.scrollWidth - document.documentElement.clientWidth";
const INK = "getComputedStyle(document.body).color";
/** The four displays, in an order in which the one before differs by one thing alone. */
const LOOKS = [
  { width: WIDE_PX, theme: "light" },
  { width: WIDE_PX, theme: "dark" },
  { width: PHONE_PX, theme: "dark" },
  { width: PHONE_PX, theme: "light" },
] as const;
/** An element that is put into a page. */
interface Planted {
  readonly tag: string;
  readonly style: string;
  readonly text?: string;
  readonly src?: string;
}
const SMALL = { tag: "button", style: "all: unset; font-size: 9px; line-height: 9px; width: 9px", text: "a" };
/** Faults that axe-core must find, by the name of its rule. */
const PLANTED: readonly (readonly [rule: string, ...elements: readonly Planted[]])[] = [
  ["label", { tag: "input", style: "display: block; width: 90px; height: 40px" }],
  [
    "image-alt",
    { tag: "img", style: "", src: "data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==" },
  ],
  ["heading-order", { tag: "h6", style: "", text: "Deep" }],
  ["target-size", SMALL, SMALL],
];
/** Pages that lead elsewhere at once. */
const PASSING: readonly string[] = [PAGES.start.path, PAGES.setUp.path];
const KIB = 1024;
/** More than are needed to get through the side bar. */
const TABS_MAX = 60;
/** Of all scripts, gzipped; 28 of it are the models, 2 files for people and 5 spreadsheets, loaded with their own pages. */
const ALL_PAGES_KIB = 200;
/** Of the scripts that the first page loads, gzipped. */
const FIRST_PAGE_KIB = 45;

/** What pages do a second after the rest does not come. */
const NOTHING_LATER = `(() => {
  const real = setTimeout;
  globalThis.setTimeout = (does, ms, ...more) => (ms === 1000 ? 0 : real(does, ms, ...more));
})()`;

let server: TestServer;
let browser: Browser;
let company: SampleCompany;
let accountId: string;
let asAdministrator: Staying["turn"];

describe.skipIf(!HAS_CHROMIUM)(IN_BROWSER, () => {
  setStage(
    async ({ sample, stays, ...stage }) => {
      ({ server, browser } = stage);
      asAdministrator = stays();
      company = await sample();
      const given = { isOperator: true, stakeholderIds: [company.holders.charles ?? ""] };
      accountId = (await makeMember(server.app.writer, server.orgId, given)).accountId;
    },
    { CAPTABLE_CHAIN: "on" },
  );

  /** Gives a browser the session of a user who can see every page: operator, administrator and holder. */
  async function everything(visitor: Visitor): Promise<void> {
    const { token } = await beginSession(server.app.writer, accountId);
    await giveCookie(visitor, server, token);
  }

  const shown = (Object.keys(PAGES) as PageName[]).filter((name) => !PASSING.includes(PAGES[name].path));
  /** Does something with each page, in the window of a user who can see it. */
  type OnEach = (does: (visitor: Visitor, name: PageName, address: string) => Promise<void>) => Promise<void>;

  /** Two windows, and what goes through the pages in them; what a page complains of fails it. */
  async function windows(does: (onEach: OnEach) => Promise<void>): Promise<void> {
    const [inside, outside] = [await visit(browser, server), await visit(browser, server)];
    await everything(inside);
    await does(async (onPage) => {
      for (const name of shown) {
        const visitor = PAGES[name].place === "bare" ? outside : inside;
        await onPage(visitor, name, addressIn(name, server.orgId, company));
      }
    });
    for (const each of [inside, outside]) await each.leave();
  }

  /** Of one width, as the page is there: it does not scroll sideways, and what axe-core finds but for colours. */
  async function expectLayout(visitor: Visitor, name: string): Promise<void> {
    const overflow = await inPage<number>(visitor, visitor.page, SIDEWAYS);
    const width = visitor.page.viewportSize()?.width;
    const findings = await axeFindings(visitor, { rules: "all but contrast" });
    expect({ name, width, overflow, findings }).toEqual({ name, width, overflow: 0, findings: [] });
  }

  // What a page is made of does not differ by theme, and colours do: each rule is asked for where it may find something
  // else. The frame around the pages of a place is the same.
  test("each page loads by its address; wide and narrow, in both themes, axe-core finds nothing", () =>
    windows(async (onEach) => {
      await onEach(async (visitor, _, address) => {
        await visitor.go(address);
        await visitor.settled();
      });
      const framed = new Set<string>();
      await onEach(async (visitor, name, address) => {
        const { page } = visitor;
        const { place } = PAGES[name];
        await follow(visitor, address);
        const inks: string[] = [];
        for (const { width, theme } of LOOKS) {
          await visitor.show({ width, height: HEIGHT_PX, theme });
          if (inks.length % 2 === 0) await expectLayout(visitor, name);
          inks.push(await inPage<string>(visitor, page, INK));
          const within = framed.has(place) ? { within: "main" } : {};
          const findings = await axeFindings(visitor, { rules: "contrast", ...within });
          expect({ name, width, theme, findings }).toEqual({ name, width, theme, findings: [] });
        }
        framed.add(place);
        const [light = "", dark = ""] = inks;
        expect(light).not.toBe(dark);
        expect(inks).toEqual([light, dark, dark, light]);
        for (const width of OTHER_PX) {
          await page.setViewportSize({ width, height: HEIGHT_PX });
          const overflow = await inPage<number>(visitor, page, SIDEWAYS);
          expect({ name, width, overflow }).toEqual({ name, width, overflow: 0 });
        }
        await visitor.show({ width: WIDE_PX, height: HEIGHT_PX });
      });
    }));

  test("a fault of colour, of layout or of structure is found, in the page and in its frame", () =>
    asAdministrator(async (visitor) => {
      const { page } = visitor;
      await follow(visitor, "/account");
      // By the means of scripts: the policy forbids markup.
      const plant = (place: string, ...elements: readonly Planted[]) =>
        inPage(
          visitor,
          page,
          `for (const { tag, style, text, src } of ${JSON.stringify(elements)}) {
            const element = document.createElement(tag);
            element.className = "planted";
            element.style.cssText = style;
            if (text) element.textContent = text;
            if (src) element.src = src;
            document.querySelector(${JSON.stringify(place)}).append(element);
          }`,
        );
      const remove = () =>
        inPage(visitor, page, "document.querySelectorAll('.planted').forEach((each) => each.remove())");
      const ids = async (sought: Sought) => (await axeFindings(visitor, sought)).map((each) => each.split(":")[0]);
      const inMain = { rules: "contrast", within: "main" } as const;
      const structure = { rules: "all but contrast" } as const;
      const words = (colors: string) => ({ tag: "p", style: `color: light-dark(${colors})`, text: "Words" });
      for (const { width, theme } of LOOKS) {
        await visitor.show({ width, height: HEIGHT_PX, theme });
        await plant("main", words(theme === "light" ? "#ddd, #fff" : "#000, #333"));
        expect([theme, await ids(inMain)]).toEqual([theme, ["color-contrast"]]);
        await remove();
        await plant("main", words(theme === "light" ? "#000, #333" : "#ddd, #fff"));
        expect([theme, await ids(inMain)]).toEqual([theme, []]);
        await remove();
        if (width === WIDE_PX) await plant("nav", words("#ddd, #333"));
        if (width === WIDE_PX) expect(await ids({ rules: "contrast" })).toEqual(["color-contrast"]);
        await remove();
      }
      for (const [rule, ...elements] of PLANTED) {
        await plant("main", ...elements);
        expect([rule, [...new Set(await ids(structure))]]).toEqual([rule, [rule]]);
        await remove();
      }
      await plant("main", { tag: "div", style: "width: 2000px; height: 1px" });
      await expect(expectLayout(visitor, "planted")).rejects.toThrow();
      await remove();
    }, {}));

  test("an unknown address, or another's organization, is reported in the frame", () =>
    asAdministrator(async (visitor) => {
      await visitor.turnTo("/account");
      await inPage(visitor, visitor.page, `history.pushState(null, "", "/o/${server.orgId}/nothing-here")`);
      await visitor.page.getByRole("heading", { level: 1, name: "Page not found" }).waitFor();
      await visitor.go(`/o/${await server.newOrganization("Another")}`);
      await visitor.page.getByRole("heading", { level: 1, name: "Organization not found" }).waitFor();
    }));

  test("loading, empty and failing are shown alike, and can be tried again", () =>
    asAdministrator(async (visitor) => {
      const { page } = visitor;
      let held = Promise.withResolvers<void>();
      await page.route("**/api/v1/cap-table", async (route) => {
        await held.promise;
        await route.fulfill({
          status: 500,
          headers: { "x-request-id": "0190f5a2-6c1e-7b3a-9d4e-a56145270ce6" },
          contentType: "application/problem+json",
          body: JSON.stringify({
            type: "x/problems/internal-error",
            title: "Internal Server Error",
            detail: "It failed.",
          }),
        });
      });
      await visitor.go(`/o/${server.orgId}`);
      await page.getByRole("status").filter({ hasText: "Loading the cap table…" }).waitFor();
      held.resolve();
      const notice = page.getByRole("alert");
      await notice.getByText("It failed.").waitFor();
      await notice.getByText("0190f5a2-6c1e-7b3a-9d4e-a56145270ce6").waitFor();
      expect(await axeFindings(visitor)).toEqual([]);
      held = Promise.withResolvers();
      await page.unroute("**/api/v1/cap-table");
      await notice.getByRole("button", { name: "Try again" }).click();
      await page.getByRole("rowheader", { name: "Ada Lovelace" }).waitFor();
      expect(visitor.complaints.splice(0).every((each) => each.includes("status of 500"))).toBe(true);
    }));

  test("the keyboard alone reaches the switcher, the pages, the hand and the menu of the person", () =>
    asAdministrator(async (visitor) => {
      const { page } = visitor;
      await visitor.go(`/o/${server.orgId}`);
      await visitor.settled();
      const names: string[] = [];
      const focused =
        "(document.activeElement.getAttribute('aria-label') ?? document.activeElement.querySelector('.switcher-name > :first-child')?.innerText ?? document.activeElement.innerText).trim()";
      while (names.at(-1) !== "Day shown" && names.length < TABS_MAX) {
        await page.keyboard.press("Tab");
        names.push((await inPage<string>(visitor, page, focused)).split("\n")[0] ?? "");
      }
      expect(names.slice(0, 4)).toEqual(["Skip to content", "Acme Robotics, Inc.", "Search", "Overview"]);
      expect(names.indexOf("Day shown")).toBeGreaterThan(names.indexOf("AL"));
      const opened = page.getByRole("button", { name: /account, theme/ });
      await opened.focus();
      await page.keyboard.press("ArrowDown");
      await page.locator(":focus", { hasText: /^Account$/ }).waitFor();
      await page.keyboard.press("s");
      await page.locator(":focus", { hasText: /^System$/ }).waitFor();
      await page.keyboard.press("Escape");
      await page.locator(":focus[aria-expanded=false]").waitFor();
    }));

  test("thousands of holders are shown some hundreds at a time, sorted as a whole", () =>
    asAdministrator(async (visitor) => {
      const { page } = visitor;
      const { data } = (await server.api("GET", "/cap-table")).json;
      const [holder] = data.stakeholders;
      const stakeholders = Array.from({ length: 5000 }, (_, index) => {
        return { ...holder, id: `h${index}`, displayName: `Holder ${index}`, holdings: [] };
      });
      await page.route("**/api/v1/cap-table", (route) => route.fulfill({ json: { data: { ...data, stakeholders } } }));
      await visitor.go(`/o/${server.orgId}`);
      await page.getByText("200 of 5,000 holders shown").waitFor();
      expect(await page.getByRole("rowheader", { name: /^Holder / }).count()).toBe(200);
      await page.getByRole("button", { name: "Holder", exact: true }).click();
      await page.getByRole("button", { name: "Holder", exact: true }).click();
      await page.getByRole("rowheader", { name: "Holder 4999" }).waitFor();
      await page.getByRole("button", { name: "Show more" }).click();
      await page.getByRole("rowheader", { name: "Holder 4600" }).waitFor();
    }));

  test("Ctrl and K find a page, and Escape gives the focus back", () =>
    asAdministrator(async (visitor) => {
      const { page } = visitor;
      await follow(visitor, `/o/${server.orgId}`);
      await page.getByRole("button", { name: /^Search/ }).focus();
      await page.keyboard.press("Control+k");
      await page.locator(":focus[role=combobox]").waitFor();
      await page.keyboard.type("over");
      await page.getByRole("option", { name: /^Overview/ }).waitFor();
      await page.keyboard.press("Escape");
      await page.keyboard.press("Escape");
      await page.locator(":focus", { hasText: "Search" }).waitFor();
    }));

  test("the overview is there after six questions of the API, and nothing is asked before it is painted", async () => {
    const visitor = await visit(browser, server);
    await visitor.context.addInitScript(NOTHING_LATER);
    await signIn(visitor, server);
    await visitor.go(`/o/${server.orgId}`);
    await visitor.page.getByRole("rowheader", { name: "Ada Lovelace" }).waitFor();
    await visitor.settled();
    const asked = visitor.requests.map((url) => new URL(url).pathname).filter((path) => path.startsWith("/api/"));
    // Who holds a convertible is asked for each; what comes up, how many approvals wait and what happens, is asked later.
    const first = asked.filter(
      (path) => !/\/(?:securities|stakeholders)\/|\/(dates|approvals|events|stream)$/.test(path),
    );
    expect(first.length).toBeLessThanOrEqual(6);
    expect(new Set(first).size).toBe(first.length);
    const scripts = visitor.requests.filter((url) => url.endsWith(".js"));
    const sizes = await Promise.all(
      scripts.map(async (url) => Bun.gzipSync(await (await fetch(url)).arrayBuffer()).length),
    );
    expect(sizes.reduce((sum, size) => sum + size, 0) / KIB).toBeLessThan(FIRST_PAGE_KIB);
    const kinds = visitor.requests.slice(0, 4).map((url) => new URL(url).pathname.replace(/^.*\./, ""));
    expect(kinds.slice(1).sort()).toEqual(["css", "js", "woff2"]);
    await visitor.leave();
  });
});

test("scripts, styles and fonts stay within their budgets", async () => {
  const { html, files } = await buildPages();
  const sizeOf = (end: string) =>
    files.filter(({ name }) => name.endsWith(end)).reduce((sum, { bytes }) => sum + bytes.length, 0) / KIB;
  const first = files.filter(({ name }) => html.includes(name) && name.endsWith(".js"));
  expect(first.reduce((sum, { bytes }) => sum + bytes.length, 0) / KIB).toBeLessThan(FIRST_PAGE_KIB);
  expect(sizeOf(".js")).toBeLessThan(ALL_PAGES_KIB);
  expect(sizeOf(".css")).toBeLessThan(14);
  expect(sizeOf("-latin.woff2")).toBeLessThan(48);
  // Else a font was written into the styles.
  expect(files.filter(({ name }) => name.endsWith(".css"))).toHaveLength(1);
});
