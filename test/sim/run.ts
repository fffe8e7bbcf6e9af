// Runs one simulation, or many: `bun test/sim/run.ts --seed 1234`, `--from 1 --count 100`. A failure prints what
// happened last; `CAPTABLE_SIM_TRACE=all` all of it.
import { parseArgs } from "node:util";
import { bringToRest } from "./quiescence.ts";
import { Simulation } from "./simulator.ts";
import { Violation } from "./trace.ts";

const EVENTS_EACH = 70;

/** What became of one seed. */
export interface Outcome {
  readonly seed: number;
  readonly digest: string;
  readonly counts: ReadonlyMap<string, number>;
}

/** Simulates one seed. Throws a {@link Violation} that says how to see it again, and what happened last. */
export async function simulate(seed: number, events = EVENTS_EACH): Promise<Outcome> {
  const world = new Simulation(seed);
  try {
    await world.begin();
    await world.live(events);
    await bringToRest(world);
    return { seed, digest: world.trace.digest(), counts: world.trace.counts };
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
  for (let seed = first; seed <= last; seed++) {
    try {
      const { digest } = await simulate(seed);
      if (first === last) process.stdout.write(`seed ${seed}: ${digest}\n`);
    } catch (error) {
      failed++;
      process.stdout.write(`${error instanceof Error ? error.message : error}\n`);
    }
  }
  process.stdout.write(`${last - first + 1} simulations, ${failed} failed\n`);
  process.exitCode = failed > 0 ? 1 : 0;
}
