// `bun run shots [page …]`: screenshots of a sample company's pages, in both themes and two widths, in dist/shots.
// `bun run shots docs` takes the screenshots of the documents again, in docs/.
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { zipSync } from "fflate";
import { launchChromium } from "../test/kit/chromium.ts";
import { asking } from "../test/kit/company.ts";
import { giveCookie, type Visitor, visit } from "../test/kit/pages.ts";
import { beginSession, makeMember } from "../test/kit/people.ts";
import { makeSampleCompany, type SampleCompany, WITH_FRACTION } from "../test/kit/sample.ts";
import { startTestServer } from "../test/kit/service.ts";

const FOLDER = join(import.meta.dir, "../dist/shots");
const WIDTHS = [1440, 375] as const;
const THEMES = ["light", "dark"] as const;
const SETTLE_MS = 250;
const PACKAGE = join(import.meta.dir, "../test/fixtures/ocf/small");
const UPLOAD_BYTES = 2_500_000;
const UPLOAD_SECONDS = 5;
const DOCS = join(import.meta.dir, "../docs");

/** The pictures of documents: which shot at which width, no higher than a window is. */
const IN_DOCS = { overview: 1440, "model-round": 1440, mine: 375 } as const;

interface Shot {
  readonly path: (company: SampleCompany & { readonly org: string }) => string;
  /** Without a session. */
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
  "overview-print": { path: ({ org }) => org, act: ({ page }) => page.emulateMedia({ media: "print" }) },
  search: {
    path: ({ org }) => org,
    act: async ({ page }) => {
      await page.keyboard.press("Control+k");
      await page.getByRole("combobox").waitFor();
    },
  },
  stakeholders: { path: ({ org }) => `${org}/stakeholders` },
  "record-shares": {
    path: ({ org, holders, classes }) =>
      `${org}/record/issue-shares?stakeholderId=${holders.mary}&stockClassId=${classes.seriesA}&quantity=150000`,
    act: checked,
  },
  "record-options": {
    path: ({ org, holders, plan, terms }) =>
      `${org}/record/issue-options?stakeholderId=${holders.elodie}&stockPlanId=${plan}&quantity=48000&exercisePrice=0.1&vestingTermsId=${terms}`,
    act: checked,
  },
  "record-exercise": { path: ({ org, grant }) => `${org}/record/exercise?securityId=${grant}`, act: checked },
  "record-split": {
    path: ({ org, classes }) => `${org}/record/split?stockClassId=${classes.common}&numerator=3`,
    act: checked,
  },
  "new-class": { path: ({ org }) => `${org}/new/share-class` },
  "new-terms": { path: ({ org }) => `${org}/new/vesting-terms` },
  "edit-terms": { path: ({ org, terms }) => `${org}/edit/vesting-terms/${terms}` },
  holder: { path: ({ org, holders }) => `${org}/stakeholders/${holders.george}` },
  "holder-vesting": { path: ({ org, holders }) => `${org}/stakeholders/${holders.george}?tab=vesting` },
  "holder-details": { path: ({ org, holders }) => `${org}/stakeholders/${holders.george}?tab=details` },
  securities: { path: ({ org }) => `${org}/securities` },
  security: { path: ({ org, grant }) => `${org}/securities/${grant}` },
  "security-vesting": { path: ({ org, grant }) => `${org}/securities/${grant}?tab=vesting` },
  "security-history": { path: ({ org, grant }) => `${org}/securities/${grant}?tab=history` },
  "security-details": { path: ({ org, grant }) => `${org}/securities/${grant}?tab=details` },
  "classes-and-plans": { path: ({ org }) => `${org}/classes-and-plans` },
  class: { path: ({ org, classes }) => `${org}/classes-and-plans/classes/${classes.common}` },
  plan: { path: ({ org, plan }) => `${org}/classes-and-plans/plans/${plan}` },
  ledger: {
    path: ({ org }) => `${org}/ledger`,
    act: async ({ page }) => {
      await page.getByRole("button", { name: "Verify now" }).click();
      await page.getByText("no difference").waitFor();
    },
  },
  entry: {
    path: ({ org }) => `${org}/ledger`,
    act: async ({ page }) => {
      await page.getByRole("link", { name: "Entry 7", exact: true }).click();
      await page.getByText("Hash verified").waitFor();
    },
  },
  models: {
    path: ({ org }) => `${org}/models/round`,
    act: async (visitor) => {
      await modelRound(visitor);
      await visitor.page.getByRole("button", { name: "Save as scenario" }).click();
      await visitor.page.getByRole("dialog").getByLabel("Name").fill("Series B at 40 million");
      await visitor.page.getByRole("dialog").getByRole("button", { name: "Save as scenario" }).click();
      await visitor.page.getByRole("heading", { level: 1, name: "Scenario “Series B at 40 million”" }).waitFor();
      await visitor.page.getByRole("link", { name: "Scenarios" }).click();
      await visitor.page.getByRole("table").waitFor();
    },
  },
  "convertible-terms": {
    path: ({ org }) => `${org}/securities?type=CONVERTIBLE`,
    act: async ({ page }) => {
      await page.getByRole("link", { name: "SAFE-1" }).click();
      await page.getByRole("link", { name: "Change terms" }).click();
      await page.getByRole("button", { name: "Save terms" }).waitFor();
    },
  },
  "model-round-empty": { path: ({ org }) => `${org}/models/round` },
  "model-round": { path: ({ org }) => `${org}/models/round`, act: modelRound },
  "model-exit": {
    path: ({ org }) => `${org}/models/exit`,
    act: ({ page }) => page.getByText("Computed", { exact: true }).first().waitFor(),
  },
  "model-exit-holders": {
    path: ({ org }) => `${org}/models/exit`,
    act: async ({ page }) => {
      await page.getByLabel("Chart up to").fill("30000000");
      await page.getByRole("radio", { name: "By holder" }).check();
      await page.getByText("Computed").first().waitFor();
    },
  },
  compliance: { path: ({ org }) => `${org}/models/compliance?from=2022-01-01&to=2024-01-01` },
  "compliance-iso": { path: ({ org }) => `${org}/models/compliance?tab=iso` },
  "compliance-rule": { path: ({ org }) => `${org}/models/compliance?tab=rule-701&asOf=2023-06-01` },
  "compliance-expense": {
    path: ({ org }) => `${org}/models/compliance?tab=expense`,
    act: async ({ page }) => {
      await page.getByLabel(/^ES-1/).fill("0.12");
      await page.getByRole("region", { name: "Expense of grants" }).waitFor();
    },
  },
  "model-round-close": {
    path: ({ org }) => `${org}/models/round`,
    act: async (visitor) => {
      await modelRound(visitor);
      await visitor.page.getByRole("button", { name: "Close this round" }).click();
      // The second time the investor is in the register.
      const add = visitor.page.getByRole("button", { name: "Add as a company" });
      await add.or(visitor.page.getByRole("button", { name: "Record the closing" })).waitFor();
      if (await add.isVisible()) await add.click();
      await visitor.page.getByRole("dialog").getByRole("table").waitFor();
    },
  },
  mine: { path: ({ org }) => `${org}/mine` },
  certificate: {
    path: ({ org }) => `${org}/mine`,
    act: async ({ page }) => {
      await page.getByRole("link", { name: "Certificate" }).last().click();
      await page.getByText("This certifies").or(page.locator(".certificate")).first().waitFor();
    },
  },
  approvals: { path: ({ org }) => `${org}/approvals` },
  approval: { path: ({ org, approval }) => `${org}/approvals/${approval}` },
  valuations: { path: ({ org }) => `${org}/valuations` },
  "corporate-actions": { path: ({ org }) => `${org}/corporate-actions` },
  "corporate-action": { path: ({ org, corporateAction }) => `${org}/corporate-actions/${corporateAction}` },
  documents: { path: ({ org }) => `${org}/documents` },
  settings: { path: ({ org }) => `${org}/settings` },
  "settings-members": { path: ({ org }) => `${org}/settings?tab=members` },
  "settings-keys": { path: ({ org }) => `${org}/settings?tab=keys` },
  "audit-log": { path: ({ org }) => `${org}/audit-log` },
  "export-menu": {
    path: ({ org }) => org,
    act: ({ page }) => page.getByRole("button", { name: "Export" }).click(),
  },
  import: { path: ({ org }) => `${org}/ocf` },
  "import-spreadsheet": {
    path: ({ org }) => `${org}/ocf`,
    act: async ({ page }) => {
      // The second time the first one is still there to go on with.
      const another = page.getByRole("button", { name: "Choose another file" });
      await another
        .or(page.getByRole("button", { name: "Choose a file" }))
        .first()
        .waitFor();
      if (await another.isVisible()) await another.click();
      const bytes = Buffer.from("Certificate,Holder,Class,Issue date,Quantity\nCS-1,No Holder,Rare,1/2/26,5\n");
      const file = { name: "Stock.csv", mimeType: "text/csv", buffer: bytes };
      await page.getByLabel("Spreadsheet", { exact: true }).setInputFiles(file);
      await page.getByRole("button", { name: "Check", exact: true }).click();
      await page.getByText("Stock!B2").waitFor();
    },
  },
  "import-preview": {
    path: ({ org }) => `${org}/ocf`,
    act: async ({ page }) => {
      const files = readdirSync(PACKAGE).map((name) => [name, readFileSync(join(PACKAGE, name))] as const);
      const chosen = {
        name: "small.zip",
        mimeType: "application/zip",
        buffer: Buffer.from(zipSync(Object.fromEntries(files))),
      };
      await page.getByLabel("OCF package as a zip").setInputFiles(chosen);
      await page.getByRole("button", { name: "Preview import" }).click();
      await page.getByRole("group", { name: "Cap table" }).waitFor();
    },
  },
  "upload-under-way": {
    path: ({ org }) => `${org}/documents`,
    act: async ({ context, page }) => {
      const files = ["Charter 2021.pdf", "Stockholder consent with a rather long name.pdf"].map((name) => {
        return { name, mimeType: "application/pdf", buffer: Buffer.alloc(UPLOAD_BYTES) };
      });
      await page.getByLabel("Files to add").setInputFiles(files);
      const line = await context.newCDPSession(page);
      await line.send("Network.enable");
      const throughput = { downloadThroughput: -1, uploadThroughput: UPLOAD_BYTES / UPLOAD_SECONDS };
      await line.send("Network.emulateNetworkConditions", { offline: false, latency: 0, ...throughput });
      await page.getByRole("button", { name: "Store 2 files" }).click();
      await page.getByText(/^1\.\d MB of/).waitFor();
    },
  },
  "no-page": { path: () => "/o/nothing" },
};

/** Fills in a round, and waits for what it makes of the cap table. */
async function modelRound({ page }: Visitor): Promise<void> {
  await page.getByLabel("Pre-money valuation").fill("40,000,000");
  await page.getByRole("combobox", { name: "Investor" }).fill("Turing Growth Fund");
  await page.getByLabel("Invests").fill("10000000");
  await page.getByLabel("After the round", { exact: true }).selectOption("TARGET");
  await page.getByLabel("Pool after closing").fill("10");
  await page.keyboard.press("Tab");
  await page.locator("[aria-busy=true]").waitFor({ state: "detached" });
  await page.getByText("Computed", { exact: true }).first().waitFor();
}

/** Waits until a guided form has its preview. */
async function checked({ page }: Visitor): Promise<void> {
  await page.getByText("Checked", { exact: true }).waitFor();
}

async function openMenu(page: Visitor["page"]): Promise<void> {
  const menu = page.getByRole("button", { name: "Menu" });
  if (await menu.isVisible()) await menu.click();
  await page
    .getByRole("button", { name: /account, theme/ })
    .locator("visible=true")
    .click();
}

interface Picture {
  readonly name: string;
  readonly width: number;
  readonly theme: (typeof THEMES)[number];
  readonly path: string;
  readonly isWhole: boolean;
}

function picturesOf(asked: readonly string[]): readonly Picture[] {
  if (asked[0] === "docs") {
    return Object.entries(IN_DOCS).map(([name, width]) => {
      return { name, width, theme: "light", path: join(DOCS, `${name}.png`), isWhole: false };
    });
  }
  const names = Object.keys(SHOTS).filter(
    (name) => asked.length === 0 || asked.some((start) => name.startsWith(start)),
  );
  return WIDTHS.flatMap((width) =>
    THEMES.flatMap((theme) =>
      names.map((name) => {
        return { name, width, theme, path: join(FOLDER, `${name}-${width}-${theme}.png`), isWhole: true };
      }),
    ),
  );
}

async function main(asked: readonly string[]): Promise<void> {
  const pictures = picturesOf(asked);
  mkdirSync(FOLDER, { recursive: true });
  const server = await startTestServer();
  const browser = await launchChromium();
  try {
    const granted = asked[0] === "docs" ? "45000" : WITH_FRACTION;
    const company = await makeSampleCompany(asking(server.url, await server.key("ADMIN")), granted);
    // Else the server is not set up, and all leads to where that is done.
    const stakeholderIds = [company.holders.george ?? ""];
    const given = { isOperator: true, email: "ada@acme.example", stakeholderIds };
    const { accountId } = await makeMember(server.app.writer, server.orgId, given);
    const place = { ...company, org: `/o/${server.orgId}` };
    for (const { name, width, theme, path, isWhole } of pictures) {
      const { path: addressOf, isOutside, act } = SHOTS[name] ?? { path: () => "/" };
      const visitor = await visit(browser, server, { width, theme, height: width === 375 ? 812 : 900 });
      if (!isOutside) {
        const { token } = await beginSession(server.app.writer, accountId);
        await giveCookie(visitor, server, token);
      }
      await visitor.go(addressOf(place));
      await visitor.settled();
      await act?.(visitor);
      await visitor.page.waitForTimeout(SETTLE_MS);
      if (!isWhole) await visitor.page.mouse.wheel(0, -100_000);
      await visitor.page.screenshot({ path, fullPage: isWhole });
      await visitor.leave().catch((error: Error) => process.stdout.write(`${name}: ${error.message}\n`));
    }
    process.stdout.write(`${pictures.length} pictures\n`);
  } finally {
    await browser.close();
    await server.stop();
  }
}

await main(process.argv.slice(2));
