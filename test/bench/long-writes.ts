// How long one other write waits while something is written to all securities of a large company, a split among it.
import { join } from "node:path";
import { callWithoutRequest } from "../../src/kernel/call.ts";
import { systemRuntime } from "../../src/kernel/runtime.ts";
import { createSecurity } from "../../src/resources/securities/create.ts";
import { DATABASE_FILE, openReadOnly, openWritable } from "../../src/storage/database/open.ts";
import { OtherWrites } from "./other-writes.ts";
import type { Bench } from "./part.ts";
import { startService } from "./programs.ts";

const PART = "long writes";
const SECURITIES = 100_000;
const BATCH = 5000;
const WALLET = "0x52908400098527886E0F7030069857D2E4169EE7";
const AIM = { atMost: 20 };

/** What all securities name. */
interface Named {
  readonly stakeholderId: string;
  readonly stockClassId: string;
  readonly valuationId: string;
  readonly approvalId: string;
}

/** Measures them. */
export async function measureLongWrites(bench: Bench): Promise<void> {
  const data = join(bench.folder, "data");
  const count = bench.size(SECURITIES);
  const named = await makeNamed(data);
  fill(data, named, count);
  await using service = await startService(data);
  const { stakeholderId, stockClassId, valuationId, approvalId } = named;
  const split = { stockClassId, numerator: 2, denominator: 1, effectiveDate: "2026-02-01" };
  const writes: readonly (readonly [what: string, method: string, path: string, body?: object])[] = [
    ["lock of an approval", "POST", `/approvals/${approvalId}/lock`],
    ["valuation deleted", "DELETE", `/valuations/${valuationId}`],
    ["another wallet", "PATCH", `/stakeholders/${stakeholderId}`, { walletAddress: WALLET }],
    ["split", "POST", "/transactions/split", split],
  ];
  // The thread that writes begins with the first write.
  await service.call("POST", "/stock-legends", { name: "Legend", text: "Text" });
  const unfinished = openReadOnly(join(data, DATABASE_FILE));
  const isUnfinished = () => unfinished.sqlite.prepare("select 1 from long_writes limit 1").get() !== undefined;
  const held = async (what: string, work: () => Promise<unknown>) => {
    const others = new OtherWrites(service);
    const started = performance.now();
    await work();
    const answeredMs = performance.now() - started;
    while (isUnfinished()) await Bun.sleep(20);
    const doneMs = performance.now() - started;
    bench.report.note(PART, `${what}, answered after`, answeredMs, "ms");
    bench.report.note(PART, `${what}, done after`, doneMs / 1000, "s");
    bench.report.note(PART, `${what}, longest wait of another write`, await others.longestMs(), "ms", AIM);
  };
  const of = `of ${count.toLocaleString("en")} securities`;
  for (const [what, method, path, body] of writes) {
    await held(`${what} ${of}`, () => service.call(method, path, body));
  }
  unfinished.sqlite.close();
}

/** Makes what the securities name, in a new data directory without tokens. */
async function makeNamed(data: string): Promise<Named> {
  process.env.CAPTABLE_CHAIN = "off";
  await using service = await startService(data);
  const made = async (path: string, body: object) => {
    const record = JSON.parse(await service.call("POST", path, body));
    return (record.data ?? record) as { readonly id: string; readonly steps?: readonly { readonly id: string }[] };
  };
  const holder = { displayName: "Ada", name: { legalName: "Ada" }, type: "INDIVIDUAL" };
  const stockClass = { name: "Founders", classType: "COMMON", defaultIdPrefix: "C-", votesPerShare: "1", seniority: 1 };
  const { id: stakeholderId } = await made("/stakeholders", holder);
  const { id: stockClassId } = await made("/share-classes", { ...stockClass, initialSharesAuthorized: "999999999" });
  const valuation = { type: "409A", stockClassId, pricePerShare: "1", effectiveDate: "2026-01-01" };
  const { id: valuationId } = await made("/valuations", valuation);
  const given = { title: "Founders", entityType: "Stock Issuance", steps: [{ name: "Board" }] };
  const { id: approvalId, steps } = await made("/approvals", given);
  await service.call("POST", `/approvals/${approvalId}/submit`);
  await service.call("PATCH", `/approvals/${approvalId}/steps/${steps?.[0]?.id}`, { status: "APPROVED" });
  return { stakeholderId, stockClassId, valuationId, approvalId };
}

function fill(data: string, named: Named, count: number): void {
  const { sqlite } = openWritable(join(data, DATABASE_FILE));
  const orgId = sqlite.prepare<[], string>("select id from organizations").pluck().get() ?? "";
  const tx = { sqlite, isWritable: true } as const;
  for (let made = 0; made < count; ) {
    sqlite.exec("BEGIN IMMEDIATE");
    for (const end = Math.min(count, made + BATCH); made < end; made++) {
      const given = { type: "STOCK", quantity: "100", grantDate: "2026-01-15", certificateId: `L-${made}` } as const;
      createSecurity(tx, callWithoutRequest(systemRuntime, orgId, "cli"), { ...given, ...named });
    }
    sqlite.exec("COMMIT");
  }
  sqlite.close();
}
