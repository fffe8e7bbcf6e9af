// A cap table leaves as a package, comes into an empty organization, and leaves again the same: whatever was done
// to it before, through whichever route.
import { afterAll, expect, test } from "bun:test";
import { unzipSync } from "fflate";
import { importPackage } from "../../src/exchange/ocf/import/run.ts";
import { validatePackage } from "../../src/exchange/ocf/validate.ts";
import { commandLineCall } from "../../src/kernel/call.ts";
import { readZip } from "../exchange/ocf/reading.ts";
import { sensibleCall } from "../fuzz/calls.ts";
import { TestCompany } from "../fuzz/company.ts";
import { Service } from "../kit/in-process.ts";
import { firstSeed, proved, seedCount } from "../kit/proof.ts";
import { seeded } from "../kit/random.ts";

const COMPANIES = seedCount(1, 500);
const COMPANIES_IN_SERVICE = 25;
const CALLS_MAX = 120;
const EXPORT = "/cap-table/ocf-export";
const TIMEOUT_MS = 3_600_000;

let service: Service | null = null;
afterAll(() => service?.stop());

type Objects = ReadonlyMap<string, unknown>;

/** Every object of a package by type and id. */
function objectsOf(archive: Uint8Array): Objects {
  const objects = new Map<string, unknown>();
  for (const bytes of Object.values(unzipSync(archive))) {
    for (const item of JSON.parse(new TextDecoder().decode(bytes)).items ?? []) {
      const key = `${item.object_type} ${item.id}`;
      expect({ key, isTwice: objects.has(key) }).toEqual({ key, isTwice: false });
      objects.set(key, item);
    }
  }
  return objects;
}

type Figures = Readonly<Record<string, { readonly id: string }[]>>;

/** The cap table's lines by id and its totals, without display names, for which the format has no word. */
async function figuresOf(home: Service, orgId: string): Promise<ReadonlyMap<string, unknown>> {
  const { data } = (await home.api("GET", "/cap-table?asOf=9999-12-31", undefined, { orgId })).json;
  const { totalAuthorized, totalIssued } = (await home.api("GET", "/cap-table/summary", undefined, { orgId })).json
    .data;
  const { shareClasses, equityPlans, stakeholders } = data as Figures;
  const lines = [...(shareClasses ?? []), ...(equityPlans ?? []), ...(stakeholders ?? [])];
  const known = [...lines, { id: "totals", ...data.totals, totalAuthorized, totalIssued }];
  return new Map(known.map((line) => [line.id, { ...line, displayName: null }]));
}

async function expectSameFigures(home: Service, source: string, copy: string): Promise<void> {
  const [lines, copied] = [await figuresOf(home, source), await figuresOf(home, copy)];
  for (const [id, line] of lines) expect(copied.get(id)).toEqual(line);
}

test(
  `P8: ${COMPANIES} companies leave as a package, come into an empty organization, and leave again the same`,
  async () => {
    let objects = 0;
    for (let index = 0; index < COMPANIES; index++) {
      const seed = firstSeed() + index;
      const pick = seeded(seed);
      if (service === null || index % COMPANIES_IN_SERVICE === 0) {
        await service?.stop();
        service = await Service.start(seed);
      }
      const home = service;
      try {
        const company = await TestCompany.create(home);
        for (let calls = pick(CALLS_MAX); calls > 0; calls--) {
          const call = sensibleCall(company, pick);
          if (call.route.path.endsWith("ocf-import")) continue;
          company.learn(call.route, await home.send(call.sending));
          if (calls % 10 === 0) await company.look();
        }
        const first = await home.download(EXPORT, company.orgId);
        expect(validatePackage(await readZip(first)).problems.filter(({ severity }) => severity === "problem")).toEqual(
          [],
        );
        const orgId = await home.newOrganization();
        const target = { writer: home.writer, call: () => commandLineCall(home.runtime, orgId) };
        const report = await importPackage(target, await readZip(first));
        expect(report.errors).toEqual([]);
        expect(home.differences(orgId)).toEqual([]);
        expect(Object.fromEntries(objectsOf(await home.download(EXPORT, orgId)))).toEqual(
          Object.fromEntries(objectsOf(first)),
        );
        await expectSameFigures(home, company.orgId, orgId);
        const again = await importPackage(target, await readZip(first));
        expect(Object.values(again.imported).every((count) => count === 0)).toBe(true);
        objects += objectsOf(first).size;
      } catch (error) {
        throw new Error(`CAPTABLE_SEED=${seed} bun test test/property/packages.test.ts`, { cause: error });
      }
    }
    expect(objects).toBeGreaterThan(COMPANIES * 10);
    const seed = `${firstSeed()}-${firstSeed() + COMPANIES - 1}`;
    proved({
      fault: "P8",
      what: `companies exported, imported, exported (${objects} objects)`,
      count: COMPANIES,
      seed,
      result: "equal",
    });
  },
  TIMEOUT_MS,
);
