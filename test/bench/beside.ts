// What anybody else's reads take beside work of some seconds.
import { getting } from "./company.ts";
import type { LoadResult } from "./load.ts";
import type { Bench } from "./part.ts";
import type { Service } from "./programs.ts";

const READERS = 8;

/** Measures reads alone, and second by second beside work until it is done; of those the worst counts. */
export async function beside(
  { report, seconds }: Bench,
  part: string,
  service: Service,
  name: string,
  work: () => Promise<unknown>,
  longest = 100,
): Promise<void> {
  const read = (length: number) => service.load(getting(service, "/securities", READERS, length));
  report.note(part, "GET of securities alone, p99", (await read(seconds)).p99Ms, "ms");
  let isDone = false;
  const working = work().finally(() => {
    isDone = true;
  });
  const seen: LoadResult[] = [];
  while (!isDone) seen.push(await read(1));
  await working;
  const worst = (of: (each: LoadResult) => number) => Math.max(...seen.map(of));
  report.note(
    part,
    `the same beside: ${name}, p99`,
    worst(({ p99Ms }) => p99Ms),
    "ms",
    { atMost: 25 },
  );
  report.note(
    part,
    `the same beside: ${name}, longest`,
    worst(({ worstMs }) => worstMs),
    "ms",
    { atMost: longest },
  );
}
