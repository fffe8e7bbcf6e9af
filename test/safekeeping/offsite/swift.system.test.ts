// Copies in OpenStack Swift, by its S3 interface: every size, odd names, many objects, processes killed in the middle, and
// a machine that has nothing but the bucket and the keys.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { createHash, randomBytes } from "node:crypto";
import { closeSync, openSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync, writeSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { generateX25519Identity, identityToRecipient } from "age-encryption";
import { scheduledName } from "../../../src/safekeeping/backup/scheduled-names.ts";
import { Bucket } from "../../../src/safekeeping/offsite/bucket.ts";
import { listCopies, pushCopy, verifyCopy } from "../../../src/safekeeping/offsite/copies.ts";
import { OffsiteError } from "../../../src/safekeeping/offsite/offsite-errors.ts";
import { AS_IT_SHIPS, newDataDir, PROGRAM, programEnvironment, runProgram } from "../../kit/program.ts";
import { proved } from "../../kit/proof.ts";
import { RELEASE } from "../../kit/release.ts";
import { hasSwift, type Swift, startSwift } from "../../kit/swift.ts";

setDefaultTimeout(RELEASE ? 3_600_000 : 300_000);
const NAME = "Hidden Harbour Holdings";
const MAGIC = Buffer.from("age-encryption.org/v1\n");
const MB = 1024 * 1024;
const SIZES = RELEASE
  ? [0, 1, 8 * MB - 23, 8 * MB - 22, 8 * MB, 50 * MB, 300 * MB, 1024 * MB]
  : [0, 8 * MB - 22, 20 * MB];
const OBJECTS = RELEASE ? 1200 : 60;
const KILLS = RELEASE ? 100 : 4;
const START_MS = Date.parse("2026-11-01T02:00:00.000Z");
const quiet = { keep: 100_000, nowMs: START_MS + 3_650 * 86_400_000, onStage: () => undefined };

let swift: Swift;
let folder: string;
let keyFile: string;

beforeAll(async () => {
  if (!hasSwift) return;
  folder = dirname(newDataDir());
  swift = await startSwift();
  keyFile = privateFile("bucket.key", `${swift.id}\n${swift.secret}\n`);
});
afterAll(async () => {
  if (!hasSwift) return;
  await swift.stop();
  rmSync(folder, { recursive: true, force: true });
});

function privateFile(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text, { mode: 0o600 });
  return path;
}

const opened = (prefix: string, more: object = {}) =>
  Bucket.open({ ...swift, endpoint: swift.url, prefix, style: "path", keyFile, ...more });
const settings = (prefix: string): Record<string, string> => ({
  ...AS_IT_SHIPS,
  CAPTABLE_OFFSITE_BUCKET: swift.bucket,
  CAPTABLE_OFFSITE_ENDPOINT: swift.url,
  CAPTABLE_OFFSITE_REGION: swift.region,
  CAPTABLE_OFFSITE_KEY_FILE: keyFile,
  CAPTABLE_OFFSITE_PREFIX: prefix,
});

/** A file that looks encrypted; what follows the first line cannot be compressed or guessed. */
function fileOf(name: string, bytes: number): string {
  const path = join(folder, name);
  const file = openSync(path, "w");
  writeSync(file, MAGIC);
  for (let left = bytes; left > 0; left -= MB) writeSync(file, randomBytes(Math.min(MB, left)));
  closeSync(file);
  return path;
}

describe.skipIf(!hasSwift)("OpenStack Swift", () => {
  test.each(SIZES)("keeps a copy of %d bytes and the first line, in little memory", async (bytes) => {
    const file = fileOf(`size-${bytes}.age`, bytes);
    const args = ["offsite", "push", file, "--data-dir", join(folder, "none"), "--json"];
    const child = Bun.spawn([...PROGRAM, ...args], { env: programEnvironment(settings("sizes/")), stdout: "pipe" });
    const { mark } = JSON.parse(await new Response(child.stdout).text());
    expect(await child.exited).toBe(0);
    const mostMb = (child.resourceUsage()?.maxRSS ?? 0) / MB;
    if (RELEASE) process.stdout.write(`${Math.round(bytes / MB)} MB up and read back: ${Math.round(mostMb)} MB\n`);
    if (RELEASE) expect(mostMb).toBeLessThan(160);
    const sha256 = createHash("sha256");
    for await (const piece of Bun.file(file).stream()) sha256.update(piece);
    expect([mark.bytes, mark.sha256]).toEqual([bytes + MAGIC.length, sha256.digest("hex")]);
    expect(await verifyCopy(opened("sizes/"), basename(file), quiet.onStage)).toEqual(mark);
    rmSync(file);
  });

  test("keeps an object of no bytes", async () => {
    const bucket = opened("empty/");
    await bucket.put("nothing", []);
    expect(await bucket.list()).toEqual([{ name: "nothing", bytes: 0 }]);
    expect(await bucket.readText("nothing", 10)).toBe("");
    await bucket.remove("nothing");
    expect(await bucket.list()).toEqual([]);
    expect(await bucket.readText("nothing", 10)).toBeNull();
  });

  test("keeps odd names", async () => {
    const bucket = opened("odd/");
    const names = ["a b+c%2F?&#'\"<x>é.age", "..age", "ü".repeat(100), "x.sha256.age", "%20", "=~*()[]{}|^`$,;:@!"];
    for (const name of names) await pushCopy(bucket, fileOf(name, 10), quiet);
    const listed = await listCopies(bucket);
    expect(listed.map(({ name }) => name)).toEqual([...names].sort());
    for (const { name, mark } of listed) expect(await verifyCopy(bucket, name, quiet.onStage)).toEqual(mark as never);
  });

  test(`lists ${OBJECTS} objects, and removes the oldest copies`, async () => {
    const bucket = opened("many/");
    const names = Array.from({ length: OBJECTS / 2 }, (_, day) => scheduledName(START_MS + day * 86_400_000, true));
    const put = async (name: string) => {
      await bucket.put(name, [MAGIC]);
      await bucket.put(`${name}.sha256`, [Buffer.from("{}")]);
    };
    for (let at = 0; at < names.length; at += 20) await Promise.all(names.slice(at, at + 20).map(put));
    expect((await bucket.list()).length).toBe(OBJECTS);
    const pushed = await pushCopy(bucket, fileOf(scheduledName(START_MS + 1e6 * 86_400, true), 10), {
      ...quiet,
      keep: 5,
    });
    expect(pushed.removed).toEqual(names.slice(0, pushed.removed.length));
    const left = (await bucket.list()).map(({ name }) => name).filter((name) => !name.endsWith(".sha256"));
    expect(left.length).toBe(5);
  });

  test("refuses another key, and another secret", async () => {
    for (const key of [`${swift.id}\nwrong`, `test:other\n${swift.secret}`]) {
      const file = privateFile("wrong.key", key);
      const failure = await opened("odd/", { keyFile: file }).list().catch(String);
      expect(failure).toContain("SignatureDoesNotMatch");
    }
  });

  test(`has whole copies alone marked, through ${KILLS} kills, and a bare machine restores from it`, async () => {
    const prefix = "killed/";
    const dataDir = newDataDir();
    expect((await runProgram(["org", "create", "--name", NAME, "--data-dir", dataDir])).status).toBe(0);
    const identity = await generateX25519Identity();
    const identityFile = privateFile("identity.txt", identity);
    const recipient = await identityToRecipient(identity);
    const bucket = opened(prefix);
    let killed = 0;
    let whole = 0;
    // One that was done before its kill does not count.
    for (let round = 0; killed < KILLS; round++) {
      const file = fileOf(scheduledName(START_MS + round * 3_600_000, true), 20 * MB);
      const args = ["offsite", "push", file, "--data-dir", join(folder, "none")];
      const env = programEnvironment({ ...settings(prefix), CAPTABLE_OFFSITE_KEEP: "3" });
      const child = Bun.spawn([...PROGRAM, ...args], { env, stdout: "ignore", stderr: "ignore" });
      // Spread over what a push does: sending, reading back, marking, removing.
      const ended = await Promise.race([child.exited, Bun.sleep((round * 37) % 1000)]);
      if (ended === undefined) {
        child.kill("SIGKILL");
        if ((await child.exited) === 137) killed++;
      }
      for (const { name, mark } of await listCopies(bucket)) {
        if (mark === null) continue;
        const found = await verifyCopy(bucket, name, quiet.onStage).catch((failure: unknown) => failure);
        if (found instanceof OffsiteError) {
          // The server carries out the removal of an old copy that the killed process still asked for: mark first.
          expect(await bucket.readText(`${name}.sha256`, 4096)).toBeNull();
          continue;
        }
        expect(found).toEqual(mark);
        whole++;
      }
      rmSync(file);
    }
    const last = join(folder, scheduledName(START_MS + 600 * 3_600_000, true));
    const backup = ["backup", "--data-dir", dataDir, "--out", last, "--recipient", recipient];
    expect((await runProgram(backup)).status).toBe(0);
    const pushed = await runProgram(["offsite", "push", last, "--data-dir", dataDir], settings(prefix));
    expect([pushed.status, pushed.stderr]).toEqual([0, ""]);
    const bare = newDataDir();
    const restore = ["restore", "s3:latest", "--data-dir", bare, "--identity-file", identityFile];
    const restored = await runProgram(restore, settings(prefix));
    expect([restored.status, restored.stdout.includes(NAME)]).toEqual([0, true]);
    expect((await runProgram(["verify", "--data-dir", bare])).status).toBe(0);
    expect(filesIn(swift.stored).filter((path) => readFileSync(path).includes(NAME))).toEqual([]);
    // The control: what is looked for would be found.
    await opened("open/").put("open", [Buffer.from(`a file that names ${NAME}`)]);
    expect(filesIn(swift.stored).filter((path) => readFileSync(path).includes(NAME)).length).toBeGreaterThan(0);
    proved({
      fault: "off-site",
      what: "kills of a process that copies to a bucket",
      count: killed,
      seed: "-",
      result: `${whole} marked copies read back, each whole; restored from the bucket alone`,
    });
  });
});

function filesIn(path: string): string[] {
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => statSync(file).size < 100 * MB);
}
