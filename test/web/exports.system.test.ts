// What is downloaded from pages in a real browser: the menu "Export", a security's paper, and a holder's own copies.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { present } from "../../src/kernel/assert.ts";
import { readDocumentFile } from "../../src/views/reports/documents/read-pdf.ts";
import { HAS_CHROMIUM, IN_BROWSER } from "../kit/chromium.ts";
import type { Staying } from "../kit/pages.ts";
import type { SampleCompany } from "../kit/sample.ts";
import { setStage } from "../kit/stage.ts";

setDefaultTimeout(300_000);

describe.skipIf(!HAS_CHROMIUM)(IN_BROWSER, () => {
  let company: SampleCompany;
  let org: string;
  let george: string;
  let asViewer: Staying["turn"];
  let asHolder: Staying["turn"];
  setStage(async ({ server, sample, stays }) => {
    company = await sample();
    org = `/o/${server.orgId}`;
    george = present(company.holders.george, "George");
    asViewer = stays({ role: "VIEWER" });
    asHolder = stays({ role: "STAKEHOLDER", stakeholderIds: [george] }, { width: 375 });
  });

  async function downloaded(page: Page, press: () => Promise<void>) {
    const [download] = await Promise.all([page.waitForEvent("download"), press()]);
    return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
  }

  /** What is in the menu of a page, by what it is called there. */
  async function exported(page: Page, item: string) {
    return await downloaded(page, async () => {
      await page.getByRole("button", { name: "Export" }).click();
      await page.getByRole("menuitem", { name: item, exact: true }).click();
    });
  }

  test("the workbook, the summary and CSV, as of the day that is shown", () =>
    asViewer(async ({ page, turnTo }) => {
      await turnTo(`${org}?asOf=2026-01-15`);
      const workbook = await exported(page, "Workbook (Excel)");
      expect(workbook.name).toMatch(/-cap-table-2026-01-15\.xlsx$/);
      expect(workbook.bytes.subarray(0, 2).toString()).toBe("PK");
      const summary = await exported(page, "Summary (PDF)");
      expect(readDocumentFile(summary.bytes).facts?.facts).toMatchObject({ kind: "S", asOf: "2026-01-15" });
      const files = {
        stakeholders: "Holders",
        securities: "Option ledger",
        ledger: "Ledger",
        valuations: "Valuations",
      };
      for (const [path, item] of Object.entries(files)) {
        await turnTo(`${org}/${path}`);
        const { name, bytes } = await exported(page, item);
        expect(name).toEndWith(".csv");
        expect(bytes.toString().split("\r\n").length).toBeGreaterThan(2);
      }
    }));

  test("the certificate of a security, and the statement of a holder", () =>
    asViewer(async ({ page, turnTo }) => {
      await turnTo(`${org}/securities/${company.grant}`);
      const paper = await downloaded(page, () => page.getByRole("button", { name: "Statement (PDF)" }).click());
      expect(readDocumentFile(paper.bytes).facts?.facts).toMatchObject({ kind: "C", subjectId: company.grant });
      await turnTo(`${org}/stakeholders/${george}`);
      const all = await downloaded(page, () => page.getByRole("button", { name: "Statement (PDF)" }).click());
      expect(readDocumentFile(all.bytes).facts?.facts).toMatchObject({ kind: "H", subjectId: george });
    }));

  test("a holder's own copies, which are not signed", () =>
    asHolder(async ({ page, turnTo }) => {
      await turnTo(`${org}/mine`);
      const all = await downloaded(page, () => page.getByRole("button", { name: "Statement (PDF)" }).click());
      const { statement = [], ...facts } = readDocumentFile(all.bytes).facts?.facts ?? {};
      expect(facts).toMatchObject({ kind: "H", subjectId: george });
      expect(new Map(statement).get("Copy")).toMatch(/not a signed document/);
      expect(JSON.stringify(statement)).not.toContain("%");
      await page.getByRole("link", { name: "Certificate" }).first().click();
      const paper = await downloaded(page, () => page.getByRole("button", { name: "Certificate (PDF)" }).click());
      expect(new URL(page.url()).pathname).toBe(`${org}/mine/${readDocumentFile(paper.bytes).facts?.facts.subjectId}`);
    }));
});
