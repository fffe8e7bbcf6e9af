// `bun run test`, `test:system` and `test:all`: runs a tier of tests (.ci/tiers.ts), three files at a time, those first
// that took longest last time, or usually do (.ci/heavy.ts). Where a chosen test starts the program, it is built once: it
// then starts five times as fast as from its sources. It ends with a line for each suite of seeds or repetitions, what was
// skipped for want of which tool, and which tiers did not run.
//   bun run test                      the tier `test`
//   bun run test:system --shard 1/4   a quarter of the tier `system`
//   bun run test:all                  both; a file of both runs once, at the size of `system`
//   bun run test test/cli             all tests below a path, whatever their tier
// Other flags are handed on to `bun test`.
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from "node:fs";
import { freemem, tmpdir } from "node:os";
import { join } from "node:path";
import { build, ownTarget } from "./build.ts";
import { FOR_TESTS } from "./for-tests.ts";
import { countSkips, inWords } from "./skips.ts";
import {
  CACHE,
  filesOf,
  isTier,
  readShard,
  readTimings,
  shardOf,
  startsProgram,
  TIERS,
  TIMINGS,
  type Tier,
  testFiles,
} from "./tiers.ts";

const ROOT = join(import.meta.dir, "..");
/** What the suites managed, collected by `test/kit/proof.ts`. */
const MANAGED = join(CACHE, `managed-${process.pid}.txt`);
const WIDTH_MAX = 160;
/** Linux's disk in memory, and how much of both must be free: a run leaves half a gigabyte there until its end. */
const MEMORY = "/dev/shm";
const ROOM_BYTES = 4 * 2 ** 30;
/** Twice what the processes of a run take if they give no memory back. */
const KEPT_BYTES = 10 * 2 ** 30;

/** What to run: tiers, or files below paths; a shard of it; and flags for `bun test`. */
interface Asked {
  readonly tiers: readonly Tier[];
  readonly paths: readonly string[];
  readonly shard: string | null;
  readonly flags: readonly string[];
}

function readAsked(args: readonly string[]): Asked {
  const paths: string[] = [];
  const flags: string[] = [];
  let tiers: readonly Tier[] = ["test"];
  let shard: string | null = null;
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? "";
    const [name, value] = arg.split("=");
    if (name === "--tier" || name === "--shard") {
      const given = value ?? args[++at] ?? "";
      if (name === "--shard") shard = given;
      else if (given === "all") tiers = TIERS;
      else if (isTier(given)) tiers = [given];
      else throw new Error(`--tier takes ${TIERS.join(", ")} or all, not ${given}`);
    } else if (arg === "-t") flags.push(arg, args[++at] ?? "");
    else if (arg.startsWith("-")) flags.push(arg);
    else paths.push(arg);
  }
  return { tiers, paths, shard, flags };
}

/** Where this checkout's program was built to; null where it cannot be built for this machine, and starts from its sources. */
async function builtProgram(): Promise<string | null> {
  const outfile = join(CACHE, `captable-${process.pid}`);
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

/** What makes tests cheaper; memory is kept only where there is room for what three of them keep. */
function environmentForTests(): Readonly<Record<string, string>> {
  const { MIMALLOC_PURGE_DELAY: _kept, ...always } = FOR_TESTS;
  return freemem() < KEPT_BYTES ? always : FOR_TESTS;
}

/** Prints what the suites managed, a line each. */
function tellManaged(): void {
  const lines = readFileSync(MANAGED, "utf8").split("\n").sort();
  for (const line of lines.filter((each) => each !== "")) process.stdout.write(`${line.slice(0, WIDTH_MAX)}\n`);
}

/** The files of one pass, and the tier in which they run; null where paths were named. */
interface Pass {
  readonly tier: Tier | null;
  readonly files: readonly string[];
}

/** The files of a tier; a file that two of the tiers would run goes to the later one, where it has its larger size. */
function filesAlone(tier: Tier, tiers: readonly Tier[]): string[] {
  const later = new Set(tiers.slice(tiers.indexOf(tier) + 1).flatMap((other) => filesOf(other)));
  return filesOf(tier).filter((file) => !later.has(file));
}

function passesOf({ tiers, paths, shard }: Asked): readonly Pass[] {
  const timings = readTimings();
  const cut = (files: readonly string[]) => (shard === null ? files : shardOf(files, readShard(shard), timings));
  if (paths.length === 0) return tiers.map((tier) => ({ tier, files: cut(filesAlone(tier, tiers)) }));
  const below = testFiles().filter((file) => paths.some((path) => file.includes(path.replace(/^\.\//, ""))));
  return [{ tier: null, files: cut(below) }];
}

const asked = readAsked(process.argv.slice(2));
mkdirSync(CACHE, { recursive: true });
writeFileSync(TIMINGS, JSON.stringify({ version: 1, files: readTimings() }));
const passes = passesOf(asked).filter(({ files }) => files.length > 0);
if (passes.length === 0) throw new Error(`there is no test file below ${asked.paths.join(", ")}`);
writeFileSync(MANAGED, "");
const program = passes.some(({ tier, files }) => tier !== "test" && files.some(startsProgram))
  ? await builtProgram()
  : null;
// All temporary files of tests lie in here and are removed at the end, also those of a test that was ended. Some tests
// run the program as another user, who needs access.
const temporary = mkdtempSync(join(quickFolder(), "captable-tests-"));
chmodSync(temporary, 0o1777);

/** Runs a pass; returns the exit status of `bun test` and what it skipped, by tool. */
async function run({ tier, files }: Pass): Promise<{ readonly status: number; readonly skips: Map<string, number> }> {
  const report = join(CACHE, `report-${process.pid}.xml`);
  // Files are independent, and loading the whole program anew for each takes a third of the time: hence no isolation.
  const parallel = ["--parallel=3", "--no-isolate", `--timings=${TIMINGS}`, "--update-timings"];
  const said = ["--timeout=60000", "--only-failures", "--reporter=junit", `--reporter-outfile=${report}`];
  const tests = Bun.spawn(
    [process.execPath, "test", ...parallel, ...said, ...asked.flags, ...files.map((file) => `./${file}`)],
    {
      cwd: ROOT,
      env: {
        ...process.env,
        ...environmentForTests(),
        TMPDIR: temporary,
        TEST_MANAGED: MANAGED,
        ...(tier !== null && { TEST_TIER: tier }),
        ...(program !== null && { TEST_PROGRAM: program }),
      },
      stdio: ["inherit", "inherit", "inherit"],
    },
  );
  // A signal to this process ends the tests, and their temporary files are removed even so.
  const end = (signal: NodeJS.Signals) => tests.kill(signal);
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, end);
  const status = await tests.exited;
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.off(signal, end);
  const skips = existsSync(report) ? countSkips(readFileSync(report, "utf8")) : new Map<string, number>();
  rmSync(report, { force: true });
  return { status, skips };
}

const skipped = new Map<string, number>();
for (const pass of passes) {
  const started = performance.now();
  const { status, skips } = await run(pass);
  for (const [tool, count] of skips) skipped.set(tool, (skipped.get(tool) ?? 0) + count);
  if (status !== 0) process.exitCode = status;
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  process.stdout.write(`${pass.tier ?? asked.paths.join(" ")}: ${pass.files.length} files in ${seconds} s\n`);
}
rmSync(temporary, { recursive: true, force: true });
tellManaged();
rmSync(MANAGED);
if (program !== null) rmSync(program);
if (skipped.size > 0) process.stdout.write(`${inWords(skipped)}\n`);
const ran = new Set(passes.map(({ tier }) => tier));
const left = [...TIERS.filter((tier) => !ran.has(tier)), "release"].map((tier) =>
  tier === "test" ? tier : `test:${tier}`,
);
process.stdout.write(
  `not run: ${left.join(", ")}${asked.shard === null ? "" : `; of what ran, shard ${asked.shard} alone`}\n`,
);
