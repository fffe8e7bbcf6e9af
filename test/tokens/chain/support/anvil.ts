// Starts a real node for a test, on loopback, where its binary is installed. It is called directly: no install script.
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { Chain } from "../../../../src/tokens/chain/port.ts";
import { rpcChain } from "../../../../src/tokens/chain/rpc.ts";

const READY_MS_MAX = 60_000;

/** Where the node's binary for this machine is; null where it is not installed. */
function anvilBinary(): string | null {
  const platform = `${process.platform}-${process.arch === "x64" ? "amd64" : process.arch}`;
  try {
    const manifest = createRequire(import.meta.url).resolve(`@foundry-rs/anvil-${platform}/package.json`);
    const binary = join(dirname(manifest), "bin", "anvil");
    return existsSync(binary) ? binary : null;
  } catch {
    return null;
  }
}

/** Says once why the tests against a real node are skipped. */
export const anvilMissing = anvilBinary() === null;
if (anvilMissing) process.stderr.write("skipped: tests against a real node, since anvil is not installed here\n");

export interface Anvil {
  readonly url: string;
  readonly chain: Chain;
  /** Asks the node anything, its own test methods included. */
  ask(method: string, ...params: unknown[]): Promise<unknown>;
  stop(): Promise<void>;
}

/** A fresh node with chain id 31337 and the published test accounts. */
export async function startAnvil(...flags: string[]): Promise<Anvil> {
  const binary = anvilBinary();
  if (binary === null) throw new Error("anvil is not installed");
  const port = freePort();
  const child = Bun.spawn([binary, "--host", "127.0.0.1", "--port", String(port), "--silent", ...flags], {
    stdout: "ignore",
    stderr: "ignore",
  });
  const url = `http://127.0.0.1:${port}`;
  const chain = rpcChain({ url, timeoutMs: 5000, answerBytesMax: 2 ** 20 });
  const deadline = performance.now() + READY_MS_MAX;
  while (
    !(await chain.head().then(
      () => true,
      () => false,
    ))
  ) {
    if (performance.now() > deadline) throw new Error("anvil did not start");
    await Bun.sleep(25);
  }
  return {
    url,
    chain,
    async ask(method, ...params) {
      const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
      const response = await fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body });
      const answer = (await response.json()) as { result: unknown };
      return answer.result;
    },
    async stop() {
      child.kill();
      await child.exited;
    },
  };
}

function freePort(): number {
  const server = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } });
  const { port } = server;
  server.stop(true);
  return port;
}
