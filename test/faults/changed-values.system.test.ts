// F7, values: SQLite notices no changed byte inside a value, so `verify` must, in every column of every table but those that
// it lists as unverified. Each is changed in each of its rows, behind the triggers' backs, to another value that could
// stand there. The table of docs/proofs.md is this list.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { PEOPLE_TABLES } from "../../src/safekeeping/verify/people/compare.ts";
import { UNVERIFIED } from "../../src/safekeeping/verify/report.ts";
import { verifyWhole } from "../../src/safekeeping/verify/whole.ts";
import { addFunctions } from "../../src/storage/database/open.ts";
import { asking, makeWholeCompany } from "../kit/company.ts";
import { makeMember } from "../kit/people.ts";
import { firstSeed, proved } from "../kit/proof.ts";
import { seeded } from "../kit/random.ts";
import { makeStakeholder } from "../kit/records.ts";
import { RELEASE } from "../kit/release.ts";
import { startTestServer } from "../kit/service.ts";
import { makeWholePeople } from "../kit/whole-people.ts";
import { checkedColumns } from "./support/checked.ts";

setDefaultTimeout(300_000);

const ROWS = RELEASE ? 1000 : 1;
/** A quick run changes each column once, in a way that follows from this; a release run in every way. */
const pick = seeded(firstSeed());
const folder = mkdtempSync(join(tmpdir(), "captable-values-"));
let db: Database.Database;
let count = 0;

type Value = string | number | Uint8Array | null;

beforeAll(async () => {
  const server = await startTestServer({ CAPTABLE_LOG: "off", CAPTABLE_CHAIN: "on" });
  const ask = asking(server.url, await server.key("ADMIN"));
  const { stock, option } = await makeWholeCompany(ask);
  for (const id of [stock, option]) await ask("POST", `/securities/${id}/acceptances`, { acceptedOn: "2026-06-01" });
  // A second row, for of a place in a table the order counts. Nothing is sent: no machine has such a name.
  const { id: second } = await ask("POST", "/webhook-endpoints", { url: "https://hooks.invalid/second" });
  await ask("PATCH", `/webhook-endpoints/${second}`, { status: "DISABLED" });
  const stakeholderIds = [await makeStakeholder(server)];
  await makeMember(server.app.writer, server.orgId, { role: "STAKEHOLDER", stakeholderIds });
  await makeMember(server.app.writer, server.orgId);
  await makeWholePeople(server.app.writer, server.orgId);
  await server.newOrganization("Other, Inc.");
  await server.app.stop();
  copyFileSync(join(server.dataDir, "captable.db"), join(folder, "captable.db"));
  rmSync(server.dataDir, { recursive: true });
  db = new Database(join(folder, "captable.db"));
  addFunctions(db);
  db.pragma("foreign_keys = OFF");
  const triggers = db.prepare<[], string>("select name from sqlite_schema where type = 'trigger'").pluck().all();
  for (const name of triggers) db.exec(`drop trigger ${name}`);
});
afterAll(() => {
  db.close();
  rmSync(folder, { recursive: true });
  proved({
    fault: "F7",
    what: "values changed in every verified column",
    count,
    seed: RELEASE ? "-" : String(firstSeed()),
    result: "all seen by verify",
  });
});

/** The difference codes of a verification, without the triggers that this test took away. */
async function codes(): Promise<string[]> {
  const { differences } = await verifyWhole({ sqlite: db });
  return differences.filter(({ subject }) => !subject.startsWith("trigger ")).map(({ code }) => code);
}

test("a verification that sees nothing would be told", async () => {
  expect(await changeEach("securities", "quantity", async () => [])).not.toEqual([]);
});

test("the company as it was made verifies", async () => expect(await codes()).toEqual([]));

test("no change of any column of any table goes unseen, but for those that are listed", async () => {
  const columns = checkedColumns(db);
  const tables = new Set(columns.map(([table]) => table));
  for (const table of [
    "organizations",
    "api_keys",
    "securities",
    "acceptances",
    "approval_steps",
    "memberships",
    ...PEOPLE_TABLES,
    "account_log",
    "audit_log",
    "ocf_objects",
  ]) {
    expect(tables).toContain(table);
  }
  const unseen: string[] = [];
  for (const [table, column] of columns) {
    // Of a place in a table the order counts, among an organization's rows: it has one of this table.
    if (`${table}.${column}` !== "organizations.seq") unseen.push(...(await changeEach(table, column)));
  }
  expect(unseen).toEqual([]);
});

test("each column that is listed as unverified exists", () => {
  for (const name of UNVERIFIED) {
    const [table = "", column = "*"] = name.split(".");
    expect(() => db.prepare(`select ${column === "*" ? column : `"${column}"`} from "${table}"`)).not.toThrow();
  }
});

test("docs/proofs.md says of every table what reports a change, or why nothing does", () => {
  const text = readFileSync(join(import.meta.dir, "../../docs/proofs.md"), "utf8");
  const [, seen = "", unseen = ""] = /\| tables \|(.*?)\n\n\| not looked at \|(.*?)\n\n/s.exec(text) ?? [];
  const firstCells = (table: string) =>
    [...table.matchAll(/^\| (`.*?) \| .*\|$/gm)].map(([, cell = ""]) => cell).join();
  const names = (table: string) => [...firstCells(table).matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name);
  // Litestream's tables are not of our schema: nothing is listed for them.
  expect(names(unseen).filter((name) => !name.startsWith("_litestream_"))).toEqual([...UNVERIFIED]);
  const tables = db.prepare<[], string>("select name from sqlite_schema where type = 'table'").pluck().all();
  const listed = new Set([...names(seen), ...UNVERIFIED]);
  expect(tables.filter((name) => !listed.has(name))).toEqual([]);
  expect(names(seen).filter((name) => !tables.includes(name))).toEqual([]);
});

/** Changes a column in each row, one at a time; returns the unnoticed changes. */
async function changeEach(table: string, column: string, look = codes): Promise<string[]> {
  const name = `"${column}"`;
  const others = db
    .prepare<[], Value>(`select distinct ${name} from "${table}" where ${name} is not null`)
    .pluck()
    .all();
  const rows = db.prepare<[number], { row: number; value: Value }>(
    `select rowid as row, ${name} as value from "${table}" order by rowid limit ?`,
  );
  const change = db.prepare<[Value, number]>(`update "${table}" set ${name} = ? where rowid = ?`);
  const found = rows.all(column === "seq" ? 1 : ROWS);
  expect([table, found.length]).not.toEqual([table, 0]);
  const unseen: string[] = [];
  for (const { row, value } of found) {
    const changes = othersThan(value, others, column);
    const turn = RELEASE ? 0 : pick(changes.length);
    for (const other of [...changes.slice(turn), ...changes.slice(0, turn)]) {
      db.exec("begin");
      const isStored = stores(() => change.run(other, row));
      const seen = isStored ? await look() : ["refused by SQLite"];
      db.exec("rollback");
      if (seen.length === 0) unseen.push(`${table} row ${row}: ${column} ${value} became ${other}`);
      count++;
      if (isStored && !RELEASE) break;
    }
  }
  return unseen;
}

/** Other values than one: a little changed, that of another row, and none, or some where there was none. */
function othersThan(value: Value, others: readonly Value[], column: string): Value[] {
  // Of a place in a table the order counts: the first of several cannot come last.
  if (column === "seq") return [1_000_000];
  const other = others.find((candidate) => !Bun.deepEquals(candidate, value));
  if (value === null) return [other ?? "1"];
  return [altered(value), null, ...(other === undefined ? [] : [other])];
}

/** Whether the schema itself lets the value stand: a file in which it does not is found by SQLite's own check. */
function stores(run: () => unknown): boolean {
  try {
    run();
    return true;
  } catch {
    return false;
  }
}

/** The value with its last digit or letter changed; one byte for bytes, one more for numbers. */
function altered(value: Exclude<Value, null>): Value {
  if (typeof value === "number") return value + 1;
  if (typeof value === "string") {
    const changed = value.replace(/[0-9a-zA-Z](?=[^0-9a-zA-Z]*$)/, (last) =>
      last === "1" || last === "a" ? "2" : "1",
    );
    return changed === value ? `${value} ` : changed;
  }
  const bytes = Uint8Array.from(value);
  bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
  return bytes;
}
