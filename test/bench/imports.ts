// Spreadsheets in: how long a preview and a commit take, how much memory, and what other clients' reads take meanwhile.
import { join } from "node:path";
import type { Rows } from "../exchange/spreadsheet/random-company.ts";
import { templateWorkbook } from "../exchange/spreadsheet/workbook.ts";
import { beside } from "./beside.ts";
import type { Bench } from "./part.ts";
import { type Service, startService } from "./programs.ts";

const PART = "imports";
const ROWS = 50_000;
const SMALL_ROWS = 2000;
/** What part of the rows are holders. */
const HOLDERS_PART = 0.1;
const figure = (text: string) => ({ figure: text });

/** Measures imports of the template: alone what they take, then beside readers what those take. */
export async function measureImports(bench: Bench): Promise<void> {
  for (const [rows, commit] of [
    [bench.size(SMALL_ROWS), 2],
    [bench.size(ROWS), 30],
  ] as const) {
    const of = `of ${rows.toLocaleString("en")} rows`;
    const bytes = templateWorkbook(rowsOf(rows));
    await measureAlone(bench, bytes, of, commit);
    await measureReads(bench, bytes, of);
  }
}

async function measureAlone({ folder, report }: Bench, bytes: Uint8Array, of: string, commit: number): Promise<void> {
  await using service = await startService(join(folder, `alone ${of}`));
  const idle = service.peakMegabytes();
  const seconds = async (work: () => Promise<void>) => {
    const started = performance.now();
    await work();
    return (performance.now() - started) / 1000;
  };
  let id = "";
  const read = await seconds(async () => {
    id = await preview(service, bytes);
  });
  report.note(PART, `preview ${of}`, read, "s", { atMost: 20 });
  report.note(PART, `preview ${of}, memory over idle`, service.peakMegabytes() - idle, "MB", { atMost: 350 });
  const committed = await seconds(() => commitImport(service, id));
  report.note(PART, `commit ${of}`, committed, "s", { atMost: commit });
  report.note(PART, `preview and commit ${of}, memory over idle`, service.peakMegabytes() - idle, "MB");
}

async function measureReads(bench: Bench, bytes: Uint8Array, of: string): Promise<void> {
  await using service = await startService(join(bench.folder, `beside ${of}`));
  let id = "";
  await beside(bench, PART, service, `preview ${of}`, async () => {
    id = await preview(service, bytes);
  });
  await beside(bench, PART, service, `commit ${of}`, () => commitImport(service, id));
}

/** Takes the rows of a previewed import in. */
export async function commitImport(service: Service, id: string): Promise<void> {
  await service.call("POST", `/imports/${id}/commit`, {});
  await ended(service, id, "COMMITTED");
}

/** Has a workbook read; returns the id of the import, which shows what it would do. */
export async function preview(service: Service, bytes: Uint8Array): Promise<string> {
  const { id: documentId } = JSON.parse(await service.call("POST", "/documents", { title: "x", path: "all.xlsx" }));
  const headers = { "content-type": "application/octet-stream" };
  const stored = { method: "PUT", headers, body: Uint8Array.from(bytes) };
  await (await service.fetch(`/documents/${documentId}/content`, stored)).text();
  const { data } = JSON.parse(await service.call("POST", "/imports", { documentId }));
  await ended(service, data.id, "PREVIEWED");
  return data.id;
}

async function ended(service: Service, id: string, state: string): Promise<void> {
  for (;;) {
    const { data } = JSON.parse(await service.call("GET", `/imports/${id}`));
    if (data.state === state) return;
    if (data.state !== "READING" && data.state !== "COMMITTING")
      throw new Error(`${data.state}: ${JSON.stringify(data)}`);
    await Bun.sleep(20);
  }
}

/** So many rows: holders, a class, and stock of them with eleven columns filled in. */
export function rowsOf(count: number): Rows {
  const holders = Math.round(count * HOLDERS_PART);
  return {
    Stakeholders: Array.from({ length: holders }, (_, n) => ({
      Holder: `Holder ${n}`,
      Type: n % 5 === 0 ? "Institution" : "Individual",
      Email: `holder${n}@example.com`,
      "Holder number": `H-${n}`,
    })),
    "Share classes": [
      {
        ...{ Class: "Common", Kind: "Common", Prefix: "CS-", Authorized: figure("99999999999") },
        ...{ "Votes per share": figure("1"), Seniority: figure("1") },
      },
    ],
    Stock: Array.from({ length: count - holders - 1 }, (_, n) => ({
      Certificate: `CS-${n + 1}`,
      Holder: `Holder ${n % holders}`,
      "Holder number": `H-${n % holders}`,
      Class: "Common",
      "Issue date": { day: `2025-0${1 + (n % 9)}-1${n % 10}` },
      Quantity: figure(String(100 + (n % 977))),
      "Price per share": figure("0.01"),
      Consideration: figure("10"),
      "Board approval": { day: "2025-01-02" },
      "Stockholder approval": { day: "2025-01-03" },
      Comments: `row ${n}`,
    })),
  };
}
