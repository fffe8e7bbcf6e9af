// `bun test/bench/minting.ts`: how long a GET takes while the embedded chain mints 500 securities, against idle times.
import { makeShareClass, makeStakeholder } from "../support/make.ts";
import { newDataDir, serveProgram } from "../support/program.ts";
import { type Load, runLoad } from "./load.ts";

const MINTS = 500;
const served = await serveProgram(newDataDir());
const headers = { authorization: `Bearer ${served.key}`, "content-type": "application/json" };
const port = Number(new URL(served.url).port);

async function call(method: string, path: string, body?: unknown) {
  const init: RequestInit = { method, headers };
  if (body !== undefined) init.body = JSON.stringify(body);
  const response = await fetch(`${served.url}/api/v1${path}`, init);
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: JSON.parse(text) };
}

const api = { api: call };
const stakeholderId = await makeStakeholder(api);
const stockClassId = await makeShareClass(api);

async function token(): Promise<{ pendingOperations: number; totalSupply: string }> {
  return (await call("GET", `/share-classes/${stockClassId}/token`)).json;
}

function getting(seconds: number): Load {
  const path = `/api/v1/stakeholders/${stakeholderId}`;
  return { port, connections: 4, seconds, method: "GET", path, headers, from: 0, expect: 200 };
}

while ((await call("GET", `/share-classes/${stockClassId}`)).json.tokenizationStatus !== "DEPLOYED") {
  await Bun.sleep(50);
}
await runLoad(getting(1));
const idle = await runLoad(getting(3));
await Promise.all(
  Array.from({ length: MINTS }, (_, n) => {
    const body = { stakeholderId, stockClassId, quantity: "1", certificateId: `M-${n}`, effectiveDate: "2026-01-15" };
    return call("POST", "/transactions/issue-shares", body);
  }),
);
const before = await token();
const busy = await runLoad(getting(2));
const after = await token();
let seconds = 0;
for (const started = performance.now(); (await token()).totalSupply !== String(MINTS); ) {
  await Bun.sleep(100);
  seconds = (performance.now() - started) / 1000;
}
const line = (name: string, p50: number, p99: number) =>
  process.stdout.write(`${name.padEnd(24)} p50 ${p50.toFixed(2)} ms   p99 ${p99.toFixed(2)} ms\n`);
line("GET, idle", idle.p50Ms, idle.p99Ms);
line(`GET, minting ${MINTS}`, busy.p50Ms, busy.p99Ms);
process.stdout.write(
  `minted before ${before.totalSupply}, after ${after.totalSupply}; the rest in ${seconds.toFixed(1)} s\n`,
);
await served.end("SIGTERM");
