// `bun run check`: format, lint, types, the house rules and the quick tests, in under a minute. What a commit must pass.
const QUICK_TESTS = [
  "test/tidy.test.ts",
  "test/kernel",
  "test/ledger",
  "test/database",
  "test/http",
  "test/vesting",
  "test/sim",
];

const STEPS: readonly (readonly [name: string, command: readonly string[]])[] = [
  ["format and lint", ["biome", "check", "--error-on-warnings", "."]],
  ["types", ["tsc", "--noEmit"]],
  ["quick tests", [process.execPath, "test", "--parallel=2", "--timeout=60000", "--only-failures", ...QUICK_TESTS]],
];

for (const [name, command] of STEPS) {
  const started = performance.now();
  const [program = "", ...rest] = command;
  const path = program.includes("/") ? program : `node_modules/.bin/${program}`;
  const run = Bun.spawnSync([path, ...rest], { stdout: "pipe", stderr: "pipe" });
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  process.stdout.write(`${run.success ? "ok  " : "FAIL"} ${name} (${seconds} s)\n`);
  if (run.success) continue;
  process.stdout.write(run.stdout.toString() + run.stderr.toString());
  process.exit(1);
}
