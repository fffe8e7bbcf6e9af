// `bun run bench`: one table of ratios, each the median of interleaved rounds of one run. Absolute figures are the
// machine's; the ratios are ours.
//
//   --only writes,reads   some parts alone        --quick   a look at whether it works, in a minute or two
//   --rounds 5            how often               --json    one JSON document instead of the table
//   --seconds 2           how long one load lasts
//   --peers FOLDER        the same load on two other programs that are installed there (peers.ts)
//
// BENCH_BINARY=dist/captable measures the built program. TMPDIR says on which disk.
import { mkdirSync, mkdtempSync, rmSync, statfsSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { measureBusy } from "./busy.ts";
import { measureGrowth } from "./growth.ts";
import { measureImports } from "./imports.ts";
import { measureLongWrites } from "./long-writes.ts";
import { measureModels } from "./models.ts";
import { measureOrganizations } from "./organizations.ts";
import { measurePackages } from "./packages.ts";
import { Bench } from "./part.ts";
import { measurePeers } from "./peers.ts";
import { PROGRAM } from "./programs.ts";
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
  views: measureViews,
  "long-writes": measureLongWrites,
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

const { values: given } = parseArgs({
  options: {
    only: { type: "string" },
    quick: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
    rounds: { type: "string" },
    seconds: { type: "string" },
    peers: { type: "string" },
  },
});
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
warn((loadavg()[0] ?? 0) > BUSY_LOAD, `the machine is busy (load ${loadavg()[0]?.toFixed(1)}): expect wide spreads`);

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
process.stdout.write(`${given.json ? report.json(program) : report.markdown(program)}\n`);

function warn(isTrue: boolean, message: string): void {
  if (isTrue) process.stderr.write(`bench: ${message}\n`);
}
