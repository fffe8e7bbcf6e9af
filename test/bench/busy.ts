// How long a GET takes while 64 connections write as fast as they can, and while the embedded chain mints what they wrote.
import { join } from "node:path";
import { getting, issuing, makeCompany, waitForToken } from "./company.ts";
import type { LoadResult } from "./load.ts";
import type { Bench } from "./part.ts";
import { startService } from "./programs.ts";
import type { Aim } from "./report.ts";

const PART = "reads while busy";
const READERS = 4;
const WRITERS = 64;
/** Longer than the readers, so that these never see the writers' beginning or end. */
const LEAD_SECONDS = 0.5;

/** Measures reads of a busy service. */
export async function measureBusy(bench: Bench): Promise<void> {
  const { rounds, seconds, report } = bench;
  await using service = await startService(join(bench.folder, "data"));
  const company = await makeCompany(service);
  await waitForToken(service, company);
  const get = () => service.load(getting(service, `/stakeholders/${company.stakeholderId}`, READERS, seconds));
  const note = (when: string, { p50Ms, p99Ms }: LoadResult, aim: Aim = {}) => {
    report.note(PART, `GET ${when}, p50`, p50Ms, "ms");
    report.note(PART, `GET ${when}, p99`, p99Ms, "ms", aim);
  };
  await get();
  // Before there is anything to mint.
  for (let round = 0; round < rounds; round++) note("of an idle service", await get());
  for (let round = 0; round < rounds; round++) {
    const writing = service.load(issuing(service, company, WRITERS, seconds + 2 * LEAD_SECONDS));
    await Bun.sleep(LEAD_SECONDS * 1000);
    const read = await get();
    const { perSecond } = await writing;
    note(`while ${WRITERS} connections write`, read, { atMost: 10 });
    report.note(PART, "issue-shares meanwhile", perSecond, "/s");
    note("while shares are minted", await get());
  }
}
