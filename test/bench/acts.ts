// How long one other write waits during each act that is one commit: a round that is closed, a batch, a spreadsheet that is
// taken in; and what processor time a closing takes in all.
import { join } from "node:path";
import { templateWorkbook } from "../exchange/spreadsheet/workbook.ts";
import { GROWN, importPackage } from "./grow.ts";
import { commitImport, preview, rowsOf } from "./imports.ts";
import { OtherWrites } from "./other-writes.ts";
import type { Bench } from "./part.ts";
import { PROGRAM, type Service, startService } from "./programs.ts";
import type { Aim } from "./report.ts";

const PART = "acts";
const ENTRIES = 100_000;
const HOLDERS = 5000;
/** Of a hundred entries so many issue, and the others cancel: a model reads up to 50,000 open securities. */
const ISSUED_OF_HUNDRED = 70;
const CONVERTIBLES = 20;
const INVESTORS = 5;
const OPERATIONS = 500;
const ROWS = 2000;
const CLOSING_AIM = { atMost: 20 };
/** Closings of one company, which may have 100 classes. */
const ROUNDS_MAX = 9;

/** Measures them. */
export async function measureActs(bench: Bench): Promise<void> {
  const entries = bench.size(ENTRIES);
  // Without tokens: those of a round's classes are deployed after its closing.
  const data = await makeClosingData(bench.folder, entries);
  await using service = await startService(data, 0, PROGRAM, { CAPTABLE_CHAIN: "off" });
  const held = async (what: string, act: () => Promise<unknown>, aim: Aim) => {
    const others = new OtherWrites(service);
    await act();
    bench.report.note(PART, `${what}, longest wait of another write`, await others.longestMs(), "ms", aim);
  };
  const closing = `closing a round of ${entries.toLocaleString("en")} entries`;
  // The first one makes the threads ready.
  await (await roundToClose(service, "First"))();
  for (let round = 0; round < Math.min(bench.rounds, ROUNDS_MAX); round++) {
    await held(closing, await roundToClose(service, `Series ${round}`), CLOSING_AIM);
    const close = await roundToClose(service, `Alone ${round}`);
    const before = service.cpuMs();
    const ms = await timed(close);
    bench.report.note(PART, `${closing}, answered after`, ms, "ms");
    bench.report.note(PART, `${closing}, processor time`, service.cpuMs() - before, "ms");
  }
  // Each is one act, whose parts count together or not at all: it has no aim.
  const operations = bench.size(OPERATIONS);
  for (let round = 0; round < bench.rounds; round++) {
    const body = batchOf(operations, round);
    await held(`batch of ${operations} issues`, () => service.call("POST", "/batch", body), {});
  }
  await measureSpreadsheet(bench);
}

/** Of a company that has nothing yet. */
async function measureSpreadsheet(bench: Bench): Promise<void> {
  await using service = await startService(join(bench.folder, "empty"));
  const rows = bench.size(ROWS);
  const importId = await preview(service, templateWorkbook(rowsOf(rows)));
  const others = new OtherWrites(service);
  await commitImport(service, importId);
  const what = `commit of a spreadsheet of ${rows.toLocaleString("en")} rows`;
  bench.report.note(PART, `${what}, longest wait of another write`, await others.longestMs(), "ms");
}

async function timed(act: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await act();
  return performance.now() - started;
}

/** Makes a data directory of a company whose round can be closed; returns where it is. */
export function makeClosingData(folder: string, entries: number): Promise<string> {
  const issued = Math.round((entries * ISSUED_OF_HUNDRED) / 100);
  const issuances = Array.from({ length: issued }, (_, n) => ({
    object_type: "TX_STOCK_ISSUANCE",
    id: `issuance-${n}`,
    security_id: `security-${n}`,
    date: "2025-01-15",
    custom_id: `CS-${n}`,
    stakeholder_id: `holder-${n % HOLDERS}`,
    stock_class_id: GROWN.stockClassId,
    quantity: quantityOf(n),
    share_price: { amount: "0.01", currency: "USD" },
    security_law_exemptions: [],
    stock_legend_ids: [],
  }));
  const cancellations = Array.from({ length: entries - issued }, (_, n) => ({
    object_type: "TX_STOCK_CANCELLATION",
    id: `cancellation-${n}`,
    security_id: `security-${2 * n}`,
    date: "2025-03-15",
    quantity: quantityOf(2 * n),
    reason_text: "cancelled",
  }));
  return importPackage(folder, { holders: HOLDERS, transactions: [...issuances, ...cancellations] });
}

function quantityOf(n: number): string {
  return String(100 + (n % 977));
}

/** A round that was modelled, to be closed: it converts SAFEs of several caps. */
export async function roundToClose(service: Service, name: string): Promise<() => Promise<unknown>> {
  for (let n = 0; n < CONVERTIBLES; n++) {
    await service.call("POST", "/transactions/issue-convertible", {
      stakeholderId: `holder-${n}`,
      quantity: String(25_000 + 1_000 * n),
      certificateId: `${name} SAFE-${n}`,
      effectiveDate: "2025-06-02",
      convertibleTerms: {
        convertibleType: "SAFE",
        timing: "POST_MONEY",
        valuationCap: String(8_000_000 + 250_000 * (n % 3)),
      },
    });
  }
  const model = {
    closingDate: new Date().toISOString().slice(0, 10),
    newClass: { name },
    valuation: { kind: "PRE_MONEY", amount: "90000000" },
    investors: Array.from({ length: INVESTORS }, (_, n) => ({
      stakeholderId: `holder-${100 + n}`,
      amount: String(1_000_000 + n),
    })),
  };
  const { digest } = JSON.parse(await service.call("POST", "/models/round", model)).data;
  return () => service.call("POST", "/models/round/close", { model, digest });
}

function batchOf(count: number, round: number) {
  const issued = { stakeholderId: "holder-7", stockClassId: GROWN.stockClassId, quantity: "100" };
  const operations = Array.from({ length: count }, (_, n) => ({
    method: "POST",
    path: "/api/v1/transactions/issue-shares",
    body: { ...issued, certificateId: `BATCH-${round}-${n}`, effectiveDate: "2026-01-15" },
  }));
  return { operations };
}
