// What the version before left behind: its databases migrate and verify, its backups restore, and the copy that is made
// before a migration takes one back to it.
import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { passingSigner, verifierOf } from "../../src/checkpoint/signing-key.ts";
import { DATABASE_FILE } from "../../src/database/open.ts";
import { logFaults } from "../kit/chain.ts";
import { asking, makeWholeCompany } from "../kit/company.ts";
import { newDataDir, programEnvironment, runProgram, serveProgram } from "../kit/program.ts";

setDefaultTimeout(120_000);

const ROOT = join(import.meta.dir, "../..");
/** The executable of the version before, where it is there. */
const BEFORE = process.env.CAPTABLE_BEFORE ?? join(ROOT, "../before/captable");
const FIXTURES = join(ROOT, "test/fixtures/before");
const folder = mkdtempSync(join(tmpdir(), "captable-before-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function unpack(name: string): Uint8Array {
  return Bun.gunzipSync(readFileSync(join(FIXTURES, `${name}.gz`)));
}

/** A data directory with the database of the version before. */
function oldData(): string {
  const dataDir = newDataDir();
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  writeFileSync(join(dataDir, DATABASE_FILE), unpack("captable.db"), { mode: 0o600 });
  return dataDir;
}

async function expectSound(dataDir: string): Promise<void> {
  const ended = await runProgram(["verify", "--data-dir", dataDir]);
  expect([ended.status, ended.stdout.includes("No difference.")]).toEqual([0, true]);
}

type Stored = Readonly<Record<string, string | number | null>>;

/** Every row of a table, without its number in it. */
function rows(dataDir: string, table: string, order: string): Stored[] {
  const db = new Database(join(dataDir, DATABASE_FILE), { readonly: true });
  const found = db.prepare<[], Stored>(`select * from ${table} order by ${order}`).all();
  db.close();
  return found.map(({ seq: _seq, ...row }) => row);
}

/** The log of the first organization as the API would answer it, oldest row first. */
function logOf(dataDir: string): Stored[] {
  const all = rows(dataDir, "audit_log", "seq");
  const parse = (text: Stored[string] | undefined) => (typeof text === "string" ? JSON.parse(text) : null);
  return all
    .filter(({ orgId }) => orgId === all[0]?.orgId)
    .map((row) => ({ ...row, before: parse(row.before), after: parse(row.after) }));
}

describe("a database of the version before", () => {
  const dataDir = oldData();
  const old = rows(dataDir, "audit_log", "seq");

  test("migrates and verifies without a difference", async () => {
    const ended = await runProgram(["migrate", "--data-dir", dataDir]);
    expect([ended.status, ended.stderr]).toEqual([0, ""]);
    await expectSound(dataDir);
  });

  test("keeps what its log said, numbered and chained, with every record adopted behind it", () => {
    const log = logOf(dataDir);
    expect(logFaults(log)).toEqual([]);
    const [{ orgId } = {}] = old;
    const kept = old.filter((row) => row.orgId === orgId);
    const parsed = kept.map(({ before, after, ...row }) => ({
      ...row,
      before: before ? JSON.parse(String(before)) : null,
      after: after ? JSON.parse(String(after)) : null,
    }));
    expect(log.slice(0, kept.length)).toMatchObject(parsed);
    const started = log[kept.length];
    const entries = rows(dataDir, "transactions", "seq").filter((entry) => entry.orgId === orgId);
    const ledgerHead = entries.at(-1)?.hash;
    expect(started).toMatchObject({ method: "log-started", resourceType: "log", actor: "job", path: null });
    expect(started?.after).toEqual({ ledgerSize: entries.length, ledgerHead, rows: kept.length } as never);
    const adopted = log.slice(kept.length + 1);
    expect(new Set(adopted.map(({ method }) => method))).toEqual(new Set(["adopted", "migrated"]));
    const securities = rows(dataDir, "securities", "seq").filter((security) => security.orgId === orgId);
    const ofSecurities = adopted.filter(({ resourceType }) => resourceType === "security");
    const told = ofSecurities.filter(({ method }) => method === "adopted").map(({ after }) => after);
    // Columns that later migrations added are not in it.
    const LATER = ["currency", "correctedPrice", "statedConsideration", "vestingStoppedOn"];
    const adoptable = securities.map((security) =>
      Object.fromEntries(Object.entries(security).filter(([column]) => !LATER.includes(column))),
    );
    expect(told).toEqual(adoptable as never);
    const filled = ofSecurities.filter(({ method }) => method === "migrated");
    const withCurrency = securities.filter(({ currency }) => currency !== null);
    expect(filled.map(({ resourceId, after }) => [resourceId, after])).toEqual(
      withCurrency.map(({ id, currency }) => [id, { currency }]) as never,
    );
    expect(filled.length).toBeGreaterThan(10);
    expect(adopted.filter(({ resourceType }) => resourceType === "ocf object").length).toBeGreaterThan(30);
  });

  test("serves, writes on in the same chain, and verifies", async () => {
    const key = (
      await runProgram([
        "keys",
        "create",
        "--name",
        "t",
        "--role",
        "ADMIN",
        "--data-dir",
        dataDir,
        "--org",
        orgOf(dataDir),
      ])
    ).stdout;
    const served = await serveProgram(dataDir);
    const ask = asking(served.url, key.trim());
    const { items } = await ask("GET", "/stakeholders");
    await ask("PATCH", `/stakeholders/${items[0].id}`, { comments: "changed after the migration" });
    await served.end();
    await expectSound(dataDir);
    expect(logFaults(logOf(dataDir))).toEqual([]);
  });

  test("can be taken back to: the copy made before the migration restores, though it names no organization", async () => {
    const [name = ""] = readdirSync(join(dataDir, "backups"));
    const copy = join(dataDir, "backups", name);
    const into = newDataDir();
    const ended = await runProgram(["restore", copy, "--data-dir", into, "--json"]);
    expect([ended.status, ended.stderr]).toEqual([0, ""]);
    expect(JSON.parse(ended.stdout).signedBy.isOwn).toBe(false);
    await expectSound(into);
    if (!existsSync(BEFORE)) return;
    const back = newDataDir();
    const restored = Bun.spawnSync([BEFORE, "restore", copy, "--data-dir", back]);
    expect([restored.exitCode, restored.stderr.toString()]).toEqual([0, ""]);
    expect(rows(back, "audit_log", "seq")).toEqual(old);
  });
});

function orgOf(dataDir: string): string {
  return String(rows(dataDir, "organizations", "seq")[0]?.id);
}

describe("a backup of the version before", () => {
  const file = join(folder, "old.captable");
  writeFileSync(file, unpack("backup.captable"));

  test("restores, with a warning that nobody signed it", async () => {
    const dataDir = newDataDir();
    const ended = await runProgram(["restore", file, "--data-dir", dataDir]);
    expect([ended.status, ended.stderr]).toEqual([0, ""]);
    expect(ended.stdout).toContain("WARNING: signed by nobody");
    expect(ended.stdout).toContain("keys that work now: 1 ADMIN, 0 EDITOR, 1 VIEWER");
    await expectSound(dataDir);
  });

  test("is refused where a signature is asked for", async () => {
    const key = verifierOf(passingSigner());
    const ended = await runProgram(["restore", file, "--data-dir", newDataDir(), "--signed-by", key]);
    expect([ended.status, ended.stderr]).toEqual([4, expect.stringContaining("signed by nobody")]);
  });
});

test.skipIf(!existsSync(BEFORE))(
  `what ${BEFORE} makes migrates and verifies (skipped where that executable is not there)`,
  async () => {
    const dataDir = newDataDir();
    const child = Bun.spawn([BEFORE, "serve", "--data-dir", dataDir, "--port", "0"], {
      env: programEnvironment({ CAPTABLE_RATE_LIMIT: "0", CAPTABLE_LOG: "off" }),
      stdout: "ignore",
      stderr: "pipe",
    });
    try {
      let said = "";
      for await (const text of child.stderr.pipeThrough(new TextDecoderStream())) {
        said += text;
        if (/serving http\S+/.test(said)) break;
      }
      const url = /serving (http:\/\/\S+?),/.exec(said)?.[1] ?? "";
      await makeWholeCompany(asking(url, readFileSync(join(dataDir, "admin.key"), "utf8").trim()));
    } finally {
      child.kill("SIGTERM");
      await child.exited;
    }
    expect((await runProgram(["migrate", "--data-dir", dataDir])).status).toBe(0);
    await expectSound(dataDir);
    expect(logFaults(logOf(dataDir))).toEqual([]);
  },
);
