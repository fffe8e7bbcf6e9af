// A service that kills itself (SIGKILL) at a named point of its background work, or ends well once all of it is done.
// Arguments: data directory, RPC URL and key file (empty: the embedded chain), point, which time it is reached.
import { startApp } from "../../../../src/server/app.ts";
import { readConfig } from "../../../../src/server/config.ts";
import type { Operator } from "../../../../src/tokens/chain/keys.ts";
import type { Chain } from "../../../../src/tokens/chain/port.ts";
import { chainSource } from "../../../../src/tokens/chain/source.ts";
import { countJobs } from "../../../../src/tokens/jobs/store.ts";

/** Where the service can die: around signing, keeping, sending, mining and recording. */
export const POINTS = [
  "before signing",
  "signed and not kept",
  "kept and not sent",
  "sent and not looked for",
  "mined and not recorded",
  "recorded and not gone on",
] as const;
type Point = (typeof POINTS)[number];

function killer(point: string, time: number): (reached: Point) => void {
  let left = time;
  return (reached) => {
    if (reached === point && --left === 0) process.kill(process.pid, "SIGKILL");
  };
}

function dyingOperator(operator: Operator, at: (reached: Point) => void): Operator {
  return {
    address: operator.address,
    async sign(transaction) {
      at("before signing");
      const signed = await operator.sign(transaction);
      at("signed and not kept");
      return signed;
    },
  };
}

function dyingChain(chain: Chain, at: (reached: Point) => void): Chain {
  let isMined = false;
  return {
    ...chain,
    async send(raw) {
      at("kept and not sent");
      await chain.send(raw);
      at("sent and not looked for");
    },
    async receipt(hash) {
      const receipt = await chain.receipt(hash);
      if (receipt) at("mined and not recorded");
      isMined = receipt !== null;
      return receipt;
    },
    async simulate(call) {
      if (isMined) at("recorded and not gone on");
      return chain.simulate(call);
    },
  };
}

if (import.meta.main) {
  const [dataDir = "", rpcUrl = "", keyFile = "", point = "", time = "1"] = process.argv.slice(2);
  const at = killer(point, Number(time));
  const settings = { dataDir, rpcUrl: rpcUrl || null, keyFile: keyFile || null, passwordFile: null, confirmations: 1 };
  const source = chainSource(settings);
  const app = await startApp(readConfig({ dataDir, port: "0" }, { CAPTABLE_LOG: "off" }), {
    chain: {
      ...source,
      batchMax: 1,
      openChain: async () => dyingChain(await source.openChain(), at),
      openOperator: async (identity, isBound) => dyingOperator(await source.openOperator(identity, isBound), at),
    },
    jobsTiming: { idleMs: 10, pollMs: 20, backoffMs: [20, 100] },
  });
  for (let jobs = countJobs(app.reader); jobs.queued + jobs.running > 0; jobs = countJobs(app.reader)) {
    await Bun.sleep(10);
  }
  await app.stop();
}
