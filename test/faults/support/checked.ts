// What `verify` sees changed, by table and column: the ledger, what follows from it, and the bytes of documents. What
// else a record says (a name, a date, a comment) has no second witness in the file: a changed
// byte in it passes, and only a backup knows better. The tests hold `verify` to this list.
import type Database from "better-sqlite3";

/** The columns in which no change goes unseen. */
export const CHECKED: Readonly<Record<string, readonly string[]>> = {
  transactions: [
    ...["orgId", "id", "sequence", "type", "securityId", "stakeholderId", "quantity", "effectiveDate", "metadata"],
    ...["recordOnly", "createdAt", "previousHash", "hash"],
  ],
  securities: [
    ...["orgId", "id", "type", "status", "quantity", "stakeholderId", "stockClassId", "equityPlanId"],
    ...["pricePerShare", "exercisePrice", "planCharge"],
  ],
  organizations: ["id", "stakeholderCount"],
  share_classes: ["currentSharesAuthorized", "issued"],
  equity_plans: ["totalSharesReserved", "currentSharesReserved"],
  documents: ["sha256", "size"],
  document_contents: ["orgId", "documentId", "content"],
};

type Row = Readonly<Record<string, unknown>>;

/** Every row of every table. */
export type Dump = ReadonlyMap<string, readonly Row[]>;

/** Reads everything, in the order of row numbers, by walking tables and no index. */
export function dump(db: Database.Database): Dump {
  const names = db.prepare<[], string>("select name from sqlite_schema where type = 'table' order by name").pluck();
  const rows = (name: string) => db.prepare<[], Row>(`select * from "${name}" not indexed`).all();
  return new Map(["sqlite_schema", ...names.all()].map((name) => [name, rows(name)]));
}

/** Where two dumps differ, as `table.column`; `table.rows` where one has rows that the other lacks. */
export function differingColumns(one: Dump, other: Dump): string[] {
  const found = new Set<string>();
  for (const [table, rows] of one) {
    const others = other.get(table) ?? [];
    if (others.length !== rows.length) found.add(`${table}.rows`);
    for (const [index, row] of rows.entries()) {
      for (const [column, value] of Object.entries(row)) {
        if (!Bun.deepEquals(value, others[index]?.[column])) found.add(`${table}.${column}`);
      }
    }
  }
  return [...found];
}

/** Whether `verify` must see it when the column `table.column` changes. Of the schema it looks at the triggers only. */
export function isChecked(name: string): boolean {
  const [table = "", column = ""] = name.split(".");
  return column === "rows" || (CHECKED[table]?.includes(column) ?? false);
}
