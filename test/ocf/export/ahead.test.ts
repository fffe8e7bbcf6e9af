// What is dated ahead moves nothing else: on every day the package says what the cap table of that day says, by our own
// import of it, by a reader of objects that knows nothing of the program, and by the independent tool where that is there.
import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { unzipSync } from "fflate";
import { commandLineCall } from "../../../src/kernel/call.ts";
import { importPackage } from "../../../src/ocf/import/run.ts";
import { readZip } from "../../../src/ocf/package.ts";
import { Service } from "../../kit/in-process.ts";
import { firstSeed, proved, seedCount } from "../../kit/proof.ts";
import { seeded } from "../../kit/random.ts";
import { runTool } from "../../kit/tool.ts";
import type { Fields } from "../objects.ts";
import { readTotals } from "../reader.ts";
import type { Shape } from "./company.ts";
import { dayAfter, makeRandomCompany, TODAY } from "./random-company.ts";
import { HAS_MATERIAL, MATERIAL } from "./support.ts";

const COMPANIES = seedCount(40, 2000);
/** Starting the tool takes long, and it says the same as the reader: it looks at one company in so many. */
const ASKED_EVERY = 20;
const COMPANIES_IN_SERVICE = 25;
const DAYS = 20;
const EXPORT = "/cap-table/ocf-export";

let service: Service | null = null;
const folder = mkdtempSync(join(tmpdir(), "captable-ahead-"));
afterAll(async () => {
  await service?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Who has how much on a day: sums by holder, class or family, without nothing. */
type Figures = Readonly<Record<string, number>>;

function sumsOf(entries: Iterable<readonly [string, unknown]>): Figures {
  const sums = new Map<string, number>();
  for (const [key, quantity] of entries) sums.set(key, (sums.get(key) ?? 0) + Number(quantity));
  // Ten places, as the format has them.
  const known = [...sums].map(([key, sum]) => [key, Number(sum.toFixed(8))] as const);
  return Object.fromEntries(known.filter(([, sum]) => sum !== 0).sort());
}

async function shown(home: Service, orgId: string, day: string): Promise<Figures> {
  const { data } = (await home.api("GET", `/cap-table?asOf=${day}`, undefined, { orgId })).json;
  return sumsOf([
    ...data.stakeholders.flatMap(({ id, holdings, options, warrants }: Shape) => [
      ...holdings.map(({ stockClassId, quantity }: Shape) => [`${id} ${stockClassId}`, quantity]),
      [`${id} options`, options],
      [`${id} warrants`, warrants],
    ]),
    ...data.shareClasses.map(({ id, issued }: Shape) => [`class ${id}`, issued]),
  ]);
}

const WORDS: Readonly<Record<string, string>> = { EQUITY_COMPENSATION: "options", WARRANT: "warrants" };

/** The same, added up from the objects dated until that day. */
function read(objects: readonly Fields[], day: string): Figures {
  const dated = objects.filter(({ date }) => date === undefined || String(date) <= day);
  const { classes, holdings } = readTotals(dated);
  return sumsOf([
    ...Object.entries(holdings).map(([key, quantity]) => {
      const [holder, family = "", classId] = key.split("|");
      return [`${holder} ${WORDS[family] ?? classId}`, quantity] as const;
    }),
    ...Object.entries(classes).map(([id, quantity]) => [`class ${id}`, quantity] as const),
  ]);
}

/** The same, by the independent tool. */
async function asked(path: string, day: string): Promise<Figures> {
  const said = JSON.parse(await runTool(join(MATERIAL, "ocf-oracle.mjs"), [path, `--as-of=${day}`]));
  const holders = Object.entries(said.stakeholders as Shape).flatMap(([id, held]) => {
    const { stock, equityCompensation, warrants } = held as Shape;
    return [
      ...Object.entries(stock).map(([classId, quantity]) => [`${id} ${classId}`, quantity] as const),
      ...Object.values(equityCompensation).map((quantity) => [`${id} options`, quantity] as const),
      [`${id} warrants`, warrants] as const,
    ];
  });
  const classes = Object.entries(said.stockClasses as Shape).map(([id, of]) => [`class ${id}`, (of as Shape).issued]);
  return sumsOf([...holders, ...(classes as [string, unknown][])]);
}

function objectsOf(archive: Uint8Array): readonly Fields[] {
  return Object.values(unzipSync(archive)).flatMap(
    (bytes) => JSON.parse(new TextDecoder().decode(bytes)).items ?? [],
  ) as Fields[];
}

async function copyOf(home: Service, archive: Uint8Array): Promise<string> {
  const orgId = await home.newOrganization("Copy, Inc.");
  const target = { writer: home.writer, call: () => commandLineCall(home.runtime, orgId) };
  const { errors } = await importPackage(target, await readZip(archive));
  expect(errors).toEqual([]);
  return orgId;
}

/** The days around those that entries name, and today. */
function daysOf(named: readonly string[], pick: (below: number) => number): readonly string[] {
  const near = named.flatMap((day) => [day, dayAfter(day, -1)]);
  const days = new Set([TODAY, "2030-01-01"]);
  while (days.size < Math.min(DAYS, near.length)) days.add(near[pick(near.length)] ?? TODAY);
  return [...days].sort();
}

test(`${COMPANIES} companies with a tenth of their entries ahead: on each of ${DAYS} days the package says what the cap table says`, async () => {
  let compared = 0;
  for (let index = 0; index < COMPANIES; index++) {
    const seed = firstSeed() + index;
    const pick = seeded(seed);
    if (service === null || index % COMPANIES_IN_SERVICE === 0) {
      await service?.stop();
      service = await Service.start(seed);
    }
    const home = service;
    try {
      const { orgId, days } = await makeRandomCompany(home, pick);
      const archive = await home.download(EXPORT, orgId);
      const objects = objectsOf(archive);
      const copy = await copyOf(home, archive);
      const path = join(folder, `${seed}.zip`);
      const isAsked = HAS_MATERIAL && index % ASKED_EVERY === 0;
      if (isAsked) writeFileSync(path, archive);
      for (const day of daysOf(days, pick)) {
        const figures = await shown(home, orgId, day);
        expect({ day, read: read(objects, day) }).toEqual({ day, read: figures });
        expect({ day, imported: await shown(home, copy, day) }).toEqual({ day, imported: figures });
        if (isAsked) expect({ day, asked: await asked(path, day) }).toEqual({ day, asked: figures });
        compared++;
      }
    } catch (error) {
      throw new Error(`CAPTABLE_SEED=${seed} bun test test/ocf/export/ahead.test.ts`, { cause: error });
    }
  }
  if (!HAS_MATERIAL) process.stderr.write("ahead.test.ts: the independent tool is not there; skipped\n");
  const seed = `${firstSeed()}-${firstSeed() + COMPANIES - 1}`;
  const what = `companies with entries ahead, exported, on ${compared} days`;
  proved({ fault: "E11", what, count: COMPANIES, seed, result: "equal" });
}, 3_600_000);

test("a split before what is dated ahead stays on its day, and what is ahead goes out in shares of after it", async () => {
  service ??= await Service.start(1);
  const home = service;
  const orgId = await home.newOrganization("Example, Inc.");
  const call = async (path: string, body: object): Promise<Shape> => {
    const { status, json, text } = await home.api("POST", path, body, { orgId });
    if (status >= 300) throw new Error(text);
    return json.data ?? json;
  };
  const holder = (name: string) =>
    call("/stakeholders", { displayName: name, name: { legalName: name }, type: "INDIVIDUAL" });
  const [{ id: ann }, { id: bob }] = [await holder("Ann"), await holder("Bob")];
  const terms = { classType: "COMMON", votesPerShare: "1", seniority: 1, defaultIdPrefix: "CS-" };
  const { id: stockClassId } = await call("/share-classes", {
    name: "Common",
    ...terms,
    initialSharesAuthorized: "100000",
  });
  const stock = { type: "STOCK", stockClassId, pricePerShare: "1" };
  const a = { ...stock, stakeholderId: ann, quantity: "1000", certificateId: "CS-1", grantDate: "2025-01-01" };
  const { id: securityId } = await call("/securities", a);
  await call("/securities", {
    ...stock,
    stakeholderId: bob,
    quantity: "10",
    certificateId: "CS-2",
    grantDate: "2026-12-29",
  });
  await call("/transactions/split", { stockClassId, numerator: 10, denominator: 1, effectiveDate: TODAY });
  const cancel = { cancellationReason: "TERMINATION", effectiveDate: TODAY };
  await call("/transactions/cancel", { securityId, quantity: "4000", ...cancel });
  const archive = await home.download(EXPORT, orgId);
  const objects = objectsOf(archive);
  const told = objects.filter(({ object_type: type }) => String(type).startsWith("TX_"));
  const of = (type: string) => told.filter((each) => each.object_type === type);
  expect(of("TX_STOCK_CLASS_SPLIT")).toMatchObject([{ date: TODAY }]);
  expect(of("TX_STOCK_CANCELLATION")).toMatchObject([{ date: TODAY, quantity: "4000" }]);
  const issued = { date: "2026-12-29", quantity: "100", share_price: { amount: "0.1" } };
  expect(of("TX_STOCK_ISSUANCE").filter((each) => each.stakeholder_id === bob)).toMatchObject([issued]);
  expect(told.some(({ comments }) => String(comments).includes("in the ledger"))).toBe(false);
  const copy = await copyOf(home, archive);
  const held = (day: string) => shown(home, copy, day);
  expect(await held(TODAY)).toMatchObject({ [`${ann} ${stockClassId}`]: 6000, [`class ${stockClassId}`]: 6000 });
  expect(await held("2026-12-28")).not.toHaveProperty(`${bob} ${stockClassId}`);
  expect(await held("2026-12-29")).toMatchObject({ [`${bob} ${stockClassId}`]: 100, [`class ${stockClassId}`]: 6100 });
});
