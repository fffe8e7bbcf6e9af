// Every address can be reached: from the overview, by links and menus alone, as each role. An address of a page or form that
// no link leads to is one that users do not have.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import type { Browser } from "playwright-core";
import { PAGES } from "../../src/web/routes.ts";
import { ACTION_GROUPS } from "../../src/web/text/actions.ts";
import { RECORD_WORDS } from "../../src/web/text/records.ts";
import { HAS_CHROMIUM, IN_BROWSER } from "../kit/chromium.ts";
import { follow, inPage, signIn, type Visitor, visit } from "../kit/pages.ts";
import type { SampleCompany } from "../kit/sample.ts";
import type { TestServer } from "../kit/service.ts";
import { setStage } from "../kit/stage.ts";

setDefaultTimeout(600_000);

/** How many records of one page are looked at, and of which there are more: securities differ by their type. */
const OF_A_PAGE = 1;
const SECURITIES = 9;
/** Pages for people who are not signed in, and those that lead elsewhere at once. */
const OUTSIDE: readonly string[] = ["start", "signIn", "setUp", "join", "reset", "recover", "confirmEmail"].map(
  (name) => PAGES[name as keyof typeof PAGES].path,
);
const FORMS = [...Object.keys(RECORD_WORDS), "vesting-terms"];
const LINKS = "[...document.querySelectorAll('a[href]')].map((link) => link.pathname + link.search)";

/**
 * The links of a page, and of each of its menus while it is open. In the page, for a pointer that goes to each takes four times
 * the work; that menus open by pointer and by key is tried where they are used.
 */
function linksOfMenus(place: string): string {
  return `(async () => {
    const shown = () => new Promise((resume) => requestAnimationFrame(() => setTimeout(resume)));
    // What is done with several records is a link once they are ticked.
    for (const box of document.querySelectorAll("main table input[type=checkbox]")) {
      if (!box.checked) box.click();
      await shown();
    }
    const found = new Set(${LINKS});
    for (const opener of document.querySelectorAll("${place}[aria-haspopup]")) {
      if (!opener.checkVisibility()) continue;
      opener.focus();
      opener.click();
      await shown();
      for (const link of ${LINKS}) found.add(link);
      if (opener.getAttribute("aria-expanded") === "false") throw new Error(opener.outerHTML + " opens nothing");
      document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true }));
      await shown();
    }
    return [...found];
  })()`;
}

/** Every kind of address: a page, and of forms each of their records and operations. */
const KINDS: readonly string[] = Object.values(PAGES)
  .map(({ path }) => path as string)
  .filter((path) => !OUTSIDE.includes(path))
  .flatMap((path): readonly string[] => {
    const operations = ACTION_GROUPS.flatMap(({ actions }) => actions.map(({ operation }) => operation));
    if (path.includes("/:operation")) return operations.map((operation) => path.replace(":operation", operation));
    if (path.includes("/edit/:record")) {
      return [...FORMS, "convertible-terms"].map((record) => path.replace(":record", record));
    }
    return path.includes("/:record") ? FORMS.map((record) => path.replace(":record", record)) : [path];
  });

/** The kind of address that this is one of, the plainest first; null for a file or what is no page. */
function kindOf(address: string): string | null {
  const [path = ""] = address.split("?");
  const fits = (kind: string) => new RegExp(`^${kind.replaceAll(/:\w+/g, "[^/]+")}$`).test(path);
  return KINDS.find((kind) => fits(kind) && !kind.includes(":id")) ?? KINDS.find(fits) ?? null;
}

describe.skipIf(!HAS_CHROMIUM)(IN_BROWSER, () => {
  let server: TestServer;
  let browser: Browser;
  let company: SampleCompany;
  setStage(
    async ({ sample, ...stage }) => {
      ({ server, browser } = stage);
      company = await sample();
      for (const name of ["One", "Other"]) {
        await server.api("POST", "/scenarios", { name, model: "WATERFALL", input: { exitValues: ["1000000"] } });
      }
    },
    { CAPTABLE_CHAIN: "on" },
  );

  /**
   * The addresses to which a page leads: its links, those of its menus, and of the dialog of its first row; where asked,
   * those of the menus of the frame, which is around all pages.
   */
  async function linksOf(visitor: Visitor, isWithFrame: boolean): Promise<readonly string[]> {
    const { page } = visitor;
    const found = new Set(await inPage<string[]>(visitor, page, linksOfMenus(isWithFrame ? "" : "main ")));
    const opener = page.locator("main button.as-link:visible").first();
    if ((await inPage<number>(visitor, page, "document.querySelectorAll('main button.as-link').length")) === 0) {
      return [...found];
    }
    if ((await opener.count()) > 0) await opener.click();
    for (const link of await inPage<string[]>(visitor, page, LINKS)) found.add(link);
    await page.keyboard.press("Escape");
    return [...found];
  }

  /** Walks as far as links lead; what was met of each kind, and the pages that refuse what led there. */
  async function walk(visitor: Visitor) {
    const seen = new Set<string>();
    const met = new Map<string, number>();
    const refused: string[] = [];
    const open = [`/o/${server.orgId}`];
    for (let address = open.shift(); address !== undefined; address = open.shift()) {
      const kind = kindOf(address);
      // Tabs of a page are pages of their own; filters and the way back from a form are not.
      const tab = new URLSearchParams(address.split("?")[1]).get("tab");
      const key = `${address.split("?")[0]} ${tab ?? ""}`;
      const times = `${kind} ${tab ?? ""}`;
      const most = kind === PAGES.security.path ? SECURITIES : OF_A_PAGE;
      if (kind === null || seen.has(key) || (met.get(times) ?? 0) >= most) continue;
      seen.add(key);
      met.set(times, (met.get(times) ?? 0) + 1);
      await follow(visitor, address);
      if ((await visitor.page.locator("main .notice.bad").count()) > 0) refused.push(address);
      open.push(...(await linksOf(visitor, seen.size === 1)));
    }
    return { kinds: new Set([...met.keys()].map((each) => each.split(" ")[0] ?? "")), refused, pages: seen.size };
  }

  test.each(["VIEWER", "EDITOR", "ADMIN", "STAKEHOLDER"] as const)(
    "links lead a %s to pages that are theirs",
    async (role) => {
      const visitor = await visit(browser, server);
      const isAdministrator = role === "ADMIN";
      const stakeholderIds =
        role === "STAKEHOLDER" || isAdministrator
          ? [company.holders[isAdministrator ? "george" : "charles"] ?? ""]
          : [];
      await signIn(visitor, server, { role, isOperator: isAdministrator, stakeholderIds });
      const { kinds, refused, pages } = await walk(visitor);
      expect(refused).toEqual([]);
      expect(pages).toBeGreaterThan(4);
      if (isAdministrator) expect(KINDS.filter((kind) => !kinds.has(kind))).toEqual([]);
      await visitor.leave();
    },
  );
});

test("an address that nothing leads to is seen", () => {
  expect(kindOf("/o/1/edit/valuation/2")).toBe("/o/:orgId/edit/valuation/:id");
  expect(kindOf("/o/1/new/vesting-terms?return=%2F")).toBe("/o/:orgId/new/vesting-terms");
  expect(kindOf("/api/v1/transactions.csv")).toBeNull();
  expect(KINDS).toContain("/o/:orgId/edit/vesting-terms/:id");
  expect(new Set(KINDS).size).toBe(KINDS.length);
});
