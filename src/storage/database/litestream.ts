// What Litestream, which copies the database continuously, keeps in it for itself: two tables. They hold nothing of
// ours, nothing of ours reads them, and they stand in the database, its backups and what is restored.
const TABLES: Readonly<Record<string, string>> = {
  _litestream_seq: "CREATE TABLE _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER)",
  _litestream_lock: "CREATE TABLE _litestream_lock (id INTEGER)",
};

interface Definition {
  readonly type: string;
  readonly name: string;
  readonly sql: string | null;
}

/**
 * Whether an object of a schema is one of those tables, by its whole statement: a view, a virtual table or other
 * columns under that name are not, nor is an index or trigger on one.
 */
export function isOfLitestream({ type, name, sql }: Definition): boolean {
  return type === "table" && sql !== null && TABLES[name] === sql.replace(/\s+/g, " ");
}
