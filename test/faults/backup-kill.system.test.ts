// B4: kill -9 in a backup and in a restore, at every kind of call that changes a disk: no half backup ever stands under
// the final name, the data that was there is still somewhere, whole, and the next attempt works.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { runCommand } from "../kit/command.ts";
import { newDataDir } from "../kit/program.ts";
import { proved } from "../kit/proof.ts";
import { RELEASE } from "../kit/release.ts";
import { makeTemplate, type Template } from "./support/company.ts";
import { canTrace, copyOf, type End, eachOf, runUnder } from "./support/serve.ts";

type Calls = readonly (readonly [calls: string, upTo: number])[];

/** The calls at which a backup is killed, and how many of each one of its threads may make. */
const OF_BACKUP: Calls = [
  ["rename", 4],
  ["fsync", 8],
  ["mkdir", 1],
  ["unlink,unlinkat,rmdir", 3],
  ["pwrite64", 34],
];
/** The same of a restore, whose work is spread over more threads. */
const OF_RESTORE: Calls = [
  ["rename", 2],
  ["fsync", 5],
  ["mkdir", 4],
  ["unlink,unlinkat,rmdir", 9],
  ["pwrite64", 20],
  ["write", 10],
];
let template: Template;
let backup: string;
let count = 0;

beforeAll(async () => {
  template = await makeTemplate();
  backup = join(dirname(newDataDir()), "b.captable");
  expect(await statusOf("backup", "--data-dir", template.dataDir, "--out", backup)).toBe(0);
}, 300_000);
afterAll(() => {
  template.remove();
  proved({
    fault: "B4",
    what: "kills in backups and restores",
    count,
    seed: "-",
    result: "0 half backups, 0 data lost",
  });
});

/** Every point of a list, or in a quick run some. */
const pointsOf = (list: Calls) =>
  list
    .flatMap(([calls, upTo]) => Array.from({ length: upTo }, (_, index) => ({ calls, when: index + 1 })))
    .filter(({ calls, when }) => RELEASE || (calls === "rename" && when === 1) || (calls !== "mkdir" && when === 3));
const backups = pointsOf(OF_BACKUP);
const restores = pointsOf(OF_RESTORE);

async function runKilled(calls: string, when: number, args: readonly string[]): Promise<End> {
  const inject = `inject=${calls}:signal=SIGKILL:when=${when}`;
  return await runUnder(["strace", "-D", "-f", "-qqq", "-o", "/dev/null", "-e", `trace=${calls}`, "-e", inject], args);
}

async function statusOf(...args: string[]): Promise<number | null> {
  return (await runCommand(args)).status;
}

test.skipIf(!canTrace)(
  `a backup killed at ${backups.length} places leaves the older one or a whole new one`,
  async () => {
    const before = count;
    await eachOf(backups, async ({ calls, when }) => {
      const { dataDir, remove } = copyOf(template.dataDir);
      const out = join(dirname(dataDir), "b.captable");
      expect(await statusOf("backup", "--data-dir", dataDir, "--out", out)).toBe(0);
      const older = readFileSync(out);
      expect(await statusOf("org", "create", "--name", "Since then", "--data-dir", dataDir)).toBe(0);
      const { signal } = await runKilled(calls, when, ["backup", "--data-dir", dataDir, "--out", out]);
      if (!readFileSync(out).equals(older)) {
        expect(await statusOf("restore", out, "--data-dir", newDataDir())).toBe(0);
      }
      expect(await statusOf("verify", "--data-dir", dataDir)).toBe(0);
      expect(await statusOf("backup", "--data-dir", dataDir, "--out", out)).toBe(0);
      expect(await statusOf("restore", out, "--data-dir", newDataDir())).toBe(0);
      remove();
      if (signal !== null) count++;
    });
    expect(count - before).toBeGreaterThan(backups.length / 2);
  },
  900_000,
);

/** The ledgers in a data directory: in their place, and kept aside by restores. */
async function names(dataDir: string): Promise<string[]> {
  const aside = readdirSync(dataDir).filter((name) => name.startsWith("before-restore-"));
  const folders = [dataDir, ...aside.map((name) => join(dataDir, name))];
  const lists: string[] = [];
  for (const folder of folders.filter((path) => existsSync(join(path, "captable.db")))) {
    const listed = await runCommand(["org", "list", "--json", "--data-dir", folder]);
    if (listed.status !== 0) continue;
    const { items } = JSON.parse(listed.stdout) as { items: { legalName: string }[] };
    lists.push(items.map(({ legalName }) => legalName).join());
  }
  return lists;
}

test.skipIf(!canTrace)(
  `a restore killed at ${restores.length} places leaves the old data in its place or aside, and says what to do`,
  async () => {
    const killed: string[] = [];
    const before = copyOf(template.dataDir);
    expect(await statusOf("org", "create", "--name", "Only here", "--data-dir", before.dataDir)).toBe(0);
    await eachOf(restores, async ({ calls, when }) => {
      const { dataDir, remove } = copyOf(before.dataDir);
      const restore = ["restore", backup, "--data-dir", dataDir, "--force"];
      const { signal } = await runKilled(calls, when, restore);
      const next = await runCommand(["verify", "--data-dir", dataDir]);
      const started = await runCommand(["org", "list", "--data-dir", dataDir]);
      if (started.status === 3) expect(started.stderr).toContain("broken off");
      else expect([next.status, started.status]).toEqual([0, 0]);
      expect(await statusOf(...restore)).toBe(0);
      expect(await statusOf("verify", "--data-dir", dataDir)).toBe(0);
      const [inPlace, ...aside] = await names(dataDir);
      expect(inPlace).not.toContain("Only here");
      expect(aside.some((list) => list.includes("Only here"))).toBe(true);
      remove();
      if (signal !== null) killed.push(calls);
    });
    before.remove();
    count += killed.length;
    // Which thread makes a call varies, so that not every one of them comes to its number.
    expect(killed.length).toBeGreaterThan(restores.length / 4);
    if (RELEASE) expect(new Set(killed)).toEqual(new Set(restores.map(({ calls }) => calls)));
  },
  900_000,
);

test("half a backup, and data that is nowhere any more, would be seen", async () => {
  const { dataDir, remove } = copyOf(template.dataDir);
  const whole = readFileSync(backup);
  const half = join(dirname(dataDir), "half.captable");
  for (const bytes of [0, 512, whole.length >> 1, whole.length - 2048]) {
    writeFileSync(half, whole.subarray(0, bytes));
    expect(await statusOf("restore", half, "--data-dir", newDataDir())).toBe(4);
  }
  expect((await names(dataDir)).some((list) => list.includes("Only here"))).toBe(false);
  expect(await statusOf("org", "create", "--name", "Only here", "--data-dir", dataDir)).toBe(0);
  expect((await names(dataDir)).some((list) => list.includes("Only here"))).toBe(true);
  remove();
}, 120_000);
