// Warns of imported securities that equal a recorded one under another number: the same register, once with its numbers
// and once without, would count each share twice.
import { isSameFigure } from "../../../kernel/numbers/decimal.ts";
import type { SheetProblems } from "../file/cell-problem.ts";
import { NEXT } from "../mapping/mapping.ts";
import type { Directory } from "../rows/directory.ts";
import { placeIn, said } from "../rows/read-field.ts";
import { soughtIn } from "../rows/row.ts";
import { TYPES } from "../rows/row-numbers.ts";
import type { SheetRow } from "../rows/understand.ts";
import type { SecurityThere } from "../store.ts";

/** Warns of each issue of the file that has type, holder, class or plan, day and quantity of a recorded one. */
export function tellLikeRecorded(rows: readonly SheetRow[], directory: Directory, found: SheetProblems): void {
  const issues = rows.filter((row) => TYPES[row.to] !== undefined);
  const given = new Set(issues.map((row) => said(row, "certificate")));
  const free = directory.recorded().filter(({ certificateId }) => !given.has(certificateId ?? undefined));
  if (free.length === 0) return;
  const byHolder = Map.groupBy(free, ({ type, stakeholderId, grantDate }) => `${type} ${stakeholderId} ${grantDate}`);
  for (const row of issues) {
    const number = said(row, "certificate");
    const isThere = row.recorded !== undefined || (number !== undefined && directory.security(number) !== null);
    if (isThere || (said(row, "how") ?? "ISSUED") !== "ISSUED") continue;
    const holder = directory.holders.find(soughtIn(row));
    if (typeof holder !== "object") continue;
    const own = byHolder.get(`${TYPES[row.to]} ${holder.id} ${said(row, "issueDate")}`) ?? [];
    const like = own.find((security) => isSame(row, security, directory));
    if (like) tell(row, like, found);
  }
}

function isSame(row: SheetRow, security: SecurityThere, directory: Directory): boolean {
  const issued = row.issued ?? said(row, "quantity");
  if (issued === undefined || security.issued === null || !isSameFigure(issued, security.issued)) return false;
  const idOf = (meant: ReturnType<Directory["plan"]>) => (typeof meant === "object" ? meant.id : null);
  if (row.to === "stock") return idOf(directory.stockClass(said(row, "class") ?? "")) === security.stockClassId;
  return row.to !== "options" || idOf(directory.plan(said(row, "plan") ?? "")) === security.equityPlanId;
}

function tell(row: SheetRow, { certificateId, id }: SecurityThere, found: SheetProblems): void {
  const number = said(row, "certificate");
  const own = number === undefined || number === NEXT || row.isNumbered === true ? "the row has no number" : number;
  const detail = `says the same as ${certificateId ?? id}, which is recorded, and comes in besides it (${own})`;
  const fix = `Give it the number ${certificateId ?? id}, or leave it out, if it is that one.`;
  found.warning("like-existing", placeIn(row, "quantity"), detail, fix);
}
