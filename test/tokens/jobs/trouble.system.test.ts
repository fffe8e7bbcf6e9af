// A node in trouble, between the service and a real one: each trouble ends in the documented state with a reason that
// says nothing of the node's address or credentials, the API goes on, and everything is minted once it is over.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { issueShares, makeShareClass, makeStakeholder } from "../../kit/records.ts";
import { type Anvil, anvilMissing, startAnvil } from "../chain/support/anvil.ts";
import { removeTemporaryFolders, temporaryFolder, testKey } from "../chain/support/people.ts";
import { classWith, readToken, type Service, securityWith, startOn, units, until } from "./support/tokens.ts";

const SECRET = "s3cr3tproject";
const WALLET = "0x52908400098527886E0F7030069857D2E4169EE7";

type Fault = (method: string) => Response | Promise<Response> | null;

/** A node that answers as the real one behind it, except where `fault` says otherwise. */
function proxyTo(anvil: Anvil) {
  let fault: Fault = () => null;
  const proxy = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const text = await request.text();
      const { method } = JSON.parse(text);
      const headers = { "content-type": "application/json" };
      return (await fault(method)) ?? fetch(anvil.url, { method: "POST", body: text, headers });
    },
  });
  return {
    url: `http://user:${SECRET}@127.0.0.1:${proxy.port}/v2/${SECRET}`,
    set(wrong: Fault) {
      fault = wrong;
    },
    stop: () => proxy.stop(true),
  };
}

function error(code: number, message: string): Response {
  return Response.json({ jsonrpc: "2.0", id: 1, error: { code, message } });
}

const always = (answer: () => Response): Fault => {
  return () => answer();
};
const onSending = (answer: () => Response): Fault => {
  return (method) => (method === "eth_sendRawTransaction" ? answer() : null);
};

/** What goes wrong, and the reason that is shown meanwhile. */
const TROUBLES: readonly [name: string, fault: Fault, reason: RegExp][] = [
  ["answers 429", always(() => new Response("slow down", { status: 429 })), /fewer requests/],
  ["answers 500", always(() => new Response(SECRET, { status: 500 })), /failing \(500\)/],
  ["answers 503", always(() => new Response("", { status: 503 })), /not available/],
  ["answers garbage", always(() => new Response("<html>")), /not JSON/],
  ["answers another shape", always(() => Response.json({ jsonrpc: "2.0", id: 1, result: "soon" })), /not what/],
  ["refuses access", always(() => new Response("", { status: 401 })), /refuses access/],
  ["redirects", always(() => Response.redirect("http://127.0.0.1:1/")), /redirects/],
  ["cannot take what is sent", onSending(() => new Response("", { status: 502 })), /failing \(502\)/],
  ["says its pool is full", onSending(() => error(-32000, `txpool is full ${SECRET}`)), /pool is full/],
];

describe.skipIf(anvilMissing)("a node that", () => {
  let anvil: Anvil;
  let proxy: ReturnType<typeof proxyTo>;
  let server: Awaited<ReturnType<typeof startOn>>;
  const shown: string[] = [];

  beforeAll(async () => {
    anvil = await startAnvil();
    proxy = proxyTo(anvil);
    const dataDir = temporaryFolder();
    const keyFile = join(dataDir, "operator");
    writeFileSync(keyFile, testKey(0), { mode: 0o600 });
    server = await startOn(dataDir, { CAPTABLE_CHAIN_RPC_URL: proxy.url, CAPTABLE_CHAIN_KEY_FILE: keyFile });
  });
  afterAll(async () => {
    await server.stop();
    await proxy.stop();
    await anvil.stop();
    removeTemporaryFolders();
  });

  async function waitFor(service: Service, stockClassId: string, reason: RegExp): Promise<void> {
    await until(`the reason ${reason}`, async () => {
      const { json } = await service.api("GET", `/share-classes/${stockClassId}/token`);
      if (json.lastError !== null) shown.push(json.lastError);
      return reason.test(json.lastError ?? "") ? json : null;
    });
  }

  test.each(TROUBLES)("%s", async (_name, fault, reason) => {
    proxy.set(fault);
    const stockClassId = await makeShareClass(server);
    const stakeholderId = await makeStakeholder(server);
    const securityId = await issueShares(server, { stakeholderId, stockClassId });
    await waitFor(server, stockClassId, reason);
    expect((await server.api("GET", `/share-classes/${stockClassId}`)).json.tokenizationStatus).toBe("PENDING");
    proxy.set(() => null);
    await securityWith(server, securityId, "MINTED");
    const { tokenAddress } = await classWith(server, stockClassId, "DEPLOYED");
    expect(await readToken(anvil.chain, tokenAddress).totalSupply()).toBe(units(1000));
  });

  test("takes a transaction but loses the answer: it is minted once", async () => {
    const stockClassId = await makeShareClass(server);
    const stakeholderId = await makeStakeholder(server, { walletAddress: WALLET });
    await classWith(server, stockClassId, "DEPLOYED");
    let lost = 0;
    proxy.set((method) => {
      if (method !== "eth_sendRawTransaction" || lost > 0) return null;
      lost++;
      return new Promise<Response>((resolve) => setTimeout(() => resolve(new Response("", { status: 504 })), 50));
    });
    const securityId = await issueShares(server, { stakeholderId, stockClassId });
    await securityWith(server, securityId, "MINTED");
    const { tokenAddress } = await classWith(server, stockClassId, "DEPLOYED");
    expect(lost).toBe(1);
    expect(await readToken(anvil.chain, tokenAddress).balanceOf(WALLET)).toBe(units(1000));
  });

  test("never takes a transaction: the operation is FAILED with the reason, and tried again when asked", async () => {
    const stockClassId = await makeShareClass(server);
    const stakeholderId = await makeStakeholder(server);
    await classWith(server, stockClassId, "DEPLOYED");
    proxy.set(onSending(() => error(-32000, "exceeds block gas limit")));
    const securityId = await issueShares(server, { stakeholderId, stockClassId });
    const failed = await securityWith(server, securityId, "FAILED");
    expect(failed.tokenError).toMatch(/gas/);
    const { json } = await server.api("GET", `/share-classes/${stockClassId}/token`);
    expect(json).toMatchObject({ failedOperations: 1, pendingOperations: 0, lastError: failed.tokenError });
    proxy.set(() => null);
    const again = await server.api("POST", `/share-classes/${stockClassId}/retokenize`);
    expect([again.status, again.json.tokenizationStatus]).toEqual([200, "DEPLOYED"]);
    await securityWith(server, securityId, "MINTED");
  });

  test("leaves the node's address and credentials in no reason, log line or row", async () => {
    const rows = await Bun.file(join(server.dataDir, "captable.db")).bytes();
    const log = await Bun.file(join(server.dataDir, "captable.db-wal")).bytes();
    const text = Buffer.concat([rows, log]).toString("latin1") + server.log.join("") + shown.join("");
    expect(shown.length).toBeGreaterThanOrEqual(TROUBLES.length);
    for (const secret of [SECRET, testKey(0), testKey(0).slice(2)]) expect(text.includes(secret)).toBe(false);
  });
});
