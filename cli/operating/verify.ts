// captable verify: recomputes everything from the ledger and the log and prints each difference. Reads only.
import { statSync } from "node:fs";
import { join } from "node:path";
import { type Command, Option } from "commander";
import { counted } from "../../src/kernel/text/text.ts";
import type { Evidence } from "../../src/safekeeping/kept/evidence.ts";
import { canNameMigrations, compareSchema } from "../../src/safekeeping/verify/compare-schema.ts";
import type { VerifyReport } from "../../src/safekeeping/verify/report.ts";
import { verifyWhole } from "../../src/safekeeping/verify/whole.ts";
import { refuseWrongDatabase } from "../../src/storage/data-dir/directory.ts";
import { DATABASE_FILE, openReadOnly } from "../../src/storage/database/open.ts";
import type { Reader } from "../../src/storage/database/sql.ts";
import {
  CommandError,
  type CommonOptions,
  configOf,
  newCommand,
  print,
  withDataDir,
  withExamples,
} from "../command.ts";
import { chooseOrganization, noDatabase, refuseOtherSchema } from "../data.ts";
import {
  type Against,
  type AgainstOptions,
  choose,
  compare,
  cosignedBy,
  describeAgainst,
  faultOf,
  NOT_ASKED,
  readAgainst,
  refuseLonely,
  statusOf,
} from "./verify-against.ts";
import type { PaperOptions } from "./verify-paper.ts";
import type { ProofOptions } from "./verify-proof.ts";

const DAMAGED = 4;

type VerifyOptions = CommonOptions & AgainstOptions & ProofOptions & PaperOptions;

/** Declares `captable verify`. */
export function verifyCommand(): Command {
  const command = newCommand("verify", "Check everything against the ledger and the log, and their hash chains.");
  command.option("--org <id or name>", "only this organization");
  command.option("--against <file>", "checkpoints that were kept elsewhere; nothing of then may be gone or other");
  command.option("--signed-by <key>", "the key that must have signed them (captable version --json)");
  command.option("--tsa-ca <file>", "the roots (PEM) that time stamps on them are checked by (CAPTABLE_TSA_CA_FILE)");
  command.option("--witnesses <file>", "the witnesses whose cosignatures are checked (CAPTABLE_WITNESS_FILE)");
  command.option("--stamped", "demand a good time stamp of each organization in the file");
  command.option("--cosigned <number>", "demand good cosignatures of so many witnesses of each history in the file");
  command.addOption(
    new Option("--proof <file>", "check a proof, with --signed-by and without any data").conflicts(["against", "org"]),
  );
  command.option("--hash <hash>", "the entry's hash, for a proof that does not carry the entry");
  command.addOption(
    new Option("--document <file>", "hold a certificate or statement (PDF) against the ledger").conflicts("against"),
  );
  command.addOption(
    new Option("--code <code>", "the same by the code that stands on paper").conflicts(["against", "document"]),
  );
  withDataDir(command);
  withExamples(
    command,
    "captable verify",
    "captable verify --document certificate.pdf",
    "captable verify --against acme.checkpoint",
    "captable verify --against kept.checkpoints --stamped --cosigned 1",
    'captable verify --proof entry.tlog-proof --signed-by "$KEY"',
    "captable verify --data-dir /var/lib/captable --json",
  );
  return command.action(async (options: VerifyOptions) => {
    refuseLonely(options);
    if (options.proof !== undefined) {
      const { verifyProof } = await import("./verify-proof.ts");
      return await verifyProof(options);
    }
    if (options.hash !== undefined) throw new CommandError("--hash goes with --proof", 2);
    if (options.code !== undefined || options.document !== undefined) {
      const { verifyPaper } = await import("./verify-paper.ts");
      return await verifyPaper(options);
    }
    cosignedBy(options);
    const evidence = await readAgainst(options);
    const { report, against } = await verifyDataDirectory(options, evidence);
    const { compared: checkpoints, trees, unmet } = against;
    print(options, { ...report, ...(evidence ? { checkpoints, trees, unmet } : {}) }, describe(report, against));
    const status = report.differences.length > 0 ? DAMAGED : statusOf(against);
    if (status !== 0) process.exitCode = status;
  });
}

async function verifyDataDirectory(
  options: VerifyOptions,
  evidence: Evidence | null,
): Promise<{ report: VerifyReport; against: Against }> {
  const config = configOf(options);
  const { dataDir } = config;
  refuseWrongDatabase(dataDir);
  const file = join(dataDir, DATABASE_FILE);
  // No more than that is asked of a file that is to be verified.
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) === 0) throw noDatabase(dataDir);
  const db = openReadOnly(file);
  try {
    if (await canNameMigrations(db)) refuseOtherSchema(db);
    const orgId = await readOrganization(db, options.org);
    const chosen = evidence && choose(evidence, orgId, options);
    const report = await verifyWhole(db, orgId);
    const isReadable = report.organizations.length > 0 || report.differences.length === 0;
    return { report, against: chosen && isReadable ? await compare(db, chosen, options, config) : NOT_ASKED };
  } finally {
    db.sqlite.close();
  }
}

/** The id of the organization that `--org` means. Nothing is asked of a file whose schema is not ours. */
async function readOrganization(db: Reader, named: string | undefined): Promise<string | undefined> {
  if (named === undefined || !(await compareSchema(db)).isReadable) return named;
  return chooseOrganization(db, named).id;
}

function describe(report: VerifyReport, held: Against): string[] {
  const { organizations, instance, differences, notes, unverified } = report;
  const people = instance ? [`instance: log of accounts: head ${instance.log.sequence} ${instance.log.hash}`] : [];
  const checked = organizations.flatMap(({ orgId, legalName, entries, head, log }) => [
    `${legalName} (${orgId}): ${counted(entries, "entry", "entries")}, head ${head.sequence} ${head.hash}`,
    `  log of every write: head ${log.sequence} ${log.hash}`,
  ]);
  const noted = notes.map(({ code, subject, detail }) => `note: ${code}: ${subject}: ${detail}`);
  const against = describeAgainst(held);
  const found = differences.map(
    ({ code, subject, detail, fix }) => `${code}: ${subject}: ${detail}${fix === undefined ? "" : ` ${fix}`}`,
  );
  const inItself = statusOf(held) === DAMAGED ? `No difference in itself; ${faultOf(held)}.` : "No difference.";
  const verdict = differences.length === 0 ? inItself : `${counted(differences.length, "difference")}.`;
  return [...checked, ...people, ...against, ...noted, ...found, verdict, `Not looked at: ${unverified.join(", ")}.`];
}
