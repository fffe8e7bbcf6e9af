// Reports of a large company, and what anybody else's reads take while they are made (REPORTS section 26).
import { join } from "node:path";
import { beside } from "./beside.ts";
import { makePackage } from "./packages.ts";
import type { Bench } from "./part.ts";
import { captable, makeKey, type Service, startService } from "./programs.ts";

const PART = "reports";
const TRANSACTIONS = 100_000;

/** Measures the workbook, the ledger as CSV, and certificates. */
export async function measureReports(bench: Bench): Promise<void> {
  const size = bench.size(TRANSACTIONS);
  const data = join(bench.folder, "data");
  await captable("ocf", "import", await makePackage(bench.folder, size), "--data-dir", data);
  await makeKey(data);
  const exported = await captable("ocf", "export", "--out", join(bench.folder, "out.zip"), "--data-dir", data);
  const of = `of ${size.toLocaleString("en")} transactions`;
  const files = [
    { name: `workbook ${of}`, path: "/reports/cap-table.xlsx", atMost: 4, memory: 300, size: 60 },
    { name: `transactions.csv ${of}`, path: "/transactions.csv", atMost: 1, memory: 100, size: 100 },
  ];
  for (const { name, path, atMost, memory, size: megabytesMost } of files) {
    // A process of its own for each: the first of a process loads what it needs.
    await using service = await startService(data);
    const idle = service.peakMegabytes();
    const { seconds, megabytes } = await fetched(service, path);
    bench.report.note(PART, name, seconds, "s", { atMost: 30 });
    bench.report.note(PART, `${name} / export of the same`, seconds / exported.seconds, "×", { atMost });
    bench.report.note(PART, `${name}, size`, megabytes, "MB", { atMost: megabytesMost });
    bench.report.note(PART, `${name}, memory over idle`, service.peakMegabytes() - idle, "MB", { atMost: memory });
    await beside(bench, PART, service, name, () => fetched(service, path));
  }
  await measureCertificates(bench, data);
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
async function fetched(service: Service, path: string): Promise<{ seconds: number; megabytes: number }> {
  const started = performance.now();
  const { body } = await service.fetch(path);
  let bytes = 0;
  for await (const piece of body ?? []) bytes += piece.byteLength;
  return { seconds: (performance.now() - started) / 1000, megabytes: bytes / 1e6 };
}
