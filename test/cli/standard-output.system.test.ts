// `--out -`: the bytes of a backup or an export go down a pipe whole, and nothing else does.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { unzipSync } from "fflate";
import { PROGRAM, programEnvironment, runProgram } from "../kit/program.ts";

setDefaultTimeout(120_000);

const SMALL = join(import.meta.dir, "../fixtures/ocf/small");
const base = mkdtempSync(join(tmpdir(), "captable-standard-output-"));
const dataDir = join(base, "data");
beforeAll(async () => expect((await runProgram(["ocf", "import", SMALL, "--data-dir", dataDir])).status).toBe(0));
afterAll(() => rmSync(base, { recursive: true, force: true }));

const COMMANDS = [["backup"], ["ocf", "export"]].map((words) => [words.join(" "), words] as const);

/** What lies in the data directory; of the database's own files, only the main one always does. */
function listOfData(): string[] {
  return readdirSync(dataDir).filter((name) => !/^captable\.db-|^signing/.test(name));
}

async function piped(...args: readonly string[]) {
  const child = Bun.spawn([...PROGRAM, ...args, "--out", "-", "--data-dir", dataDir], {
    env: programEnvironment(),
    stdout: "pipe",
    stderr: "pipe",
  });
  const [bytes, said] = await Promise.all([new Response(child.stdout).bytes(), new Response(child.stderr).text()]);
  return { status: await child.exited, bytes, said };
}

test("backup: what is piped restores, and its SHA-256 is told beside it", async () => {
  const { status, bytes, said } = await piped("backup");
  expect(status).toBe(0);
  expect(said).toContain(`SHA-256 ${new Bun.CryptoHasher("sha256").update(bytes).digest("hex")}`);
  const file = join(base, "piped.captable");
  writeFileSync(file, bytes);
  const restored = join(base, "restored");
  expect((await runProgram(["restore", file, "--data-dir", restored])).status).toBe(0);
  expect((await runProgram(["verify", "--data-dir", restored])).status).toBe(0);
});

test("ocf export: what is piped is the package", async () => {
  const { status, bytes, said } = await piped("ocf", "export");
  expect([status, said]).toEqual([0, expect.stringMatching(/^Wrote .* to standard output \(\d+ bytes\)\.\n$/)]);
  expect(Object.keys(unzipSync(bytes)).length).toBeGreaterThan(5);
});

describe.each(COMMANDS)("%s", (_name, words) => {
  test("tells of it as JSON on standard error where that is asked for, and leaves nothing behind", async () => {
    const before = listOfData();
    const { bytes, said } = await piped(...words, "--json");
    expect(JSON.parse(said)).toMatchObject({ file: "-", bytes: bytes.length });
    expect(listOfData()).toEqual(before);
  });

  test.skipIf(Bun.which("script") === null)(
    "is refused with status 2 on a terminal, where nothing is written",
    async () => {
      const line = [...PROGRAM, ...words, "--out", "-", "--data-dir", dataDir].map((word) => `'${word}'`).join(" ");
      const child = Bun.spawn(["script", "-qec", line, "/dev/null"], {
        env: programEnvironment(),
        stdin: "ignore",
        stdout: "pipe",
        stderr: "pipe",
      });
      const shown = await new Response(child.stdout).text();
      expect([await child.exited, shown]).toEqual([2, expect.stringMatching(/^captable: --out -: .*terminal.*\r\n$/)]);
    },
  );

  test("fails with status 1 if its reader goes away", async () => {
    const line = [...PROGRAM, ...words, "--out", "-", "--data-dir", dataDir].map((word) => `'${word}'`).join(" ");
    const script = `set -o pipefail; { ${line}; echo "ended $?" >&2; } | true`;
    const child = Bun.spawn(["bash", "-c", script], { env: programEnvironment(), stdout: "ignore", stderr: "pipe" });
    const said = await new Response(child.stderr).text();
    await child.exited;
    expect(said).toMatch(/standard output was closed.*\n(?:.*\n)*ended 1\n$/);
  });
});
