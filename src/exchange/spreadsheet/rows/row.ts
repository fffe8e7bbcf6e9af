// Records that a row names or would make. Pure, except for reports.

import { foldName } from "../../../kernel/text/names.ts";
import { findAny } from "../../../storage/database/records.ts";
import type { Importing } from "../record/importing.ts";
import { listed, placeIn, placeOf, said } from "./read-field.ts";
import type { Meant, Sought } from "./row-holders.ts";
import type { SheetRow } from "./understand.ts";

/** Reports a problem at a field. */
export function tell(importing: Importing, row: SheetRow, code: string, field: string, detail: string): void {
  importing.found.problem(code, placeIn(row, field), detail, FIXES[code] ?? "Correct the row.");
}

const FIXES: Readonly<Record<string, string>> = {
  "unknown-holder": "Add the holder to Stakeholders, or write the name as it is there.",
  "ambiguous-holder": "Give the holder's number, or the email of each.",
  "unknown-class": "Add the class to Share classes, or write its name or prefix.",
  "unknown-plan": "Add the plan to Equity plans, or write its name.",
  "unknown-terms": "Add the terms to Vesting terms, or write their name.",
  "unknown-legend": "Record the legend first, or write its name.",
  "unknown-certificate": "Write the number of another row, or of a recorded security.",
  "duplicate-holder": "Leave one of them, or give each a holder number or an e-mail.",
  "duplicate-certificate-id": "Give each its own number.",
  "before-split":
    "Import the whole history at once into a new organization, or record it by hand in shares of after the split.",
  "before-recorded": "Import the whole history at once into a new organization.",
  "vested-differs": "Correct the schedule, its start, or what the file says has vested.",
  "different-existing": "Correct the file, or import with existing=SKIP.",
};

const MAKES: Readonly<Record<string, readonly (readonly [kind: string, field: string])[]>> = {
  stakeholders: [["holder", "holder"]],
  "share-classes": [
    ["class", "class"],
    ["class", "prefix"],
  ],
  "equity-plans": [["plan", "plan"]],
  "vesting-terms": [["terms", "terms"]],
  stock: [["certificate", "certificate"]],
  options: [["certificate", "certificate"]],
  warrants: [["certificate", "certificate"]],
  convertibles: [["certificate", "certificate"]],
};

/** Notes the record that a wrong row would have made. */
export function noteUnmade({ unmade }: Importing, row: SheetRow): void {
  for (const [kind, field] of MAKES[row.to] ?? []) {
    const name = said(row, field);
    if (name !== undefined) unmade.add(`${kind} ${foldName(name)}`);
  }
}

/** Whether a wrong row would have made it. */
export function isUnmade({ unmade }: Importing, kind: string, name: string): boolean {
  return unmade.has(`${kind} ${foldName(name)}`);
}

/** The rows with the number of an earlier row, and that row's place, whatever else is wrong with either. */
export function numberedTwice(rows: readonly SheetRow[]): ReadonlyMap<SheetRow, string> {
  const [first, twice] = [new Map<string, SheetRow>(), new Map<SheetRow, string>()];
  for (const row of rows) {
    const number = row.to === "events" ? undefined : said(row, "certificate");
    if (number === undefined) continue;
    const before = first.get(number);
    if (before === undefined) first.set(number, row);
    else twice.set(row, placeOf(before));
  }
  return twice;
}

/** Whether an earlier row has the number of a row; then reports it. */
export function isTwice(importing: Importing, row: SheetRow): boolean {
  const before = importing.twice.get(row);
  if (before === undefined) return false;
  const detail = `${said(row, "certificate")} is in ${before}, too`;
  tell(importing, row, "duplicate-certificate-id", "certificate", detail);
  return true;
}

/** Reports unknown names and duplicate numbers of a row that is already wrong for other reasons. */
export function checkNames(importing: Importing, row: SheetRow): void {
  isTwice(importing, row);
  if (said(row, "holder") !== undefined) holderOf(importing, row);
  for (const field of ["class", "plan", "terms"] as const) named(importing, row, field);
  legendsOf(importing, row);
}

/** The name in a field of a row, and the result of its look-up. */
interface Search {
  readonly kind: string;
  readonly field: string;
  readonly found: Meant;
}

/** The id of a name in a row; null after reporting that it is unknown or ambiguous. */
export function meant(importing: Importing, row: SheetRow, { kind, field, found }: Search): string | null {
  if (typeof found === "object") return found.id;
  const name = said(row, field) ?? "";
  if (found === "unknown" && isUnmade(importing, kind, name)) return null;
  const detail = found === "unknown" ? `${name} is not known` : `${name} is ambiguous`;
  tell(importing, row, `${found}-${kind}`, field, detail);
  return null;
}

/** What a row says of its holder. */
export function soughtIn(row: SheetRow): Sought {
  const email = said(row, "holderEmail") ?? (row.to === "stakeholders" ? said(row, "email") : undefined);
  return { name: said(row, "holder") ?? "", number: said(row, "holderNumber"), email };
}

/** The holder of a row; null after reporting an unknown or ambiguous one. */
export function holderOf(importing: Importing, row: SheetRow): string | null {
  const { holders } = importing.directory;
  const sought = soughtIn(row);
  const found = holders.find(sought);
  if (typeof found === "object") return found.id;
  if (found === "unknown" && isUnmade(importing, "holder", sought.name)) return null;
  const detail = found === "unknown" ? holders.explainUnknown(sought) : holders.explainAmbiguous(sought);
  tell(importing, row, `${found}-holder`, "holder", detail);
  return null;
}

/** The current exercise price of a security's share: splits change it. */
export function strikeOf({ tx, orgId }: Importing, securityId: string): string | undefined {
  return findAny(tx, "securities", orgId, securityId)?.exercisePrice ?? undefined;
}

/** The class, plan or terms that a row names; undefined if it names none, null after a report. */
export function named(
  importing: Importing,
  row: SheetRow,
  field: "class" | "plan" | "terms",
): string | null | undefined {
  const text = said(row, field);
  if (text === undefined) return undefined;
  const { directory } = importing;
  const found =
    field === "class" ? directory.stockClass(text) : field === "plan" ? directory.plan(text) : directory.terms(text);
  return meant(importing, row, { kind: field, field, found });
}

/** The legends of a row; null after reporting an unknown one. */
export function legendsOf(importing: Importing, row: SheetRow): readonly string[] | null {
  const names = listed(row, "legends");
  const ids = names.map((name) => importing.directory.legend(name));
  const missing = names.find((_, at) => ids[at] === null);
  if (missing === undefined) return ids.filter((id) => id !== null);
  tell(importing, row, "unknown-legend", "legends", `${missing} is not a recorded legend`);
  return null;
}
