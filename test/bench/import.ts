// How long an import takes beside a bare script that inserts the same rows: `bun test/bench/import.ts PACKAGE`. The
// import runs as `captable ocf import` in a process of its own, so that its peak of memory is its own too.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDataDirectory, prepareDatabase } from "../../src/bootstrap.ts";
import { DATABASE_FILE, openReadOnly } from "../../src/database/open.ts";
import type { Reader, SqlValue } from "../../src/database/sql.ts";

const ROOT = join(import.meta.dir, "../..");
const TABLES = [
  "organizations",
  "documents",
  "stock_legends",
  "stakeholders",
  "share_classes",
  "valuations",
  "equity_plans",
  "vesting_terms",
  "securities",
  "transactions",
  "audit_log",
  "ocf_objects",
];

/** Copies every row into an empty database of the same schema, in one transaction. */
async function insertBare(from: Reader, folder: string): Promise<{ seconds: number; rows: number }> {
  const into = openDataDirectory(folder);
  await prepareDatabase(into, "test");
  const started = performance.now();
  let rows = 0;
  into.sqlite.exec("BEGIN");
  for (const table of TABLES) {
    const all = from.sqlite.prepare<[], Record<string, SqlValue>>(`select * from ${table}`);
    const names = all.columns().map(({ name }) => name);
    const holes = names.map(() => "?").join(", ");
    const insert = into.sqlite.prepare(`insert into ${table} (${names.map((name) => `"${name}"`)}) values (${holes})`);
    for (const row of all.iterate()) {
      insert.run(...Object.values(row));
      rows++;
    }
  }
  into.sqlite.exec("COMMIT");
  into.sqlite.close();
  return { seconds: (performance.now() - started) / 1000, rows };
}

async function captable(...args: string[]) {
  const started = performance.now();
  const child = Bun.spawn([process.execPath, join(ROOT, "cli/main.ts"), ...args], { stdout: "pipe" });
  await new Response(child.stdout).text();
  const status = await child.exited;
  if (status !== 0) throw new Error(`captable ${args.join(" ")} ended with status ${status}`);
  return { seconds: (performance.now() - started) / 1000, megabytes: (child.resourceUsage()?.maxRSS ?? 0) / 1e6 };
}

const folder = mkdtempSync(join(tmpdir(), "captable-bench-"));
try {
  const [path = ""] = process.argv.slice(2);
  const data = join(folder, "data");
  await captable("org", "create", "--name", "Bench", "--data-dir", data);
  const imported = await captable("ocf", "import", path, "--data-dir", data);
  const bare = await insertBare(openReadOnly(join(data, DATABASE_FILE)), join(folder, "bare"));
  const figures = { importSeconds: imported.seconds, peakMegabytes: imported.megabytes, bareSeconds: bare.seconds };
  const rounded = Object.entries(figures).map(([name, figure]) => [name, Math.round(figure * 10) / 10]);
  process.stdout.write(`${JSON.stringify({ ...Object.fromEntries(rounded), rows: bare.rows })}\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
