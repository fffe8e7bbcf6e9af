// Two builds of the program beside each other: `bun test/bench/paired.ts --before OLD/dist/captable --after dist/captable`.
// Every figure is taken of both in turns, in short rounds, on data that each made by itself of the same companies: their
// schemas may differ. What is compared is the ratio of a round's two, so that what else the machine does meanwhile weighs
// on both; beside the wall clock stands the processor time that the program itself took, which on a busy machine is the
// surer of the two.
//
//   --only "position;history" figures whose names begin so          --rounds 9    how often
//   --size 100000             securities of the large company       --data DIR    keep the data there for the next run
import { cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { MEASURES } from "./paired-measures.ts";
import { makeData, Side } from "./paired-side.ts";

const ROUNDS = "9";
const SIZE = "100000";
/** More than this is worth a look. */
const LIMIT = 1.05;

const { values: given } = parseArgs({
  options: {
    before: { type: "string" },
    after: { type: "string" },
    only: { type: "string", default: "" },
    rounds: { type: "string", default: ROUNDS },
    size: { type: "string", default: SIZE },
    data: { type: "string" },
  },
});
if (!given.before || !given.after) throw new Error("--before and --after name the two programs");
const programs = { before: [resolve(given.before)], after: [resolve(given.after)] };
const rounds = Number(given.rounds);
const size = Number(given.size);
const chosen = MEASURES.filter(({ name }) => given.only.split(";").some((start) => name.startsWith(start)));

const folder = mkdtempSync(join(tmpdir(), "captable-paired-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => process.exit(1));

await using before = await sideOf("before");
await using after = await sideOf("after");

const lines: string[] = [];
for (const { name, unit, warmUps = 2, take } of chosen) {
  const [old, now]: [Figures[], Figures[]] = [[], []];
  for (let round = -warmUps; round < rounds; round++) {
    // Which comes first changes from round to round.
    const order = round % 2 === 0 ? [before, after] : [after, before];
    for (const side of order) {
      const figures = await take(side, round + warmUps);
      if (round >= 0) (side === before ? old : now).push(figures);
    }
  }
  const line = lineOf(name, unit, old, now);
  process.stderr.write(`${line}\n`);
  lines.push(line);
}
process.stdout.write(
  [
    `| figure (${size.toLocaleString("en")} securities) | before | after | median of ratios | of least | CPU: before | after | median of ratios | of least | |`,
    "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- |",
    ...lines,
    "",
  ].join("\n"),
);

interface Figures {
  readonly wall: number;
  readonly cpu: number;
}

function lineOf(name: string, unit: string, old: readonly Figures[], now: readonly Figures[]): string {
  const wall = compare(of(old, "wall"), of(now, "wall"));
  const cpu = compare(of(old, "cpu"), of(now, "cpu"));
  const figures = ({ one, other, middle, least }: Compared) => [
    ...[`${digits(one)} ${unit}`, `${digits(other)} ${unit}`],
    ...[`${middle.toFixed(2)} ×`, `${least.toFixed(2)} ×`],
  ];
  const hasCpu = !Number.isNaN(cpu.one);
  // Noise only adds: what is slower is so in the median and in the least of all rounds.
  const { middle, least } = hasCpu ? cpu : wall;
  const isMore = Math.min(middle, least) > LIMIT;
  return `| ${[name, ...figures(wall), ...(hasCpu ? figures(cpu) : ["", "", "", ""]), isMore ? "**more**" : ""].join(" | ")} |`;
}

function of(figures: readonly Figures[], what: keyof Figures): number[] {
  return figures.map((each) => each[what]);
}

interface Compared {
  readonly one: number;
  readonly other: number;
  /** The median of the rounds' ratios, and the ratio of the least of each. */
  readonly middle: number;
  readonly least: number;
}

function compare(old: readonly number[], now: readonly number[]): Compared {
  return {
    one: median(old),
    other: median(now),
    middle: median(now.map((value, round) => value / (old[round] ?? Number.NaN))),
    least: Math.min(...now) / Math.min(...old),
  };
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const [low, high] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  return ((low ?? Number.NaN) + (high ?? Number.NaN)) / 2;
}

function digits(value: number): string {
  const places = value >= 100 ? 0 : value >= 10 ? 1 : 2;
  return value.toLocaleString("en", { minimumFractionDigits: places, maximumFractionDigits: places });
}

/** One of the two programs on a copy of the data that it made, which is kept where `--data` says, for other runs. */
async function sideOf(name: keyof typeof programs): Promise<Side> {
  const kept = join(resolve(given.data ?? folder), `data-${size}-${name}`);
  if (!existsSync(kept)) {
    const making = `${kept}-making`;
    rmSync(making, { recursive: true, force: true });
    mkdirSync(making, { recursive: true });
    await makeData(making, size, programs[name]);
    renameSync(making, kept);
  }
  const copy = join(folder, name);
  // The packages that the companies came from are large, and not looked at again.
  cpSync(kept, copy, { recursive: true, filter: (path) => !path.endsWith("growing-package") });
  const side = new Side(programs[name], copy, await Bun.file(join(kept, "made.json")).json());
  // Kept data may be of a build before this one, and commands change no schema by themselves.
  for (const company of ["small", "large"] as const) await side.command("migrate", "--data-dir", side.dataOf(company));
  return side;
}
