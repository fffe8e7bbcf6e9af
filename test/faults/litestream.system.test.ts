// Continuous copies by Litestream: the service and Litestream are both killed while clients write, and what Litestream
// restores each time is verified, contains a checkpoint from before, and lacks at most the last second.
import { afterAll, afterEach, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { generateX25519Identity, identityToRecipient } from "age-encryption";
import { runCommand } from "../kit/command.ts";
import { LITESTREAM } from "../kit/litestream.ts";
import { newDataDir, runProgram, type Served, serveProgram } from "../kit/program.ts";
import { proved } from "../kit/proof.ts";
import { RELEASE } from "../kit/release.ts";
import { hasSwift, startSwift } from "../kit/swift.ts";
import { issue, makeHolder, securityIds } from "../safekeeping/backup/support.ts";

const hasLitestream = LITESTREAM !== null;
const ROUNDS = RELEASE ? 200 : 3;
/** With a control at the end of each. Each in a data directory of its own, so that looking at everything after each kill stays quick. */
const LIVES = RELEASE ? 8 : 1;
const CLIENTS = 4;
const PAUSE_MS = 20;
const NAME = "Hidden Harbour Holdings";
/** What may be lost: in a release run, alone on a machine, the last second; elsewhere no time is relied on. */
const LOST_MS_MAX = RELEASE ? 1000 : Number.POSITIVE_INFINITY;
let rounds = 0;
let mostLostMs = 0;
let writes = 0;
/** Ends what a test started, also one that failed. */
const stops: (() => unknown)[] = [];

afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});
afterAll(() => {
  proved({
    fault: "Litestream",
    what: "kills of both under load, each restored and verified",
    count: rounds,
    seed: "-",
    result: `${writes} writes; at most the last ${Math.ceil(mostLostMs)} ms lost, 0 checkpoints contradicted`,
  });
});

interface Acknowledged {
  readonly id: string;
  readonly atMs: number;
}

/** Litestream with the printed configuration, to a folder instead of a bucket. */
async function configure(folder: string, dataDir: string): Promise<{ config: string; copies: string }> {
  const identity = await generateX25519Identity();
  const printed = (await runCommand(["print", "litestream", "--config"])).stdout;
  const copies = join(folder, "copies");
  const replica = `- type: file\n        path: ${copies}\n`;
  const changed = printed
    .replace("/var/lib/captable", dataDir)
    .replace(/- type: s3\n[\s\S]*?(?=\n {8}sync-interval)/, replica.trimEnd())
    .replace("AGE1-PUBLIC-KEY", await identityToRecipient(identity));
  expect(changed).not.toMatch(/BUCKET|type: s3/);
  const config = join(folder, "litestream.yml");
  writeFileSync(config, changed, { mode: 0o600 });
  // Who restores has the secret key, which the server's configuration lacks.
  const opening = changed.replace("        age:\n", `        age:\n          identities:\n            - ${identity}\n`);
  writeFileSync(openingOf(config), opening, { mode: 0o600 });
  return { config, copies };
}

const openingOf = (config: string) => config.replace(/\.yml$/, "-opening.yml");

function replicate(config: string, env: Record<string, string | undefined> = process.env): Bun.Subprocess {
  const words = ["replicate", "-config", config];
  const child = Bun.spawn([LITESTREAM ?? "", ...words], { env, stdout: "ignore", stderr: "ignore" });
  stops.push(() => child.kill("SIGKILL"));
  return child;
}

/** Restores what is copied into a new data directory; null where nothing is there yet. */
async function restored(
  config: string,
  dataDir: string,
  env: Record<string, string | undefined> = process.env,
): Promise<string | null> {
  const into = newDataDir();
  mkdirSync(into, { mode: 0o700 });
  const words = [
    "restore",
    "-config",
    openingOf(config),
    "-o",
    join(into, "captable.db"),
    join(dataDir, "captable.db"),
  ];
  const child = Bun.spawn([LITESTREAM ?? "", ...words], { env, stdout: "ignore", stderr: "ignore" });
  return (await child.exited) === 0 ? into : null;
}

/**
 * Whether a security is in what is copied. For some 50 ms after its start Litestream has a copy of the file alone, without
 * the writes that go with it: what is restored then is no whole database, which the docs tell, and `verify` too.
 */
async function isCopied(config: string, dataDir: string, id: string): Promise<boolean> {
  const now = await restored(config, dataDir);
  if (now === null) return false;
  try {
    return (await runCommand(["verify", "--data-dir", now])).status === 0 && securityIds(now).has(id);
  } finally {
    rmSync(dirname(now), { recursive: true });
  }
}

/** Writes with several clients until it is ended. */
function load(
  served: Served,
  ids: { holder: string; shareClass: string },
  acknowledged: Acknowledged[],
  next: () => number,
) {
  let isWriting = true;
  const client = async () => {
    while (isWriting) {
      const id = await issue(served, ids, next()).catch(() => null);
      if (id !== null) acknowledged.push({ id, atMs: performance.now() });
      // Who writes without a pause leaves Litestream waiting for the database's lock: the docs tell.
      await Bun.sleep(PAUSE_MS);
    }
  };
  const clients = Promise.all(Array.from({ length: CLIENTS }, client));
  const end = async () => {
    isWriting = false;
    await clients;
  };
  stops.push(end);
  return {
    async until(count: number) {
      while (acknowledged.length < count) await Bun.sleep(5);
    },
    end,
  };
}

async function live(count: number): Promise<void> {
  const dataDir = newDataDir();
  const folder = dirname(dataDir);
  const { config, copies } = await configure(folder, dataDir);
  let ids: { holder: string; shareClass: string } | null = null;
  let number = 0;
  const acknowledged: Acknowledged[] = [];
  for (let round = 0; round < count; round++) {
    const served = await serveProgram(dataDir);
    stops.push(() => served.end("SIGKILL"));
    if (ids === null) {
      ids = await makeHolder(served);
      await fetch(`${served.url}/api/v1/organization`, {
        method: "PATCH",
        headers: { authorization: `Bearer ${served.key}`, "content-type": "application/json" },
        body: JSON.stringify({ legalName: NAME }),
      });
    }
    const litestream = replicate(config);
    const clients = load(served, ids, acknowledged, () => ++number);
    await clients.until(acknowledged.length + 20);
    const note = join(folder, `${round}.checkpoint`);
    const checkpoint = await runCommand(["checkpoint", "--data-dir", dataDir]);
    expect(checkpoint.status).toBe(0);
    writeFileSync(note, checkpoint.stdout);
    const copied = [...acknowledged];
    const last = copied.at(-1)?.id ?? "";
    while (!(await isCopied(config, dataDir, last))) await Bun.sleep(50);
    // The control: what a copy lacks has to be seen, and a checkpoint of it contradicted.
    const isControl = round === count - 1;
    if (isControl) litestream.kill("SIGSTOP");
    await clients.until(acknowledged.length + 20 + Math.floor(Math.random() * 60));
    // In turn: Litestream first, the service first.
    const killedMs = performance.now();
    if (round % 2 === 0) litestream.kill("SIGKILL");
    await served.end("SIGKILL");
    litestream.kill("SIGKILL");
    await Promise.all([litestream.exited, clients.end()]);

    const into = await restored(config, dataDir);
    expect(into).not.toBeNull();
    if (into === null) return;
    const verified = await runCommand(["verify", "--data-dir", into]);
    expect({ round, status: verified.status, said: verified.stdout }).toMatchObject({ round, status: 0 });
    const contained = await runCommand(["verify", "--data-dir", into, "--against", note]);
    expect({ round, status: contained.status, said: contained.stdout }).toMatchObject({ round, status: 0 });
    const found = securityIds(into);
    expect(copied.filter(({ id }) => !found.has(id))).toEqual([]);
    const lost = acknowledged.filter(({ id }) => !found.has(id));
    if (isControl) {
      expect(lost.length).toBeGreaterThanOrEqual(20);
      writeFileSync(note, (await runCommand(["checkpoint", "--data-dir", dataDir])).stdout);
      expect((await runCommand(["verify", "--data-dir", into, "--against", note])).status).toBe(4);
      rmSync(dirname(into), { recursive: true });
      continue;
    }
    const lostMs = lost.reduce((most, { atMs }) => Math.max(most, killedMs - atMs), 0);
    expect(lostMs).toBeLessThanOrEqual(LOST_MS_MAX);
    mostLostMs = Math.max(mostLostMs, lostMs);
    rmSync(dirname(into), { recursive: true });
    rounds++;
  }
  writes += acknowledged.length;
  expect(everyByteOf(copies)).not.toContain(NAME);
  // The data that was killed so often is whole, backs up with the two tables in it, and restores.
  expect((await runCommand(["verify", "--data-dir", dataDir])).status).toBe(0);
  const out = join(folder, "b.captable");
  expect((await runProgram(["backup", "--data-dir", dataDir, "--out", out])).status).toBe(0);
  const again = newDataDir();
  expect((await runProgram(["restore", out, "--data-dir", again])).status).toBe(0);
  expect((await runCommand(["verify", "--data-dir", again])).status).toBe(0);
  expect((await runProgram(["restore", out, "--data-dir", dataDir, "--force"])).status).toBe(0);
  expect((await runCommand(["verify", "--data-dir", dataDir])).status).toBe(0);
  rmSync(folder, { recursive: true });
}

function everyByteOf(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1"))
    .join("");
}

describe.skipIf(!hasLitestream)("Litestream", () => {
  test(`copies what was acknowledged, through ${ROUNDS} kills of both`, async () => {
    for (let life = 0; life < LIVES; life++) await live(ROUNDS / LIVES + 1);
    expect(rounds).toBe(ROUNDS);
  }, 7_200_000);

  test.skipIf(!hasSwift)(
    "copies to a bucket by the printed configuration, and nothing is open there",
    async () => {
      const swift = await startSwift();
      try {
        const dataDir = newDataDir();
        const folder = dirname(dataDir);
        const identity = await generateX25519Identity();
        expect((await runProgram(["org", "create", "--name", NAME, "--data-dir", dataDir])).status).toBe(0);
        const printed = (await runCommand(["print", "litestream", "--config"])).stdout;
        const filled = printed
          .replace("/var/lib/captable", dataDir)
          .replace("bucket: BUCKET", `bucket: ${swift.bucket}`)
          .replace(/endpoint: .*/, `endpoint: ${swift.url}`)
          .replace("AGE1-PUBLIC-KEY", await identityToRecipient(identity));
        const config = join(folder, "litestream.yml");
        writeFileSync(config, filled);
        const opening = filled.replace(
          "        age:\n",
          `        age:\n          identities:\n            - ${identity}\n`,
        );
        writeFileSync(openingOf(config), opening, { mode: 0o600 });
        const env = { ...process.env, LITESTREAM_ACCESS_KEY_ID: swift.id, LITESTREAM_SECRET_ACCESS_KEY: swift.secret };
        const litestream = replicate(config, env);
        let into = await restored(config, dataDir, env);
        for (; into === null; into = await restored(config, dataDir, env)) await Bun.sleep(100);
        litestream.kill("SIGKILL");
        await litestream.exited;
        expect((await runCommand(["verify", "--data-dir", into])).status).toBe(0);
        expect((await runCommand(["org", "list", "--data-dir", into])).stdout).toContain(NAME);
        expect(everyByteOf(swift.stored)).not.toContain(NAME);
        // The way of the docs: what is restored goes through a backup.
        const out = join(folder, "copied.captable");
        expect((await runProgram(["backup", "--data-dir", into, "--out", out])).status).toBe(0);
        const again = newDataDir();
        expect((await runProgram(["restore", out, "--data-dir", again])).status).toBe(0);
        expect((await runCommand(["verify", "--data-dir", again])).status).toBe(0);
      } finally {
        await swift.stop();
      }
    },
    300_000,
  );

  test("reads the printed configuration", async () => {
    const folder = dirname(newDataDir());
    const config = join(folder, "litestream.yml");
    const printed = (await runCommand(["print", "litestream", "--config"])).stdout;
    const list = (text: string) => {
      writeFileSync(config, text);
      const ended = Bun.spawnSync([LITESTREAM ?? "", "databases", "-config", config]);
      return [ended.exitCode, ended.stdout.toString()];
    };
    const recipient = await identityToRecipient(await generateX25519Identity());
    const filled = printed.replace("AGE1-PUBLIC-KEY", recipient);
    expect(list(filled)).toEqual([0, expect.stringMatching(/captable\.db +s3/)]);
    // Nothing is copied open because the key was forgotten.
    expect(list(printed)).toEqual([1, expect.stringContaining("malformed recipient")]);
    expect(existsSync("/var/lib/captable/.captable.db-litestream")).toBe(false);
  });
});
