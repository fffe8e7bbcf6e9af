// Runs one simulation, or many: `bun test/sim/run.ts --seed 1234`, `--from 1 --count 100`. A failure prints what
// happened last; `CAPTABLE_SIM_TRACE=all` all of it.
import { parseArgs } from "node:util";
import { bringToRest } from "./quiescence.ts";
import type { DeliberateFault } from "./service.ts";
import { Simulation } from "./simulator.ts";
import { Violation } from "./trace.ts";

const EVENTS_EACH = 70;

/** What became of one seed. */
export interface Outcome {
  readonly seed: number;
  readonly digest: string;
  readonly counts: ReadonlyMap<string, number>;
  /** How often it crashed at each kind of point. */
  readonly crashes: ReadonlyMap<string, number>;
}

/** Adds up counts by kind. */
export function addTo(totals: Map<string, number>, counts: ReadonlyMap<string, number>): void {
  for (const [kind, count] of counts) totals.set(kind, (totals.get(kind) ?? 0) + count);
}

/** Counts by kind in words, the most frequent first. */
export function inWords(totals: ReadonlyMap<string, number>): string {
  const sorted = [...totals].sort(([one, many], [other, more]) => more - many || one.localeCompare(other));
  return sorted.map(([kind, count]) => `${count} ${kind}`).join(", ");
}

/** Simulates one seed, with something wrong on purpose if `planted` says so. Throws a {@link Violation} that says how to see it again, and what happened last. */
export async function simulate(seed: number, planted: DeliberateFault | null = null): Promise<Outcome> {
  const world = new Simulation(seed, planted);
  try {
    await world.begin();
    await world.live(EVENTS_EACH);
    await bringToRest(world);
    return { seed, digest: world.trace.digest(), counts: world.trace.counts, crashes: world.trace.crashes };
  } catch (error) {
    const reason = error instanceof Violation ? error.message : error instanceof Error ? error.stack : error;
    const told = `seed ${seed}: ${reason}\nreplay: bun test/sim/run.ts --seed ${seed}\nlast events:`;
    throw new Violation([told, ...world.trace.lines].join("\n  "));
  } finally {
    await world.end();
  }
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: { seed: { type: "string" }, from: { type: "string" }, count: { type: "string" } },
  });
  const first = Number(values.seed ?? values.from ?? 1);
  const last = first + Number(values.seed ? 1 : (values.count ?? 1)) - 1;
  let failed = 0;
  const crashed = new Map<string, number>();
  for (let seed = first; seed <= last; seed++) {
    try {
      const { digest, crashes } = await simulate(seed);
      addTo(crashed, crashes);
      if (first === last) process.stdout.write(`seed ${seed}: ${digest}\n`);
    } catch (error) {
      failed++;
      process.stdout.write(`${error instanceof Error ? error.message : error}\n`);
    }
  }
  process.stdout.write(`${last - first + 1} simulations, ${failed} failed\ncrashes: ${inWords(crashed)}\n`);
  process.exitCode = failed > 0 ? 1 : 0;
}
