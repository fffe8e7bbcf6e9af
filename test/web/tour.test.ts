// A tour of every page in a browser: each has its heading, shows what there is, and complains of nothing. It goes from page
// to page as links do. That each loads by its address, and what pages do, is tried in the tier `system`.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import type { Browser } from "playwright-core";
import { PAGES, type PageName } from "../../src/web/routes.ts";
import { addressIn } from "../kit/addresses.ts";
import { HAS_CHROMIUM, IN_BROWSER } from "../kit/chromium.ts";
import { follow, giveCookie, visit } from "../kit/pages.ts";
import { beginSession, makeMember } from "../kit/people.ts";
import type { SampleCompany } from "../kit/sample.ts";
import type { TestServer } from "../kit/service.ts";
import { setStage } from "../kit/stage.ts";

setDefaultTimeout(300_000);

let server: TestServer;
let browser: Browser;
let company: SampleCompany;
let token: string;

describe.skipIf(!HAS_CHROMIUM)(IN_BROWSER, () => {
  setStage(async ({ sample, ...stage }) => {
    ({ server, browser } = stage);
    company = await sample();
    const given = { isOperator: true, stakeholderIds: [company.holders.charles ?? ""] };
    const { accountId } = await makeMember(server.app.writer, server.orgId, given);
    token = (await beginSession(server.app.writer, accountId)).token;
  });

  test("every page has its heading, and no fault or other host in what it loads", async () => {
    const inside = await visit(browser, server);
    await giveCookie(inside, server, token);
    const outside = await visit(browser, server);
    await inside.go(PAGES.start.path);
    await outside.go(PAGES.reset.path);
    for (const visitor of [inside, outside]) await visitor.settled();
    const headings: string[] = [];
    for (const name of Object.keys(PAGES) as PageName[]) {
      const visitor = PAGES[name].place === "bare" ? outside : inside;
      await follow(visitor, addressIn(name, server.orgId, company));
      const alerts = await visitor.page.getByRole("alert").allTextContents();
      headings.push(...(await visitor.page.getByRole("heading", { level: 1 }).allTextContents()));
      expect({ name, alerts }).toEqual({ name, alerts: [] });
    }
    expect(headings.filter((heading) => /not found|no such/i.test(heading))).toEqual([]);
    expect(new Set(headings).size).toBeGreaterThan(headings.length / 2);
    await inside.leave();
    await outside.leave();
  });
});
