// Every test file belongs to one tier (.ci/tiers.ts), by what it starts; and what is skipped says for want of what.
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { Glob } from "bun";
import { HEAVY_SECONDS } from "../.ci/heavy.ts";
import { countSkips, inWords, missingIn, OTHER } from "../.ci/skips.ts";
import {
  atLeastOne,
  filesOf,
  isSized,
  readShard,
  readTimings,
  shardOf,
  startedBy,
  TIERS,
  testFiles,
  tierOf,
} from "../.ci/tiers.ts";

/** What runs in a browser in the tier `test`, where there is one: a tour of every page. */
const TOUR = "test/web/tour.test.ts";

test("a file that starts a process is of the tier `system`, and is called so", () => {
  const wrong = testFiles().filter((file) => tierOf(file) === "test" && file !== TOUR && startedBy(file).length > 0);
  expect(wrong.map((file) => `${file} starts ${startedBy(file).join(", ")}: call it .system.test.ts`)).toEqual([]);
  expect(startedBy(TOUR)).toEqual(["a browser"]);
});

test("every file is run by the tier that its name says, and by `system` once more where it is sized", () => {
  const ran = TIERS.map((tier) => filesOf(tier));
  expect(new Set(ran.flat())).toEqual(new Set(testFiles()));
  const [quick = [], system = []] = ran;
  expect(system.filter((file) => quick.includes(file)).every(isSized)).toBe(true);
});

test("shards together are the whole, and none has twice what another has", () => {
  const files = testFiles();
  const timings = Object.fromEntries(files.map((file, index) => [file, (index % 7) * 1000]));
  const shards = [1, 2, 3, 4].map((index) => shardOf(files, { index, of: 4 }, timings));
  expect(shards.flat().sort()).toEqual(files);
  const sums = shards.map((shard) => shard.reduce((sum, file) => sum + (timings[file] ?? 0), 0));
  expect(Math.max(...sums) / Math.min(...sums)).toBeLessThan(1.1);
  expect(readShard("2/4")).toEqual({ index: 2, of: 4 });
  for (const wrong of ["0/4", "5/4", "1", "a/b", "1/4/2"]) expect(() => readShard(wrong)).toThrow("--shard takes");
});

test("the longest files are there, and every file has a time also where none was measured", () => {
  const files = testFiles();
  expect(Object.keys(HEAVY_SECONDS).filter((file) => !files.includes(file))).toEqual([]);
  const timings = readTimings();
  expect(files.filter((file) => !(Number(timings[file]) > 0))).toEqual([]);
  expect(atLeastOne({ "a.test.ts": 0, "b.test.ts": 12 })).toEqual({ "a.test.ts": 1, "b.test.ts": 12 });
});

test("what a test is skipped for has a name", () => {
  const unnamed: string[] = [];
  for (const file of new Glob("test/**/*.ts").scanSync(".")) {
    if (file === "test/tiers.test.ts") continue;
    for (const { index } of readFileSync(file, "utf8").matchAll(/\b(?:test|describe)\s*\.skipIf\(/g)) {
      const text = readFileSync(file, "utf8").slice(index);
      if (missingIn(text) === OTHER) unnamed.push(`${file}: ${text.slice(0, 60)}`);
    }
  }
  expect(unnamed).toEqual([]);
  expect(missingIn('test.skipIf(!canTrace).each(["a"])("…")')).toBe("strace");
  expect(missingIn('describe.skipIf(Bun.which("qpdf-zopfli") === null)("…")')).toBe("qpdf-zopfli");
  expect(missingIn('test.skipIf(isTuesday)("…")')).toBe(OTHER);
  expect(missingIn('test("…")')).toBeNull();
});

test("skipped tests are counted by what was missing, also inside a block that is skipped", () => {
  const file = testFiles().find((each) => each.endsWith("/anvil.system.test.ts")) ?? "";
  const at =
    readFileSync(file, "utf8")
      .split("\n")
      .findIndex((line) => line.startsWith("describe.skipIf")) + 1;
  const skipped = `<testcase name="x" file="${file}" line="${at + 1}"><skipped /></testcase>`;
  const suite = `<testsuite name="a real node" file="${file}" line="${at}">${skipped}${skipped}</testsuite>`;
  const run = `<testcase name="y" file="${file}" line="1" />`;
  const counts = countSkips(`<testsuites><testsuite file="${file}">${suite}${run}${skipped}</testsuite></testsuites>`);
  expect(inWords(counts)).toBe("skipped 3: no anvil 2, no other 1");
});
