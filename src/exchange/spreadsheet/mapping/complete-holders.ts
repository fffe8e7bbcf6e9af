// Holders of a mapped file: listed in its table of holders, or only named.
import { foldName } from "../../../kernel/text/names.ts";
import { assumed, type Completing } from "../rows/assumed.ts";
import { said } from "../rows/read-field.ts";
import { soughtIn } from "../rows/row.ts";
import { foldEmail } from "../rows/row-holders.ts";
import type { SheetRow } from "../rows/understand.ts";

/**
 * The rows that make holders. `described` are those of the file's table of holders, `holding` those of securities. A
 * name that no recorded or listed holder has makes a holder, one for each e-mail or number.
 */
export function completeHolders(
  described: readonly SheetRow[],
  holding: readonly SheetRow[],
  completing: Completing,
): SheetRow[] {
  const { holders } = completing.directory;
  const named = Map.groupBy(holding, (row) => foldName(said(row, "holder") ?? ""));
  const listed = described
    .filter((row) => said(row, "holder") !== undefined && holders.find(soughtIn(row)) === "unknown")
    .map((row) => listedHolder(row, named.get(foldName(said(row, "holder") ?? "")) ?? [], completing));
  const { mapping } = completing;
  // A format of whole histories with a table of holders lists all of them there.
  if (mapping.mode === "FULL" && mapping.tables.some(({ to }) => to === "stakeholders")) return listed;
  const inTable = new Set(described.map((row) => foldName(said(row, "holder") ?? "")));
  const numbers = new Set(described.flatMap((row) => said(row, "holderNumber") ?? []));
  const made = [...named].flatMap(([name, rows]) => {
    if (name === "" || inTable.has(name)) return [];
    const nobodys = rows.filter(
      (row) => !holders.isBorne(soughtIn(row)) && !numbers.has(said(row, "holderNumber") ?? ""),
    );
    return peopleIn(nobodys).map((own) => madeHolder(own, completing));
  });
  return [...listed, ...made];
}

/** A holder of the table; a missing e-mail or type is taken from all rows of the name if they agree. */
function listedHolder(row: SheetRow, named: readonly SheetRow[], completing: Completing): SheetRow {
  const emails = new Set(named.flatMap((each) => soughtIn(each).email ?? []).map(foldEmail));
  const [only] = emails.size === 1 ? emails : [];
  const own = { ...textsOf(row), holder: said(row, "holder"), email: soughtIn(row).email ?? only };
  const type = said(row, "type") ?? named.map((each) => said(each, "holderType")).find((each) => each !== undefined);
  return assumed(completing, "stakeholders", row, { ...own, type: type ?? "INDIVIDUAL" });
}

function textsOf(row: SheetRow): Readonly<Record<string, string>> {
  const { holderEmail: _email, ...texts } = Object.fromEntries(
    [...row.fields].map(([name, { value }]) => [name, value]),
  );
  return texts;
}

/**
 * The rows of a name by the holder that they mean: one for each number or e-mail; those without either belong to the
 * first.
 */
function peopleIn(rows: readonly SheetRow[]): readonly (readonly SheetRow[])[] {
  const people: { number: string | undefined; email: string | undefined; rows: SheetRow[] }[] = [];
  const wanted = rows.map((row) => ({ row, sought: soughtIn(row) }));
  const known = (weight: number) =>
    wanted.filter(
      ({ sought: { number, email } }) => [number, email].filter((each) => each !== undefined).length === weight,
    );
  // A holder with both is known by either.
  for (const { row, sought } of [...known(2), ...known(1)]) {
    const [number, email] = [sought.number, sought.email && foldEmail(sought.email)];
    const same =
      people.find((each) => number !== undefined && each.number === number) ??
      people.find((each) => email !== undefined && each.email === email && (number ?? each.number) === each.number);
    if (same) same.rows.push(row);
    else people.push({ number, email, rows: [row] });
  }
  const [first, other] = people;
  const without = known(0).map(({ row }) => row);
  if (first === undefined) return without.length === 0 ? [] : [without];
  if (other === undefined) first.rows.push(...without);
  return people.map(({ rows: own }) => own);
}

/** A holder who is only named. */
function madeHolder(rows: readonly SheetRow[], completing: Completing): SheetRow {
  const of = (field: string) => rows.map((row) => said(row, field)).find((value) => value !== undefined);
  const [first] = rows;
  if (first === undefined) throw new Error("a holder without a row");
  return assumed(completing, "stakeholders", first, {
    holder: said(first, "holder"),
    type: of("holderType") ?? "INDIVIDUAL",
    email: of("holderEmail"),
    holderNumber: of("holderNumber"),
  });
}
