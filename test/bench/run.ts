// `bun run bench`: one table of ratios, each the median of interleaved rounds of one run. Absolute figures are the
// machine's; the ratios are ours.
//
//   --only writes,reads   some parts alone        --quick   a look at whether it works, in a minute or two
//   --rounds 5            how often               --json    one JSON document instead of the table
//   --seconds 2           how long one load lasts
//   --peers FOLDER        the same load on two other programs that are installed there (peers.ts)
//   --write               puts the table into docs/speed.md: of a whole run on a quiet machine alone
//
// BENCH_BINARY=dist/captable measures the built program. TMPDIR says on which disk.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { measureActs } from "./acts.ts";
import { measureAwards } from "./awards.ts";
import { measureBusy } from "./busy.ts";
import { measureGrowth } from "./growth.ts";
import { measureImports } from "./imports.ts";
import { measureLongWrites } from "./long-writes.ts";
import { measureModels } from "./models.ts";
import { measureOrganizations } from "./organizations.ts";
import { measurePackages } from "./packages.ts";
import { Bench } from "./part.ts";
import { measurePeers } from "./peers.ts";
import { PROGRAM, ROOT } from "./programs.ts";
import { measureReads } from "./reads.ts";
import { Report } from "./report.ts";
import { measureReports } from "./reports.ts";
import { measureSignIns } from "./sign-ins.ts";
import { measureStart } from "./start.ts";
import { measureViews } from "./views.ts";
import { measureWrites } from "./writes.ts";

const EVERY_TIME: Readonly<Record<string, (bench: Bench) => Promise<void>>> = {
  start: measureStart,
  writes: measureWrites,
  reads: measureReads,
  busy: measureBusy,
  "sign-ins": measureSignIns,
  growth: measureGrowth,
  awards: measureAwards,
  views: measureViews,
  "long-writes": measureLongWrites,
  acts: measureActs,
  organizations: measureOrganizations,
  packages: measurePackages,
  models: measureModels,
  reports: measureReports,
  imports: measureImports,
};
const FULL = { rounds: 5, seconds: 2, shrink: 1 };
const QUICK = { rounds: 2, seconds: 0.4, shrink: 25 };
const TMPFS = 0x01021994;
const BUSY_LOAD = 0.5;
/** Where the figures begin in docs/speed.md; they end with the first section. */
const FIGURES = "<!-- figures: `bun run bench --write` -->";

const { values: given } = parseArgs({
  options: {
    only: { type: "string" },
    quick: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
    rounds: { type: "string" },
    seconds: { type: "string" },
    peers: { type: "string" },
    write: { type: "boolean", default: false },
  },
});
if (given.write && (given.quick || given.only !== undefined)) throw new Error("--write takes a whole run");
const PARTS: typeof EVERY_TIME = {
  ...EVERY_TIME,
  ...(given.peers === undefined ? {} : { peers: measurePeers(given.peers) }),
};
const chosen = given.only?.split(",") ?? Object.keys(PARTS);
const scale = given.quick ? QUICK : FULL;
const rounds = Number(given.rounds ?? scale.rounds);
const seconds = Number(given.seconds ?? scale.seconds);

const folder = mkdtempSync(join(tmpdir(), "captable-bench-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => process.exit(1));
warn(statfsSync(folder).type === TMPFS, `${folder} is in memory, where durable writes cost nothing; set TMPDIR`);
const load = loadavg()[0] ?? 0;
warn(load > BUSY_LOAD, `the machine is busy (load ${load.toFixed(1)}): expect wide spreads`);

const report = new Report();
for (const name of chosen) {
  const measure = PARTS[name];
  if (!measure) throw new Error(`no part ${name}; there are ${Object.keys(PARTS).join(", ")}`);
  const place = join(folder, name);
  mkdirSync(place);
  const started = performance.now();
  await measure(new Bench(place, report, rounds, seconds, scale.shrink));
  rmSync(place, { recursive: true });
  process.stderr.write(`${name}: ${((performance.now() - started) / 1000).toFixed(0)} s\n`);
}
const program = PROGRAM.length === 1 ? "the built program" : "the program from its sources";
if (given.write) writePage(report.markdown(program));
process.stdout.write(`${given.json ? report.json(program) : report.markdown(program)}\n`);

/** Replaces the figures of docs/speed.md, and leaves what is said about them. */
function writePage(table: string): void {
  const path = join(ROOT, "docs/speed.md");
  const page = readFileSync(path, "utf8");
  const [from, to] = [page.indexOf(FIGURES), page.indexOf("\n## ")];
  const day = new Date().toISOString().slice(0, 10);
  const head = `${FIGURES}\n\nOne run of ${day}, ${rounds} rounds; load of the machine before it ${load.toFixed(1)}.\n\n`;
  writeFileSync(path, `${page.slice(0, from)}${head}${table}\n${page.slice(to)}`);
}

function warn(isTrue: boolean, message: string): void {
  if (isTrue) process.stderr.write(`bench: ${message}\n`);
}
