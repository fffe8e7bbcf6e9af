// An instance of a thousand companies, as a law firm has it: how soon it answers, what memory it takes, and whether a
// company in it is written to as fast as in an instance of its own.
import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Call, callWithoutRequest } from "../../src/kernel/call.ts";
import { systemRuntime } from "../../src/kernel/runtime.ts";
import { issueShares } from "../../src/ledger/operations/issue-shares.ts";
import { executeOperation } from "../../src/ledger/writes/execute.ts";
import { createKey } from "../../src/resources/api-keys/routes.ts";
import { insertOrganization } from "../../src/resources/organization/store.ts";
import type { WriteRoute } from "../../src/resources/route.ts";
import { createShareClass } from "../../src/resources/share-classes/routes.ts";
import { stakeholderRoutes } from "../../src/resources/stakeholders/routes.ts";
import { DATABASE_FILE, openWritable } from "../../src/storage/database/open.ts";
import type { Tx } from "../../src/storage/database/sql.ts";
import { type Company, issuing } from "./company.ts";
import type { Bench } from "./part.ts";
import { freePort, type Service, startService } from "./programs.ts";

const PART = "organizations";
const ORGANIZATIONS = 1000;
const SECURITIES = 100;
const CONNECTIONS = 64;
const STOCK_CLASS = {
  name: "Common",
  classType: "COMMON",
  defaultIdPrefix: "C-",
  votesPerShare: "1",
  seniority: 1,
} as const;

/** An organization to write to. */
interface Made extends Company {
  readonly key: string;
}

/** Measures instances of one organization and of many. */
export async function measureOrganizations(bench: Bench): Promise<void> {
  const { folder, report, rounds } = bench;
  process.env.CAPTABLE_CHAIN = "off";
  const count = bench.size(ORGANIZATIONS);
  const [one, many] = [join(folder, "one"), join(folder, "many")];
  await (await startService(one))[Symbol.asyncDispose]();
  const alone = fill(one, 1);
  cpSync(one, many, { recursive: true });
  fill(many, count - 1);
  for (let round = 0; round < rounds; round++) {
    for (const [data, what] of [
      [one, "one organization"],
      [many, `${count} organizations`],
    ] as const) {
      await using service = await startTimed(bench, data, what, alone.key);
      report.note(PART, `memory with ${what}`, service.megabytes(), "MB");
    }
  }
  await using single = await startService(one);
  await using several = await startService(many);
  const issue = (service: Service) => {
    const headers = { ...service.headers, authorization: `Bearer ${alone.key}` };
    const { stakeholderId, stockClassId } = alone;
    const requests = issuing(service, { stakeholderId, stockClassId }, CONNECTIONS, bench.seconds);
    return bench.load(service, { ...requests, headers: { ...requests.headers, ...headers } });
  };
  for (const service of [single, several]) await issue(service);
  for (let round = 0; round < rounds; round++) {
    const { perSecond: own } = await issue(single);
    const { perSecond: shared } = await issue(several);
    report.note(PART, `issue-shares in one of ${count} / in an instance of its own`, shared / own, "×", {
      atLeast: 0.95,
    });
  }
}

/** Starts the service, and notes how long until it answered a record. */
async function startTimed({ report }: Bench, data: string, what: string, key: string): Promise<Service> {
  const port = freePort();
  const started = performance.now();
  const starting = startService(data, port);
  const headers = { authorization: `Bearer ${key}` };
  const answers = () =>
    fetch(`http://127.0.0.1:${port}/api/v1/organization`, { headers }).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await answers())) await Bun.sleep(1);
  report.note(PART, `start with ${what}`, performance.now() - started, "ms", { atMost: 60 });
  return starting;
}

/** Makes organizations of a hundred securities in a data directory; returns the last. */
function fill(data: string, count: number): Made {
  const { sqlite } = openWritable(join(data, DATABASE_FILE));
  const tx = { sqlite, isWritable: true } as const;
  let made: Made | null = null;
  for (let n = 0; n < count; n++) {
    sqlite.exec("BEGIN IMMEDIATE");
    made = makeOrganization(tx, n);
    sqlite.exec("COMMIT");
  }
  sqlite.close();
  if (!made) throw new Error("no organization was made");
  writeFileSync(join(data, "admin.key"), made.key);
  return made;
}

function makeOrganization(tx: Tx, n: number): Made {
  const orgId = systemRuntime.newId();
  const call = (): Call => callWithoutRequest(systemRuntime, orgId, "cli");
  insertOrganization(tx, call(), { legalName: `Company ${n}, Inc.`, isNamed: 1 });
  const { key } = createKey(tx, call(), "production", { name: "Bench", role: "ADMIN" });
  const stakeholderId = makeStakeholder(tx, call());
  const { id: stockClassId } = createShareClass(tx, call(), {
    ...STOCK_CLASS,
    initialSharesAuthorized: "999999999999",
  });
  for (let at = 0; at < SECURITIES; at++) {
    const given = { stakeholderId, stockClassId, quantity: "100", effectiveDate: "2026-01-15" };
    executeOperation(tx, call(), issueShares, { ...given, certificateId: `O-${at}` });
  }
  return { stakeholderId, stockClassId, key };
}

function makeStakeholder(tx: Tx, call: Call): string {
  const create = stakeholderRoutes.find(({ operationId }) => operationId === "createStakeholder");
  if (!create || !("run" in create) || create.method !== "POST") throw new Error("no route makes stakeholders");
  const body = { displayName: "Ada", name: { legalName: "Ada Lovelace" }, type: "INDIVIDUAL" };
  const { json } = (create as WriteRoute).run(tx, call, { params: {}, body });
  return (json as { readonly id: string }).id;
}
