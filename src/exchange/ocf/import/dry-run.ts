// Dry run of an import: its report, and the cap table before and after. It runs on a copy of the database (on-copy.ts),
// where the import is carried out like any other.
import type { Static } from "@sinclair/typebox";
import { type Brief, readBrief } from "../../../views/cap-table/brief.ts";
import type { OcfPackage } from "../package.ts";
import type { ImportReport } from "./report.ts";
import { type ImportTarget, importPackage } from "./run.ts";

/** What a dry run answers. */
export interface DryRunReport extends ImportReport {
  readonly capTable: { readonly before: Static<typeof Brief>; readonly after: Static<typeof Brief> };
}

/** Imports a package into a copy, which `target` writes to, and answers the result. */
export async function tryPackage(target: ImportTarget, ocf: OcfPackage): Promise<DryRunReport> {
  const { orgId, today } = target.call();
  const brief = () => readBrief(target.writer.db.sqlite.name, orgId, today);
  const before = await brief();
  const report = await importPackage(target, ocf);
  return { ...report, capTable: { before, after: await brief() } };
}
