// Large cap tables in a minute: `bun test/bench/grow.ts <folder> <sizes>` issues shares through the ledger's own write
// path, many to a commit, and leaves a copy of the data directory at each size. All that the service checks is true of
// them. Their class came with a package, so it has no token and nothing is minted while others are measured.
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { callWithoutRequest } from "../../src/kernel/call.ts";
import { systemRuntime } from "../../src/kernel/runtime.ts";
import { issueShares } from "../../src/ledger/operations/issue-shares.ts";
import { executeOperation } from "../../src/ledger/writes/execute.ts";
import { DATABASE_FILE, openWritable } from "../../src/storage/database/open.ts";
import type { Company } from "./company.ts";
import { KEY_FILE, makeKey, PROGRAM, run, script } from "./programs.ts";

const HOLDERS = 100;
const BATCH = 5000;
/** Whom shares can be issued to in a grown data directory. */
export const GROWN: Company = { stakeholderId: "holder-0", stockClassId: "common" };

const ISSUER = { object_type: "ISSUER", id: "bench", legal_name: "Bench, Inc.", formation_date: "2024-01-01" };
const STOCK_CLASS = {
  object_type: "STOCK_CLASS",
  id: GROWN.stockClassId,
  name: "Common",
  class_type: "COMMON",
  default_id_prefix: "CS-",
  initial_shares_authorized: "UNLIMITED",
  votes_per_share: "1",
  seniority: "1",
};

/** Holders `holder-0`, `holder-1` …, and what happened to the class of {@link GROWN}. */
export interface Given {
  readonly holders: number;
  readonly transactions: readonly object[];
  /** Besides the class of {@link GROWN}. */
  readonly stockClasses?: readonly object[];
  readonly stockPlans?: readonly object[];
  readonly vestingTerms?: readonly object[];
}

/** Makes a data directory of a package, with a key; returns where it is. */
export async function importPackage(folder: string, given: Given, program = PROGRAM): Promise<string> {
  const [data, ocf] = [join(folder, "growing"), join(folder, "growing-package")];
  writePackage(ocf, given);
  await run([...program, "ocf", "import", ocf, "--data-dir", data]);
  await makeKey(data, program);
  return data;
}

/** Writes a package into a new folder. */
export function writePackage(ocf: string, given: Given): void {
  const { holders, transactions, stockClasses = [], stockPlans = [], vestingTerms = [] } = given;
  mkdirSync(ocf);
  const write = (name: string, content: object) => writeFileSync(join(ocf, name), JSON.stringify(content));
  const items = Array.from({ length: holders }, (_, n) => ({
    object_type: "STAKEHOLDER",
    id: `holder-${n}`,
    name: { legal_name: `Holder ${n}` },
    stakeholder_type: "INDIVIDUAL",
  }));
  write("stakeholders.json", { file_type: "OCF_STAKEHOLDERS_FILE", items });
  write("stock_classes.json", { file_type: "OCF_STOCK_CLASSES_FILE", items: [STOCK_CLASS, ...stockClasses] });
  write("stock_plans.json", { file_type: "OCF_STOCK_PLANS_FILE", items: stockPlans });
  write("vesting_terms.json", { file_type: "OCF_VESTING_TERMS_FILE", items: vestingTerms });
  write("transactions.json", { file_type: "OCF_TRANSACTIONS_FILE", items: transactions });
  write("ocf_manifest.json", {
    file_type: "OCF_MANIFEST_FILE",
    ocf_version: "1.2.0",
    issuer: { ...ISSUER, country_of_formation: "US" },
    as_of: "2026-01-15",
    generated_at: "2026-01-15T00:00:00Z",
    stakeholders_files: [{ filepath: "./stakeholders.json" }],
    stock_classes_files: [{ filepath: "./stock_classes.json" }],
    stock_plans_files: [{ filepath: "./stock_plans.json" }],
    vesting_terms_files: [{ filepath: "./vesting_terms.json" }],
    transactions_files: [{ filepath: "./transactions.json" }],
  });
}

/** Makes a data directory for each size, a number of securities; returns where they are. */
export async function grow(folder: string, sizes: readonly number[]): Promise<Map<number, string>> {
  const data = await importPackage(folder, { holders: HOLDERS, transactions: [] });
  await script("grow.ts", data, JSON.stringify(sizes));
  return new Map(sizes.map((size) => [size, `${data}-${size}`]));
}

function issue(data: string, sizes: readonly number[]): void {
  const { sqlite } = openWritable(join(data, DATABASE_FILE));
  const orgId = sqlite.prepare<[], string>("select id from organizations").pluck().get() ?? "";
  const tx = { sqlite, isWritable: true } as const;
  let count = 0;
  for (const size of sizes) {
    while (count < size) {
      sqlite.exec("BEGIN IMMEDIATE");
      for (const end = Math.min(size, count + BATCH); count < end; count++) {
        executeOperation(tx, callWithoutRequest(systemRuntime, orgId, "cli"), issueShares, {
          stakeholderId: `holder-${count % HOLDERS}`,
          stockClassId: GROWN.stockClassId,
          quantity: "100",
          certificateId: `GROWN-${count}`,
          effectiveDate: "2026-01-15",
        });
      }
      sqlite.exec("COMMIT");
    }
    mkdirSync(`${data}-${size}`, { mode: 0o700 });
    sqlite.prepare("VACUUM INTO ?").run(join(`${data}-${size}`, DATABASE_FILE));
    copyFileSync(join(data, KEY_FILE), join(`${data}-${size}`, KEY_FILE));
  }
  sqlite.close();
}

if (import.meta.main) {
  const [data = "", sizes = "[]"] = process.argv.slice(2);
  issue(data, JSON.parse(sizes));
  process.stdout.write("{}");
}
