// F5: the disk is full, at every write, for a moment and for ever: writes are refused with 503, reads go on, and once
// there is room writes are taken again without a restart. No backup file is ever half there.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { readdirSync, readFileSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runCommand } from "../kit/command.ts";
import { proved } from "../kit/proof.ts";
import { RELEASE } from "../kit/release.ts";
import { expectReads, expectSound, makeTemplate, type Template, type Written, write } from "./support/company.ts";
import {
  canTrace,
  copyOf,
  eachOf,
  failing,
  mountSmallDisk,
  type Running,
  runUnder,
  serveUnder,
} from "./support/serve.ts";

const MIB = 1024 * 1024;
const WRITES = 30;
let template: Template;
const canMount = mountable();
let cases = 0;

beforeAll(async () => {
  template = await makeTemplate();
}, 300_000);
afterAll(() => {
  template.remove();
  const what = "full disks: at a write, file-size limits, small disks; in backup, checkpoint and migration";
  proved({ fault: "F5", what, count: cases, seed: "-", result: "0 acknowledged writes lost, 0 half backups" });
});

/** The numbers `from` to `to`, or in a quick run a few of them. */
function some(from: number, to: number, ...quick: number[]): number[] {
  return RELEASE ? Array.from({ length: to - from + 1 }, (_, index) => from + index) : quick;
}

/** Writes until one is refused; then reads must go on, and later writes be refused or taken as `isForEver` says. */
async function writeThrough(running: Running, written: Written, isForEver: boolean): Promise<void> {
  let isFull = false;
  for (let count = 0; count < WRITES; count++) {
    const status = await write(running, written, `w-${count}`);
    if (status === 503 && !isFull) await expectReads(running);
    if (isFull && isForEver) expect(status).toBe(503);
    isFull ||= status === 503;
  }
  if (isForEver) expect(isFull).toBe(true);
  else expect([written.refused.length <= 1, written.acknowledged.at(-1)]).toEqual([true, `w-${WRITES - 1}`]);
}

test.skipIf(!canTrace)(
  "at any write, once or for ever",
  async () => {
    const once = some(1, 60, 3, 40).map((nth) => ({ nth, isForEver: false }));
    const forEver = some(1, 60, 17, 60).map((nth) => ({ nth, isForEver: true }));
    let refused = 0;
    await eachOf([...once, ...forEver], async ({ nth, isForEver }) => {
      const { dataDir, remove } = copyOf(template.dataDir);
      const when = isForEver ? `${nth}+` : `${nth}`;
      const under = failing(dataDir, { calls: "pwrite64", fault: "error=ENOSPC", when });
      const running = await serveUnder(under, dataDir, template.keys[0]);
      const written: Written = { acknowledged: [], refused: [] };
      await writeThrough(running, written, isForEver);
      if (!isForEver) refused += written.refused.length;
      const { status, stderr } = await running.end();
      expect([nth, when, status, stderr]).toEqual([nth, when, isForEver ? expect.any(Number) : 0, stderr]);
      await expectSound(dataDir, template.keys[0], written);
      remove();
      cases++;
    });
    // A disk that is full once must be met at least once.
    expect(refused).toBeGreaterThan(0);
  },
  900_000,
);

test.skipIf(!canTrace)(
  "while a checkpoint moves pages into the database: no client notices, and a later one does it",
  async () => {
    await eachOf(some(1, 6, 2), async (nth) => {
      const { dataDir, remove } = copyOf(template.dataDir);
      const fault = { calls: "pwrite64", fault: "error=ENOSPC", when: `${nth}..40`, files: ["captable.db"] };
      const running = await serveUnder(failing(dataDir, fault), dataDir, template.keys[0]);
      const written: Written = { acknowledged: [], refused: [] };
      const [document] = JSON.parse((await running.call("GET", "/documents"))?.text ?? "").items as { id: string }[];
      for (let count = 0; count < 4; count++) {
        const content = new Uint8Array(3 * MIB).fill(count + 65);
        expect((await running.call("PUT", `/documents/${document?.id}/content`, content))?.status).toBe(200);
        expect(await write(running, written, `w-${count}`)).toBe(201);
        await expectReads(running);
      }
      await running.end();
      await expectSound(dataDir, template.keys[0], written);
      remove();
      cases++;
    });
  },
  300_000,
);

test("beyond a file-size limit, which is then lifted", async () => {
  const used = 1.2 * MIB;
  await eachOf(some(1, 20, 7), async (step) => {
    const { dataDir, remove } = copyOf(template.dataDir);
    const limit = Math.floor(used + step * 40_961);
    const running = await serveUnder(["prlimit", `--fsize=${limit}:unlimited`], dataDir, template.keys[0]);
    const written = await fillAndFree(running, () =>
      Bun.spawnSync(["prlimit", "--pid", String(running.pid), "--fsize=unlimited:unlimited"]),
    );
    expect(readdirSync(dataDir).filter((name) => name.endsWith("-probe"))).toEqual([]);
    await expectSound(dataDir, template.keys[0], written);
    remove();
    cases++;
  });
}, 300_000);

/** Writes until the disk is full, frees it, and writes again. */
async function fillAndFree(running: Running, free: () => void): Promise<Written> {
  const written: Written = { acknowledged: [], refused: [] };
  let isFull = false;
  for (let count = 0; !isFull && count < 3000; count++) {
    isFull = (await write(running, written, `fill-${count}`, 1900)) === 503;
  }
  expect(isFull).toBe(true);
  await expectReads(running);
  free();
  await Bun.sleep(1100);
  expect((await running.call("GET", "/readyz"))?.status).toBe(200);
  for (let count = 0; count < 5; count++) expect(await write(running, written, `freed-${count}`, 1900)).toBe(201);
  expect((await running.end()).status).toBe(0);
  return written;
}

test.skipIf(!canMount)(
  "of its own, from 2 to 8 MB",
  async () => {
    const sizes = RELEASE ? Array.from({ length: 13 }, (_, index) => 2 + index / 2) : [2.5];
    await eachOf(sizes, async (size) => {
      const disk = mountSmallDisk(size * MIB);
      if (disk === null) throw new Error("no disk");
      try {
        const dataDir = join(disk.path, "data");
        Bun.spawnSync(["cp", "-r", template.dataDir, dataDir]);
        const ballast = join(disk.path, "ballast");
        const { bavail, bsize } = statfsSync(disk.path);
        writeFileSync(ballast, new Uint8Array(Math.floor(bavail * bsize * 0.6)));
        const running = await serveUnder([], dataDir, template.keys[0]);
        const written = await fillAndFree(running, () => rmSync(ballast));
        disk.resize(32 * MIB);
        await expectSound(dataDir, template.keys[0], written);
        cases++;
      } finally {
        disk.unmount();
      }
    });
  },
  300_000,
);

test.skipIf(!canMount)(
  "during a backup: the older one stays, and nothing is left over",
  async () => {
    const { dataDir, remove } = copyOf(template.dataDir);
    await eachOf(some(1, 20, 2, 11), async (step) => {
      const disk = mountSmallDisk(64 * MIB);
      if (disk === null) throw new Error("no disk");
      try {
        const out = join(disk.path, "b.captable");
        expect((await runCommand(["backup", "--data-dir", dataDir, "--out", out])).status).toBe(0);
        const older = readFileSync(out);
        disk.resize(older.length + Math.floor(step * 0.09 * older.length));
        const cut = await runCommand(["backup", "--data-dir", dataDir, "--out", out]);
        expect([step, cut.status, cut.stdout]).toEqual([step, 1, ""]);
        expect(cut.stderr).toMatch(/^captable: .*(full|space)/);
        expect(readdirSync(disk.path)).toEqual(["b.captable"]);
        expect(readFileSync(out).equals(older)).toBe(true);
        disk.resize(64 * MIB);
        expect((await runCommand(["backup", "--data-dir", dataDir, "--out", out])).status).toBe(0);
        cases++;
      } finally {
        disk.unmount();
      }
    });
    remove();
  },
  300_000,
);

test.skipIf(!canTrace)(
  "during the first start and its migrations: a line says so, and the next start completes",
  async () => {
    await eachOf(
      some(1, 21, 1, 60).map((step) => (RELEASE ? step * 5 : step)),
      async (nth) => {
        const { dataDir, remove } = copyOf(template.dataDir);
        rmSync(dataDir, { recursive: true });
        const under = failing(dataDir, { calls: "pwrite64", fault: "error=ENOSPC", when: `${nth}+` });
        const cut = await runUnder(under, ["org", "create", "--name", "First", "--data-dir", dataDir]);
        expect([nth, cut.status, cut.stdout]).toEqual([nth, 1, ""]);
        expect(cut.stderr).toMatch(/^captable: [^\n]*(full|cannot be written)[^\n]*\n$/);
        expect((await runCommand(["migrate", "--data-dir", dataDir])).status).toBe(0);
        expect((await runCommand(["verify", "--data-dir", dataDir])).status).toBe(0);
        remove();
        cases++;
      },
    );
  },
  300_000,
);

function mountable(): boolean {
  const disk = mountSmallDisk(MIB);
  disk?.unmount();
  return disk !== null;
}
