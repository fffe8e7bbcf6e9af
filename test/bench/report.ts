// Collects what the rounds measured and lays it out: medians with their spread, beside the aims.
import { arch, cpus, platform } from "node:os";

/** What a figure should be: at least or at most so much. */
export interface Aim {
  readonly atLeast?: number;
  readonly atMost?: number;
}

/** What a figure counts: ratios, events a second, milliseconds, seconds, megabytes. */
export type Unit = "×" | "/s" | "ms" | "s" | "MB";

interface Figure {
  readonly part: string;
  readonly name: string;
  readonly unit: Unit;
  readonly aim: Aim;
  readonly values: number[];
}

/** A figure as the table and `--json` show it. */
export interface Row extends Aim {
  readonly part: string;
  readonly name: string;
  readonly unit: Unit;
  readonly median: number;
  readonly low: number;
  readonly high: number;
  readonly rounds: number;
  /** Null where there is no aim. */
  readonly isMet: boolean | null;
}

/** Every figure, in the order in which they were first noted. */
export class Report {
  readonly #figures = new Map<string, Figure>();
  #generator: { cpu: number; what: string | null } = { cpu: 0, what: null };

  /** Notes a round's value of a figure. */
  note(part: string, name: string, value: number, unit: Unit, aim: Aim = {}): void {
    const figure = this.#figures.getOrInsertComputed(`${part}: ${name}`, () => ({ part, name, unit, aim, values: [] }));
    figure.values.push(value);
  }

  /** Notes what share of a core the load generator took: near the whole of it, the load measures the generator. */
  noteGenerator(cpu: number, what: string): void {
    if (cpu > this.#generator.cpu) this.#generator = { cpu, what };
  }

  /** What has been measured so far. */
  rows(): Row[] {
    return [...this.#figures.values()].map(({ part, name, unit, aim, values }) => {
      const middle = median(values);
      const isMet = middle >= (aim.atLeast ?? -Infinity) && middle <= (aim.atMost ?? Infinity);
      return {
        part,
        name,
        unit,
        median: middle,
        low: Math.min(...values),
        high: Math.max(...values),
        rounds: values.length,
        ...aim,
        isMet: aim.atLeast === undefined && aim.atMost === undefined ? null : isMet,
      };
    });
  }

  /** One Markdown table; `program` says what was measured. */
  markdown(program: string): string {
    const { cpu, what } = this.#generator;
    const rows = this.rows().map((row) => {
      const { part, name, unit, low, high, rounds, isMet } = row;
      const spread = rounds === 1 ? "" : `${digits(low)} – ${digits(high)}`;
      const met = isMet === null ? "" : isMet ? "met" : "**missed**";
      return `| ${part} | ${name} | ${digits(row.median)} ${unit} | ${spread} | ${aimText(row)} | ${met} |`;
    });
    return [
      "| part | figure | median | spread | aim | |",
      "| --- | --- | ---: | --- | --- | --- |",
      ...rows,
      "",
      `Measured: ${program}, on ${machine()}. A ratio is of what a second does, unless it says time; the bare loops write into the schema of version 0.1 (\`test/bench/yardstick.sql\`).`,
      ...(what === null ? [] : [`The load generator took at most ${Math.round(cpu * 100)} % of a core (${what}).`]),
    ].join("\n");
  }

  /** The same as a JSON document. */
  json(program: string): string {
    return JSON.stringify({ program, machine: machine(), generator: this.#generator, figures: this.rows() }, null, 2);
  }
}

function machine(): string {
  return `${cpus().length} cores (${cpus()[0]?.model.trim()}), ${platform()} ${arch()}, Bun ${Bun.version}`;
}

/** The middle value, or the mean of the two in the middle. */
function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const [low, high] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  return ((low ?? Number.NaN) + (high ?? Number.NaN)) / 2;
}

function aimText({ atLeast, atMost, unit }: Row): string {
  if (atLeast !== undefined) return `≥ ${atLeast} ${unit}`;
  return atMost === undefined ? "" : `≤ ${atMost} ${unit}`;
}

function digits(value: number): string {
  const places = value >= 100 ? 0 : value >= 10 ? 1 : value >= 0.1 ? 2 : 4;
  return value.toLocaleString("en", { minimumFractionDigits: places, maximumFractionDigits: places });
}
