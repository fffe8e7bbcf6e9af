// `bun run test`: builds the program once, which then starts five times as fast as from its sources, and runs the tests
// with it, two files at a time. Arguments are handed on: `bun run test test/cli`.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { build, ownTarget } from "./build.ts";

const ROOT = join(import.meta.dir, "..");
const FOLDER = join(ROOT, "node_modules/.cache/captable");

/** Where this checkout's program was built to; null where it cannot be built for this machine, and starts from its sources. */
async function builtProgram(): Promise<string | null> {
  const outfile = join(FOLDER, `captable-${process.pid}`);
  try {
    mkdirSync(FOLDER, { recursive: true });
    await build(ownTarget(), outfile);
    return outfile;
  } catch (error) {
    process.stdout.write(`the program was not built, and starts from its sources: ${error}\n`);
    return null;
  }
}

const program = await builtProgram();
const tests = Bun.spawn(
  [process.execPath, "test", "--parallel=2", "--timeout=60000", "--only-failures", ...process.argv.slice(2)],
  {
    cwd: ROOT,
    env: program === null ? process.env : { ...process.env, TEST_PROGRAM: program },
    stdio: ["inherit", "inherit", "inherit"],
  },
);
process.exitCode = await tests.exited;
if (program !== null) await Bun.file(program).delete();
