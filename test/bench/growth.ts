// What a large cap table costs beside a small one: how many times as long the same takes.
import { getting, issuing } from "./company.ts";
import { GROWN, grow } from "./grow.ts";
import type { Requests } from "./load.ts";
import type { Bench } from "./part.ts";
import { type Service, startService } from "./programs.ts";
import type { Aim } from "./report.ts";

const PART = "growth";
const CONNECTIONS = 64;
const AIM = { atMost: 1.3 };
const FIRST_PAGE = "/securities?limit=25";
const PAGE_MAX = 100;

/** A service, and what is asked of it. */
type Asked = readonly [service: Service, requests: (service: Service) => Requests];

/** Measures what growth costs. */
export async function measureGrowth(bench: Bench): Promise<void> {
  const [hundredThousand, halfMillion, row] = [bench.size(100_000), bench.size(500_000), bench.size(50_000)];
  const grown = await grow(bench.folder, [100, 1000, hundredThousand, halfMillion]);
  const start = (size: number) => startService(grown.get(size) ?? "");
  await using tiny = await start(100);
  await using small = await start(1000);
  await using large = await start(hundredThousand);
  await using largest = await start(halfMillion);
  const seconds = bench.seconds / 2;
  const getPage = (path: string) => (service: Service) => getting(service, path, CONNECTIONS, seconds);
  const summary = getPage("/cap-table/summary");
  const [first, deep] = [getPage(FIRST_PAGE), getPage(await pathOfPageAt(largest, row))];
  const issue = (service: Service) => issuing(service, GROWN, CONNECTIONS, seconds);
  for (const service of [tiny, small, large, largest]) service.pause();
  const many = `${inWords(halfMillion)} securities`;
  await compare(
    bench,
    `a summary, ${inWords(hundredThousand)} securities / 100`,
    [large, summary],
    [tiny, summary],
    AIM,
  );
  await compare(bench, `a summary, ${many} / 1,000`, [largest, summary], [small, summary], AIM);
  await compare(bench, `a page after ${inWords(row)} securities / first page`, [largest, deep], [largest, first]);
  // Last, because it makes the small one larger.
  await compare(bench, `an issue, ${many} / 1,000 and on`, [largest, issue], [small, issue], AIM);
}

/** Notes how many times as long the first takes as the second. Both have a round to warm up. */
async function compare(bench: Bench, name: string, one: Asked, other: Asked, aim: Aim = {}): Promise<void> {
  const rate = async ([service, requests]: Asked) => (await bench.load(service, requests(service))).perSecond;
  for (let round = 0; round <= bench.rounds; round++) {
    const ratio = (await rate(other)) / (await rate(one));
    if (round > 0) bench.report.note(PART, `time of ${name}`, ratio, "×", aim);
  }
}

/** The path of the page of 25 that comes after the newest `row` securities. */
async function pathOfPageAt(service: Service, row: number): Promise<string> {
  let cursor = "";
  for (let passed = 0; passed < row; passed += PAGE_MAX) {
    const page = JSON.parse(await service.call("GET", `/securities?limit=${PAGE_MAX}${cursor}`));
    cursor = `&cursor=${page.nextCursor}`;
  }
  return FIRST_PAGE + cursor;
}

function inWords(size: number): string {
  return size.toLocaleString("en");
}
