// Classes that a file makes after one of its splits. The template's classes have no day: were all of them made first, a
// preferred class from after the split would convert by the ratio that the split changed. Pure.
import { foldName } from "../../../kernel/text/names.ts";
import { dayOf, listed, said } from "../rows/read-field.ts";
import type { SheetRow } from "../rows/understand.ts";

/** A class that is made on its first day, with the valuations of it. */
export interface LateClass {
  readonly day: string;
  readonly rows: readonly SheetRow[];
}

/**
 * The preferred classes whose first day is after a split of another class, by that day; and those of which a file with
 * such a split says no day.
 */
export function lateClasses(rows: readonly SheetRow[]): {
  readonly late: readonly LateClass[];
  readonly dayless: readonly SheetRow[];
} {
  const splits = rows.filter((row) => row.to === "events" && said(row, "event") === "SPLIT");
  const classes = rows.filter((row) => row.to === "share-classes" && said(row, "classType") === "PREFERRED");
  const late: LateClass[] = [];
  const dayless: SheetRow[] = [];
  if (splits.length === 0 || classes.length === 0) return { late, dayless };
  const usesOf = rowsByClass(rows);
  // A plan does not say since when it has its classes.
  const ofPlans = new Set(
    rows.flatMap((row) => (row.to === "equity-plans" ? listed(row, "classes").map(foldName) : [])),
  );
  for (const row of classes) {
    const names = namesOf(row);
    const others = splits.filter((split) => !names.includes(foldName(said(split, "class") ?? "")));
    if (others.length === 0 || names.some((name) => ofPlans.has(name))) continue;
    const uses = [...new Set(names)].flatMap((name) => usesOf.get(name) ?? []);
    const told = [said(row, "boardApproval"), said(row, "stockholderApproval"), ...uses.map(dayOf)];
    const [day] = told.filter((each) => each !== undefined).sort();
    if (day === undefined) dayless.push(row);
    else if (others.some((split) => (dayOf(split) ?? day) < day)) {
      late.push({ day, rows: [row, ...uses.filter(({ to }) => to === "valuations")] });
    }
  }
  return { late: late.sort((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : 0)), dayless };
}

/** The names of a class in other rows. */
function namesOf(row: SheetRow): readonly string[] {
  const [name, prefix] = [said(row, "class") ?? "", said(row, "prefix") ?? ""];
  return [name, prefix, `${name} (${prefix})`].map(foldName);
}

/** The rows that name a class, but for its own. */
function rowsByClass(rows: readonly SheetRow[]): ReadonlyMap<string, readonly SheetRow[]> {
  const byText = Map.groupBy(
    rows.filter(({ to }) => to !== "share-classes"),
    (row) => said(row, "class"),
  );
  const found = new Map<string, SheetRow[]>();
  for (const [text, named] of byText) {
    if (text !== undefined) found.set(foldName(text), [...(found.get(foldName(text)) ?? []), ...named]);
  }
  return found;
}
