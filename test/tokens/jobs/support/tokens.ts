// What tests of the background work share: waiting for it, and asking a token without our own code's help.
import { join } from "node:path";
import { decodeFunctionResult, encodeFunctionData, erc20Abi } from "viem";
import { present } from "../../../../src/kernel/assert.ts";
import type { Address } from "../../../../src/kernel/text/wallet-address.ts";
import { startApp } from "../../../../src/server/app.ts";
import { type Environment, readConfig } from "../../../../src/server/config.ts";
import type { AppPorts } from "../../../../src/server/service/parts.ts";
import { embeddedChainFile } from "../../../../src/storage/data-dir/chain-files.ts";
import { openEmbeddedChain } from "../../../../src/tokens/chain/embedded/open.ts";
import type { Chain } from "../../../../src/tokens/chain/port.ts";
import type { JobsTiming } from "../../../../src/tokens/jobs/loop.ts";
import type { TestServer } from "../../../kit/service.ts";

/** Less patience than a service has. */
export const QUICK: Partial<JobsTiming> = { idleMs: 20, pollMs: 30, checkMs: 200, resendMs: 300, backoffMs: [50, 200] };

const WAIT_MS_MAX = 20_000;

/** Waits until `probe` answers something else than null or undefined. */
export async function until<T>(what: string, probe: () => Promise<T | null | undefined>): Promise<T> {
  const deadline = performance.now() + WAIT_MS_MAX;
  for (;;) {
    const found = await probe();
    if (found !== null && found !== undefined) return found;
    if (performance.now() > deadline) throw new Error(`waited too long for ${what}`);
    await Bun.sleep(15);
  }
}

// biome-ignore lint/suspicious/noExplicitAny: a record as JSON
type Json = any;

/** Waits until a share class has the tokenization status, and returns it. */
export function classWith(server: Service, id: string, status: string): Promise<Json> {
  return until(`class ${status}`, async () => {
    const { json } = await server.api("GET", `/share-classes/${id}`);
    return json.tokenizationStatus === status ? json : null;
  });
}

/** Waits until a security has the token status, and returns it. */
export function securityWith(server: Service, id: string, status: string): Promise<Json> {
  return until(`security ${status}`, async () => {
    const { json } = await server.api("GET", `/securities/${id}`);
    return json.tokenStatus === status ? json : null;
  });
}

/** Waits until nothing of the class is on its way to the chain, and returns its token. */
export function settled(server: Service, classId: string): Promise<Json> {
  return until("a settled token", async () => {
    const { json } = await server.api("GET", `/share-classes/${classId}/token`);
    return json.pendingOperations === 0 && json.address !== null ? json : null;
  });
}

/** A token as a stranger reads it, in units of 10^-10 share. */
export interface TokenReader {
  totalSupply(): Promise<bigint>;
  balanceOf(holder: string): Promise<bigint>;
}

/** Reads the token at `address`. */
export function readToken(chain: Chain, address: string): TokenReader {
  const token = address as Address;
  return {
    async totalSupply() {
      const data = await chain.read(
        token,
        encodeFunctionData({ abi: erc20Abi, functionName: "totalSupply" }),
        "latest",
      );
      return decodeFunctionResult({ abi: erc20Abi, functionName: "totalSupply", data });
    },
    async balanceOf(holder) {
      const args = [holder as Address] as const;
      const call = encodeFunctionData({ abi: erc20Abi, functionName: "balanceOf", args });
      const data = await chain.read(token, call, "latest");
      return decodeFunctionResult({ abi: erc20Abi, functionName: "balanceOf", data });
    },
  };
}

/** Opens a server's embedded chain beside it, as another process could. */
export async function withEmbeddedChain<T>(dataDir: string, work: (chain: Chain) => Promise<T>): Promise<T> {
  if (!(await Bun.file(embeddedChainFile(dataDir)).exists())) throw new Error("there is no embedded chain");
  const chain = await openEmbeddedChain(dataDir);
  try {
    return await work(chain);
  } finally {
    await chain.close();
  }
}

/** Whole shares in the token's units. */
export function units(shares: number): bigint {
  return BigInt(shares) * 10n ** 10n;
}

/** A service on a data directory of the caller's, which outlives it: for restarts. */
export async function startOn(
  dataDir: string,
  environment: Environment = {},
  ports: Partial<AppPorts> = {},
): Promise<Pick<TestServer, "app" | "api" | "dataDir" | "log"> & { stop(): Promise<void> }> {
  const settings = { CAPTABLE_RATE_LIMIT: "0", ...environment };
  const log: string[] = [];
  const config = readConfig({ dataDir, port: "0" }, settings);
  const app = await startApp(config, { out: (text) => void log.push(text), jobsTiming: QUICK, ...ports });
  const key = (await Bun.file(join(dataDir, "admin.key")).text()).trim();
  return {
    app: { ...app, writer: present(app.writer, "the writer") },
    dataDir,
    log,
    stop: () => app.stop(),
    async api(method, path, body) {
      const headers: Record<string, string> = { authorization: `Bearer ${key}` };
      if (body !== undefined) headers["content-type"] = "application/json";
      const init: RequestInit =
        body === undefined ? { method, headers } : { method, headers, body: JSON.stringify(body) };
      const response = await fetch(`${app.url}/api/v1${path}`, init);
      const text = await response.text();
      return { status: response.status, headers: response.headers, text, json: text === "" ? {} : JSON.parse(text) };
    },
  };
}

/** What the helpers here need of a service. */
export type Service = Pick<TestServer, "api">;
