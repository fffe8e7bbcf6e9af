// Reports of a large company, and what other clients' reads take while they are made.
import { rmSync } from "node:fs";
import { join } from "node:path";
import { addDays } from "../../src/kernel/date.ts";
import { beside } from "./beside.ts";
import { type Given, GROWN, importPackage } from "./grow.ts";
import type { Bench } from "./part.ts";
import { captable, type Service, startService } from "./programs.ts";

const PART = "reports";
const SECURITIES = 100_000;
const ROUNDS_MAX = 3;
const PLAN = {
  object_type: "STOCK_PLAN",
  id: "plan",
  plan_name: "2020 Plan",
  initial_shares_reserved: "999999999",
  stock_class_ids: [GROWN.stockClassId],
};
const MONTHLY = { type: "MONTHS", day_of_month: "VESTING_START_DAY_OR_LAST_DAY_OF_MONTH" };
const relativeTo = (condition: string, length: number, occurrences: number) => ({
  type: "VESTING_SCHEDULE_RELATIVE",
  period: { ...MONTHLY, length, occurrences },
  relative_to_condition_id: condition,
});
const TERMS = {
  object_type: "VESTING_TERMS",
  id: "terms",
  name: "Four years, one-year cliff",
  description: "A quarter after a year, the rest monthly over three more.",
  allocation_type: "CUMULATIVE_ROUNDING",
  vesting_conditions: [
    { id: "start", quantity: "0", trigger: { type: "VESTING_START_DATE" }, next_condition_ids: ["cliff"] },
    {
      id: "cliff",
      portion: { numerator: "12", denominator: "48" },
      trigger: relativeTo("start", 12, 1),
      next_condition_ids: ["monthly"],
    },
    {
      id: "monthly",
      portion: { numerator: "1", denominator: "48" },
      trigger: relativeTo("cliff", 1, 36),
      next_condition_ids: [],
    },
  ],
};

/** Measures the workbook, the ledger as CSV, and certificates. */
export async function measureReports(bench: Bench): Promise<void> {
  const size = bench.size(SECURITIES);
  const data = await importPackage(bench.folder, companyOf(size));
  const of = `of ${size.toLocaleString("en")} securities`;
  const files = [
    { name: `workbook ${of}`, path: "/reports/cap-table.xlsx", atMost: 4, memory: 300, size: 60 },
    { name: `transactions.csv ${of}`, path: "/transactions.csv", atMost: 1, memory: 100, size: 100 },
  ];
  for (let round = 0; round < Math.min(bench.rounds, ROUNDS_MAX); round++) {
    const out = join(bench.folder, "out.zip");
    const exported = await captable("ocf", "export", "--out", out, "--data-dir", data);
    rmSync(out);
    for (const { name, path, atMost, memory, size: megabytesMost } of files) {
      // A process of its own for each: the first of a process loads what it needs.
      await using service = await startService(data);
      const idle = service.peakMegabytes();
      const { seconds, megabytes } = await fetched(service, path);
      bench.report.note(PART, name, seconds, "s", { atMost: 30 });
      bench.report.note(PART, `${name} / export of the same`, seconds / exported.seconds, "×", { atMost });
      bench.report.note(PART, `${name}, size`, megabytes, "MB", { atMost: megabytesMost });
      bench.report.note(PART, `${name}, memory over idle`, service.peakMegabytes() - idle, "MB", { atMost: memory });
      if (round === 0) await beside(bench, PART, service, name, () => fetched(service, path));
    }
  }
  await measureCertificates(bench, data);
}

/** A fifth of the securities are options that vest monthly over four years, begun by an entry each; the rest is stock. */
export function companyOf(size: number): Given {
  const holders = Math.ceil(size / 10);
  const options = Math.floor(size / 5);
  const common = (n: number) => ({
    date: dayAfter(n),
    stakeholder_id: `holder-${n % holders}`,
    security_law_exemptions: [],
  });
  const price = { amount: "1.25", currency: "USD" };
  const stock = Array.from({ length: size - options }, (_, n) => ({
    ...common(n),
    object_type: "TX_STOCK_ISSUANCE",
    id: `stock-issuance-${n}`,
    security_id: `stock-${n}`,
    custom_id: `CS-${n}`,
    stock_class_id: GROWN.stockClassId,
    quantity: String(100 + (n % 977)),
    share_price: price,
    stock_legend_ids: [],
  }));
  const granted = Array.from({ length: options }, (_, n) => [
    {
      ...common(n),
      object_type: "TX_EQUITY_COMPENSATION_ISSUANCE",
      id: `option-issuance-${n}`,
      security_id: `option-${n}`,
      custom_id: `ES-${n}`,
      stock_plan_id: PLAN.id,
      vesting_terms_id: TERMS.id,
      compensation_type: "OPTION_ISO",
      quantity: String(1000 + (n % 977)),
      exercise_price: price,
      expiration_date: "2035-01-01",
      termination_exercise_windows: [],
    },
    {
      object_type: "TX_VESTING_START",
      id: `vesting-start-${n}`,
      security_id: `option-${n}`,
      date: dayAfter(n),
      vesting_condition_id: "start",
    },
  ]);
  return { holders, transactions: [...stock, ...granted.flat()], stockPlans: [PLAN], vestingTerms: [TERMS] };
}

/** Days of some four years. */
function dayAfter(n: number): string {
  return addDays("2021-01-01", n % 1600);
}

async function measureCertificates({ report, rounds }: Bench, data: string): Promise<void> {
  await using service = await startService(data);
  const { items: found } = JSON.parse(
    await service.call("GET", `/securities?type=STOCK&status=ACTIVE&limit=${rounds + 1}`),
  );
  for (const [at, { id }] of found.entries()) {
    const { seconds } = await fetched(service, `/securities/${id}/certificate.pdf`);
    const name = at === 0 ? "first certificate of a process" : "certificate";
    report.note(PART, name, seconds * 1000, "ms", { atMost: at === 0 ? 3000 : 500 });
  }
}

/** Reads an answer to its end, keeping none of it. */
export async function fetched(service: Service, path: string): Promise<{ seconds: number; megabytes: number }> {
  const started = performance.now();
  const { body } = await service.fetch(path);
  let bytes = 0;
  for await (const piece of body ?? []) bytes += piece.byteLength;
  return { seconds: (performance.now() - started) / 1000, megabytes: bytes / 1e6 };
}
