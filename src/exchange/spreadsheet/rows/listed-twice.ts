// Warns of holders whom a file lists twice, and of holders who may be confused.
import { foldName } from "../../../kernel/text/names.ts";
import type { SheetProblems } from "../file/cell-problem.ts";
import type { Importing } from "../record/importing.ts";
import { placeOf, said } from "./read-field.ts";
import { soughtIn, tell } from "./row.ts";
import { areOthers } from "./row-holders.ts";
import type { SheetRow } from "./understand.ts";

/** The rows of holders whom a row before them lists, by that one: of one name, without another e-mail or number. */
export function listedTwice(rows: readonly SheetRow[]): ReadonlyMap<SheetRow, SheetRow> {
  const twice = new Map<SheetRow, SheetRow>();
  const byName = Map.groupBy(
    rows.filter(({ to }) => to === "stakeholders"),
    (row) => foldName(said(row, "holder") ?? ""),
  );
  for (const [name, named] of byName) {
    if (name === "" || named.length === 1) continue;
    const kept: SheetRow[] = [];
    for (const row of named) {
      const before = kept.find((each) => !areOthers(soughtIn(each), soughtIn(row)));
      if (before) twice.set(row, before);
      else kept.push(row);
    }
  }
  return twice;
}

/** Whether an earlier row lists the holder of a row; then reports it. */
export function isListedTwice(importing: Importing, row: SheetRow): boolean {
  const before = importing.holdersTwice.get(row);
  if (before === undefined) return false;
  tell(importing, row, "duplicate-holder", "holder", `${said(row, "holder")} is in ${placeOf(before)}, too`);
  return true;
}

/** Warns of two holders of one name, or of names alike, of whom the import made one at least: once, at the later one. */
export function tellSimilar({
  directory,
  found,
}: {
  readonly directory: Importing["directory"];
  readonly found: SheetProblems;
}): void {
  for (const [earlier, later] of directory.holders.similar()) {
    if (later.place === null) continue;
    const shown = ({ name, email, number }: typeof later) =>
      [name, email && `(${email})`, number && `(number ${number})`].filter(Boolean).join(" ");
    found.warning(
      "similar-holder",
      later.place,
      `${shown(later)} and ${shown(earlier)} are two holders`,
      "Write both names alike if they are one.",
    );
  }
}
