// A spreadsheet taken in by a person, step by step: what is wrong told at its cell, then mended, looked at and written.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { templateBytes } from "../../src/exchange/spreadsheet/file/template-file.ts";
import { HAS_CHROMIUM, IN_BROWSER } from "../kit/chromium.ts";
import type { Staying, Visitor } from "../kit/pages.ts";
import type { TestServer } from "../kit/service.ts";
import { setStage } from "../kit/stage.ts";
import { whole } from "../views/reports/made.ts";

setDefaultTimeout(300_000);

let server: TestServer;
let visiting: Staying["turn"];

describe.skipIf(!HAS_CHROMIUM)(IN_BROWSER, () => {
  setStage(({ stays, ...stage }) => {
    ({ server } = stage);
    visiting = stays();
  });

  async function choose({ page }: Visitor, name: string, content: Uint8Array | string) {
    await page.getByLabel("Spreadsheet", { exact: true }).setInputFiles({
      ...{ name, mimeType: "application/octet-stream" },
      buffer: Buffer.from(content),
    });
    await page.getByRole("button", { name: "Check", exact: true }).click();
  }

  test("a spreadsheet is checked, looked at and imported by a person with a session", () =>
    visiting(async (visitor) => {
      const { page, turnTo } = visitor;
      // An organization without a name is warned of.
      await server.api("PATCH", "/organization", { legalName: "Example, Inc." });
      const stakeholders = async () => (await server.api("GET", "/stakeholders")).json.items.length;
      await turnTo(`/o/${server.orgId}/ocf`);
      await choose(visitor, "Stock.csv", "Certificate,Holder,Class,Issue date,Quantity\nCS-1,Stranger,Rare,1/2/26,5\n");
      await page.getByText("Stock!B2").waitFor();
      for (const text of ["Stock!D2", "unknown-holder", "bad-date", "Write it as 2026-01-31."]) {
        await page.getByText(text).first().waitFor();
      }
      expect(await page.getByRole("button", { name: "Import now" }).count()).toBe(0);
      const [saved] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("button", { name: "Problems as CSV" }).click(),
      ]);
      expect(saved.suggestedFilename()).toBe("import-problems.csv");
      await page.getByRole("button", { name: "Choose another file" }).click();

      await choose(visitor, "old.xls", Uint8Array.from([0xd0, 0xcf, 0x11, 0xe0, 0, 0]));
      await page.getByText(/Save it as an Excel workbook/).waitFor();
      await page.getByRole("button", { name: "Choose another file" }).click();

      await choose(visitor, "acme.xlsx", await whole(templateBytes(true)));
      await page.getByText(/Template, \d+ rows\. No problems found\./).waitFor();
      expect(await stakeholders()).toBe(0);
      // A user who leaves the page and returns continues at the same step.
      await turnTo(`/o/${server.orgId}/ledger`);
      await visitor.go(`/o/${server.orgId}/ocf`);
      await page.getByRole("button", { name: "Import now" }).click();
      await page.getByText(/Recorded as ledger entries 1 to \d+\./).waitFor();
      expect(await stakeholders()).toBe(3);
      const { json: log } = await server.api("GET", "/audit-log?limit=1");
      expect(log.items[0]).toMatchObject({
        actor: "person",
        path: expect.stringMatching(/^\/api\/v1\/imports\/.*\/commit$/),
      });
      expect((await server.api("GET", "/imports")).json.items).toHaveLength(1);
    }));

  // Both load the page: what it remembers for 30 s is the import of the test before, with which it would go on.
  test("what is closed stands in one line, and terms that are missing are there to finish", () =>
    visiting(async (visitor) => {
      const { page } = visitor;
      await visitor.go(`/o/${server.orgId}/ocf`);
      await page.getByLabel("Spreadsheet", { exact: true }).setInputFiles({
        ...{ name: "grants.csv", mimeType: "text/csv" },
        buffer: Buffer.from("No,Who,When,Left,Terms\nES-1,Ann,2025-01-02,48,per board\nES-2,Ann,2025-01-02,-,\n"),
      });
      await page.getByText("File format").click();
      await page.getByLabel("Format").selectOption({ label: "Custom mapping" });
      const columns = { No: "certificate", Who: "holder", When: "issueDate", Left: "outstanding", Terms: "terms" };
      const table = { sheet: ["*"], headerHas: ["No"], to: "stock", columns, constants: { class: "Common" } };
      const mapping = { captableMapping: 1, name: "Ours", mode: "OUTSTANDING", tables: [table] };
      await page.getByLabel("Mapping", { exact: true }).fill(JSON.stringify(mapping));
      const check = page.getByRole("button", { name: "Check", exact: true });
      await check.click();
      await page.getByText("Closed: 1").waitFor();
      const [saved] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("button", { name: "Vesting terms as CSV" }).click(),
      ]);
      expect(saved.suggestedFilename()).toBe("Vesting terms.csv");
      await page.getByRole("button", { name: "Choose another file" }).click();
      await page.getByText("Drop a workbook or CSV here").waitFor();
    }));

  test("a file is read by a mapping of one's own; what is wrong with the mapping is told with its place", () =>
    visiting(async (visitor) => {
      const { page } = visitor;
      await visitor.go(`/o/${server.orgId}/ocf`);
      await page.getByLabel("Spreadsheet", { exact: true }).setInputFiles({
        ...{ name: "people.csv", mimeType: "text/csv" },
        buffer: Buffer.from("Wer,Anschrift\nGrace Hopper,grace@example.com\n"),
      });
      await page.getByText("File format").click();
      await page.getByLabel("Format").selectOption({ label: "Custom mapping" });
      const check = page.getByRole("button", { name: "Check", exact: true });
      expect(await check.getAttribute("aria-disabled")).toBe("true");
      await page.getByLabel("Mapping", { exact: true }).fill("{");
      await page.getByText("The mapping is not a JSON object.").waitFor();
      const table = { sheet: ["*"], headerHas: ["Wer"], to: "people", columns: { Wer: "holder" } };
      const mapping = { captableMapping: 1, name: "Ours", mode: "OUTSTANDING", tables: [table] };
      await page.getByLabel("Mapping", { exact: true }).fill(JSON.stringify(mapping));
      await check.click();
      await page
        .getByText(/tables.0.to/)
        .first()
        .waitFor();
      const mended = { ...table, to: "stakeholders", columns: { Wer: "holder", Anschrift: "holderEmail" } };
      await page.getByLabel("Choose a mapping file").setInputFiles({
        ...{ name: "ours.json", mimeType: "application/json" },
        buffer: Buffer.from(JSON.stringify({ ...mapping, tables: [mended] })),
      });
      await check.click();
      await page.getByText(/Custom mapping, 1 row\./).waitFor();
      await page.getByRole("button", { name: "Discard" }).click();
      await page.getByText("Drop a workbook or CSV here").waitFor();
      expect(visitor.complaints.splice(0).every((each) => each.includes("status of 422"))).toBe(true);
    }));
});
