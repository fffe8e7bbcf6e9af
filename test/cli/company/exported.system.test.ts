// What the command line exports is recorded in the log, beside a running server too; what cannot be written holds no file
// back. The server here has a thread that writes, as it ships.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { recordExportBy } from "../../../cli/company/exported.ts";
import { systemRuntime, toTimestamp } from "../../../src/kernel/runtime.ts";
import { listOrganizations } from "../../../src/resources/organization/store.ts";
import { UNFINISHED_RESTORE } from "../../../src/storage/data-dir/names.ts";
import { type Exported, isExportedByCommand } from "../../../src/storage/database/log/audit.ts";
import { DATABASE_FILE, openReadOnly, openWritable } from "../../../src/storage/database/open.ts";
import { Writer } from "../../../src/storage/database/writer.ts";
import { runCommand } from "../../kit/command.ts";
import { newDataDir, type Served, serveProgram } from "../../kit/program.ts";

setDefaultTimeout(120_000);

const dataDir = newDataDir();
const base = dirname(dataDir);
const at = ["--data-dir", dataDir];
let served: Served;

beforeAll(async () => {
  served = await serveProgram(dataDir, { CAPTABLE_CHAIN: "off" });
  await send("PATCH", "/organization", { legalName: "Acme" });
});
afterAll(async () => {
  await served.end();
  rmSync(base, { recursive: true, force: true });
});

/** Asks the server to write. */
async function send(method: string, path: string, body: unknown): Promise<void> {
  const headers = { authorization: `Bearer ${served.key}`, "content-type": "application/json" };
  const answer = await fetch(`${served.url}/api/v1${path}`, { method, headers, body: JSON.stringify(body) });
  expect([path, answer.ok]).toEqual([path, true]);
}

interface Found {
  readonly actor: string;
  readonly method: string;
  readonly path: string | null;
  readonly after: Exported;
}

/** The exports that some work leaves in the log, the oldest first. */
async function exportsBy(work: () => Promise<unknown>): Promise<readonly Found[]> {
  const read = () => {
    const db = openReadOnly(join(dataDir, DATABASE_FILE));
    const text = "select actor, method, path, after from audit_log where method = 'exported' order by sequence";
    const rows = db.sqlite.prepare(text).all() as (Omit<Found, "after"> & { readonly after: string })[];
    db.sqlite.close();
    return rows.map((row) => ({ ...row, after: JSON.parse(row.after) }));
  };
  const before = read().length;
  await work();
  return read().slice(before);
}

/** Runs a command that writes a file; returns the length of the file. */
async function written(...words: readonly string[]): Promise<number> {
  const out = join(base, "out");
  rmSync(out, { force: true });
  const { status, stderr } = await runCommand([...words, "--out", out, ...at]);
  expect([words, status, stderr]).toEqual([words, 0, ""]);
  return statSync(out).size;
}

test.each([
  [["ocf", "export"], "captable ocf export", "OCF"],
  [["report", "workbook"], "captable report workbook", "XLSX"],
  [["report", "csv", "stock-ledger"], "captable report csv stock-ledger", "CSV"],
  [["report", "summary"], "captable report summary", "PDF"],
] as const)("%j leaves one row an hour, in the name of the command line", async (words, route, format) => {
  let bytes = 0;
  const rows = await exportsBy(async () => {
    bytes = await written(...words);
    await written(...words);
  });
  const after = { route, format, bytes, asOf: null, knownAt: null };
  expect(rows).toEqual([{ actor: "cli", method: "exported", path: null, after }]);
});

test("a report says of which day and instant it is; another sheet is another address", async () => {
  const moment = ["--as-of", "2026-01-31", "--known-at", "2026-02-01T01:00:00+01:00"];
  const rows = await exportsBy(() => written("report", "csv", "option-ledger", ...moment));
  expect(rows.map(({ after }) => [after.asOf, after.knownAt])).toEqual([["2026-01-31", "2026-02-01T00:00:00.000Z"]]);
});

test("what is sent while it is made leaves a row without a length", async () => {
  const rows = await exportsBy(() => runCommand(["report", "csv", "warrants", "--out", "-", ...at]));
  expect(rows.map(({ after }) => after.bytes)).toEqual([null]);
});

test("the paper of one holder leaves none", async () => {
  await send("POST", "/stakeholders", { displayName: "Ada", name: { legalName: "Ada" }, type: "INDIVIDUAL" });
  expect(await exportsBy(() => written("report", "statement", "Ada"))).toEqual([]);
});

test("the server's own exports go through the thread that writes, before the file arrives", async () => {
  let bytes = 0;
  const headers = { authorization: `Bearer ${served.key}` };
  const rows = await exportsBy(async () => {
    for (let count = 0; count < 2; count++) {
      const answer = await fetch(`${served.url}/api/v1/cap-table/ocf-export`, { headers });
      const { length } = await answer.bytes();
      // The manifest names the moment: the next one may be a few bytes longer or shorter.
      bytes ||= length;
    }
  });
  const after: Exported = { route: "/api/v1/cap-table/ocf-export", format: "OCF", bytes, asOf: null, knownAt: null };
  expect(rows).toEqual([{ actor: "api-key", method: "exported", path: after.route, after }]);
});

test("an hour later, or where it takes more than twice as much, a command leaves another", () => {
  const db = openReadOnly(join(dataDir, DATABASE_FILE));
  const [organization] = listOrganizations(db);
  const ago = (ms: number) => toTimestamp(systemRuntime.nowMs() - ms);
  const of = { orgId: organization?.id ?? "", route: "captable ocf export" };
  expect(isExportedByCommand(db, { ...of, bytes: 1, since: ago(3_600_000) })).toBe(true);
  expect(isExportedByCommand(db, { ...of, bytes: 1, since: ago(0) })).toBe(false);
  expect(isExportedByCommand(db, { ...of, bytes: 10_000_000, since: ago(3_600_000) })).toBe(false);
  expect(isExportedByCommand(db, { ...of, route: "captable", bytes: 1, since: ago(3_600_000) })).toBe(false);
  db.sqlite.close();
});

test("the data that holds these rows verifies", async () => {
  const { status, stdout } = await runCommand(["verify", ...at]);
  expect([status, stdout]).toEqual([0, expect.stringContaining("Acme")]);
});

test("a row that cannot be written holds no file back, and standard error says so", async () => {
  const marker = join(dataDir, UNFINISHED_RESTORE);
  const out = join(base, "all-the-same.csv");
  writeFileSync(marker, "");
  try {
    const rows = await exportsBy(async () => {
      const { status, stderr } = await runCommand(["report", "csv", "pool", "--out", out, ...at]);
      expect([status, stderr]).toEqual([0, expect.stringContaining("the audit log does not record this export")]);
    });
    expect([rows, existsSync(out)]).toEqual([[], true]);
  } finally {
    rmSync(marker);
  }
  // The control: nothing but that stood in its way.
  expect(await exportsBy(() => written("report", "csv", "pool"))).toHaveLength(1);
});

test("nor does one that the database refuses", async () => {
  const file = join(dataDir, DATABASE_FILE);
  const exported = { route: "captable report csv other", format: "CSV", bytes: 1, asOf: null, knownAt: null } as const;
  for (const [open, count] of [
    [openReadOnly, 0],
    [openWritable, 1],
  ] as const) {
    const db = open(file);
    const orgId = listOrganizations(db)[0]?.id ?? "";
    const rows = await exportsBy(() => recordExportBy(new Writer(db, () => undefined), orgId, exported));
    db.sqlite.close();
    expect(rows).toHaveLength(count);
  }
});
