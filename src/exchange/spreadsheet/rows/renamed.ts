// Finds holders whose name, number or e-mail changed since an import: a row without a number that states the holder as
// it did then still means that holder. The entry of the row keeps what it stated of the holder; the security has the
// id.
import { foldName } from "../../../kernel/text/names.ts";
import type { SheetProblems } from "../file/cell-problem.ts";
import type { Directory, NumberedThere } from "./directory.ts";
import { placeIn } from "./read-field.ts";
import { soughtIn } from "./row.ts";
import type { Sought } from "./row-holders.ts";
import { type Named, namedAs } from "./row-keys.ts";
import type { SheetRow } from "./understand.ts";

/**
 * Lets rows with an unknown holder find the holder recorded with an equal row. `rows` are those without a number,
 * `there` are the records of such rows; `of` gives null for a row whose class or plan is not known.
 */
export function findRenamed(
  rows: readonly SheetRow[],
  there: readonly NumberedThere[],
  { directory: { holders }, found }: { readonly directory: Directory; readonly found: SheetProblems },
  of: (row: SheetRow) => Omit<Named, "holderId"> | null,
): void {
  const unknown = rows.filter((row) => typeof holders.find(soughtIn(row)) !== "object");
  if (unknown.length === 0) return;
  const [byName, byAll] = [new Map<string, Set<string>>(), new Map<string, Set<string>>()];
  for (const { named, security } of there) {
    if (security.stakeholderId === null) continue;
    const [name, all] = (named ?? "").split(" ");
    note(byName, name, security.stakeholderId);
    note(byAll, all, security.stakeholderId);
  }
  for (const row of unknown) {
    const meant = of(row);
    const sought = soughtIn(row);
    if (meant === null || typeof holders.find(sought) === "object") continue;
    const [name = "", all = ""] = namedAs(row, meant).split(" ");
    // Another person with a different e-mail now may have had the row's then; only the whole row shows it.
    const same = byAll.get(all) ?? holders.thoseWhoMayBe(byName.get(name) ?? [], sought);
    for (const id of same) if (holders.knowAs(id, sought)) tellRenamed(row, holders.nameOf(id) ?? "", sought, found);
  }
}

function note(ids: Map<string, Set<string>>, key: string | undefined, id: string): void {
  if (key) ids.set(key, (ids.get(key) ?? new Set()).add(id));
}

function tellRenamed(row: SheetRow, nameNow: string, { name }: Sought, found: SheetProblems): void {
  const isName = foldName(nameNow) !== foldName(name);
  const detail = isName
    ? `${name} is recorded as ${nameNow} now, who holds what this row made before`
    : `${name}, who holds what this row made before, has another number or e-mail now`;
  found.warning(
    "differs",
    placeIn(row, "holder"),
    detail,
    "The record is not changed. Write the holder's current name.",
  );
}
