// Open Cap Format from a hostile hand: whatever a package says, validating and importing it end with a report, and
// what came in adds up, shows as the OpenAPI document describes, and can be exported.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { importPackage } from "../../src/exchange/ocf/import/run.ts";
import type { OcfPackage } from "../../src/exchange/ocf/package.ts";
import { validatePackage } from "../../src/exchange/ocf/validate.ts";
import { commandLineCall } from "../../src/kernel/call.ts";
import { Problem } from "../../src/kernel/problem.ts";
import { getOrganization } from "../../src/resources/organization/store.ts";
import type { Difference } from "../../src/safekeeping/verify/report.ts";
import { verifyOrganization } from "../../src/safekeeping/verify/verify.ts";
import { readZip } from "../exchange/ocf/reading.ts";
import { expectSound } from "../kit/cap-table.ts";
import { Service } from "../kit/in-process.ts";
import { firstSeed, proved, seedCount } from "../kit/proof.ts";
import { type Pick, seeded } from "../kit/random.ts";
import { nameOf, ROUTES } from "../matrix/world.ts";
import { Oracle } from "./oracle.ts";
import { archiveOf, brokenArchive, hostileFiles, importBody } from "./packages.ts";

/** Two in `test`: the first alone is refused as a whole. */
const PACKAGES = seedCount(2, 10_000);
const ARCHIVES = seedCount(5, 40_000);
const PACKAGES_IN_SERVICE = 100;
/** What validating a small package may take, however it is broken. */
const PATIENCE_MS = 2000;
const TIMEOUT_MS = 3_600_000;

/** Lists that a key may ask for: the portal is for people. */
/** What has to be asked with a query, or of a record. */
const NOT_BARE = /\/:|\/(in-force|next-certificate)$/;
const LISTS = ROUTES.filter(
  (route) => route.method === "GET" && route.query && route.role !== "STAKEHOLDER" && !NOT_BARE.test(route.path),
);
const IMPORT = ROUTES.find((route) => nameOf(route) === "POST /cap-table/ocf-import");

let oracle: Oracle;
let service: Service | null = null;

beforeAll(async () => {
  oracle = await Oracle.make();
});
afterAll(() => service?.stop());

async function serviceFor(index: number, seed: number): Promise<Service> {
  if (service === null || index % PACKAGES_IN_SERVICE === 0) {
    if (service) expect(service.differences()).toEqual([]);
    await service?.stop();
    service = await Service.start(seed);
  }
  return service;
}

interface Came {
  readonly imported: Readonly<Record<string, number>>;
}

const countOf = ({ imported }: Came) => Object.values(imported).reduce((sum, count) => sum + count, 0);

/** The archive's package; null where its bounds refuse it as a whole. */
async function readBounded(archive: Uint8Array): Promise<OcfPackage | null> {
  try {
    return await readZip(archive);
  } catch (error) {
    if (error instanceof Problem && error.slug === "file-too-complex") return null;
    throw error;
  }
}

/** Imports over the API or from an archive, and returns what was said; null where the whole was refused. */
async function importTwice(
  home: Service,
  orgId: string,
  files: ReadonlyMap<string, string>,
  pick: Pick,
): Promise<Came | null> {
  if (pick(2) === 0) {
    const ocf = await readBounded(archiveOf(files, pick));
    if (ocf === null) return null;
    validatePackage(ocf);
    return importPackage({ writer: home.writer, call: () => commandLineCall(home.runtime, orgId) }, ocf);
  }
  const headers = { authorization: `Bearer ${await home.key(orgId)}`, "content-type": "application/json" };
  const answer = await home.send({
    method: "POST",
    path: "/cap-table/ocf-import",
    headers,
    body: importBody(files, pick),
  });
  if (!IMPORT) throw new Error("there is no import");
  expect(oracle.judge(IMPORT, answer)).toBeNull();
  return answer.status === 200 ? answer.json.data : null;
}

/** Everything that shows what came in: each list, each security's vesting, the totals, the export. */
async function expectShown(home: Service, orgId: string, pick: Pick): Promise<void> {
  for (const route of LISTS) {
    if (route.path.endsWith("ocf-export") && pick(5) > 0) continue;
    const answer = await home.api("GET", route.path.replace("/api/v1", ""), undefined, { orgId });
    expect({ route: nameOf(route), status: answer.status, fault: oracle.judge(route, answer) }).toEqual({
      route: nameOf(route),
      status: 200,
      fault: null,
    });
    if (route.path.endsWith("/cap-table")) expectSound(answer.json.data);
    if (!route.path.endsWith("/securities")) continue;
    const vesting = ROUTES.find((candidate) => nameOf(candidate) === "GET /securities/{id}/vesting") ?? route;
    for (const { id } of answer.json.items) {
      const shown = await home.api("GET", `/securities/${encodeURIComponent(id)}/vesting`, undefined, { orgId });
      expect({ id, status: shown.status, fault: oracle.judge(vesting, shown) }).toEqual({
        id,
        status: 200,
        fault: null,
      });
    }
  }
}

function expectExplained(home: Service, orgId: string): void {
  const differences: Difference[] = [];
  verifyOrganization(home.reader, getOrganization(home.reader, orgId), { differences, notes: [] });
  expect(differences).toEqual([]);
  expect(home.failures).toEqual([]);
  expect({ polluted: Reflect.get({}, "isAdmin") ?? Reflect.get({}, "a") }).toEqual({ polluted: undefined });
}

test(
  `S11: ${PACKAGES} hostile packages come in, or are refused, and what came in adds up`,
  async () => {
    let objects = 0;
    for (let index = 0; index < PACKAGES; index++) {
      const seed = firstSeed() + index;
      const pick = seeded(seed);
      const home = await serviceFor(index, seed);
      try {
        const orgId = await home.newOrganization();
        const files = hostileFiles(pick);
        const came = await importTwice(home, orgId, files, seeded(seed));
        objects += came ? countOf(came) : 0;
        expectExplained(home, orgId);
        if (pick(4) === 0) await expectShown(home, orgId, pick);
        if (pick(4) > 0 || came === null) continue;
        const again = await importTwice(home, orgId, files, seeded(seed));
        expect(again && countOf(again)).toBe(0);
        expectExplained(home, orgId);
      } catch (error) {
        throw new Error(`CAPTABLE_SEED=${seed} bun test test/fuzz/ocf.test.ts -t packages`, { cause: error });
      }
    }
    expect(service?.differences()).toEqual([]);
    expect(objects).toBeGreaterThan(PACKAGES * 10);
    const seed = `${firstSeed()}-${firstSeed() + PACKAGES - 1}`;
    proved({ fault: "S11", what: "hostile OCF packages", count: PACKAGES, seed, result: "0 failures, 0 differences" });
  },
  TIMEOUT_MS,
);

test(
  `S11: ${ARCHIVES} broken archives are reported, quickly`,
  async () => {
    let reported = 0;
    for (let index = 0; index < ARCHIVES; index++) {
      const seed = firstSeed() + index;
      const pick = seeded(seed);
      try {
        const archive = brokenArchive(archiveOf(hostileFiles(pick), pick), pick);
        const started = performance.now();
        const ocf = await readBounded(archive);
        const problems = ocf === null ? null : validatePackage(ocf).problems;
        expect(performance.now() - started).toBeLessThan(PATIENCE_MS);
        if (problems === null || problems.some(({ severity }) => severity === "problem")) reported++;
      } catch (error) {
        throw new Error(`CAPTABLE_SEED=${seed} bun test test/fuzz/ocf.test.ts -t archives`, { cause: error });
      }
    }
    expect(reported).toBeGreaterThan(ARCHIVES * 0.9 - 1);
    const seed = `${firstSeed()}-${firstSeed() + ARCHIVES - 1}`;
    proved({ fault: "S11", what: "broken zip archives", count: ARCHIVES, seed, result: "0 failures" });
  },
  TIMEOUT_MS,
);

test("a holding that came in otherwise than the ledger says would be found", async () => {
  const home = await Service.start(1);
  try {
    const orgId = await home.newOrganization();
    for (let index = 0; index < 5; index++) await importTwice(home, orgId, hostileFiles(seeded(index)), seeded(index));
    expectExplained(home, orgId);
    const changed = home.db.sqlite
      .prepare("update securities set quantity = quantity || '1' where orgId = ?")
      .run(orgId);
    expect(changed.changes).toBeGreaterThan(0);
    expect(() => expectExplained(home, orgId)).toThrow();
  } finally {
    await home.stop();
  }
}, 60_000);
