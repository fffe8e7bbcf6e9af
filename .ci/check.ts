// `bun run check`: format, lint, types, the house rules, quick tests, changed tests that are quick and a few simulated
// histories, in parallel, in under 20 seconds. Each commit must pass it.
import { join } from "node:path";
import { makeApiTypes } from "./api-types.ts";
import { readTimings, SYSTEM_ENDING, testFiles, tierOf } from "./tiers.ts";

/** What breaks most often and takes little; the rest belongs to `bun run test`. */
const QUICK_TESTS = [
  "test/tidy.test.ts",
  "test/tiers.test.ts",
  "test/kernel",
  "test/ledger",
  "test/storage/database",
  "test/server/http/edge.test.ts",
  "test/server/http/host.test.ts",
  "test/server/http/listen.test.ts",
  "test/server/http/answers/remembered-answers.test.ts",
  "test/server/http/unavailable.test.ts",
  "test/web/prose.test.ts",
  "test/web/serving.test.ts",
  "test/web/units.test.ts",
];
/** A changed test is run where it took less than this in the last `bun run test`. */
const CHANGED_MS_MAX = 3000;

/** Test files of the tier `test` that differ from the last commit, and took little when they last ran. */
function changedTests(): string[] {
  const changed = [
    ["diff", "--name-only", "HEAD"],
    ["ls-files", "--others", "--exclude-standard"],
  ].flatMap((asked) =>
    Bun.spawnSync(["git", ...asked, "--", "test"])
      .stdout.toString()
      .split("\n"),
  );
  const timings = readTimings();
  const isQuick = (file: string) => tierOf(file) === "test" && (timings[file] ?? 0) < CHANGED_MS_MAX;
  return testFiles().filter((file) => changed.includes(file) && isQuick(file));
}

const CACHE = join(import.meta.dir, "../node_modules/.cache/captable");
const remembered = (name: string) => [
  "--noEmit",
  "--incremental",
  "--tsBuildInfoFile",
  join(CACHE, `${name}.tsbuildinfo`),
];

const STEPS: readonly (readonly [name: string, command: readonly string[]])[] = [
  ["format and lint", ["biome", "check", "--error-on-warnings", "."]],
  ["unused files and packages", ["knip", "--include", "files,dependencies,unlisted,unresolved"]],
  ["types", ["tsc", ...remembered("types")]],
  ["types of the pages", ["tsc", "-p", "src/web", ...remembered("pages")]],
  [
    "quick tests",
    [
      process.execPath,
      "test",
      "--parallel=2",
      "--no-isolate",
      "--timeout=60000",
      "--only-failures",
      `--path-ignore-patterns=**/*${SYSTEM_ENDING}`,
      ...QUICK_TESTS,
      ...changedTests(),
    ],
  ],
  ["simulated histories", [process.execPath, "test/sim/run.ts", "--from", "1", "--count", "4"]],
];

/** Runs one step and says how it went, with all that it said where it failed. Returns whether it did well. */
async function run([name, command]: (typeof STEPS)[number]): Promise<boolean> {
  const started = performance.now();
  const [program = "", ...rest] = command;
  const path = program.includes("/") ? program : `node_modules/.bin/${program}`;
  const child = Bun.spawn([path, ...rest], { stdout: "pipe", stderr: "pipe" });
  const [stdout, stderr] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  const isDone = (await child.exited) === 0;
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  process.stdout.write(`${isDone ? "ok  " : "FAIL"} ${name} (${seconds} s)\n${isDone ? "" : stdout + stderr}`);
  return isDone;
}

/** Aims without enforcement: a commit that adds such a function has a reason. */
const AIMS = { useMaxParams: "take more than 4 parameters", noExcessiveLinesPerFunction: "have more than 50 lines" };

/** Prints how many functions go beyond an aim. */
function tellAims(): void {
  const only = Object.keys(AIMS).map((rule) => `--only=complexity/${rule}`);
  const counted = Bun.spawnSync(["node_modules/.bin/biome", "lint", ...only, "--reporter=summary", "src", "cli"]);
  const text = counted.stdout.toString() + counted.stderr.toString();
  const told = Object.entries(AIMS).map(
    ([rule, what]) => `${new RegExp(`${rule} +(\\d+)`).exec(text)?.[1] ?? 0} ${what}`,
  );
  process.stdout.write(`     functions: ${told.join(", ")}\n`);
}

await makeApiTypes();
const results = await Promise.all(STEPS.map(run));
tellAims();
if (results.includes(false)) process.exitCode = 1;
