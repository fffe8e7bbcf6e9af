// The first day with the wrong folder, an older database, one of a build before 1.0, or a port that is taken:
// commands that are not there to make a data directory make none, and only `serve` and `migrate` migrate one.
import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import type { Command } from "commander";
import { makeProgram } from "../../cli/program.ts";
import { migrations } from "../../migrations/index.ts";
import { NEXT } from "../faults/support/next.ts";
import { runCommand } from "../kit/command.ts";
import { type Ended, NEXT_VERSION, runProgram, serveProgram } from "../kit/program.ts";

setDefaultTimeout(120_000);

const SMALL = join(import.meta.dir, "../fixtures/ocf/small");
const base = mkdtempSync(join(tmpdir(), "captable-first-day-"));
afterAll(() => rmSync(base, { recursive: true, force: true }));

let count = 0;
/** A path with nothing at it. */
function nowhere(): string {
  return join(base, `new-${++count}`);
}

let template: Promise<string> | null = null;

async function makeTemplate(): Promise<string> {
  const dataDir = nowhere();
  expect((await runCommand(["org", "create", "--name", "Kept", "--data-dir", dataDir])).status).toBe(0);
  return dataDir;
}

/** A data directory of this version, which is an older one to the next. */
async function oldData(): Promise<string> {
  template ??= makeTemplate();
  const dataDir = nowhere();
  cpSync(await template, dataDir, { recursive: true });
  return dataDir;
}

/** A data directory as every build before 1.0 left it, without the mark of this foundation. */
async function earlierData(): Promise<string> {
  const dataDir = await oldData();
  const db = new Database(join(dataDir, "captable.db"));
  db.pragma("user_version = 0");
  db.close();
  return dataDir;
}

const ROWS = join(base, "rows.csv");
writeFileSync(ROWS, "Holder,Type\nAda,Individual\n");

/** Runs a command of the next version, in this process where that can be. */
async function runNext(args: readonly string[]): Promise<Ended> {
  if (args[0] === "ocf" && args[1] === "import") return runProgram(args, {}, NEXT_VERSION);
  Object.assign(migrations, NEXT);
  try {
    return await runCommand(args);
  } finally {
    for (const name of Object.keys(NEXT)) Reflect.deleteProperty(migrations, name);
  }
}

/** Every command that looks at the data and is not there to make any, with what it wants to be typed. */
const LOOKING: readonly (readonly string[])[] = [
  ["org", "list"],
  ["org", "show"],
  ["org", "update", "some", "--set", "dba=Acme"],
  ["keys", "create", "--name", "ci", "--role", "ADMIN"],
  ["keys", "list"],
  ["keys", "revoke", "some"],
  ["members", "list"],
  ["members", "role", "ada@example.com", "--role", "VIEWER"],
  ["members", "remove", "ada@example.com"],
  ["members", "reset", "ada@example.com"],
  ["members", "end-sessions", "ada@example.com"],
  ["members", "suspend", "ada@example.com"],
  ["members", "email", "ada@example.com", "ada@example.org"],
  ["ocf", "import", SMALL, "--dry-run"],
  ["ocf", "import", SMALL, "--org", "some"],
  ["ocf", "export", "--out", join(base, "e.zip")],
  ["cap-table"],
  ["holder", "some"],
  ["model", "cap-table", "absent.json"],
  ["model", "round", "absent.json"],
  ["model", "waterfall", "absent.json"],
  ["verify"],
  ["health"],
  ["cap-table"],
  ["holder", "some"],
  ["report", "workbook", "--out", join(base, "w.xlsx")],
  ["report", "csv", "pool", "--out", join(base, "p.csv")],
  ["report", "summary", "--out", join(base, "s.pdf")],
  ["report", "certificate", "some", "--out", join(base, "c.pdf")],
  ["report", "statement", "some", "--out", join(base, "h.pdf")],
  ["import", "spreadsheet", ROWS],
  ["checkpoint"],
  ["backup", "--out", join(base, "b.captable")],
  ["jobs", "list"],
  ["jobs", "retry", "some"],
  ["chain", "status"],
  ["chain", "reconcile"],
  ["org", "export", "some", "--out", join(base, "o.captable")],
  ["org", "close", "Acme"],
  ["org", "reopen", "Acme"],
  ["mail", "list"],
  ["mail", "retry", "some"],
  ["webhooks", "add", "--instance", "--url", "https://93.184.216.34/hook"],
  ["webhooks", "list"],
  ["webhooks", "remove", "some"],
  ["webhooks", "test", "some"],
];
/** Those that make a data directory. */
const MAKING: readonly (readonly string[])[] = [
  ["org", "create", "--name", "Acme"],
  ["members", "invite", "--email", "ada@example.com", "--role", "ADMIN"],
  ["ocf", "import", SMALL],
  ["migrate"],
];
/** Those that need no data, or settings first; `serve` and `restore` have tests of their own. */
const OTHERS = [
  "serve",
  "restore",
  "ocf validate",
  "openapi",
  "healthcheck",
  "print systemd",
  "print sysusers",
  "print dockerfile",
  "print litestream",
  "print client",
  "mail test",
  "offsite list",
  "offsite push",
  "offsite verify",
  "offsite fetch",
  "import template",
  "import mapping",
  "licenses",
  "version",
  "completion",
];

test("every command is looked at in an empty folder", async () => {
  const leaves = ({ commands }: Command, path: readonly string[]): string[] =>
    commands.length === 0 ? [path.join(" ")] : commands.flatMap((child) => leaves(child, [...path, child.name()]));
  const all = leaves(await makeProgram(), []).filter((name) => name !== "help");
  const tried = [...LOOKING, ...MAKING].map((words) => words.join(" "));
  // What begins with `api` speaks to a server, and so does `mcp`.
  const isOfServer = (name: string) => name.startsWith("api ") || name === "mcp";
  expect(all.filter(isOfServer).length).toBeGreaterThan(150);
  const isTried = (name: string) =>
    isOfServer(name) || OTHERS.includes(name) || tried.some((line) => `${line} `.startsWith(`${name} `));
  expect(all.filter((name) => !isTried(name))).toEqual([]);
});

test("a command that speaks to a server makes no data directory", async () => {
  const dataDir = nowhere();
  const key = join(base, "some.key");
  writeFileSync(key, "pg_test_some\n", { mode: 0o600 });
  for (const words of [["api", "stakeholders", "update", "some", "--email", "a@example.com"], ["mcp"]]) {
    const to = ["--server", "http://127.0.0.1:9", "--key-file", key, "--data-dir", dataDir];
    const ended = await runCommand([...words, ...to]);
    expect([ended.status, ended.stdout, existsSync(dataDir)]).toEqual([1, "", false]);
  }
});

describe("where there is no data,", () => {
  test.each([...LOOKING, ["migrate", "--status"]].map((words) => [words.slice(0, 2).join(" "), words] as const))(
    "%s makes none: exit 3, and --data-dir is named",
    async (_name, command) => {
      const [absent, empty] = [nowhere(), nowhere()];
      mkdirSync(empty);
      for (const dataDir of [absent, empty]) {
        const ended = await runCommand([...command, "--data-dir", dataDir]);
        expect([ended.status, ended.stdout]).toEqual([3, ""]);
        expect(ended.stderr).toContain(`there is no database in ${dataDir}`);
        expect(ended.stderr).toContain("--data-dir");
      }
      expect([existsSync(absent), readdirSync(empty)]).toEqual([false, []]);
    },
  );

  test.each(MAKING.map((words) => [words.slice(0, 2).join(" "), words] as const))(
    "%s makes it, and says so",
    async (_name, command) => {
      const dataDir = nowhere();
      const ended = await runCommand([...command, "--data-dir", dataDir]);
      expect(ended.status).toBe(0);
      expect(ended.stdout + ended.stderr).toContain(`made a new data directory in ${dataDir}\n`);
      expect((await runCommand(["migrate", "--status", "--data-dir", dataDir])).stdout).not.toContain("pending");
      const again = await runCommand(["org", "list", "--data-dir", dataDir]);
      expect([again.status, again.stderr]).toEqual([0, ""]);
    },
  );

  test("restore makes it, and says so", async () => {
    const [from, to, file] = [nowhere(), nowhere(), join(base, "small.captable")];
    expect((await runCommand(["ocf", "import", SMALL, "--data-dir", from])).status).toBe(0);
    expect((await runCommand(["backup", "--out", file, "--data-dir", from])).status).toBe(0);
    const restored = await runCommand(["restore", file, "--data-dir", to]);
    expect([restored.status, restored.stdout.split("\n")[0]]).toEqual([0, `made a new data directory in ${to}`]);
    const forced = await runCommand(["restore", file, "--force", "--data-dir", to]);
    expect([forced.status, forced.stdout]).toEqual([0, expect.not.stringContaining("made a new")]);
  });

  test.each([[["org", "create", "--name", ""]], [["ocf", "import", join(base, "no-such.zip")]]])(
    "%p, which cannot be done, makes none",
    async (command) => {
      const dataDir = nowhere();
      expect((await runCommand([...command, "--data-dir", dataDir])).status).toBe(2);
      expect(existsSync(dataDir)).toBe(false);
    },
  );
});

describe("a database of an older version", () => {
  test.each([...LOOKING, ["org", "create", "--name", "Acme"], ["ocf", "import", SMALL]].map((words) => [words]))(
    "is left as it is by %p: exit 3, and what to do",
    async (command) => {
      const dataDir = await oldData();
      const before = readFileSync(join(dataDir, "captable.db"));
      const ended = await runNext([...command, "--data-dir", dataDir]);
      expect([ended.status, ended.stdout]).toEqual([3, ""]);
      expect(ended.stderr).toContain("older version");
      expect(ended.stderr).toContain("captable migrate");
      expect(readFileSync(join(dataDir, "captable.db")).equals(before)).toBe(true);
      expect(existsSync(join(dataDir, "backups"))).toBe(false);
    },
  );

  test("is shown by migrate --status, which changes nothing", async () => {
    const dataDir = await oldData();
    const command = ["migrate", "--status", "--data-dir", dataDir];
    const { status, stdout } = await runProgram(command, {}, NEXT_VERSION);
    expect([status, stdout.includes("pending")]).toEqual([0, true]);
    expect((await runProgram(command, {}, NEXT_VERSION)).stdout).toBe(stdout);
  });

  test("is migrated by migrate, which says from what to what and where the backup is", async () => {
    const dataDir = await oldData();
    const { status, stdout } = await runProgram(["migrate", "--data-dir", dataDir], {}, NEXT_VERSION);
    expect(status).toBe(0);
    expectMigrated(dataDir, stdout);
    const again = await runProgram(["migrate", "--data-dir", dataDir], {}, NEXT_VERSION);
    expect([again.status, again.stdout]).toEqual([0, expect.not.stringContaining("migrated")]);
  });

  test("is migrated by serve, which says the same", async () => {
    const dataDir = await oldData();
    const served = await serveProgram(dataDir, {}, { program: NEXT_VERSION });
    expect((await fetch(`${served.url}/readyz`)).status).toBe(200);
    await served.end();
    expectMigrated(dataDir, served.said);
  });
});

describe("a database of a build before 1.0", () => {
  const commands = [...LOOKING, ...MAKING, ["migrate", "--status"], ["serve", "--port", "0"]];
  test.each(commands.map((words) => [words]))("is refused by %p: exit 3, and nothing is changed", async (command) => {
    const dataDir = await earlierData();
    const names = () => readdirSync(dataDir).filter((name) => name !== "serve.lock");
    const [before, there] = [readFileSync(join(dataDir, "captable.db")), names()];
    const ended = await runCommand([...command, "--data-dir", dataDir]);
    const why = "captable: This file was made by a build before 1.0. Export it with that build as OCF.\n";
    expect([ended.status, ended.stdout, ended.stderr]).toEqual([3, "", why]);
    expect(readFileSync(join(dataDir, "captable.db")).equals(before)).toBe(true);
    expect(names()).toEqual(there);
  });
});

function expectMigrated(dataDir: string, said: string): void {
  const [file = ""] = readdirSync(join(dataDir, "backups"));
  const [, from, to, backup] =
    /migrated the database from (\S+) to (\S+); the backup from before is (\S+)/.exec(said) ?? [];
  expect([from, to, backup]).toEqual(["0001_foundation", "0002_next", join(dataDir, "backups", file)]);
}
