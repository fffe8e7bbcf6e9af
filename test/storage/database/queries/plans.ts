// Query plans: how SQLite carries out each declared query on the schema without statistics, as the program's database is.
import type Database from "better-sqlite3";
import type { Declared } from "./declared.ts";

/** Tables whose rows grow with what organizations do, in all of them or in one. */
const GROWING: ReadonlySet<string> = new Set([
  ...["securities", "transactions", "audit_log", "ocf_objects", "idempotency_keys", "outbox", "stakeholders"],
  ...["vesting_milestones", "documents", "document_contents", "account_log", "sessions", "token_positions"],
  ...["chain_operations", "chain_submissions", "chain_transactions"],
]);

/** One loop over a table: of all rows of a table or of an organization, or of those that more columns choose. */
export interface Loop {
  readonly table: string;
  /** The index by its name; null without one. */
  readonly index: string | null;
  /** SQLite's words. */
  readonly detail: string;
  /** Whether it reads all rows of the table. */
  readonly isScan: boolean;
  /** Whether it reads all rows of an organization, or all of one type. */
  readonly isWalk: boolean;
  /** Whether it runs once for each row of another loop. */
  readonly isInner: boolean;
}

interface Node {
  readonly id: number;
  readonly parent: number;
  readonly detail: string;
}

const LOOP =
  /^(SCAN|SEARCH) (\S+)(?: (?:EXISTS|LEFT-JOIN))?(?: USING (?:COVERING )?(?:INDEX (\S+)|(?:INTEGER )?PRIMARY KEY))?(?: \((.*)\))?/;
const OF_ALL = /^(orgId=\?)?( AND )?(type=\?)?$/;

/** The loops of a query's plan over tables of the schema. */
export function loopsOf(db: Database.Database, { sql }: Pick<Declared, "sql">): Loop[] {
  const holes = new Array((sql.match(/\?/g) ?? []).length).fill(null);
  const nodes = db.prepare<unknown[], Node>(`explain query plan ${sql}`).all(...holes);
  const isOfEachRow = (node: Node | undefined): boolean =>
    node !== undefined &&
    (node.detail.startsWith("CORRELATED") || isOfEachRow(nodes.find(({ id }) => id === node.parent)));
  return nodes.flatMap((node) => {
    const [, verb, alias = "", index = null, columns = ""] = LOOP.exec(node.detail) ?? [];
    const table = tableOf(db, sql, alias, index);
    if (verb === undefined || table === null) return [];
    const before = nodes.slice(0, nodes.indexOf(node));
    const isInner = isOfEachRow(node) || before.some((each) => each.parent === node.parent && LOOP.test(each.detail));
    const isScan = verb === "SCAN";
    return [{ table, index, detail: node.detail, isScan, isWalk: isScan || OF_ALL.test(columns), isInner }];
  });
}

function tableOf(db: Database.Database, sql: string, alias: string, index: string | null): string | null {
  const find = (what: string, name: string) =>
    db
      .prepare<[string, string], string>("select tbl_name from sqlite_schema where type = ? and name = ?")
      .pluck()
      .get(what, name) ?? null;
  if (index !== null) return find("index", index);
  const named = new RegExp(`"?(\\w+)"?\\s+(?:as\\s+)?"?${alias}"?\\b`, "gi");
  const words = new Set([...sql.matchAll(named)].map(([, name = ""]) => name));
  const tables = [...words].map((name) => find("table", name));
  return find("table", alias) ?? tables.find((table) => table !== null) ?? null;
}

/** Whether a table's rows grow with what organizations do. */
export function grows({ table }: Loop): boolean {
  return GROWING.has(table);
}
