// Models of a large company: a round against the cap table that it starts from, an exit of many values, and how long
// anybody else's read takes meanwhile.
import { getting } from "./company.ts";
import { GROWN, importPackage } from "./grow.ts";
import type { Bench } from "./part.ts";
import { type Service, startService } from "./programs.ts";

const PART = "models";
const HOLDERS = 10_000;
const CONVERTIBLES = 200;
const EXIT_VALUES = 1000;
const READERS = 4;
/** Longer than an exit takes, so that the readers see it to its end. */
const SECONDS_AN_EXIT = 5;

const ROUND = {
  newClass: { name: "Series A" },
  valuation: { kind: "PRE_MONEY", amount: "90000000" },
  investors: [{ name: "Lead", amount: "20000000" }],
  pool: { targetPercent: "10" },
};

/** Measures models. */
export async function measureModels(bench: Bench): Promise<void> {
  const { report, rounds } = bench;
  const holders = bench.size(HOLDERS);
  const data = await makeData(bench.folder, holders);
  await using service = await startService(data);
  await makeConvertibles(service, bench.size(CONVERTIBLES));
  const table = await capTable(service);
  report.note(PART, "round / cap table, first of today", (await round(service)) / table, "×", { atMost: 3 });
  // A day of its own for each, as what was asked for once is remembered; the first ones make the threads ready.
  for (let at = 0; at <= rounds; at++) {
    const [ofTable, ofRound] = [await capTable(service, dayOf("05", at)), await round(service, dayOf("06", at))];
    if (at === 0) continue;
    report.note(PART, `cap table of a past day, ${holders.toLocaleString("en")} holders`, ofTable, "ms");
    report.note(PART, "round / cap table, past days", ofRound / ofTable, "×", { atMost: 3 });
  }
  const read = (seconds: number) => service.load(getting(service, "/stakeholders/holder-0", READERS, seconds));
  report.note(PART, "GET alone, p99", (await read(bench.seconds)).p99Ms, "ms");
  for (let at = 0; at < rounds; at++) {
    const reads = read(SECONDS_AN_EXIT);
    const values = bench.size(EXIT_VALUES);
    const name = `exit of ${values} values by unit`;
    report.note(PART, name, await exit(service, at, values), "ms", { atMost: 5000 });
    report.note(PART, "GET beside an exit, p99", (await reads).p99Ms, "ms", { atMost: 50 });
  }
}

function capTable(service: Service, asOf?: string): Promise<number> {
  return service.timed("GET", `/cap-table${asOf ? `?asOf=${asOf}` : ""}`);
}

function round(service: Service, asOf?: string): Promise<number> {
  return service.timed("POST", "/models/round", { ...ROUND, ...(asOf ? { asOf } : {}) });
}

/** Exits of so many values, others each time. */
function exit(service: Service, at: number, values: number): Promise<number> {
  const exitValues = Array.from({ length: values }, (_, n) => String((n + 1) * 250_000 + at));
  return service.timed("POST", "/models/waterfall", { exitValues, detail: "UNITS" });
}

function dayOf(month: string, at: number): string {
  return `2026-${month}-${String(at + 1).padStart(2, "0")}`;
}

/** A data directory of a company whose holders have a certificate each. */
async function makeData(folder: string, holders: number): Promise<string> {
  const ids = Array.from({ length: holders }, (_, n) => n);
  const transactions = ids.map((n) => ({
    object_type: "TX_STOCK_ISSUANCE",
    id: `issuance-${n}`,
    security_id: `security-${n}`,
    date: "2025-01-15",
    custom_id: `CS-${n}`,
    stakeholder_id: `holder-${n}`,
    stock_class_id: GROWN.stockClassId,
    quantity: String(100 + (n % 977)),
    share_price: { amount: "0.01", currency: "USD" },
    security_law_exemptions: [],
    stock_legend_ids: [],
  }));
  return await importPackage(folder, { holders, transactions });
}

/** SAFEs with a cap or a discount or both, of many kinds. */
async function makeConvertibles(service: Service, count: number): Promise<void> {
  for (let n = 0; n < count; n++) {
    await service.call("POST", "/transactions/issue-convertible", {
      stakeholderId: `holder-${n}`,
      quantity: String(25_000 + 1_000 * (n % 50)),
      certificateId: `SAFE-${n}`,
      effectiveDate: "2025-06-02",
      convertibleTerms: {
        convertibleType: "SAFE",
        timing: n % 3 === 0 ? "PRE_MONEY" : "POST_MONEY",
        valuationCap: String(8_000_000 + 250_000 * (n % 40)),
        ...(n % 2 === 0 ? { discountPercent: "20" } : {}),
      },
    });
  }
}
