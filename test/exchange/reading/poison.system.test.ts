// No file ends each start of the service: an import counts before its file is read, and one that a start finds unread after two
// attempts is given up. What ends the reading alone ends no service.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { canChange, newDataDir, type Served, serveProgram, worsened } from "../../kit/program.ts";
import { call, heldReaderOf, importFile, read } from "./service.ts";

setDefaultTimeout(300_000);

const FILE = Buffer.from("Certificate,Holder\nCS-1,Ada\n");
const canSee = existsSync(`/proc/self/task/${process.pid}/children`);

const dataDir = newDataDir();
/** While it is there, a process that is begun to read a file waits before it does. */
const hold = join(dirname(dataDir), "hold");
let served: Served;
let key = "";

async function start(): Promise<void> {
  served = await serveProgram(dataDir, { HOLD_READERS: hold }, { program: worsened("held-readers.ts") });
  key ||= served.key;
  served = { ...served, key };
}

beforeAll(async () => {
  if (canSee && canChange) await start();
});

afterAll(async () => {
  if (canSee && canChange) await served.end();
  rmSync(dirname(dataDir), { recursive: true, force: true });
});

test.skipIf(!canSee || !canChange)("a service that ends twice over a file does not read it again", async () => {
  writeFileSync(hold, "");
  const id = await importFile(served, "Stock.csv", FILE);
  for (const attempts of [1, 2]) {
    const reader = await heldReaderOf(served.pid);
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
  rmSync(hold);
  const { json } = await call(served, "POST", "/imports", { documentId: data.documentId });
  expect(await read(served, json.data.id)).toMatchObject({ attempts: 1, failureCode: null });
});

test.skipIf(!canSee || !canChange)("stopping the service is no attempt", async () => {
  writeFileSync(hold, "");
  const id = await importFile(served, "Stock.csv", FILE);
  for (const stop of [1, 2, 3]) {
    await heldReaderOf(served.pid);
    if (stop === 3) rmSync(hold);
    expect(await served.end("SIGTERM")).toBe(0);
    await start();
  }
  expect(await read(served, id)).toMatchObject({ attempts: 1, failureCode: null });
});

test.skipIf(!canSee || !canChange)("a reading process that ends by itself ends its import alone", async () => {
  writeFileSync(hold, "");
  const id = await importFile(served, "Stock.csv", FILE);
  process.kill(await heldReaderOf(served.pid), "SIGKILL");
  const data = await read(served, id);
  expect([data.state, data.attempts, data.failureCode]).toEqual(["FAILED", 1, "reader-ended"]);
  expect((await call(served, "GET", "/stakeholders")).status).toBe(200);
  rmSync(hold);
  const again = await call(served, "POST", "/imports", { documentId: data.documentId });
  expect(await read(served, again.json.data.id)).toMatchObject({ attempts: 1, failureCode: null });
});
