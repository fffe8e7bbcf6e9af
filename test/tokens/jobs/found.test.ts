// Faults of the background work that simulation found, each as small as it can be told. The service, the chain and the
// clock are the simulator's, but driven step by step by the test: nothing here is at random, and no time is waited for.
import { afterAll, afterEach, expect, test } from "bun:test";
import { join } from "node:path";
import { present } from "../../../src/kernel/assert.ts";
import { commandLineCall } from "../../../src/kernel/call.ts";
import type { Address } from "../../../src/kernel/text/wallet-address.ts";
import { createKey } from "../../../src/resources/api-keys/routes.ts";
import { insertOrganization } from "../../../src/resources/organization/store.ts";
import { findOpenSubmission } from "../../../src/tokens/jobs/operation-store.ts";
import { Random } from "../../kit/random.ts";
import { issueShares, makeShareClass, makeStakeholder } from "../../kit/records.ts";
import { send } from "../../sim/clients.ts";
import { Clock } from "../../sim/clock.ts";
import { FakeChain } from "../../sim/fake-chain.ts";
import { Node } from "../../sim/node.ts";
import { Service } from "../../sim/service.ts";
import { Trace } from "../../sim/trace.ts";
import { removeTemporaryFolders, temporaryFolder } from "../chain/support/people.ts";
import { units } from "./support/tokens.ts";

const CONFIRMATIONS = 3;
const STEPS_MAX = 400;
const MINUTE_MS = 60_000;
const CLOSERS: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of CLOSERS.splice(0)) await close();
});
afterAll(removeTemporaryFolders);

/** A service on a chain that makes a block only when it is told to. */
async function makeWorld() {
  const [random, trace] = [new Random(1), new Trace()];
  const [clock, chain] = [new Clock(random), new FakeChain(CONFIRMATIONS)];
  const node = new Node(chain, false, random, trace);
  const forChain = { confirmations: CONFIRMATIONS, batchMax: 1 };
  const around = { clock, node, random, trace, chain: forChain, crashIn: null, violation: null, planted: null };
  const folder = temporaryFolder();
  const service = await Service.open(join(folder, "data"), join(folder, "next"), around);
  CLOSERS.push(async () => {
    await service.jobs.stop();
    await service.writer.drain();
    service.close();
  });
  const call = commandLineCall(clock, clock.newId());
  const key = await service.writer.submit((tx) => {
    insertOrganization(tx, call, { legalName: "Found", isNamed: 1 });
    return createKey(tx, call, "test", { name: "test", role: "ADMIN" }).key;
  });

  const api = async (method: string, path: string, body?: unknown) => {
    const seen = present(await send(service, { id: call.orgId, key }, method, path, { body }), "an answer");
    return { status: seen.status, headers: new Headers(), text: seen.body, json: JSON.parse(seen.body) };
  };
  const mine = (blocks: number) => {
    for (let block = 0; block < blocks; block++) chain.mine(() => "normal");
  };
  /** Lets the background work take steps until something is so; `blocks` are made after each step before that. */
  const work = async (what: string, blocks: number, isSo: () => boolean | Promise<boolean>) => {
    for (let step = 0; step < STEPS_MAX; step++) {
      clock.pass(await service.jobs.step());
      if (await isSo()) return;
      mine(blocks);
    }
    throw new Error(`it never came to this: ${what}`);
  };
  const workUntil = (path: string, field: string, status: string, blocks: number) =>
    work(`${path} is ${status}`, blocks, async () => (await api("GET", path)).json[field] === status);
  return {
    api,
    chain,
    clock,
    mine,
    work,
    workUntilClass: (id: string, status: string, blocks = 1) =>
      workUntil(`/share-classes/${id}`, "tokenizationStatus", status, blocks),
    workUntilMinted: (id: string) => workUntil(`/securities/${id}`, "tokenStatus", "MINTED", 1),
    /** What is signed and kept, and not ended. */
    open: () => findOpenSubmission(service.probe),
    /** A class's token as it is on the chain. */
    token: async (id: string) => {
      const { tokenAddress } = (await api("GET", `/share-classes/${id}`)).json;
      return present(chain.state.tokens.get(tokenAddress as Address), "the token");
    },
  };
}

test("a token that came late has the limit it was made with, until the service raises it", async () => {
  const world = await makeWorld();
  const stockClassId = await makeShareClass(world, { initialSharesAuthorized: "1000" });
  await world.work("a deployment is sent", 1, () => world.open()?.kind === "deploy" && world.chain.waiting === 1);
  world.clock.pass(11 * MINUTE_MS);
  await world.workUntilClass(stockClassId, "FAILED", 0);
  await world.api("PATCH", `/share-classes/${stockClassId}`, { initialSharesAuthorized: "2000" });
  const stakeholderId = await makeStakeholder(world);
  const securityId = await issueShares(world, { stakeholderId, stockClassId, quantity: "1500" });
  await world.workUntilClass(stockClassId, "DEPLOYED");
  expect(await world.token(stockClassId)).toMatchObject({ authorized: units(1000), supply: 0n });
  await world.workUntilMinted(securityId);
  expect(await world.token(stockClassId)).toMatchObject({ authorized: units(2000), supply: units(1500) });
});

test("what was signed behind a stranger's nonce is signed anew when a reorganization drops the stranger's", async () => {
  const world = await makeWorld();
  const stockClassId = await makeShareClass(world);
  const stakeholderId = await makeStakeholder(world);
  await world.workUntilClass(stockClassId, "DEPLOYED");
  const nonce = world.chain.state.nonce;
  world.chain.spendNonce();
  const securityId = await issueShares(world, { stakeholderId, stockClassId, quantity: "100" });
  await world.work("the mint is sent", 0, () => world.chain.waiting === 1);
  world.chain.reorganize(1, true, 2);
  expect(world.chain.state.nonce).toBe(nonce);
  await world.workUntilMinted(securityId);
  world.mine(CONFIRMATIONS);
  expect((await world.token(stockClassId)).supply).toBe(units(100));
});

test("a chain that was reset gets nothing of what was signed for the old one, and mints once when asked", async () => {
  const world = await makeWorld();
  const stockClassId = await makeShareClass(world);
  const stakeholderId = await makeStakeholder(world);
  const first = await issueShares(world, { stakeholderId, stockClassId, quantity: "100" });
  await world.workUntilMinted(first);
  const second = await issueShares(world, { stakeholderId, stockClassId, quantity: "50" });
  await world.work("the mint is signed", 0, () => world.open() !== null);
  expect(world.chain.waiting).toBe(0);
  world.chain.reset();
  await world.workUntilClass(stockClassId, "FAILED");
  expect([world.chain.state.nonce, world.chain.waiting]).toEqual([0, 0]);
  const again = await world.api("POST", `/share-classes/${stockClassId}/retokenize`);
  expect(again.status).toBe(200);
  for (const securityId of [first, second]) await world.workUntilMinted(securityId);
  expect((await world.token(stockClassId)).supply).toBe(units(150));
});
