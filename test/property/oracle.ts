// Whether the oracle of OCF, which others wrote, counts what an organization's summary does.
import { expect } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EXPORT_KEYS } from "../../src/exchange/ocf/export/include.ts";
import { openExport } from "../../src/exchange/ocf/export/open.ts";
import type { Writer } from "../../src/storage/database/writer.ts";
import { tool } from "../exchange/ocf/export/support.ts";
import { TODAY } from "./model/dates.ts";
import { show, units } from "./model/units.ts";
import type { Newcomer } from "./newcomer.ts";

/** Expects the oracle to read the summary's total of issued shares from the export. */
export async function expectOracleAgrees(writer: Writer, { company }: Newcomer): Promise<void> {
  const nowMs = Date.parse(`${TODAY}T12:00:00Z`);
  const { content } = openExport(writer.db.sqlite.name, company.orgId, new Set(EXPORT_KEYS), nowMs);
  const folder = mkdtempSync(join(tmpdir(), "captable-oracle-"));
  try {
    const path = join(folder, "export.ocf.zip");
    writeFileSync(path, await new Response(content).bytes());
    const printed = JSON.parse(await tool("ocf-oracle.mjs", path, "--partial=reduce", "--all", "--brief"));
    const { data } = company.read("/cap-table/summary") as { readonly data: { readonly totalIssued: string } };
    expect(show(units(String(printed.totalIssued)))).toBe(show(units(data.totalIssued)));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
