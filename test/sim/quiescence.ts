// The end of a simulation: the chain is well, every client that waits is answered, and in the end ledger and chain
// say the same. The operator has what failed retried.

import { toTimestamp } from "../../src/kernel/runtime.ts";
import type { Row } from "../../src/storage/database/sql.ts";
import { reconcileClass } from "../../src/tokens/jobs/reconcile.ts";
import { chainDifferences, unfinishedWork } from "./checks.ts";
import { send } from "./clients.ts";
import type { Simulation } from "./simulator.ts";
import { Violation } from "./trace.ts";

const ROUNDS_MAX = 600;
const ROUND_MS = 5000;
/** After a restore some work may never succeed: then there is no sense in asking for it for long. */
const INEXACT_ROUNDS_MAX = 60;

/** Brings a simulation to rest, and throws where it does not come to rest as it must. */
export async function bringToRest(world: Simulation): Promise<void> {
  world.trace.note("event rest");
  await catchUp(world, world.isMirrorExact ? ROUNDS_MAX : INEXACT_ROUNDS_MAX);
  // A comparison looks at what is confirmed.
  for (let block = 0; block < world.around.chain.confirmations; block++) world.mine(1, 0);
  world.check();
  if (world.clients.some(({ inHand }) => inHand !== null)) throw new Violation("a client is never answered");
  const { probe } = world.service;
  const differences = chainDifferences(probe, world.chain.state);
  const work = unfinishedWork(probe);
  if (world.isMirrorExact && work.length > 0) throw new Violation(`I7: work does not end: ${work.join("; ")}`);
  if (world.isMirrorExact && differences.length > 0) throw new Violation(`I7: ${told(differences)}`);
  const named = await namedDifferences(world);
  const isNamed = differences.every(({ stockClassId, address }) => address === "token" || named.has(stockClassId));
  if (!isNamed) throw new Violation(`I7: not reported: ${told(differences)}`);
  if (differences.length === 0 && named.size > 0)
    throw new Violation("I7: a difference is reported that does not exist");
}

/** Lets the background work do all that is to be done, on a chain that is well. True: nothing is left. */
export async function catchUp(world: Simulation, rounds: number, areClientsSilent = false): Promise<boolean> {
  const { node, chain, around, clock } = world;
  node.mood = "calm";
  chain.price = 10n;
  for (let round = 1; round <= rounds; round++) {
    around.crashIn = null;
    node.openGates();
    if (!areClientsSilent) await world.exchangeUnanswered();
    await world.work(3);
    world.mine(1, 0);
    clock.pass(ROUND_MS);
    if (round % 20 === 0) await askForFailed(world);
    const isWaiting = !areClientsSilent && world.clients.some(({ inHand }) => inHand !== null);
    const { probe } = world.service;
    if (isWaiting || unfinishedWork(probe).length > 0) continue;
    if (!world.isMirrorExact || chainDifferences(probe, chain.state).length === 0) return true;
  }
  return false;
}

/** The classes of which reconciliation tells a difference. */
async function namedDifferences({ service, node, around, clock }: Simulation): Promise<Set<string>> {
  const classes = service.probe.sqlite.prepare<[], Row<"share_classes">>("SELECT * FROM share_classes").all();
  const at = toTimestamp(clock.nowMs());
  const session = { chain: node.connect(service), confirmations: node.isInstant ? 1 : around.chain.confirmations };
  const named = new Set<string>();
  for (const stockClass of classes) {
    const { differences } = await reconcileClass(
      { db: service.probe, writer: service.writer, session, at },
      stockClass,
    );
    if (differences.length > 0) named.add(stockClass.id);
  }
  return named;
}

function told(differences: ReturnType<typeof chainDifferences>): string {
  return differences
    .map(({ stockClassId, address, found, expected }) => `${stockClassId} ${address} has ${found}, not ${expected}`)
    .join("; ");
}

/** Has the API tokenize again what failed. */
async function askForFailed(world: Simulation): Promise<void> {
  for (const organization of world.organizations) {
    const classes = world.service.probe.sqlite
      .prepare<[string], string>("SELECT id FROM share_classes WHERE orgId = ? ORDER BY seq")
      .pluck()
      .all(organization.id);
    for (const id of classes) await send(world.service, organization, "POST", `/share-classes/${id}/retokenize`);
  }
}
