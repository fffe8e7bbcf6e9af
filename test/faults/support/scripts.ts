// What clients do while the power fails: short histories of a data directory, from its first start. Each is run once
// under a trace; the power then fails at any moment of it.
import { join } from "node:path";
import { changeCompany, makeCompany } from "../../exchange/ocf/export/company.ts";
import { issueShares, makeShareClass, makeStakeholder } from "../../kit/records.ts";
import { makeRecords } from "../../matrix/world.ts";
import type { Recorder } from "./recorder.ts";

/** What a script can do. */
interface Stage {
  /** A folder of its own; the data directory is `data` in it. */
  readonly folder: string;
  readonly client: Recorder;
  /** Starts the server; `client` is told where it listens. */
  serve(): Promise<void>;
  /** Ends the server. */
  end(signal: "SIGTERM" | "SIGKILL"): Promise<void>;
  /** Runs a command of the program beside it; returns what it printed. */
  command(...args: string[]): Promise<string>;
}

/** A history. It starts the server itself; what still runs at its end is ended. */
export interface Script {
  readonly name: string;
  run(stage: Stage): Promise<void>;
}

/** Runs `work` for 0, 1, … on several connections at once. */
async function each(count: number, connections: number, work: (index: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const connection = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: connections }, connection));
}

async function founded({ serve, client }: Stage) {
  await serve();
  const [stakeholderId, other] = [await makeStakeholder(client), await makeStakeholder(client)];
  return { stakeholderId, other, stockClassId: await makeShareClass(client, { initialSharesAuthorized: "900000000" }) };
}

const EFFECTIVE = { effectiveDate: "2026-02-01" };

async function firstStart({ serve, end, client }: Stage): Promise<void> {
  await serve();
  await client.api("PATCH", "/organization", { legalName: "First, Inc." });
  await makeStakeholder(client);
  await end("SIGTERM");
  await serve();
  await makeStakeholder(client);
}

async function issuing(stage: Stage): Promise<void> {
  const holding = await founded(stage);
  await each(160, 8, () => issueShares(stage.client, { ...holding, other: undefined }));
}

async function transfers(stage: Stage): Promise<void> {
  const { stakeholderId, other, stockClassId } = await founded(stage);
  await each(40, 4, async (index) => {
    const securityId = await issueShares(stage.client, { stakeholderId, stockClassId });
    const parties = { fromStakeholderId: stakeholderId, toStakeholderId: other };
    const quantities = index % 2 ? ["400", "600"] : ["1000"];
    for (const quantity of quantities) {
      await stage.client.api("POST", "/transactions/transfer", { securityId, ...parties, quantity, ...EFFECTIVE });
    }
  });
}

async function cancellations(stage: Stage): Promise<void> {
  const { stakeholderId, stockClassId } = await founded(stage);
  await each(40, 4, async (index) => {
    const securityId = await issueShares(stage.client, { stakeholderId, stockClassId });
    const reason = { cancellationReason: "FORFEITURE", ...EFFECTIVE };
    await stage.client.api("POST", "/transactions/cancel", { securityId, quantity: "250", ...reason });
    if (index % 3 === 0) await stage.client.api("DELETE", `/securities/${securityId}`);
    else await stage.client.api("PATCH", `/securities/${securityId}`, { quantity: "900" });
  });
}

async function splits(stage: Stage): Promise<void> {
  const { stakeholderId, stockClassId } = await founded(stage);
  for (let round = 0; round < 4; round++) {
    await each(20, 4, () => issueShares(stage.client, { stakeholderId, stockClassId }));
    const split = { stockClassId, numerator: 3, denominator: 2, ...EFFECTIVE };
    await stage.client.api("POST", "/transactions/split", split);
  }
}

async function everyOperation({ serve, client }: Stage): Promise<void> {
  await serve();
  await changeCompany(client, await makeCompany(client));
}

async function everyRecord({ serve, client }: Stage): Promise<void> {
  await serve();
  const ids = await makeRecords(client, "");
  for (let round = 0; round < 5; round++) {
    await client.api("PATCH", `/stakeholders/${ids.stakeholders}`, { comments: `Change ${round}` });
    await client.api("PATCH", `/vesting-terms/${ids["vesting-terms"]}`, { name: `Name ${round}` });
    await client.api("POST", `/approvals/${ids.approvals}/steps`, { name: `Step ${round}` });
    await client.api("POST", "/stock-legends", { name: `Legend ${round}`, text: "x".repeat(2000) });
  }
  await client.api("PATCH", `/valuations/${ids.valuations}`, { status: "APPROVED" });
  await client.api("POST", `/approvals/${ids.approvals}/submit`);
  await client.api("POST", `/vesting-milestones/${ids["vesting-milestones"]}/complete`, {});
  await client.api("DELETE", `/corporate-actions/${ids["corporate-actions"]}`);
  await client.api("DELETE", `/api-keys/${ids["api-keys"]}`);
}

async function documents({ serve, client }: Stage): Promise<void> {
  await serve();
  await each(8, 2, async (index) => {
    const made = await client.api("POST", "/documents", { title: `Document ${index}`, uri: "https://example.com/a" });
    for (const size of [90_000 + index * 40_000, 1000]) {
      await client.api("PUT", `/documents/${made.json.id}/content`, new Uint8Array(size).fill(65 + index), {
        headers: { "content-type": "application/pdf" },
      });
    }
  });
}

/** The files of a package whose ids begin with `prefix`. */
function packageFiles(prefix: string, count: number): Record<string, unknown> {
  const indexes = Array.from({ length: count }, (_, index) => index);
  const [name, common] = [
    { name: "Imported", class_type: "COMMON" },
    { votes_per_share: 1, seniority: 1 },
  ];
  const limits = { default_id_prefix: "I-", initial_shares_authorized: "9000000" };
  const stockClass = { object_type: "STOCK_CLASS", id: `${prefix}-class`, ...name, ...common, ...limits };
  const holders = indexes.map((index) => ({
    object_type: "STAKEHOLDER",
    id: `${prefix}-holder-${index}`,
    name: { legal_name: `Holder ${index}` },
    stakeholder_type: "INDIVIDUAL",
  }));
  const issuances = indexes.map((index) => ({
    object_type: "TX_STOCK_ISSUANCE",
    id: `${prefix}-issuance-${index}`,
    date: "2025-03-01",
    security_id: `${prefix}-security-${index}`,
    custom_id: `${prefix}-${index}`,
    stakeholder_id: `${prefix}-holder-${index}`,
    stock_class_id: `${prefix}-class`,
    quantity: "100",
    share_price: { amount: "1", currency: "USD" },
    security_law_exemptions: [],
    stock_legend_ids: [],
  }));
  return {
    "StockClasses.ocf.json": { file_type: "OCF_STOCK_CLASSES_FILE", items: [stockClass] },
    "Stakeholders.ocf.json": { file_type: "OCF_STAKEHOLDERS_FILE", items: holders },
    "Transactions.ocf.json": { file_type: "OCF_TRANSACTIONS_FILE", items: issuances },
  };
}

const ISSUER = { object_type: "ISSUER", id: "issuer-1", legal_name: "Imported, Inc." };
const MANIFEST = { file_type: "OCF_MANIFEST_FILE", ocf_version: "1.2.0", issuer: ISSUER };

async function imports({ serve, client, folder, command }: Stage): Promise<void> {
  await serve();
  const entityFiles = packageFiles("http", 120);
  const imported = await client.api("POST", "/cap-table/ocf-import", { manifest: MANIFEST, entityFiles });
  if (imported.status !== 200 || imported.json.data.errors.length > 0) throw new Error(imported.text);
  const path = join(folder, "..", "package");
  for (const [name, file] of Object.entries({ ...packageFiles("cli", 120), "Manifest.ocf.json": MANIFEST })) {
    await Bun.write(join(path, name), JSON.stringify(file));
  }
  const printed = await command("ocf", "import", path);
  client.commands.push(promise("ocf import", printed, ["cli-holder-119", "cli-issuance-119"]));
}

function promise(
  what: string,
  printed: string,
  ids: readonly string[],
  file: { path: string; sha256: string } | null = null,
) {
  return { what, requestId: null, printed: printed.slice(0, 100), ids, answer: null, file };
}

async function commands(stage: Stage): Promise<void> {
  const holding = await founded(stage);
  const { client, command, folder } = stage;
  const busy = each(60, 2, () => issueShares(client, { ...holding, other: undefined }));
  for (const name of ["One", "Two"]) {
    const key = await command("keys", "create", "--name", name, "--role", "EDITOR");
    client.commands.push(promise(`keys create ${name}`, key, [(JSON.parse(key) as { id: string }).id]));
    const backup = await command("backup", "--out", join(folder, `${name}.captable`));
    const { sha256 } = JSON.parse(backup) as { sha256: string };
    client.commands.push(promise(`backup ${name}`, backup, [], { path: `${name}.captable`, sha256 }));
  }
  await busy;
}

/** Enough for the write-ahead log to be copied into the database and begun anew several times; and unclean restarts. */
async function checkpoints(stage: Stage): Promise<void> {
  const holding = await founded(stage);
  const comments = "A long remark. ".repeat(100);
  for (let round = 0; round < 3; round++) {
    await each(70, 4, () => issueShares(stage.client, { ...holding, other: undefined }));
    await each(70, 4, () => makeStakeholder(stage.client, { comments }));
    await stage.client.api("PATCH", "/organization", { comments: `Round ${round}` });
    await stage.end(round === 1 ? "SIGTERM" : "SIGKILL");
    await stage.serve();
  }
}

/** The histories. */
export const SCRIPTS: readonly Script[] = [
  { name: "first start", run: firstStart },
  { name: "issuing on eight connections", run: issuing },
  { name: "transfers", run: transfers },
  { name: "cancellations, edits and deletes", run: cancellations },
  { name: "splits", run: splits },
  { name: "every operation", run: everyOperation },
  { name: "every record", run: everyRecord },
  { name: "documents", run: documents },
  { name: "imports", run: imports },
  { name: "commands beside the server", run: commands },
  { name: "checkpoints and restarts", run: checkpoints },
];
