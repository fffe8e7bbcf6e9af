// Backups that restore: taken under load, checked, private, and never a second mint.
import { beforeAll, describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { restoreBackup } from "../../../src/safekeeping/backup/restore.ts";
import { runCommand } from "../../kit/command.ts";
import { newDataDir, PROGRAM, runProgram, type Served, serveProgram } from "../../kit/program.ts";
import { RELEASE } from "../../kit/release.ts";
import { call, issue, makeHolder, securityIds } from "./support.ts";

const ROUNDS = RELEASE ? 100 : 4;
const quiet = { isForced: false, nowMs: 1_800_000_000_000, onStage: () => undefined };

/** A data directory with a few securities, its server stopped, and a backup of it. */
let source: string;
let backup: string;

beforeAll(async () => {
  source = newDataDir();
  const served = await serveProgram(source);
  const ids = await makeHolder(served);
  for (let number = 1; number <= 3; number++) await issue(served, ids, number);
  await served.end("SIGTERM");
  backup = join(dirname(source), "b.captable");
  expect((await runCommand(["backup", "--data-dir", source, "--out", backup])).status).toBe(0);
}, 60_000);

test(`${ROUNDS} backups under write load all restore, verify, and hold every write acknowledged before`, async () => {
  const dataDir = newDataDir();
  const served = await serveProgram(dataDir);
  const ids = await makeHolder(served);
  const acknowledged: string[] = [];
  let isWriting = true;
  let number = 0;
  const failures: number[] = [];
  const writer = async () => {
    while (isWriting) {
      const id = await issue(served, ids, ++number);
      if (id === null) failures.push(number);
      else acknowledged.push(id);
      await Bun.sleep(40);
    }
  };
  const writers = [writer(), writer()];
  for (let round = 0; round < ROUNDS; round++) {
    const before = [...acknowledged];
    const out = join(dirname(dataDir), `${round}.captable`);
    // A process of its own: the clients of this one go on writing meanwhile.
    const made = await runProgram(["backup", "--data-dir", dataDir, "--out", out, "--json"]);
    expect([made.status, made.stderr]).toEqual([0, ""]);
    const into = newDataDir();
    const restored = await restoreBackup(out, into, quiet);
    expect(restored.organizations).toEqual(JSON.parse(made.stdout).organizations);
    const found = securityIds(into);
    expect(before.filter((id) => !found.has(id))).toEqual([]);
  }
  isWriting = false;
  await Promise.all(writers);
  expect(failures).toEqual([]);
  expect(acknowledged.length).toBeGreaterThan(ROUNDS);
  await served.end("SIGTERM");
}, 600_000);

describe("a backup", () => {
  test("says its SHA-256 and the ledger's head, and only its owner can read it", async () => {
    const out = join(dirname(source), "again.captable");
    const made = await runCommand(["backup", "--data-dir", source, "--out", out, "--json"]);
    const report = JSON.parse(made.stdout);
    expect(report.sha256).toBe(createHash("sha256").update(readFileSync(out)).digest("hex"));
    const verified = JSON.parse((await runCommand(["verify", "--data-dir", source, "--json"])).stdout);
    expect(report.organizations).toEqual(verified.organizations);
    expect(report.organizations[0].head.sequence).toBeGreaterThanOrEqual(3);
    expect(statSync(out).mode & 0o777).toBe(0o600);
    expect(readdirSync(dirname(source)).filter((name) => name.startsWith("."))).toEqual([]);
  });

  test("is a tar archive, and holds no key and no seed", () => {
    const listed = Bun.spawnSync(["tar", "tf", backup]).stdout.toString().trim().split("\n");
    expect(listed.slice(0, 2)).toEqual(["manifest.json", "captable.db"]);
    const bytes = readFileSync(backup);
    const secrets = ["admin.key", "chain-operator.key", "wallet-seed"].map((name) => join(source, name));
    for (const file of secrets.filter((path) => existsSync(path))) {
      const secret = readFileSync(file, "utf8").trim();
      expect(secret.length).toBeGreaterThan(20);
      expect(bytes.includes(secret)).toBe(false);
    }
  });

  test.each([
    ["of no database", () => ["--data-dir", newDataDir(), "--out", "/tmp/never"], 3],
    ["into a folder that is not there", () => ["--data-dir", source, "--out", "/nowhere/b"], 2],
    ["onto a folder", () => ["--data-dir", source, "--out", source], 2],
  ])("%s is refused with its status and leaves nothing behind", async (_case, args, status) => {
    const ended = await runCommand(["backup", ...args()]);
    expect([ended.status, ended.stdout]).toEqual([status, ""]);
    expect(ended.stderr).toStartWith("captable: ");
  });

  test("of damaged data is refused with status 4, and the older backup stays as it was", async () => {
    const dir = newDataDir();
    await restoreBackup(backup, dir, quiet);
    const out = join(dirname(dir), "kept.captable");
    await runCommand(["backup", "--data-dir", dir, "--out", out]);
    const kept = readFileSync(out);
    const file = join(dir, "captable.db");
    const bytes = readFileSync(file);
    bytes.write("Eva", bytes.indexOf("X-2"), "ascii");
    writeFileSync(file, bytes);
    const ended = await runCommand(["backup", "--data-dir", dir, "--out", out]);
    expect([ended.status, ended.stdout]).toEqual([4, ""]);
    expect(readFileSync(out).equals(kept)).toBe(true);
  });
});

describe("restore", () => {
  test("into a directory in use is refused; with --force what was there is kept aside", async () => {
    const dir = newDataDir();
    expect((await runCommand(["org", "create", "--name", "Other", "--data-dir", dir])).status).toBe(0);
    const refused = await runCommand(["restore", backup, "--data-dir", dir]);
    expect([refused.status, refused.stdout]).toEqual([3, ""]);
    expect(refused.stderr).toContain("--force");
    const forced = JSON.parse((await runCommand(["restore", backup, "--data-dir", dir, "--force", "--json"])).stdout);
    expect(securityIds(dir).size).toBe(3);
    const kept = JSON.parse((await runCommand(["org", "list", "--data-dir", forced.keptAside, "--json"])).stdout);
    expect(kept.items[0].legalName).toBe("Other");
  }, 60_000);

  test("where a server runs is refused with status 3", async () => {
    const dir = newDataDir();
    const served = await serveProgram(dir);
    const refused = await runCommand(["restore", backup, "--data-dir", dir, "--force"]);
    expect([refused.status, refused.stdout]).toEqual([3, ""]);
    expect((await call(served, "GET", "/organization")).status).toBe(200);
    expect(await served.end("SIGTERM")).toBe(0);
  }, 60_000);

  test("says which key files it lacks", async () => {
    const report = await restoreBackup(backup, newDataDir(), quiet);
    const beside = ["chain-operator.key", "wallet-seed", "signing.key"].filter((name) =>
      existsSync(join(source, name)),
    );
    expect(report.missingKeyFiles).toEqual(beside);
    const dir = newDataDir();
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    for (const name of beside) copyFileSync(join(source, name), join(dir, name));
    expect((await restoreBackup(backup, dir, quiet)).missingKeyFiles).toEqual([]);
  });

  test.each([
    ["a byte of the ledger is changed", (bytes: Buffer) => void bytes.write("Eva", bytes.indexOf("X-2"), "ascii")],
    ["the manifest is changed", changeDigit],
    ["its end is missing", (bytes: Buffer) => bytes.subarray(0, bytes.length / 2)],
    ["it is empty", () => Buffer.alloc(0)],
    ["it is something else", () => Buffer.from("PK\u0003\u0004".padEnd(2000, "x"))],
  ])("of a file is refused with status 4 when %s, and nothing is changed", async (_case, damage) => {
    const file = join(dirname(newDataDir()), "damaged.captable");
    const bytes = readFileSync(backup);
    writeFileSync(file, damage(bytes) ?? bytes);
    const dir = newDataDir();
    const ended = await runCommand(["restore", file, "--data-dir", dir]);
    expect([ended.status, ended.stdout]).toEqual([4, ""]);
    expect(readdirSync(dir).filter((name) => name !== "serve.lock")).toEqual([]);
  });

  test("killed at any moment leaves the old data, or what it says how to repair", async () => {
    const dir = newDataDir();
    await restoreBackup(backup, dir, quiet);
    const random = [5, 20, 60, 90, 120, 150, 180, 220, 260, 300].slice(0, RELEASE ? 10 : 5);
    for (const afterMs of random) {
      const child = Bun.spawn([...PROGRAM, "restore", backup, "--data-dir", dir, "--force"], {
        stdout: "ignore",
        stderr: "ignore",
      });
      await Bun.sleep(afterMs);
      child.kill("SIGKILL");
      await child.exited;
      const verified = await runCommand(["verify", "--data-dir", dir]);
      if (existsSync(join(dir, "restore-unfinished"))) {
        const refused = await runCommand(["org", "list", "--data-dir", dir]);
        expect([refused.status, refused.stderr]).toEqual([3, expect.stringContaining("broken off")]);
        expect((await runCommand(["restore", backup, "--data-dir", dir, "--force"])).status).toBe(0);
      } else expect([verified.status, verified.stderr]).toEqual([0, ""]);
      expect(securityIds(dir).size).toBe(3);
    }
  }, 60_000);
});

test("a restored instance never mints twice, also when the chain is ahead of the restored ledger", async () => {
  const dataDir = newDataDir();
  const served = await serveProgram(dataDir);
  const ids = await makeHolder(served);
  const early = join(dirname(dataDir), "early.captable");
  const token = (from: Served) => call(from, "GET", `/share-classes/${ids.shareClass}/token`);
  for (let number = 1; number <= 5; number++) await issue(served, ids, number);
  expect((await runCommand(["backup", "--data-dir", dataDir, "--out", early])).status).toBe(0);
  await settled(() => token(served), "50");
  await served.end("SIGTERM");

  const into = newDataDir();
  mkdirSync(into, { recursive: true, mode: 0o700 });
  for (const name of ["chain-operator.key", "wallet-seed"]) copyFileSync(join(dataDir, name), join(into, name));
  await restoreBackup(early, into, quiet);
  copyFileSync(join(dataDir, "chain.db"), join(into, "chain.db"));
  const key = served.key;
  const restored = { ...(await serveProgram(into)), key };
  const answer = await settled(() => token(restored), "50");
  expect(answer.json).toMatchObject({ totalSupply: "50", ledgerTotal: "50", failedOperations: 0 });
  await restored.end("SIGTERM");
}, 60_000);

/** Changes the first digit of the first checksum. */
function changeDigit(bytes: Buffer): void {
  const at = bytes.indexOf('"sha256": "') + 11;
  bytes.write(bytes[at] === "f".charCodeAt(0) ? "e" : "f", at);
}

/** Waits until the token says that everything is minted. */
async function settled(ask: () => ReturnType<typeof call>, total: string) {
  for (let tries = 0; tries < 200; tries++) {
    const answer = await ask();
    if (answer.json.totalSupply === total && answer.json.pendingOperations === 0) return answer;
    await Bun.sleep(100);
  }
  throw new Error(`not settled: ${JSON.stringify((await ask()).json)}`);
}
