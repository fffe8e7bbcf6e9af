// What goes through a whole ledger: how long views of a large cap table take, and how long anybody else waits meanwhile.
import { getting } from "./company.ts";
import { GROWN, grow } from "./grow.ts";
import type { LoadResult } from "./load.ts";
import type { Bench } from "./part.ts";
import { type Service, startService } from "./programs.ts";

const PART = "views";
const ENTRIES = 100_000;
const AT_ONCE = 50;
const READERS = 2;
/** Longer than the views take, so that the readers see them to their end. */
const SECONDS_A_VIEW = 2;

/** A write after which the cap table is another one. */
const ISSUED = { ...GROWN, quantity: "1", effectiveDate: "2026-01-15" };

/** Measures views. */
export async function measureViews(bench: Bench): Promise<void> {
  const { report, seconds } = bench;
  const size = bench.size(ENTRIES);
  const grown = await grow(bench.folder, [size]);
  await using service = await startService(grown.get(size) ?? "");
  const what = `of ${size.toLocaleString("en")} entries`;
  const timed = (path: string) => service.timed("GET", path);
  for (const [when, path] of [
    ["of today", "/cap-table"],
    ["of a past day", "/cap-table?asOf=2025-06-30"],
  ] as const) {
    report.note(PART, `cap table ${when} ${what}, first`, await timed(path), "ms");
    for (let round = 0; round < bench.rounds; round++) {
      report.note(PART, `cap table ${when} ${what}, again`, await timed(path), "ms", { atMost: 20 });
    }
  }
  for (let round = 0; round < bench.rounds; round++) {
    await service.call("POST", "/transactions/issue-shares", { ...ISSUED, certificateId: `AFTER-${round}` });
    report.note(PART, `cap table of today ${what}, after a write`, await timed("/cap-table"), "ms", { atMost: 20 });
  }
  report.note(PART, `history ${what}, first`, await timed("/cap-table/history"), "ms");
  report.note(PART, `history ${what}, again`, await timed("/cap-table/history"), "ms", { atMost: 20 });
  const read = (length: number) =>
    service.load(getting(service, `/stakeholders/${GROWN.stakeholderId}`, READERS, length));
  note(bench, "alone", await read(seconds));
  const many = Array.from({ length: bench.size(AT_ONCE) }, (_, n) => timed(`/cap-table?asOf=${dayOf(n)}`));
  note(bench, `while ${many.length} views are worked out`, await read(many.length * SECONDS_A_VIEW));
  await Promise.all(many);
  note(bench, "while the cap table is exported", await meanwhile(service, "/cap-table/ocf-export", read(seconds)));
}

async function meanwhile(service: Service, path: string, reads: Promise<LoadResult>): Promise<LoadResult> {
  await service.call("GET", path);
  return reads;
}

function note({ report }: Bench, when: string, { p50Ms, p99Ms }: LoadResult): void {
  report.note(PART, `GET ${when}, p50`, p50Ms, "ms");
  report.note(PART, `GET ${when}, p99`, p99Ms, "ms", { atMost: 20 });
}

function dayOf(n: number): string {
  return new Date(Date.UTC(2025, 0, 1 + n)).toISOString().slice(0, 10);
}
