// No file ends each start of the service: an import counts before its file is read, and one that a start finds unread after two
// attempts is given up. What ends the reading alone ends no service.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { A_WHILE, newDataDir, type Served, serveProgram } from "../../kit/program.ts";
import { call, importFile, read, readerOf } from "./service.ts";

setDefaultTimeout(300_000);

const FILE = Buffer.from("Certificate,Holder\nCS-1,Ada\n");
const canSee = existsSync(`/proc/self/task/${process.pid}/children`);

const dataDir = newDataDir();
let served: Served;
let key = "";

async function start(): Promise<void> {
  served = await serveProgram(dataDir, A_WHILE);
  key ||= served.key;
  served = { ...served, key };
}

beforeAll(start);

afterAll(async () => {
  await served.end();
  rmSync(dirname(dataDir), { recursive: true, force: true });
});

/** The process that reads a file, held where it is. */
async function heldReader(): Promise<number> {
  const reader = await readerOf(served.pid);
  process.kill(reader, "SIGSTOP");
  return reader;
}

test.skipIf(!canSee)("a service that ends twice while it reads a file does not read it again", async () => {
  const id = await importFile(served, "Stock.csv", FILE);
  for (const attempts of [1, 2]) {
    const reader = await heldReader();
    const { data } = (await call(served, "GET", `/imports/${id}`)).json;
    expect([data.state, data.attempts, data.failureCode]).toEqual(["READING", attempts, null]);
    await served.end("SIGKILL");
    process.kill(reader, "SIGKILL");
    await start();
  }
  const data = await read(served, id);
  expect([data.state, data.attempts, data.failureCode]).toEqual(["FAILED", 2, "reader-ended"]);
  expect(data.failure).toContain("ended the server twice");
  // Asked for anew, it is read anew.
  const { json } = await call(served, "POST", "/imports", { documentId: data.documentId });
  expect(await read(served, json.data.id)).toMatchObject({ attempts: 1, failureCode: null });
});

test.skipIf(!canSee)("stopping the service is no attempt", async () => {
  const id = await importFile(served, "Stock.csv", FILE);
  for (let stop = 0; stop < 3; stop++) {
    await heldReader();
    expect(await served.end("SIGTERM")).toBe(0);
    await start();
  }
  expect(await read(served, id)).toMatchObject({ attempts: 1, failureCode: null });
});

test.skipIf(!canSee)("a reading process that ends by itself ends its import alone", async () => {
  const id = await importFile(served, "Stock.csv", FILE);
  process.kill(await heldReader(), "SIGKILL");
  const data = await read(served, id);
  expect([data.state, data.attempts, data.failureCode]).toEqual(["FAILED", 1, "reader-ended"]);
  expect((await call(served, "GET", "/stakeholders")).status).toBe(200);
  const again = await call(served, "POST", "/imports", { documentId: data.documentId });
  expect(await read(served, again.json.data.id)).toMatchObject({ attempts: 1, failureCode: null });
});
