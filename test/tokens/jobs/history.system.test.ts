// Random histories of every operation on a running service: whatever the ledger did, the token ends up saying the same,
// holder by holder, to the last unit.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { parseDecimal } from "../../../src/kernel/numbers/decimal.ts";
import { RELEASE } from "../../kit/release.ts";
import { startTestServer, type TestServer } from "../../kit/service.ts";
import { Company } from "../../property/company.ts";
import { decide } from "../../property/model/decide.ts";
import { newModel } from "../../property/model/start.ts";
import { choice } from "../../property/steps.ts";
import { classWith, QUICK, readToken, settled, withEmbeddedChain } from "./support/tokens.ts";

const STEPS = RELEASE ? 1000 : 20;
const SEEDS = RELEASE ? [1, 2, 3, 4, 5] : [1];

// biome-ignore lint/suspicious/noExplicitAny: records as JSON
type Json = any;

async function all(server: TestServer, path: string, orgId: string): Promise<Json[]> {
  const items: Json[] = [];
  let cursor: string | null = null;
  do {
    const more: string = cursor === null ? "" : `&cursor=${encodeURIComponent(cursor)}`;
    const { json } = await server.api("GET", `${path}?limit=100${more}`, undefined, { orgId });
    items.push(...json.items);
    cursor = json.nextCursor;
  } while (cursor !== null);
  return items;
}

/** Does random steps, now and then letting the background work catch up. Returns how many were done. */
async function live(server: TestServer, company: Company, seed: number): Promise<number> {
  let model = newModel();
  let done = 0;
  for (const choose of fc.sample(choice, { numRuns: STEPS, seed })) {
    const step = choose(model);
    if (step === null) continue;
    const decided = decide(model, step);
    const outcome = await server.app.writer.submit(() => company.run(step));
    if (outcome.isDone && "after" in decided) model = decided.after;
    if (outcome.isDone) done++;
    await Bun.sleep((done * 7919) % 11);
  }
  return done;
}

test.each(SEEDS)(
  "after a random history the token has what the ledger has, holder by holder (seed %i)",
  async (seed) => {
    const server = await startTestServer({ CAPTABLE_CHAIN: "on" }, { jobsTiming: QUICK });
    try {
      const company = await server.app.writer.submit((tx) => new Company(tx));
      const { orgId } = company;
      expect(await live(server, company, seed)).toBeGreaterThan(STEPS / 4);
      const api: TestServer["api"] = (method, path, body) => server.api(method, path, body, { orgId });
      for (const { id } of await all(server, "/share-classes", orgId)) {
        const { tokenAddress } = await classWith({ api }, id, "DEPLOYED");
        const token = await settled({ api }, id);
        expect(token).toMatchObject({ failedOperations: 0, lastError: null });
        // Read when the work is done: before it, a holder may have no address yet.
        const securities = await all(server, "/securities", orgId);
        const holders = await all(server, "/stakeholders", orgId);
        const minted = securities.filter(
          ({ type, status, stockClassId, tokenStatus }) =>
            type === "STOCK" && status === "ACTIVE" && stockClassId === id && tokenStatus !== "PENDING_APPROVAL",
        );
        await withEmbeddedChain(server.dataDir, async (chain) => {
          const reader = readToken(chain, tokenAddress);
          for (const holder of holders) {
            const own = minted.filter(({ stakeholderId }) => stakeholderId === holder.id);
            const expected = own.reduce((sum, { quantity }) => sum + parseDecimal(quantity), 0n);
            expect(await reader.balanceOf(holder.custodialAddress ?? UNUSED)).toBe(expected);
          }
          const total = minted.reduce((sum, { quantity }) => sum + parseDecimal(quantity), 0n);
          expect(await reader.totalSupply()).toBe(total);
        });
      }
      const open = (await all(server, "/securities", orgId)).filter(({ tokenStatus }) => tokenStatus === "PENDING");
      expect(open).toEqual([]);
    } finally {
      await server.stop();
    }
  },
  300_000,
);

const UNUSED = "0x00000000000000000000000000000000000000aa";
