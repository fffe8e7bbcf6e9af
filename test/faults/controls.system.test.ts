// Whether the tests of faults would see a loss: what they all ask at their end (support/company.ts) is asked of programs
// and data that have lost something, or kept what they refused.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import Database from "better-sqlite3";
import { canChange, worsened } from "../kit/program.ts";
import { expectSound, makeTemplate, type Template, type Written, write } from "./support/company.ts";
import { copyOf, serveUnder } from "./support/serve.ts";

setDefaultTimeout(300_000);

let template: Template;
beforeAll(async () => {
  template = await makeTemplate();
});
afterAll(() => template.remove());

/** What `expectSound` says of a data directory; null where it says nothing. */
async function complaint(dataDir: string, written: Written): Promise<string | null> {
  return await expectSound(dataDir, template.keys[0], written).then(() => null, String);
}

async function writeMany(dataDir: string, program?: readonly string[]): Promise<Written> {
  const written: Written = { acknowledged: [], refused: [] };
  const running = await serveUnder([], dataDir, template.keys[0], program);
  for (let count = 0; count < 30; count++) await write(running, written, `w-${count}`);
  await running.end();
  expect(written.acknowledged).toHaveLength(30);
  return written;
}

test("a sound data directory has nothing to complain about", async () => {
  const { dataDir, remove } = copyOf(template.dataDir);
  expect(await complaint(dataDir, await writeMany(dataDir))).toBeNull();
  remove();
});

describe("complained of is", () => {
  test.skipIf(!canChange)("a program that answers before a write is kept", async () => {
    const { dataDir, remove } = copyOf(template.dataDir);
    expect(await complaint(dataDir, await writeMany(dataDir, worsened("forgetful.ts")))).toContain("w-");
    remove();
  });

  test("a write that was refused and kept all the same", async () => {
    const { dataDir, remove } = copyOf(template.dataDir);
    const written = await writeMany(dataDir);
    written.refused.push(written.acknowledged[3] ?? "");
    expect(await complaint(dataDir, written)).toContain("w-3");
    remove();
  });

  test("a holding that no entry explains", async () => {
    const { dataDir, remove } = copyOf(template.dataDir);
    const db = new Database(join(dataDir, "captable.db"));
    db.prepare("update securities set quantity = quantity || '0' where status = 'ACTIVE'").run();
    db.close();
    expect(await complaint(dataDir, { acknowledged: [], refused: [] })).not.toBeNull();
    remove();
  });
});
