// What goes through a whole ledger: how long views of a large cap table take, and how long any other client waits meanwhile.
// The company has all kinds of securities, spread over twelve years; its past days are the median of its entries' days and
// the one up to which 90 % of them are dated.
import { join } from "node:path";
import { DATABASE_FILE, openReadOnly } from "../../src/storage/database/open.ts";
import { getting } from "./company.ts";
import type { LoadResult } from "./load.ts";
import { makePackage } from "./packages.ts";
import type { Bench } from "./part.ts";
import { captable, makeKey, type Service, startService } from "./programs.ts";

const PART = "views";
const ENTRIES = 100_000;
const AT_ONCE = 50;
const READERS = 2;
/** Longer than the views take, so that the readers see them to their end. */
const SECONDS_A_VIEW = 2;
const AFTER_WRITE = { atMost: 20 };
const AGAIN = { atMost: 1 };
const FIRST = { atMost: 50 };

/** Measures views. */
export async function measureViews(bench: Bench): Promise<void> {
  const { report, seconds, rounds } = bench;
  const data = join(bench.folder, "data");
  await captable("ocf", "import", await makePackage(bench.folder, bench.size(ENTRIES)), "--data-dir", data);
  await makeKey(data);
  await using service = await startService(data);
  const days = daysOf(data);
  const of = `of ${days.length.toLocaleString("en")} entries`;
  const timed = (path: string) => service.timed("GET", path);
  report.note(PART, `cap table of today ${of}, first of a process`, await timed("/cap-table"), "ms");
  // A day that is asked for again is answered from memory, so that each round has a day of its own.
  for (const [what, share, aim] of [
    ["the median day", 0.5, FIRST],
    ["the 90 % day", 0.9, {}],
  ] as const) {
    report.note(PART, `cap table of ${what} ${of}, first of a process`, await timed(onDay(days, share)), "ms");
    for (let round = 1; round <= rounds; round++) {
      const path = onDay(days, share + round / 1000);
      report.note(PART, `cap table of ${what} ${of}, first`, await timed(path), "ms", aim);
      report.note(PART, `cap table of ${what} ${of}, again`, await timed(path), "ms", AGAIN);
    }
  }
  const write = await writer(service);
  for (let round = 0; round < rounds; round++) {
    await write(round);
    report.note(PART, `cap table of today ${of}, after a write`, await timed("/cap-table"), "ms", AFTER_WRITE);
  }
  report.note(PART, `history ${of}, first`, await timed("/cap-table/history"), "ms");
  report.note(PART, `history ${of}, again`, await timed("/cap-table/history"), "ms", AFTER_WRITE);
  const read = (length: number) => service.load(getting(service, "/stakeholders?limit=1", READERS, length));
  note(bench, "alone", await read(seconds));
  const many = Array.from({ length: bench.size(AT_ONCE) }, (_, n) => timed(onDay(days, 0.1 + n / 100)));
  note(bench, `while ${many.length} views are worked out`, await read(many.length * SECONDS_A_VIEW));
  await Promise.all(many);
  note(bench, "while the cap table is exported", await meanwhile(service, "/cap-table/ocf-export", read(seconds)));
}

/** The effective days of all entries, in order. */
function daysOf(data: string): readonly string[] {
  const { sqlite } = openReadOnly(join(data, DATABASE_FILE));
  const days = sqlite.prepare<[], string>("select effectiveDate from transactions order by 1").pluck().all();
  sqlite.close();
  return days;
}

/** The cap table of the day up to which a share of all entries is dated. */
function onDay(days: readonly string[], share: number): string {
  return `/cap-table?asOf=${days[Math.floor(days.length * share)]}`;
}

/** Issues a share in a class that has room for it. */
async function writer(service: Service): Promise<(n: number) => Promise<string>> {
  const first = async (path: string) => JSON.parse(await service.call("GET", `${path}?limit=1`)).items[0].id as string;
  const [stakeholderId, stockClassId] = [await first("/stakeholders"), await first("/share-classes")];
  const effectiveDate = new Date().toISOString().slice(0, 10);
  const authorized = { stockClassId, newSharesAuthorized: "999999999999", effectiveDate };
  await service.call("POST", "/transactions/adjust-authorized", authorized);
  const issued = { stakeholderId, stockClassId, quantity: "1", effectiveDate };
  return (n) => service.call("POST", "/transactions/issue-shares", { ...issued, certificateId: `AFTER-${n}` });
}

async function meanwhile(service: Service, path: string, reads: Promise<LoadResult>): Promise<LoadResult> {
  await service.call("GET", path);
  return reads;
}

function note({ report }: Bench, when: string, { p50Ms, p99Ms }: LoadResult): void {
  report.note(PART, `GET ${when}, p50`, p50Ms, "ms");
  report.note(PART, `GET ${when}, p99`, p99Ms, "ms", { atMost: 20 });
}
