// The power fails at any moment while clients write. The program's own system calls are recorded once for each script;
// then disks are made up that hold what had been flushed and any part of the rest, down to single sectors, and the
// program's own start and `verify` look at each. Nothing that was acknowledged may be missing. Needs strace.
import { beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { canChange, worsened } from "../kit/program.ts";
import { firstSeed, proved, seedCount } from "../kit/proof.ts";
import { randomFrom } from "../kit/random.ts";
import { RELEASE } from "../kit/release.ts";
import { cutPower, faultsIn } from "./support/power.ts";
import { Recorder } from "./support/recorder.ts";
import { SCRIPTS, type Script } from "./support/scripts.ts";
import { canTrace, eachOf, failing, serveUnder } from "./support/serve.ts";
import { type Played, play } from "./support/stage.ts";

const SEEDS = seeds(seedCount(10, 5000));
const RECOVERIES = seeds(seedCount(2, 500));
const CONTROLS = seeds(seedCount(20, 200));
/** An ordinary run has time for one script. */
const CHOSEN = RELEASE ? SCRIPTS : SCRIPTS.filter(({ name }) => name === "transfers");
/** The program's sources alone can be weakened, not what was built. */
const canWeaken = canTrace && canChange;
const RECOVERY_CALLS = [
  ["pwrite64", 60],
  ["fsync", 6],
  ["ftruncate,unlink", 3],
] as const;

function seeds(count: number): number[] {
  return Array.from({ length: count }, (_, index) => firstSeed() + index);
}

/** How a failing seed is run again. Times differ from run to run, so that it may take a few. */
const again = (seed: number) =>
  `CAPTABLE_RELEASE=1 CAPTABLE_SEED=${seed} bun test test/faults/power-cut.system.test.ts`;

const played: Played[] = [];
const playedFor = (seed: number) => played[(seed - 1) % CHOSEN.length] as Played;

beforeAll(async () => {
  if (!canTrace) return;
  const wanted = new Set(SEEDS.concat(RECOVERIES).map((seed) => (seed - 1) % CHOSEN.length));
  for (const index of wanted) played[index] = await play(CHOSEN[index] as Script);
}, 300_000);

/** Everything that power cuts with these seeds do wrong. */
async function faultsAfter(power: readonly number[], script: (seed: number) => Played): Promise<string[]> {
  const faults: string[] = [];
  for (const seed of power) {
    const outage = cutPower(script(seed), seed);
    const found = await faultsIn(outage.folder, outage.promised, script(seed).final);
    faults.push(...found.map((fault) => `${script(seed).name}, seed ${seed}: ${fault} (${again(seed)})`));
    outage.remove();
  }
  return faults;
}

/** Starts the program on what a power cut left, kills it at a write while it recovers, writes or stops, and looks. */
async function faultsAfterRecovery(seed: number): Promise<{ faults: string[]; isKilled: boolean }> {
  const script = playedFor(seed);
  const { folder, promised, remove } = cutPower(script, seed);
  const dataDir = join(folder, "data");
  const random = randomFrom(seed + 1_000_000);
  const [calls, most] = RECOVERY_CALLS[Math.floor(random() ** 2 * RECOVERY_CALLS.length)] ?? RECOVERY_CALLS[0];
  const fault = { calls, fault: "signal=SIGKILL", when: String(1 + Math.floor(random() * most)) };
  const running = await serveUnder(failing(dataDir, fault), dataDir, "");
  const client = new Recorder();
  if (running.url !== null) {
    client.url = running.url;
    client.key = (await Bun.file(join(dataDir, "admin.key")).text()).trim();
    const legend = { name: "After", text: "x".repeat(2000) };
    await client.api("POST", "/stock-legends", legend).catch(() => undefined);
  }
  const { signal, stderr } = await running.end();
  const found = await faultsIn(folder, [...promised, ...client.promised()], null);
  remove();
  if (running.url === null && signal !== "SIGKILL") found.push(`it does not start: ${stderr}`);
  const faults = found.map((one) => `${script.name}, ${JSON.stringify(fault)}: ${one} (${again(seed)})`);
  return { faults, isKilled: signal === "SIGKILL" };
}

describe.skipIf(!canTrace)("a power cut", () => {
  test(`loses nothing that was acknowledged, ${SEEDS.length} times`, async () => {
    expect(await faultsAfter(SEEDS, playedFor)).toEqual([]);
    const [count, seed] = [SEEDS.length, `${SEEDS[0]}-${SEEDS.at(-1)}`];
    const what = `power cuts simulated, in ${CHOSEN.length} scripts`;
    proved({ fault: "F3", what, count, seed, result: "0 acknowledged writes lost, `verify` clean" });
  }, 1_800_000);

  test(`and a kill while it is recovered from, ${RECOVERIES.length} times`, async () => {
    const faults: string[] = [];
    let kills = 0;
    await eachOf(RECOVERIES, async (seed) => {
      const outcome = await faultsAfterRecovery(seed);
      faults.push(...outcome.faults);
      if (outcome.isKilled) kills++;
    });
    expect(faults).toEqual([]);
    if (RECOVERIES.length >= 100) expect(kills).toBeGreaterThan(RECOVERIES.length / 5);
    const [count, seed] = [RECOVERIES.length, `${RECOVERIES[0]}-${RECOVERIES.at(-1)}`];
    const what = `power cuts, then a start that is killed (${kills} before its end)`;
    proved({ fault: "F4", what, count, seed, result: "0 acknowledged writes lost, `verify` clean" });
  }, 1_800_000);
});

describe.skipIf(!canWeaken)("the simulator", () => {
  test("sees the losses of a program that does not flush its commits", async () => {
    const weak = await play(SCRIPTS.find(({ name }) => name === "first start") as Script, worsened("weak-sync.ts"));
    const faults = await faultsAfter(CONTROLS, () => weak);
    const lost = faults.filter((fault) => fault.includes("lost: "));
    expect(lost.length).toBeGreaterThan(CONTROLS.length / 4);
    const [count, seed] = [CONTROLS.length, `${CONTROLS[0]}-${CONTROLS.at(-1)}`];
    const result = `${lost.length} acknowledged writes lost, as there must be`;
    proved({ fault: "F3", what: "control: the same with `synchronous=NORMAL`", count, seed, result });
  }, 300_000);
});
