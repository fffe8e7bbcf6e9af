// U: a start that is killed while it migrates, at every write, flush and read: the next one completes, nothing that was
// there is lost, and the backup made before the migration is whole or not there at all.
import { afterAll, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { knownMigrations } from "../../src/storage/database/migrate.ts";
import { runCommand } from "../kit/command.ts";
import { NEXT_VERSION, newDataDir, PROGRAM } from "../kit/program.ts";
import { proved } from "../kit/proof.ts";
import { RELEASE } from "../kit/release.ts";
import { canTrace, copyOf, eachOf, failing, runUnder } from "./support/serve.ts";

const NAMES = knownMigrations();
let count = 0;

afterAll(() => {
  const what = "kills during a first start and during an upgrade, at every write, flush and read";
  proved({ fault: "U2", what, count, seed: "-", result: "every next start completed; 0 rows lost" });
});

/** What is done: a first start by this version, or an upgrade of what it left by the next one. */
interface Start {
  readonly program: readonly string[];
  readonly migrations: readonly string[];
  readonly organizations: readonly string[];
}

const FIRST: Start = { program: PROGRAM, migrations: NAMES, organizations: [] };
const UPGRADE: Start = {
  program: NEXT_VERSION,
  migrations: [...NAMES, "0002_next"],
  organizations: ["Kept, Inc."],
};

/** A data directory as this version left it, with an organization in it. */
async function makeOldDirectory(): Promise<string> {
  const dataDir = newDataDir();
  expect((await runCommand(["org", "create", "--name", "Kept, Inc.", "--data-dir", dataDir])).status).toBe(0);
  return dataDir;
}

/** Runs `migrate` and kills it at the call; returns whether it lived to its end. */
async function migrateKilled(dataDir: string, { program }: Start, calls: string, when: number): Promise<boolean> {
  const fault = { calls, fault: "signal=SIGKILL", when: String(when) };
  const ended = await runUnder(failing(dataDir, fault), ["migrate", "--data-dir", dataDir], program);
  expect([ended.status, ended.signal]).toEqual(ended.status === 0 ? [0, null] : [null, "SIGKILL"]);
  return ended.status === 0;
}

/** The next start completes what was cut short. */
async function expectComplete(dataDir: string, { program, migrations, organizations }: Start): Promise<void> {
  const next = await runUnder([], ["migrate", "--data-dir", dataDir], program);
  expect([next.status, next.stderr]).toEqual([0, ""]);
  const status = await runUnder([], ["migrate", "--status", "--json", "--data-dir", dataDir], program);
  const states = JSON.parse(status.stdout).migrations as { name: string; appliedAt: string | null }[];
  expect(states.map(({ name, appliedAt }) => [name, appliedAt !== null])).toEqual(
    migrations.map((name) => [name, true]),
  );
  const verified = await runUnder([], ["verify", "--json", "--data-dir", dataDir], program);
  expect(verified.status).toBe(0);
  const found = JSON.parse(verified.stdout).organizations as { legalName: string }[];
  expect(found.map(({ legalName }) => legalName)).toEqual([...organizations]);
}

/** Each backup under its final name restores, by the version that one goes back to. */
async function expectWholeBackups(dataDir: string): Promise<number> {
  const folder = join(dataDir, "backups");
  const files = existsSync(folder) ? readdirSync(folder).filter((name) => !name.startsWith(".")) : [];
  for (const name of files) {
    const into = newDataDir();
    const restored = await runCommand(["restore", join(folder, name), "--data-dir", into, "--json"]);
    expect([name, restored.status]).toEqual([name, 0]);
    expect(JSON.parse(restored.stdout).organizations[0].legalName).toBe("Kept, Inc.");
  }
  return files.length;
}

/** Kills at the first call, the second and so on until a run lives, or in a quick run at a few. */
async function killEverywhere(
  template: string,
  start: Start,
  calls: string,
  { quick, step = 1 }: { readonly quick: readonly number[]; readonly step?: number },
): Promise<void> {
  const isUpgrade = start === UPGRADE;
  const points = RELEASE ? Array.from({ length: 1000 }, (_, index) => 1 + index * step) : quick;
  let isDone = false;
  await eachOf(points, async (when) => {
    if (isDone) return;
    const { dataDir, remove } = copyOf(template);
    if (await migrateKilled(dataDir, start, calls, when)) isDone = true;
    else {
      if (isUpgrade) await expectWholeBackups(dataDir);
      await expectComplete(dataDir, start);
      if (isUpgrade) expect(await expectWholeBackups(dataDir)).toBeGreaterThan(0);
      count++;
    }
    remove();
  });
  expect(isDone).toBe(RELEASE);
}

test.skipIf(!canTrace).each<[string, number[]]>([
  ["pwrite64", [2, 90]],
  ["fsync,fdatasync", [2]],
])(
  "a first start killed in %s is completed by the next",
  async (calls, quick) => {
    const empty = newDataDir();
    mkdirSync(empty, { mode: 0o700 });
    await killEverywhere(empty, FIRST, calls, { quick });
  },
  3_600_000,
);

test.skipIf(!canTrace).each<[string, number[], number]>([
  ["pwrite64", [3], 1],
  ["fsync,fdatasync", [2], 1],
  ["pread64", [60], 6],
])(
  "an upgrade killed in %s is completed by the next, and its backup is whole",
  async (calls, quick, step) => {
    await killEverywhere(await makeOldDirectory(), UPGRADE, calls, { quick, step });
  },
  3_600_000,
);
