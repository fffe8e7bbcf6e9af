// Small files that ask for much, given to a whole service: each is refused by the figure that is too much, the service keeps
// within its memory, other tenants go on, and the next start finds nothing that would end it.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { AS_IT_SHIPS, newDataDir, type Served, serveProgram } from "../../kit/program.ts";
import { proved } from "../../kit/proof.ts";
import { RELEASE } from "../../kit/release.ts";
import { HOSTILE_BODIES, HOSTILE_FILES } from "./hostile-files.ts";
import {
  anotherTenant,
  beside,
  call,
  childrenOf,
  importFile,
  type Met,
  memoryOf,
  percentile,
  read,
  send,
} from "./service.ts";

setDefaultTimeout(600_000);

const OVER_IDLE_BYTES = 512 * 1024 ** 2;
/** The quick ones; a release run takes all. */
const QUICK = /described|nested|styles|links/;
const isTaken = ({ what }: { readonly what: string }) => RELEASE || QUICK.test(what);

const dataDir = newDataDir();
let served: Served;
let other: Pick<Served, "url" | "key">;
let idle = 0;
const met: Met[] = [];

const canSee = existsSync(`/proc/self/task/${process.pid}/children`);

beforeAll(async () => {
  served = await serveProgram(dataDir, AS_IT_SHIPS);
  other = await anotherTenant(served, dataDir);
  await beside(other, () => Bun.sleep(1000));
  if (canSee) idle = memoryOf(served.pid).now;
});

afterAll(async () => {
  expect(await served.end()).toBe(0);
  rmSync(dirname(dataDir), { recursive: true, force: true });
});

test.skipIf(!canSee)("no process is begun before a file comes", () => {
  expect(childrenOf(served.pid)).toEqual([]);
});

describe("a spreadsheet", () => {
  test.each(HOSTILE_FILES.filter(isTaken))("$what", async ({ make, named }) => {
    const bytes = make();
    const [data, seen] = await beside(other, async () => read(served, await importFile(served, "Stock.csv", bytes)));
    expect(data).toMatchObject({ state: "FAILED", failureCode: "file-too-complex", attempts: 1 });
    expect(data.failure).toMatch(named);
    met.push(seen);
  });
});

describe("a package", () => {
  test.each(HOSTILE_BODIES.filter(isTaken))("$what", async ({ make, named, contentType }) => {
    const bodyFile = join(dirname(dataDir), "body");
    await Bun.write(bodyFile, make());
    for (const path of ["ocf-validate", "ocf-import"]) {
      const [told, seen] = await beside(other, () => send(served, `/cap-table/${path}`, bodyFile, contentType));
      expect([told.status, told.json.type]).toEqual([422, expect.stringContaining("/problems/file-too-complex")]);
      expect(told.json.detail).toMatch(named);
      met.push(seen);
    }
  });
});

test("the same files with less in them are read", async () => {
  const csv = Buffer.from(`Certificate,Holder\n${",\r\n".repeat(1000)}CS-1,Ada\n`);
  const data = await read(served, await importFile(served, "Stock.csv", csv));
  expect([data.failureCode, data.attempts, data.state === "FAILED" ? data.failure : ""]).toEqual([
    null,
    1,
    expect.not.stringContaining("allowed"),
  ]);
  const body = { manifest: {}, entityFiles: { "transactions.json": { items: [[], [], {}] } } };
  expect((await call(served, "POST", "/cap-table/ocf-validate", body)).status).toBe(200);
});

test("the service kept within its memory, and others went on", async () => {
  expect(met.length).toBeGreaterThan(4);
  for (const { writes, reads } of met) expect(Math.min(writes.length, reads.length)).toBeGreaterThan(0);
  const [, control] = await beside(other, () => Bun.sleep(2000));
  const [writes, reads] = [met.flatMap((each) => each.writes), met.flatMap((each) => each.reads)];
  const over = canSee ? memoryOf(served.pid).most - idle : 0;
  expect(over).toBeLessThan(OVER_IDLE_BYTES);
  const figures = ({ writes: ofWrites, reads: ofReads }: Met) =>
    `slowest write ${percentile(ofWrites, 1)} ms, p99 read ${percentile(ofReads, 0.99)} ms`;
  proved({
    ...{ fault: "R1", what: "files that ask for much, beside another tenant", count: met.length, seed: "-" },
    result: `${figures({ writes, reads })} (without any: ${figures(control)}); ${Math.ceil(over / 1024 ** 2)} MiB over idle`,
  });
});

test("and the next start reads nothing again", async () => {
  await served.end();
  served = { ...(await serveProgram(dataDir, AS_IT_SHIPS)), key: served.key };
  const { items } = (await call(served, "GET", "/imports")).json;
  expect(items.filter(({ state }: { readonly state: string }) => state === "READING")).toEqual([]);
});
