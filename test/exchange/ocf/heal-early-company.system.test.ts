// An early company's package that was refused in part, corrected and imported again: every read is that of one import
// of the corrected package, before and after a split.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { startTestServer, type TestServer } from "../../kit/service.ts";
import { EARLY_COMPANY, EARLY_SECURITIES, EARLY_SPLIT } from "./early-company.ts";
import { exportOf } from "./export/support.ts";
import { packageWith } from "./import-support.ts";
import type { Fields } from "./objects.ts";
import { Organization } from "./organization.ts";
import { bare, without } from "./same-reads.ts";

setDefaultTimeout(120_000);

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ CAPTABLE_LOG: "off" });
});
afterAll(() => server.stop());

const DAYS = ["2021-01-10", "2021-12-31", "2022-09-15", "2023-02-20", "2023-12-31", "2024-07-02"];
const SHEETS = ["stock-ledger", "option-ledger", "warrants", "convertibles", "pool", "stakeholders", "valuations"];

/** The records of a sheet without the place in the ledger, which tells the order of coming in. */
function withoutEntries(csv: string): readonly string[] {
  const records = csv.split("\r\n").map((line) => line.split(","));
  const at = records[0]?.indexOf("Entry") ?? -1;
  return records.map((record) => record.filter((_, i) => i !== at).join()).sort();
}

const WITH_SPLIT = [...EARLY_COMPANY, EARLY_SPLIT];
const PACKAGE_TEXT = JSON.stringify(WITH_SPLIT);

/** An object of an export without the ids that the export made up: it derives them from those of ledger entries. */
function withoutMadeIds(object: object): unknown {
  const isMade = (value: unknown) => typeof value === "string" && !PACKAGE_TEXT.includes(`"${value}"`);
  // A restatement of a plan names the first grant that came in.
  const isRestated = JSON.stringify(object).includes('"reason_text":"Restated: ');
  const isIncidental = (key: string, value: unknown) =>
    /(^|_)id$/.test(key) && (isMade(value) || (isRestated && key === "security_id"));
  return JSON.parse(JSON.stringify(object, (key, value) => (isIncidental(key, value) ? "by the export" : value)));
}

/** Every answer that could differ, by path. */
async function answersOf({ orgId }: Organization): Promise<Record<string, unknown>> {
  const paths = [
    ...["/stakeholders", "/share-classes", "/equity-plans", "/valuations"].map((path) => `${path}?limit=100`),
    ...["/securities?limit=100", "/cap-table", "/cap-table/summary"],
    ...DAYS.map((day) => `/cap-table?asOf=${day}`),
    ...EARLY_SECURITIES.map((id) => `/securities/${id}`),
    ...["ada", "bob", "cleo", "dan", "eve", "fay", "gus", "hal", "fund", "angel", "bank"].flatMap((id) =>
      ["2022-09-15", "2023-12-31", "2024-07-02"].map((day) => `/stakeholders/${id}/position?asOf=${day}`),
    ),
  ];
  const answers: Record<string, unknown> = {};
  for (const path of paths) {
    const { status, json } = await server.api("GET", path, undefined, { orgId });
    expect([path, status]).toEqual([path, 200]);
    answers[path] = bare(json, orgId);
  }
  for (const sheet of SHEETS) {
    const { status, text } = await server.api("GET", `/reports/${sheet}.csv`, undefined, { orgId });
    expect([sheet, status]).toEqual([sheet, 200]);
    answers[sheet] = withoutEntries(text);
  }
  const { objects } = await exportOf(server, orgId);
  answers.export = bare(objects.map(withoutMadeIds), orgId);
  return answers;
}

/** An organization into which a package came at once, and its answers: the same for each test of that package. */
interface Fresh {
  readonly organization: Organization;
  readonly answers: Record<string, unknown>;
}

async function importedAtOnce(whole: readonly Fields[]): Promise<Organization> {
  const organization = await Organization.make(server);
  expect((await organization.importPackage(packageWith(whole))).errors).toEqual([]);
  return organization;
}

const kept = {
  unsplit: new Map<readonly Fields[], Promise<Fresh>>(),
  split: new Map<readonly Fields[], Promise<Fresh>>(),
};

/** One import of a package, before a split of the company or after it; made when a test first asks for it. */
function atOnce(whole: readonly Fields[], isSplit = false): Promise<Fresh> {
  const made = isSplit ? kept.split : kept.unsplit;
  const known = made.get(whole);
  if (known !== undefined) return known;
  const fresh = (async () => {
    const organization = isSplit ? (await atOnce(whole)).organization : await importedAtOnce(whole);
    if (isSplit) await split(organization);
    return { organization, answers: await answersOf(organization) };
  })();
  made.set(whole, fresh);
  return fresh;
}

const split = (company: Organization) => company.split(2, 1, { effectiveDate: "2024-07-01" });

async function difference(healed: Organization, { answers: other }: Fresh): Promise<string[]> {
  const one = await answersOf(healed);
  return Object.keys(one).filter((path) => JSON.stringify(one[path]) !== JSON.stringify(other[path]));
}

async function corrected(ids: readonly string[], whole: readonly Fields[]) {
  const healed = await Organization.make(server);
  const first = await healed.importPackage(packageWith(without(ids, whole)));
  expect(first.errors.map(({ id }) => id).sort()).toEqual([...ids].sort());
  const second = await healed.importPackage(packageWith(whole));
  expect(second.errors).toEqual([]);
  return { healed, second };
}

test("has 42 securities", () => {
  expect(new Set(EARLY_SECURITIES).size).toBe(42);
});

for (const [words, ids] of [
  ["the plan", ["plan"]],
  ["the class", ["common"]],
  ["two holders", ["dan", "angel"]],
  ["a grant that was exercised", ["equity_compensation_issuance ES-1 2021-07-01"]],
  ["a grant of whose balance some was exercised", ["equity_compensation_issuance ES-3 2021-10-01"]],
  ["a balance of which some was exercised", ["equity_compensation_issuance ES-10 2022-09-01"]],
] as const) {
  for (const [name, whole] of [
    ["", EARLY_COMPANY],
    [", in a package with a split", WITH_SPLIT],
  ] as const) {
    test(`${words}, refused and corrected${name}: all reads are those of one import`, async () => {
      const { healed } = await corrected(ids, whole);
      expect(await difference(healed, await atOnce(whole))).toEqual([]);
      await healed.addsUp();
      await split(healed);
      expect(await difference(healed, await atOnce(whole, true))).toEqual([]);
      await healed.addsUp();
    });
  }
}

test("stock that was transferred, refused and corrected: all reads are those of one import", async () => {
  const { healed } = await corrected(["stock_issuance CS-2 2021-01-10"], EARLY_COMPANY);
  expect(await difference(healed, await atOnce(EARLY_COMPANY))).toEqual([]);
});

test("stock that was transferred before a split of the package: today is right, and a warning tells of the past", async () => {
  const { healed, second } = await corrected(["stock_issuance CS-2 2021-01-10"], WITH_SPLIT);
  const told = second.warnings.filter(({ code }) => code === "late-before-split");
  expect(told.map(({ id }) => id)).toEqual(["stock_transfer CS-2 2022-03-01"]);
  const paths = await difference(healed, await atOnce(WITH_SPLIT));
  expect(paths.filter((path) => !/asOf=2022-09-15$|^stock-ledger$/.test(path))).toEqual([]);
  await healed.addsUp();
});

test("a difference would show: what was only refused reads otherwise", async () => {
  const refused = await Organization.make(server);
  await refused.importPackage(packageWith(without(["plan"], EARLY_COMPANY)));
  const paths = await difference(refused, await atOnce(EARLY_COMPANY));
  expect(paths).toEqual(expect.arrayContaining(["/cap-table", "/equity-plans?limit=100", "option-ledger", "export"]));
});
