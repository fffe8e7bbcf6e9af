// The tiers of tests, by what a file starts.
//   test          files that end in `.test.ts`: all that runs inside one process; for each change
//   test:system   files that end in `.system.test.ts`: the program as a process, browsers and other tools; and once more
//                 each file of `test` whose suites go on there until every kind of event was met; for each merge
//   test:release  every file, with the counts of docs/proofs.md
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Glob } from "bun";
import { HEAVY_SECONDS } from "./heavy.ts";

const ROOT = join(import.meta.dir, "..");
/** Where runs keep what the next one can use. */
export const CACHE = join(ROOT, "node_modules/.cache/captable");
/** How long each file took, as `bun test` notes it. */
export const TIMINGS = join(CACHE, "timings.json");

/** The tiers that a file's name tells apart. */
export const TIERS = ["test", "system"] as const;
export type Tier = (typeof TIERS)[number];

/** How the name of a file of the tier `system` ends. */
export const SYSTEM_ENDING = ".system.test.ts";

export function isTier(name: string): name is Tier {
  return (TIERS as readonly string[]).includes(name);
}

/** The tier of a test file: its own, and the only one that runs it on account of its name. */
export function tierOf(file: string): Tier {
  return file.endsWith(SYSTEM_ENDING) ? "system" : "test";
}

/** Every test file, as a path from the root. */
export function testFiles(): string[] {
  return [...new Glob("test/**/*.test.ts").scanSync(ROOT)].sort();
}

/** The files that a tier runs. */
export function filesOf(tier: Tier): string[] {
  return testFiles().filter((file) => tierOf(file) === tier || (tier === "system" && isSized(file)));
}

/** Whether a file has to meet every kind of event in the tier `system`, or has tests that are skipped in `test`. */
export function isSized(file: string): boolean {
  return /\b(?:(?:seedsUntil|checkHistories|mustMeetAll)\(|skipIf\(QUICK\))/.test(textOf(file));
}

/** The modules of `test/` that start a process, by the end of their path, and what they start. */
const STARTERS: readonly (readonly [ending: string, started: string])[] = [
  ["kit/program.ts", "the program"],
  ["kit/chromium.ts", "a browser"],
  ["/anvil.ts", "anvil"],
  ["/office.ts", "LibreOffice"],
  ["/openpyxl.ts", "Python"],
];
/** Modules that start processes and do not count: what uses them says why. */
const UNCOUNTED: readonly string[] = [
  // Runs most commands in this process, and refuses the others in the tier `test`.
  "kit/command.ts",
  // One process for the tools of OCF, which all tests of a run share.
  "kit/tool.ts",
];
const SPAWNS = /\bBun\.spawn(Sync)?\(|node:child_process/;
/** An import of values, not of types alone. */
const IMPORT = /^(?:import|export) (?!type )(?:[^;"]*? from )?"(\.[^"]+\.tsx?)"/gm;

const texts = new Map<string, string>();
function textOf(file: string): string {
  const known = texts.get(file) ?? readFileSync(join(ROOT, file), "utf8");
  texts.set(file, known);
  return known;
}

/** The modules of `test/` that a file imports, however far, itself among them; without those that do not count. */
function reached(file: string, found = new Set<string>()): Set<string> {
  if (found.has(file) || UNCOUNTED.some((ending) => file.endsWith(ending))) return found;
  found.add(file);
  for (const [, target = ""] of textOf(file).matchAll(IMPORT)) {
    const path = new URL(target, `file:///${file}`).pathname.slice(1);
    if (path.startsWith("test/")) reached(path, found);
  }
  return found;
}

/** What a test file starts, in words; empty where it stays in its process. */
export function startedBy(file: string): string[] {
  const started = new Set<string>();
  for (const module of reached(file)) {
    const known = STARTERS.find(([ending]) => module.endsWith(ending));
    if (known !== undefined) started.add(known[1]);
    else if (SPAWNS.test(textOf(module))) started.add("a process");
  }
  return [...started];
}

/** Whether a test file may start the program, so that building it first pays. */
export function startsProgram(file: string): boolean {
  return startedBy(file).includes("the program") || /\brunCommand\b/.test(textOf(file));
}

/** Which part of how many, from `2/4`. */
export interface Shard {
  readonly index: number;
  readonly of: number;
}

/** Reads `2/4`; throws where it is not a part of a whole. */
export function readShard(text: string): Shard {
  const [, index = "0", of = "0"] = /^([1-9]\d*)\/([1-9]\d*)$/.exec(text) ?? [];
  if (Number(index) === 0 || Number(index) > Number(of)) throw new Error(`--shard takes 1/4 to 4/4, not ${text}`);
  return { index: Number(index), of: Number(of) };
}

/** How long a file is taken for that was never measured and is not one of the longest. */
const UNMEASURED_MS = 3000;

/** How long each file took last time, in milliseconds; or takes about, where it was not measured. */
export function readTimings(): Readonly<Record<string, number>> {
  const measured: Record<string, number> = existsSync(TIMINGS) ? JSON.parse(readFileSync(TIMINGS, "utf8")).files : {};
  const about = testFiles().map((file) => [file, (HEAVY_SECONDS[file] ?? 0) * 1000 || UNMEASURED_MS] as const);
  return { ...Object.fromEntries(about), ...atLeastOne(measured) };
}

/** The same; where `bun test` wrote 0 for a file that took less than half a millisecond, 1. */
export function atLeastOne(measured: Readonly<Record<string, number>>): Readonly<Record<string, number>> {
  return Object.fromEntries(Object.entries(measured).map(([file, ms]) => [file, Math.max(1, ms)]));
}

/** A shard of files: the longest first, each to the shard that has least so far. All shards together are all files. */
export function shardOf(
  files: readonly string[],
  { index, of }: Shard,
  timings: Readonly<Record<string, number>>,
): string[] {
  const took = (file: string) => timings[file] ?? UNMEASURED_MS;
  const shards = Array.from({ length: of }, () => ({ ms: 0, files: [] as string[] }));
  for (const file of [...files].sort((one, other) => took(other) - took(one) || (one < other ? -1 : 1))) {
    const least = shards.reduce((best, each) => (each.ms < best.ms ? each : best));
    least.ms += took(file);
    least.files.push(file);
  }
  return shards[index - 1]?.files.sort() ?? [];
}
