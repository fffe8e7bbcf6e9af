// Durable writes: issue-shares at several numbers of connections, beside the bare loop and beside static answers. Every
// issue is minted as well, by the embedded chain, in what time is left; the last rows are of a class without a token.
import { join } from "node:path";
import { Bare } from "./bare.ts";
import { gettingStatic, issuing, makeCompany, waitForToken } from "./company.ts";
import { GROWN, grow } from "./grow.ts";
import type { Bench } from "./part.ts";
import { startService, startStatic } from "./programs.ts";
import type { Aim } from "./report.ts";

const PART = "writes";
/** By connections, the aims against the bare loop of the frozen schema. */
const AIMS: readonly (readonly [connections: number, aim: Aim])[] = [
  [1, { atLeast: 0.5 }],
  [16, {}],
  [64, { atLeast: 3.5 }],
  [256, {}],
];
const WITHOUT_TOKEN = [1, 64];

/** Measures writes. */
export async function measureWrites(bench: Bench): Promise<void> {
  const { folder, rounds, seconds, report } = bench;
  const data = join(folder, "data");
  const grown = await grow(folder, [1000]);
  await using service = await startService(data);
  const company = await makeCompany(service);
  await waitForToken(service, company);
  const record = await service.call("GET", `/stakeholders/${company.stakeholderId}`);
  await using fixed = await startStatic(record);
  await using plain = await startService(grown.get(1000) ?? "");
  const issue = (connections: number) => bench.load(service, issuing(service, company, connections, seconds));
  const issuePlain = (connections: number) => bench.load(plain, issuing(plain, GROWN, connections, seconds));
  const answer = (connections: number) => bench.load(fixed, gettingStatic(service, connections, seconds));
  for (const server of [service, fixed, plain]) server.pause();
  for (const warmUp of [issue, issuePlain, answer]) await warmUp(64);
  using bare = new Bare(join(folder, "bare.db"));
  for (let round = 0; round < rounds; round++) {
    const loop = bare.issue(seconds);
    report.note(PART, "bare loop, one commit each", loop, "/s");
    for (const [connections, aim] of AIMS) {
      const issued = await issue(connections);
      const answered = await answer(connections);
      const name = `issue-shares at ${connections}`;
      report.note(PART, name, issued.perSecond, "/s");
      if (connections === 1) report.note(PART, `${name}, p50`, issued.p50Ms, "ms", { atMost: 1 });
      report.note(PART, `${name} / bare loop`, issued.perSecond / loop, "×", aim);
      report.note(PART, `${name} / static at ${connections}`, issued.perSecond / answered.perSecond, "×");
    }
    for (const connections of WITHOUT_TOKEN) {
      const { perSecond } = await issuePlain(connections);
      report.note(PART, `without a token, at ${connections} / bare loop`, perSecond / loop, "×");
    }
  }
}
