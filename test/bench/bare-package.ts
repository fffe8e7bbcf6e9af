// The yardsticks for packages: `bun test/bench/bare-package.ts insert <database> <folder>` inserts every row of a
// database into an empty one, in batches; `… zip <package>` packs the files of a package once more. Both print the
// seconds that took, without the time for reading what they need.
import { readFileSync } from "node:fs";
import { unzipSync, zipSync } from "fflate";
import { prepareDatabase } from "../../src/server/service/bootstrap.ts";
import { openDataDirectory } from "../../src/storage/data-dir/directory.ts";
import { openReadOnly } from "../../src/storage/database/open.ts";
import type { Reader, SqlValue } from "../../src/storage/database/sql.ts";

const BATCH = 1000;
/** The level that our exports are packed with. */
const LEVEL = 1;

const TABLES = `
  SELECT name FROM sqlite_schema
  WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'kysely_%' AND name <> 'settings'
  ORDER BY rowid`;

async function insertAll(database: string, folder: string) {
  const from = openReadOnly(database);
  const into = openDataDirectory(folder);
  await prepareDatabase(into, null);
  let [rows, milliseconds] = [0, 0];
  // In the order of their creation, in which a table comes after those that it refers to.
  for (const table of from.sqlite.prepare<[], string>(TABLES).pluck().all()) {
    for (const batch of batches(from, table)) {
      const names = Object.keys(batch[0] ?? {});
      const holes = names.map(() => "?");
      const insert = into.sqlite.prepare(
        `insert into ${table} (${names.map((name) => `"${name}"`)}) values (${holes})`,
      );
      const started = performance.now();
      into.sqlite.exec("BEGIN");
      for (const row of batch) insert.run(...Object.values(row));
      into.sqlite.exec("COMMIT");
      milliseconds += performance.now() - started;
      rows += batch.length;
    }
  }
  into.sqlite.close();
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
process.stdout.write(JSON.stringify(what === "insert" ? await insertAll(from, into) : zipAgain(from)));
