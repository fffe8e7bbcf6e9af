// Holders whose name, number or e-mail changed since an import: a row without a number that says who holds it as it said
// so then is theirs still. The entry of what the row made keeps what it said of the holder; the security has the id.
import { foldName } from "../../../kernel/text/names.ts";
import type { SheetProblems } from "../file/cell-problem.ts";
import type { Directory, NumberedThere } from "./directory.ts";
import { placeIn } from "./read-field.ts";
import { soughtIn } from "./row.ts";
import type { Sought } from "./row-holders.ts";
import { type Named, namedAs } from "./row-keys.ts";
import type { SheetRow } from "./understand.ts";

/**
 * Has rows whose holder is not known find the holder who is recorded with what an equal row made. `rows` are those
 * without a number, `there` is what was made of such rows; `of` gives null for a row whose class or plan is not known.
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
    // Somebody with another e-mail than the row's can have had that one then, and only the whole says so.
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
    ? `${name} is recorded as ${nameNow} by now, who has what this row made before`
    : `${name}, who has what this row made before, has another number or e-mail by now`;
  found.warning("differs", placeIn(row, "holder"), detail, "Nothing that is recorded is changed; write who it is now.");
}
