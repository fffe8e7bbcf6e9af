// Ownership of the data: files that another user owns, or any user can change, are refused with status 3; files that
// root makes in a data directory belongs to that directory's owner. Needs root, who can become another user; skipped
// for others.
import { afterAll, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, chownSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runCommand } from "../kit/command.ts";
import { asNobody, NOBODY, notOf, runAsNobody as runAs } from "../kit/other-user.ts";
import { type Ended, NEXT_VERSION, runProgram, serveProgram } from "../kit/program.ts";

setDefaultTimeout(120_000);

const isRoot = process.geteuid?.() === 0;
if (asNobody === null) process.stdout.write("ownership is not tested in full: that needs root, and setpriv\n");

const base = mkdtempSync(join(tmpdir(), "captable-ownership-"));
chmodSync(base, 0o755);
afterAll(() => rmSync(base, { recursive: true, force: true }));

let count = 0;
let dataDir = "";
beforeEach(() => {
  dataDir = join(base, String(++count), "data");
  mkdirSync(dataDir, { recursive: true, mode: 0o755 });
});

const runAsNobody = (args: readonly string[], environment: Record<string, string> = {}) =>
  runAs(args, base, environment);
const root = (...args: string[]) => runCommand([...args, "--data-dir", dataDir]);
const PACKAGE = join(import.meta.dir, "../fixtures/ocf/small");

/** One of each kind of command that opens a data directory. */
const COMMANDS: readonly (readonly string[])[] = [
  ["serve", "--port", "0"],
  ["org", "list"],
  ["keys", "list"],
  ["migrate", "--status"],
  ["verify"],
  ["backup", "--out", join(base, "b.captable")],
  ["restore", join(PACKAGE, "issuer.json"), "--force"],
  ["ocf", "import", PACKAGE],
  ["ocf", "export", "--out", join(base, "e.zip")],
  ["jobs", "list"],
  ["chain", "status"],
];

function expectRefused({ status, stdout, stderr }: Ended, what: RegExp): void {
  expect([status, stdout]).toEqual([3, ""]);
  expect(stderr).toMatch(/^captable: the [^\n]* cannot be used: [^\n]*\n$/);
  expect(stderr).toMatch(what);
}

describe.skipIf(asNobody === null)("a data directory", () => {
  test.each(COMMANDS)("of another user is refused by %s", async (...command) => {
    await root("org", "create", "--name", "Acme");
    for (const name of readdirSync(dataDir)) chmodSync(join(dataDir, name), 0o666);
    expectRefused(await runAsNobody([...command, "--data-dir", dataDir]), /belongs to user 0, and has mode 755/);
  });

  test("with a database that cannot be written is refused at start, and fine again when it can", async () => {
    chownSync(dataDir, NOBODY, NOBODY);
    expect((await root("org", "create", "--name", "Acme")).status).toBe(0);
    const file = join(dataDir, "captable.db");
    chmodSync(file, 0o444);
    for (const command of [
      ["serve", "--port", "0"],
      ["org", "create", "--name", "Other"],
      ["keys", "create", "--name", "ci", "--role", "VIEWER"],
    ]) {
      const ended = await runAsNobody([...command, "--data-dir", dataDir]);
      expectRefused(ended, /captable\.db.*EACCES.*writable with its content/);
    }
    chmodSync(file, 0o600);
    expect((await runAsNobody(["org", "create", "--name", "Other", "--data-dir", dataDir])).status).toBe(0);
  });

  test("of another user is root's to use", async () => {
    chownSync(dataDir, NOBODY, NOBODY);
    expect((await root("org", "create", "--name", "Acme")).status).toBe(0);
    expect((await runAsNobody(["org", "list", "--data-dir", dataDir])).status).toBe(0);
  });
});

describe.skipIf(!isRoot)("a data directory", () => {
  test.each([0o777, 0o1777, 0o702])("that everybody can write to, mode %o, is refused, to root too", async (mode) => {
    chmodSync(dataDir, mode);
    for (const command of COMMANDS) {
      expectRefused(
        await root(...command),
        RegExp(`everybody can write to it.* user 0, .*mode ${mode.toString(8)}\\.`),
      );
    }
    expect(readdirSync(dataDir)).toEqual([]);
  });

  test.each([0o700, 0o750, 0o755, 0o770])("with mode %o is fine", async (mode) => {
    chmodSync(dataDir, mode);
    expect((await root("org", "create", "--name", "Acme")).status).toBe(0);
  });
});

describe("a key file", () => {
  const NAMES = ["admin.key", "chain-operator.key", "wallet-seed"];

  test.each(NAMES)("%s that its group or any user can write to is refused", async (name) => {
    const file = join(dataDir, name);
    expect((await root("org", "create", "--name", "Acme")).status).toBe(0);
    writeFileSync(file, "");
    for (const [mode, who] of [
      [0o660, "its group"],
      [0o620, "its group"],
      [0o602, "everybody"],
      [0o666, "everybody"],
    ] as const) {
      chmodSync(file, mode);
      const what = RegExp(`key file .*${name} .*${who} can write to it.*has mode ${mode.toString(8)}`);
      expectRefused(await root("org", "list"), what);
      expectRefused(await root("serve", "--port", "0"), what);
    }
    chmodSync(file, 0o600);
    expect((await root("org", "list")).status).toBe(0);
  });

  test.skipIf(asNobody === null).each(NAMES)("%s of another user is refused", async (name) => {
    chownSync(dataDir, NOBODY, NOBODY);
    writeFileSync(join(dataDir, name), "", { mode: 0o600 });
    const what = RegExp(`key file .*${name} .*belongs to user 0, and has mode 600`);
    expectRefused(await runAsNobody(["serve", "--port", "0", "--data-dir", dataDir]), what);
  });

  test.each(["CAPTABLE_CHAIN_KEY_FILE", "CAPTABLE_CHAIN_KEY_PASSWORD_FILE"])("that %s names, too", async (variable) => {
    const [key, password] = [join(dataDir, "..", "key"), join(dataDir, "..", "password")];
    expect((await root("org", "create", "--name", "Acme")).status).toBe(0);
    // A keystore: its password is asked for only when it is one.
    writeFileSync(key, JSON.stringify({ version: 3 }), { mode: 0o600 });
    writeFileSync(password, "x", { mode: 0o600 });
    chmodSync(variable.includes("PASSWORD") ? password : key, 0o660);
    const files = { CAPTABLE_CHAIN_KEY_FILE: key, CAPTABLE_CHAIN_KEY_PASSWORD_FILE: password };
    const environment = { CAPTABLE_CHAIN_RPC_URL: "http://127.0.0.1:9", ...files };
    const ended = await runProgram(["serve", "--port", "0", "--data-dir", dataDir], environment);
    expectRefused(ended, /its group can write to it.*mode 660/);
  });
});

describe("a backup folder", () => {
  test("that everybody can write to is refused: the one that the setting names, and the data directory's own", async () => {
    const folder = join(dataDir, "..", "backups");
    mkdirSync(folder);
    chmodSync(folder, 0o777);
    const ended = await runProgram(["serve", "--port", "0", "--data-dir", dataDir], { CAPTABLE_BACKUP_DIR: folder });
    expectRefused(ended, /the backup folder .*everybody can write to it.*mode 777/);
    mkdirSync(join(dataDir, "backups"));
    chmodSync(join(dataDir, "backups"), 0o777);
    expectRefused(await root("org", "list"), /the backup folder .*everybody/);
  });

  test.skipIf(asNobody === null)("of another user is refused", async () => {
    const folder = join(dataDir, "..", "backups");
    mkdirSync(folder);
    chownSync(dataDir, NOBODY, NOBODY);
    const serve = ["serve", "--port", "0", "--data-dir", dataDir];
    expectRefused(await runAsNobody(serve, { CAPTABLE_BACKUP_DIR: folder }), /backup folder .*belongs to user 0, /);
  });
});

describe.skipIf(asNobody === null)("what root makes in a data directory belongs to the directory's owner:", () => {
  beforeEach(() => chownSync(dataDir, NOBODY, NOBODY));

  test("by serving, with a token, until it is killed", async () => {
    const served = await serveProgram(dataDir, { CAPTABLE_BACKUP_DIR: join(dataDir, "backups") });
    const api = async (method: string, path: string, body?: object) => {
      const headers = { authorization: `Bearer ${served.key}`, "content-type": "application/json" };
      const answer = await fetch(`${served.url}/api/v1${path}`, {
        method,
        headers,
        ...(body && { body: JSON.stringify(body) }),
      });
      // biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of every shape
      return (await answer.json()) as any;
    };
    const stockClass = { name: "C", classType: "COMMON", defaultIdPrefix: "C-", votesPerShare: "1", seniority: 1 };
    const { id } = await api("POST", "/share-classes", { ...stockClass, initialSharesAuthorized: "10" });
    while ((await api("GET", `/share-classes/${id}`)).tokenizationStatus !== "DEPLOYED") await Bun.sleep(50);
    const backups = () => readdirSync(join(dataDir, "backups")).filter((name) => name.endsWith(".captable"));
    while (backups().length === 0) await Bun.sleep(50);
    await served.end("SIGKILL");
    const made = readdirSync(dataDir);
    for (const name of ["captable.db", "captable.db-wal", "captable.db-shm", "chain.db", "chain.db-wal", "serve.lock"])
      expect(made).toContain(name);
    for (const name of ["admin.key", "chain-operator.key", "backups"]) expect(made).toContain(name);
    expect(notOf(NOBODY, dataDir)).toEqual([]);
    expect((await runAsNobody(["verify", "--data-dir", dataDir])).status).toBe(0);
  });

  test("by commands, each of which leaves nothing of root's", async () => {
    const backup = join(dataDir, "mine.captable");
    const commands = [
      ["org", "create", "--name", "Acme"],
      ["ocf", "import", PACKAGE, "--dry-run"],
      ["ocf", "import", PACKAGE],
      ["ocf", "export", "--out", join(dataDir, "export.zip")],
      ["backup", "--out", backup],
      ["restore", backup, "--force"],
      ["keys", "create", "--name", "K", "--role", "VIEWER"],
      ["verify"],
    ];
    for (const command of commands) {
      const ended = await root(...command);
      expect([command[0], ended.status, notOf(NOBODY, dataDir)]).toEqual([command[0], 0, []]);
    }
    expect(readdirSync(dataDir).some((name) => name.startsWith("before-restore-"))).toBe(true);
    expect((await runAsNobody(["ocf", "import", PACKAGE, "--data-dir", dataDir])).status).toBe(0);
  });

  test("by a migration, which makes a backup before it begins", async () => {
    await root("org", "create", "--name", "Acme");
    expect((await runProgram(["migrate", "--data-dir", dataDir], {}, NEXT_VERSION)).status).toBe(0);
    expect(readdirSync(join(dataDir, "backups"))).toHaveLength(1);
    expect(notOf(NOBODY, dataDir)).toEqual([]);
  });

  test("and what it makes elsewhere is root's", async () => {
    await root("org", "create", "--name", "Acme");
    const out = join(dataDir, "..", "b.captable");
    expect((await root("backup", "--out", out)).status).toBe(0);
    expect(lstatSync(out).uid).toBe(0);
  });
});
