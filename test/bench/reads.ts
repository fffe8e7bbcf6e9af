// Reads beside static answers, from a cap table of 1,000 securities.
import { getting, gettingStatic } from "./company.ts";
import { GROWN, grow } from "./grow.ts";
import type { Bench } from "./part.ts";
import { startService, startStatic } from "./programs.ts";

const PART = "reads";
const CONNECTIONS = 64;
const SECURITIES = 1000;

/** Measures reads. */
export async function measureReads(bench: Bench): Promise<void> {
  const { folder, rounds, seconds, report } = bench;
  const grown = await grow(folder, [SECURITIES]);
  await using service = await startService(grown.get(SECURITIES) ?? "");
  const onePath = `/stakeholders/${GROWN.stakeholderId}`;
  await using fixed = await startStatic(await service.call("GET", onePath));
  const get = (path: string) => bench.load(service, getting(service, path, CONNECTIONS, seconds));
  const answer = () => bench.load(fixed, gettingStatic(service, CONNECTIONS, seconds));
  for (const server of [service, fixed]) server.pause();
  for (const warmUp of [answer, () => get(onePath), () => get("/securities?limit=25")]) await warmUp();
  for (let round = 0; round < rounds; round++) {
    const { perSecond: fixedRate } = await answer();
    const one = await get(onePath);
    const list = await get("/securities?limit=25");
    report.note(PART, `static answers at ${CONNECTIONS}`, fixedRate, "/s");
    report.note(PART, "one record / static", one.perSecond / fixedRate, "×", { atLeast: 0.65 });
    report.note(PART, "list of 25 / static", list.perSecond / fixedRate, "×", { atLeast: 0.5 });
  }
}
