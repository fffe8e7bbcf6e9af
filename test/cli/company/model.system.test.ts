// captable model: tables of a round, an exit and a cap table from a file, and refusals.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { newDataDir, runProgram } from "../../kit/program.ts";

setDefaultTimeout(120_000);

const dataDir = newDataDir();
const folder = dirname(dataDir);
const SMALL = join(import.meta.dir, "../../fixtures/ocf/small");

beforeAll(async () => {
  expect((await runProgram(["ocf", "import", SMALL, "--data-dir", dataDir])).status).toBe(0);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function run(model: string, body: object | string, ...options: string[]) {
  const file = join(folder, "body.json");
  writeFileSync(file, typeof body === "string" ? body : JSON.stringify(body));
  const environment = { COLUMNS: "160", TZ: "UTC" };
  return runProgram(["model", model, file, "--data-dir", dataDir, ...options], environment);
}

const ROUND = {
  asOf: "2024-06-01",
  newClass: { name: "Series B" },
  valuation: { kind: "PRE_MONEY", amount: "10000000" },
  investors: [{ name: "Lead Fund", amount: "2500000" }],
};

/** The rows of what it prints, cell by cell. */
async function shown(model: string, body: object, ...options: string[]): Promise<readonly string[][]> {
  const { status, stdout, stderr } = await run(model, body, ...options);
  expect([status, stderr]).toEqual([0, ""]);
  return stdout
    .trimEnd()
    .split("\n")
    .map((line) => line.trim().split(/\s{2,}/));
}

const NOW = [
  ["HOLDER", "OUTSTANDING", "FULLY DILUTED", "OF ALL"],
  ["Ada Wirth", "3,900,000", "3,900,000", "86.850017 %"],
  ["Harbour Fund II, L.P.", "300,500", "300,500", "6.691905 %"],
  ["Bo Lind", "100,000", "110,000", "2.449616 %"],
  ["Available for grants", "-", "180,000", "4.008462 %"],
  ["Total", "4,300,500", "4,490,500", "100.000000 %"],
];

test("a cap table has a row for each holder, the pool, and the sums; what a file adds is in it", async () => {
  expect(await shown("cap-table", {}, "--as-of", "2024-06-01")).toEqual(NOW);
  const added = { type: "RESERVE", equityPlanId: "nothing", quantity: "1" };
  const refused = await run("cap-table", { asOf: "2024-06-01", add: [added] });
  expect([refused.status, refused.stdout]).toEqual([1, ""]);
  expect(refused.stderr).toContain("No such equity plan");
});

test("a round shows its price, what converts and by what, and the table after it", async () => {
  const terms = { convertibleType: "SAFE", timing: "POST_MONEY", valuationCap: "5000000" };
  const safe = { type: "CONVERTIBLE", key: "SAFE-9", name: "Angel", quantity: "500000", convertibleTerms: terms };
  const lines = await shown("round", { ...ROUND, add: [safe] });
  const [head, , heading, converted, , ...table] = lines;
  expect(head?.join(" ")).toMatch(/^[\d.]+ a share; 10,000,000 before the money, 12,500,000 after; [\d,]+ new shares$/);
  expect(heading).toEqual(["CONVERTIBLE", "AMOUNT", "PRICE", "SHARES", "BY"]);
  expect([converted?.[0], converted?.[1], converted?.[4]]).toEqual(["SAFE-9", "500,000", "CAP"]);
  expect(table[0]).toEqual(NOW[0] ?? []);
  expect(table.at(-1)?.at(-1)).toBe("100.000000 %");
  const json = await run("round", { ...ROUND, add: [safe] }, "--json");
  const { conversions, pricePerShare, after } = JSON.parse(json.stdout);
  expect(head?.join(" ").startsWith(`${pricePerShare} a share`)).toBe(true);
  expect(converted?.[3]?.replaceAll(",", "")).toBe(conversions[0].shares);
  expect(table.at(-1)?.[2]?.replaceAll(",", "")).toBe(after.totals.fullyDiluted);
});

test("an exit shows for each value what units and holders get, and how", async () => {
  const exit = { asOf: "2024-06-01", exitValues: ["1000000.5", "0"] };
  const [first, ...lines] = await shown("waterfall", exit);
  expect(first).toEqual(["At 1,000,000.5:"]);
  expect(lines.slice(0, 7)).toEqual([
    ["PAID", "PROCEEDS", "OF ALL", "HOW"],
    ["Series Seed", "250,000", "24.999988 %", "PREFERENCE"],
    ["Common", "750,000.5", "75.000012 %", "COMMON"],
    ["Options at 0.4", "-", "0.000000 %", "OUT_OF_THE_MONEY"],
    ["Ada Wirth", "713,328.12", "71.332776 %"],
    ["Harbour Fund II, L.P.", "268,381.91", "26.838178 %"],
    ["Bo Lind", "18,290.47", "1.829046 %"],
  ]);
  expect(lines.map(([cell]) => cell)).toContain("At 0:");
});

test("what the API would refuse ends with 1 and words, a broken file too", async () => {
  const bad = await run("waterfall", { exitValues: ["1.001"] });
  expect([bad.status, bad.stdout, bad.stderr]).toEqual([
    1,
    "",
    expect.stringContaining("#/exitValues/0 must have at most 2"),
  ]);
  const broken = await run("round", "[]");
  expect([broken.status, broken.stderr]).toEqual([1, expect.stringContaining("no JSON object")]);
  const day = await run("round", ROUND, "--as-of", "2024-02-30");
  expect([day.status, day.stderr]).toEqual([2, expect.stringContaining("--as-of 2024-02-30")]);
});
