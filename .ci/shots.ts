// `bun run shots [page …]`: pictures of the pages in both themes and two widths, for eyes, in dist/shots. Of a sample
// company in a service of its own.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { asking } from "../test/kit/company.ts";
import { launch, signIn, type Visitor, visit } from "../test/kit/pages.ts";
import { makeMember } from "../test/kit/people.ts";
import { makeSampleCompany, type SampleCompany } from "../test/kit/sample.ts";
import { startTestServer } from "../test/kit/service.ts";

const FOLDER = join(import.meta.dir, "../dist/shots");
const WIDTHS = [1440, 375] as const;
const THEMES = ["light", "dark"] as const;
const SETTLE_MS = 250;

interface Shot {
  readonly path: (company: SampleCompany & { readonly org: string }) => string;
  /** Nobody is signed in. */
  readonly isOutside?: boolean;
  /** What is done on the page before the picture. */
  readonly act?: (visitor: Visitor) => Promise<unknown>;
}

/** Every picture by its name: a page, or a page after something was done there. */
const SHOTS: Readonly<Record<string, Shot>> = {
  "sign-in": { path: () => "/sign-in", isOutside: true },
  "sign-in-faults": {
    path: () => "/sign-in",
    isOutside: true,
    act: ({ page }) => page.getByRole("button", { name: "Sign in" }).click(),
  },
  join: { path: () => "/join#nothing", isOutside: true },
  account: { path: () => "/account" },
  "account-menu": { path: () => "/account", act: ({ page }) => openMenu(page) },
  organizations: { path: () => "/organizations" },
  instance: { path: () => "/instance" },
  overview: { path: ({ org }) => org },
  "overview-past": { path: ({ org }) => `${org}?asOf=2023-05-13&by=holder` },
  search: {
    path: ({ org }) => org,
    act: async ({ page }) => {
      await page.keyboard.press("Control+k");
      await page.getByRole("combobox").waitFor();
    },
  },
  "no-page": { path: () => "/o/nothing" },
};

async function openMenu(page: Visitor["page"]): Promise<void> {
  const menu = page.getByRole("button", { name: "Menu" });
  if (await menu.isVisible()) await menu.click();
  await page
    .getByRole("button", { name: /account, theme/ })
    .locator("visible=true")
    .click();
}

async function main(asked: readonly string[]): Promise<void> {
  const names = Object.keys(SHOTS).filter(
    (name) => asked.length === 0 || asked.some((start) => name.startsWith(start)),
  );
  mkdirSync(FOLDER, { recursive: true });
  const server = await startTestServer();
  const browser = await launch();
  try {
    const company = await makeSampleCompany(asking(server.url, await server.key("ADMIN")));
    // Else the server is not set up, and all leads to where that is done.
    await makeMember(server.app.writer, server.orgId);
    const place = { ...company, org: `/o/${server.orgId}` };
    for (const width of WIDTHS) {
      for (const theme of THEMES) {
        for (const name of names) {
          const { path, isOutside, act } = SHOTS[name] ?? { path: () => "/" };
          const visitor = await visit(browser, server, { width, theme, height: width === 375 ? 812 : 900 });
          if (!isOutside) await signIn(visitor, server, { isOperator: true });
          await visitor.go(path(place));
          await visitor.page.getByRole("heading", { level: 1 }).waitFor();
          await visitor.page.waitForLoadState("networkidle");
          await act?.(visitor);
          await visitor.page.waitForTimeout(SETTLE_MS);
          await visitor.page.screenshot({ path: join(FOLDER, `${name}-${width}-${theme}.png`), fullPage: true });
          await visitor.leave().catch((error: Error) => process.stdout.write(`${name}: ${error.message}\n`));
        }
      }
    }
    process.stdout.write(`${names.length * WIDTHS.length * THEMES.length} pictures in ${FOLDER}\n`);
  } finally {
    await browser.close();
    await server.stop();
  }
}

await main(process.argv.slice(2));
