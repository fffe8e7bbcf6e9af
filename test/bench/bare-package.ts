// The yardsticks for packages: `bun test/bench/bare-package.ts insert <database> <file>` inserts every row of a database into
// an empty one of the frozen schema, in batches; `… zip <package>` packs the files of a package once more. Both print the
// seconds that took, without the time for reading what they need.
import { readFileSync } from "node:fs";
import { unzipSync, zipSync } from "fflate";
import { openReadOnly } from "../../src/storage/database/open.ts";
import type { Reader, SqlValue } from "../../src/storage/database/sql.ts";
import { columnsOf, makeYardstick } from "./yardstick.ts";

const BATCH = 1000;
/** The level that our exports are packed with. */
const LEVEL = 1;

const TABLES = `
  SELECT name FROM sqlite_schema
  WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'kysely_%' AND name <> 'settings'
  ORDER BY rowid`;

/** What the frozen schema has of the rows; throws where it needs a column that they have no longer. */
function insertAll(database: string, file: string) {
  const from = openReadOnly(database);
  const into = makeYardstick(file, { withRows: false });
  let [rows, milliseconds] = [0, 0];
  // In the order of their creation, in which a table comes after those that it refers to.
  for (const table of from.sqlite.prepare<[], string>(TABLES).pluck().all()) {
    for (const batch of batches(from, table)) {
      const has = new Set(Object.keys(batch[0] ?? {}));
      const wanted = columnsOf(into, table);
      const lacking = wanted.find(({ name, isRequired }) => isRequired && !has.has(name));
      if (lacking) throw new Error(`the yardstick's ${table} needs ${lacking.name}, which the program has no longer`);
      const names = wanted.map(({ name }) => name).filter((name) => has.has(name));
      if (names.length === 0) break;
      const insert = into.prepare(
        `insert into ${table} (${names.map((name) => `"${name}"`)}) values (${names.map(() => "?")})`,
      );
      const values = batch.map((row) => names.map((name) => row[name]));
      const started = performance.now();
      into.exec("BEGIN");
      for (const each of values) insert.run(...each);
      into.exec("COMMIT");
      milliseconds += performance.now() - started;
      rows += batch.length;
    }
  }
  into.close();
  return { rows, seconds: milliseconds / 1000 };
}

function* batches({ sqlite }: Reader, table: string) {
  let batch: Record<string, SqlValue>[] = [];
  for (const row of sqlite.prepare<[], Record<string, SqlValue>>(`select * from ${table}`).iterate()) {
    batch.push(row);
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

function zipAgain(path: string) {
  const files = unzipSync(readFileSync(path));
  const started = performance.now();
  const { length } = zipSync(files, { level: LEVEL });
  return { bytes: length, seconds: (performance.now() - started) / 1000 };
}

const [what, from = "", into = ""] = process.argv.slice(2);
process.stdout.write(JSON.stringify(what === "insert" ? insertAll(from, into) : zipAgain(from)));
