// `bun run test`: builds the program once, which then starts five times as fast as from its sources, and runs the tests
// with it, three files at a time, those first that took longest last time. It ends with a line for each suite of seeds or
// repetitions. Arguments are handed on: `bun run test test/cli`.
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from "node:fs";
import { freemem, tmpdir } from "node:os";
import { join } from "node:path";
import { build, ownTarget } from "./build.ts";

const ROOT = join(import.meta.dir, "..");
const FOLDER = join(ROOT, "node_modules/.cache/captable");
/** How long each file took. */
const TIMINGS = join(FOLDER, "timings.json");
/** What the suites managed, collected by `test/kit/proof.ts`. */
const MANAGED = join(FOLDER, `managed-${process.pid}.txt`);
const WIDTH_MAX = 160;
/** Linux's disk in memory, and how much of both must be free: a run leaves half a gigabyte there until its end. */
const MEMORY = "/dev/shm";
const ROOM_BYTES = 4 * 2 ** 30;

/** Where this checkout's program was built to; null where it cannot be built for this machine, and starts from its sources. */
async function builtProgram(): Promise<string | null> {
  const outfile = join(FOLDER, `captable-${process.pid}`);
  try {
    await build(ownTarget(), outfile);
    return outfile;
  } catch (error) {
    process.stdout.write(`the program was not built, and starts from its sources: ${error}\n`);
    return null;
  }
}

/**
 * Where temporary files are in memory, which takes a seventh of the work away: nothing waits for a disk. Only where there
 * is room for all of a run, and programs can be loaded from; else where temporary files are.
 */
function quickFolder(): string {
  if (!existsSync(MEMORY)) return tmpdir();
  const { bavail, bsize } = statfsSync(MEMORY);
  if (Math.min(bavail * bsize, freemem()) < ROOM_BYTES) return tmpdir();
  let trial = "";
  try {
    trial = mkdtempSync(join(MEMORY, "captable-trial-"));
    copyFileSync(Bun.which("true") ?? "", join(trial, "true"));
    return Bun.spawnSync([join(trial, "true")]).success ? MEMORY : tmpdir();
  } catch {
    return tmpdir();
  } finally {
    if (trial !== "") rmSync(trial, { recursive: true });
  }
}

/** Prints what the suites managed, a line each. */
async function tellManaged(): Promise<void> {
  const lines = (await Bun.file(MANAGED).text()).split("\n").sort();
  for (const line of lines.filter((each) => each !== "")) process.stdout.write(`${line.slice(0, WIDTH_MAX)}\n`);
}

mkdirSync(FOLDER, { recursive: true });
writeFileSync(MANAGED, "");
const program = await builtProgram();
// All temporary files of tests lie in here and are removed at the end, also those of a test that was ended. Some tests
// run the program as another user, who needs access.
const temporary = mkdtempSync(join(quickFolder(), "captable-tests-"));
chmodSync(temporary, 0o1777);
// Files are independent, and loading the whole program anew for each takes a third of the time: hence no isolation.
const parallel = ["--parallel=3", "--no-isolate", `--timings=${TIMINGS}`, "--update-timings"];
if (!existsSync(TIMINGS)) writeFileSync(TIMINGS, '{ "version": 1, "files": {} }');
const tests = Bun.spawn(
  [process.execPath, "test", ...parallel, "--timeout=60000", "--only-failures", ...process.argv.slice(2)],
  {
    cwd: ROOT,
    env: {
      ...process.env,
      TMPDIR: temporary,
      TEST_MANAGED: MANAGED,
      ...(program !== null && { TEST_PROGRAM: program }),
    },
    stdio: ["inherit", "inherit", "inherit"],
  },
);
// A signal to this process ends the tests, and their temporary files are removed even so.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => tests.kill(signal));
process.exitCode = await tests.exited;
rmSync(temporary, { recursive: true, force: true });
await tellManaged();
await Bun.file(MANAGED).delete();
if (program !== null) await Bun.file(program).delete();
