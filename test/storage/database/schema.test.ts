// The schema in the file against its TypeScript twin, and the triggers that keep the ledger append-only.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { asDecided } from "../../../src/storage/database/split-view.ts";
import { makeStakeholder } from "../../kit/records.ts";
import { startTestServer, type TestServer } from "../../kit/service.ts";

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
  const holder = await makeStakeholder(server);
  await server.api("PATCH", `/stakeholders/${holder}`, { comments: "makes a ledger entry" });
});
afterAll(() => server.stop());

/** The fields of every kind of record, by the name of their constant. */
async function recordFields(): Promise<Readonly<Record<string, object>>> {
  const folder = join(import.meta.dir, "../../../src/storage/records");
  const modules = await Promise.all(readdirSync(folder).map((name) => import(join(folder, name))));
  return Object.assign({}, ...modules);
}

test("every column of a table is declared in database/schema.ts and tables/, and every declared one exists", async () => {
  const folders = readdirSync(join(import.meta.dir, "../../../src/storage/database/tables"));
  const files = ["schema.ts", ...folders.map((name) => `tables/${name}`)].map((name) => `src/storage/database/${name}`);
  const text = (await Promise.all(files.map((file) => Bun.file(file).text()))).join("\n");
  const interfaces = new Map<string, Set<string>>();
  const fields = await recordFields();
  for (const [, name = "", parents = "", members = ""] of text.matchAll(
    /interface (\w+)(?: extends ([^{]+))? \{(\}|[\s\S]*?\n\})/g,
  )) {
    const own = [...members.matchAll(/readonly "?(\w+)"?:/g)].map((match) => match[1] ?? "");
    const isRecord = parents.startsWith("RecordColumns");
    const from = /ColumnsOf<typeof (\w+)>/.exec(parents)?.[1];
    const derived = from === undefined ? [] : Object.keys(fields[from] ?? {});
    interfaces.set(name, new Set([...(isRecord ? (interfaces.get("RecordColumns") ?? []) : []), ...derived, ...own]));
  }
  const declared = [...text.matchAll(/readonly (\w+): (\w+Table);/g)];
  const { sqlite } = server.app.reader;
  const tables = sqlite
    .prepare<[], string>("select name from sqlite_master where type = 'table' and name not like 'sqlite_%'")
    .pluck()
    .all()
    .filter((name) => !name.startsWith("kysely_"));
  expect(declared.map((match) => match[1]).sort()).toEqual(tables.sort());
  for (const [, table = "", type = ""] of declared) {
    const columns = sqlite.prepare<[string], string>("select name from pragma_table_info(?)").pluck().all(table);
    expect([table, columns.sort()]).toEqual([table, [...(interfaces.get(type) ?? [])].sort()]);
  }
});

describe("the ledger and the audit log", () => {
  test.each(["transactions", "audit_log"])(
    "%s refuses UPDATE, DELETE and REPLACE in the database itself",
    async (table) => {
      await server.app.writer.submit((tx) => {
        const { sqlite } = tx;
        expect(sqlite.prepare<[], number>(`select count(*) from ${table}`).pluck().get()).toBeGreaterThan(0);
        for (const statement of [
          `update ${table} set id = 'x'`,
          `delete from ${table}`,
          `insert or replace into ${table} select * from ${table}`,
        ]) {
          expect(() => sqlite.exec(statement)).toThrow("append-only");
        }
      });
    },
  );

  test("every table is STRICT", () => {
    const { sqlite } = server.app.reader;
    const loose = sqlite
      .prepare<[], string>("select name from pragma_table_list where strict = 0 and type = 'table' and schema = 'main'")
      .pluck()
      .all()
      .filter((name) => !/^(sqlite_|kysely_)/.test(name));
    expect(loose).toEqual([]);
  });
});

test("the view of securities has every column of the table", () => {
  const { sqlite } = server.app.reader;
  const names = sqlite.prepare<[], string>("select name from pragma_table_info('securities')").pluck().all();
  const seen = sqlite.prepare(asDecided("select * from securities")).columns();
  expect(seen.map(({ name }) => name).sort()).toEqual(names.sort());
});
