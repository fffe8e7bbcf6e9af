// How soon the service answers after its start, how much memory it takes, and how large the executable is.
import { statSync } from "node:fs";
import { join } from "node:path";
import { getting, issuing, makeCompany, waitForToken } from "./company.ts";
import { GROWN, grow } from "./grow.ts";
import type { Bench } from "./part.ts";
import { freePort, keyOf, PROGRAM, startService } from "./programs.ts";

const PART = "start";
const SECURITIES = 1000;
const STARTS_PER_ROUND = 2;
const IDLE_MS = 2000;
const CONNECTIONS = 64;
const AIM = { atMost: 60 };

/** Measures starts and memory. */
export async function measureStart(bench: Bench): Promise<void> {
  const grown = await grow(bench.folder, [SECURITIES]);
  const data = grown.get(SECURITIES) ?? "";
  const key = keyOf(data);
  for (let n = 0; n < bench.rounds * STARTS_PER_ROUND + 1; n++) {
    const port = freePort();
    const started = performance.now();
    const starting = startService(data, port);
    const url = `http://127.0.0.1:${port}/api/v1/stakeholders/${GROWN.stakeholderId}`;
    while (!(await answers(url, key))) await Bun.sleep(1);
    const elapsed = performance.now() - started;
    await using _service = await starting;
    // The first start reads the program from the disk.
    if (n > 0) bench.report.note(PART, "start to first answer", elapsed, "ms", AIM);
  }
  await measureMemory(bench);
  const [program = ""] = PROGRAM;
  if (program === process.execPath) return;
  const ratio = statSync(program).size / statSync(process.execPath).size;
  bench.report.note(PART, "size of the executable / Bun's own", ratio, "×", { atMost: 1.53 });
}

/** Whether the service answers there with a record. */
async function answers(url: string, key: string): Promise<boolean> {
  const headers = { authorization: `Bearer ${key}` };
  return await fetch(url, { headers }).then(
    ({ ok }) => ok,
    () => false,
  );
}

async function measureMemory({ folder, report, seconds }: Bench): Promise<void> {
  await using service = await startService(join(folder, "data"));
  await Bun.sleep(IDLE_MS);
  report.note(PART, "memory at rest (RSS)", service.megabytes(), "MB", { atMost: 85 });
  report.note(PART, "memory at rest without pages of files (RssAnon)", service.ownMegabytes(), "MB", { atMost: 25 });
  const company = await makeCompany(service);
  await waitForToken(service, company);
  report.note(PART, "memory with the embedded chain", service.megabytes(), "MB");
  await service.load(getting(service, `/stakeholders/${company.stakeholderId}`, CONNECTIONS, seconds));
  await service.load(issuing(service, company, CONNECTIONS, seconds));
  await Bun.sleep(IDLE_MS);
  report.note(PART, "memory after load", service.megabytes(), "MB");
}
