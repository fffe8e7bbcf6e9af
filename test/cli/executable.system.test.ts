// The executable as it is built: nothing of the folder in which it is started has a say in what it does, and nothing of
// the environment that is the runtime's own (docs/security.md).
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build, ownTarget } from "../../.ci/build.ts";
import { PROGRAM, programEnvironment, runProgram } from "../kit/program.ts";

setDefaultTimeout(120_000);

const base = mkdtempSync(join(tmpdir(), "captable-executable-"));
/** `bun run test` has built it already. */
const built = process.env.TEST_PROGRAM;
const [executable, careless] = [built ?? join(base, "captable"), join(base, "careless")];
/** A folder with what Bun reads of one, and a trap that leaves a file behind where it is loaded. */
const trapped = join(base, "trapped");
const SPRUNG = "sprung";
const cannotBuild = await buildBoth();

/** Why the executables cannot be built here, or null: the one that is shipped, and one without the precautions. */
async function buildBoth(): Promise<string | null> {
  try {
    if (built === undefined) await build(ownTarget(), executable);
    await build(ownTarget(), careless, {});
    return null;
  } catch (error) {
    return String(error);
  }
}

beforeAll(() => {
  if (cannotBuild !== null) process.stdout.write(`not tested, as nothing can be built here: ${cannotBuild}\n`);
  const trap = "require('node:fs').writeFileSync(__dirname + '/sprung', '')";
  for (const [name, text] of Object.entries({
    "trap.ts": trap,
    ".env": "CAPTABLE_PORT=trap",
    "bunfig.toml": 'preload = ["./trap.ts"]',
    "tsconfig.json": JSON.stringify({ compilerOptions: { paths: { "*": ["./trap.ts"] } } }),
    "package.json": JSON.stringify({ name: "trap", imports: { "*": "./trap.ts" } }),
  })) {
    Bun.spawnSync(["mkdir", "-p", trapped]);
    writeFileSync(join(trapped, name), text);
  }
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

/** Runs a command that asks for the port in the trapped folder. */
function runTrapped(program: string, environment: Record<string, string> = {}) {
  rmSync(join(trapped, SPRUNG), { force: true });
  const env = { PATH: process.env.PATH ?? "", TMPDIR: base, ...environment };
  const { exitCode, stderr } = Bun.spawnSync([program, "healthcheck", "--host", "127.0.0.1"], { cwd: trapped, env });
  return { status: exitCode, said: stderr.toString(), isSprung: existsSync(join(trapped, SPRUNG)) };
}

describe.skipIf(cannotBuild !== null)("the folder that the executable is started in", () => {
  test("has no say: neither .env nor bunfig.toml is read", () => {
    // Nothing listens there; what matters is that the port is the environment's.
    const { status, said, isSprung } = runTrapped(executable, { CAPTABLE_PORT: "1" });
    expect([status, said, isSprung]).toEqual([1, "captable: nothing answers at http://127.0.0.1:1/readyz\n", false]);
    expect(runTrapped(executable).said).not.toContain("CAPTABLE_PORT");
  });

  test("would have one without the precautions: this test sees it", () => {
    const { status, said, isSprung } = runTrapped(careless);
    expect([status, isSprung]).toEqual([2, true]);
    expect(said).toContain('CAPTABLE_PORT is "trap"');
  });
});

describe("BUN_OPTIONS", () => {
  const programs = [["from its sources", PROGRAM], ...(cannotBuild === null ? [["as built", [executable]]] : [])] as [
    string,
    readonly string[],
  ][];
  test.each(programs)("stops the program %s before it opens anything", (_name, program) => {
    const dataDir = mkdtempSync(join(base, "data-"));
    for (const command of [["org", "list", "--data-dir", dataDir], ["serve", "--data-dir", dataDir], ["version"]]) {
      const env = programEnvironment({ BUN_OPTIONS: "--smol" });
      const { exitCode, stdout, stderr } = Bun.spawnSync([...program, ...command], { env });
      expect([exitCode, stdout.toString()]).toEqual([2, ""]);
      expect(stderr.toString()).toMatch(/^captable: BUN_OPTIONS is set: .*\n$/);
    }
    expect(readdirSync(dataDir)).toEqual([]);
  });

  test("that are empty change nothing, and stop nothing", async () => {
    expect((await runProgram(["version"], { BUN_OPTIONS: "" })).status).toBe(0);
  });

  test.each([[[]], [["--template"]]])("and BUN_BE_BUN are cleared by the sample unit %p", async (more) => {
    const unit = (await runProgram(["print", "systemd", ...more])).stdout;
    expect(unit).toContain("\nUnsetEnvironment=BUN_OPTIONS BUN_BE_BUN\n");
  });
});
