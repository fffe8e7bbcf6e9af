// F13: too many connections and too few file descriptors: the program goes on, and takes requests again once there is
// room. RLIMIT_AS is not tried: the JavaScript engine reserves far more address space than it ever uses.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { connect, type Socket } from "node:net";
import { proved } from "../kit/proof.ts";
import { expectReads, expectSound, makeTemplate, type Template, type Written, write } from "./support/company.ts";
import { copyOf, type Running, serveUnder } from "./support/serve.ts";

const PATIENCE_MS = 60_000;
let template: Template;
let count = 0;

beforeAll(async () => {
  template = await makeTemplate();
}, 300_000);
afterAll(() => {
  template.remove();
  const what = "loads beyond the limits: 64 file descriptors, 1,000 idle connections, both";
  proved({ fault: "F13", what, count, seed: "-", result: "requests taken again after it, 0 crashes" });
});

/** Opens connections that say nothing; those that are refused count as closed. */
async function openIdle(url: string, wanted: number): Promise<Socket[]> {
  const { hostname, port } = new URL(url);
  return await Promise.all(
    Array.from({ length: wanted }, async () => {
      const socket = connect(Number(port), hostname);
      const settled = Promise.withResolvers<void>();
      for (const event of ["connect", "error", "close"]) socket.on(event, () => settled.resolve());
      await Promise.race([settled.promise, Bun.sleep(2000)]);
      return socket;
    }),
  );
}

/** Waits until a write is acknowledged again. */
async function untilWritten(running: Running, written: Written): Promise<number> {
  const started = performance.now();
  for (let tries = 0; performance.now() - started < PATIENCE_MS; tries++) {
    if ((await write(running, written, `again-${tries}`)) === 201) return performance.now() - started;
    await Bun.sleep(100);
  }
  throw new Error(`no write was taken within ${PATIENCE_MS} ms after the load`);
}

test.each([
  ["64 file descriptors and 200 idle connections", ["prlimit", "--nofile=64:64"], 200, false],
  ["1,000 idle connections", [], 1000, true],
  ["64 file descriptors and 1,000 idle connections", ["prlimit", "--nofile=64:64"], 1000, false],
])(
  "%s",
  async (_case, under, idle, isServedMeanwhile) => {
    const { dataDir, remove } = copyOf(template.dataDir);
    const running = await serveUnder(under, dataDir, template.keys[0]);
    const written: Written = { acknowledged: [], refused: [] };
    expect(await write(running, written, "before")).toBe(201);
    const sockets = await openIdle(running.url ?? "", idle);
    if (isServedMeanwhile) {
      expect(await write(running, written, "meanwhile")).toBe(201);
      await expectReads(running);
    }
    for (const socket of sockets) socket.destroy();
    await untilWritten(running, written);
    await expectReads(running);
    expect((await running.end()).status).toBe(0);
    await expectSound(dataDir, template.keys[0], written);
    remove();
    count++;
  },
  300_000,
);
