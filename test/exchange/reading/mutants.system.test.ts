// Workbooks and packages that grow, one after the other, given to one service: whatever is in them, it answers, keeps within its
// memory, and its next start finds nothing to fail over.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { templateBytes } from "../../../src/exchange/spreadsheet/file/template-file.ts";
import { AS_IT_SHIPS, newDataDir, type Served, serveProgram } from "../../kit/program.ts";
import { firstSeed, proved, seedCount } from "../../kit/proof.ts";
import { Random } from "../../kit/random.ts";
import { whole } from "../../views/reports/made.ts";
import { mutantOf } from "./mutants.ts";
import { call, importFile, memoryOf, read } from "./service.ts";

setDefaultTimeout(14_400_000);

const MUTANTS = seedCount(100, 10_000);
const OVER_IDLE_BYTES = 512 * 1024 ** 2;
const canSee = existsSync("/proc/self/status");

const dataDir = newDataDir();
let served: Served;

beforeAll(async () => {
  served = await serveProgram(dataDir, AS_IT_SHIPS);
});

afterAll(async () => {
  await served.end();
  rmSync(dirname(dataDir), { recursive: true, force: true });
});

test("no mutant ends the service, or takes its memory", async () => {
  const sound = await whole(templateBytes(true));
  await call(served, "GET", "/stakeholders");
  const idle = canSee ? memoryOf(served.pid).now : 0;
  const ways = { workbook: 0, archive: 0, body: 0 };
  let refused = 0;
  for (let seed = firstSeed(); seed < firstSeed() + MUTANTS; seed++) {
    const { way, bytes } = mutantOf(sound, new Random(seed));
    ways[way]++;
    if (way === "workbook") {
      const { state, failureCode, failure } = await read(served, await importFile(served, "x.xlsx", bytes));
      expect([seed, state]).toEqual([seed, expect.stringMatching(/^(PREVIEWED|FAILED)$/)]);
      expect([seed, failureCode]).not.toEqual([seed, "reader-ended"]);
      if (failureCode !== null) refused++;
      if (failureCode !== null) expect(failure).toMatch(/allowed|more memory or time/);
    } else {
      const type = way === "archive" ? "application/zip" : "application/json";
      const path = seed % 2 === 0 ? "ocf-validate" : "ocf-import?dryRun=true";
      const query = way === "body" ? path.replace(/\?.*/, "") : path;
      const { status, json } = await call(served, "POST", `/cap-table/${query}`, bytes, type);
      expect([seed, [200, 400, 422].includes(status) ? "answered" : status]).toEqual([seed, "answered"]);
      if (String(json.type).endsWith("/file-too-complex")) refused++;
    }
  }
  expect(refused).toBeGreaterThan(0);
  expect(Math.min(...Object.values(ways))).toBeGreaterThan(0);
  const over = canSee ? memoryOf(served.pid).most - idle : 0;
  expect(over).toBeLessThan(OVER_IDLE_BYTES);
  await served.end();
  served = { ...(await serveProgram(dataDir, AS_IT_SHIPS)), key: served.key };
  expect((await call(served, "GET", "/stakeholders")).status).toBe(200);
  proved({
    ...{ fault: "R2", what: "workbooks and packages that grow", count: MUTANTS, seed: `${firstSeed()} on` },
    result: `${refused} refused by what they have, the service never ended; ${Math.ceil(over / 1024 ** 2)} MiB over idle`,
  });
});
