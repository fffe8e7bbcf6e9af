// captable verify: recomputes everything from the ledger and the log and prints each difference. Reads only.
import { statSync } from "node:fs";
import { join } from "node:path";
import { type Command, Option } from "commander";
import { counted } from "../../src/kernel/text/text.ts";
import { findContradiction } from "../../src/safekeeping/checkpoint/against.ts";
import { CheckpointError, type SignedCheckpoint, subjectOf } from "../../src/safekeeping/checkpoint/checkpoint.ts";
import { readCheckpointFile } from "../../src/safekeeping/checkpoint/file.ts";
import { readVerifier, type Verifier, writeVerifier } from "../../src/safekeeping/checkpoint/note.ts";
import { findSigningKey, isSameKey } from "../../src/safekeeping/checkpoint/signing-key.ts";
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
import type { PaperOptions } from "./verify-paper.ts";

const DAMAGED = 4;

interface VerifyOptions extends CommonOptions {
  readonly org?: string;
  readonly against?: string;
  readonly signedBy?: string;
}

/** A checkpoint that the data was held against. */
interface Compared {
  /** Null for the instance. */
  readonly orgId: string | null;
  readonly time: string;
  /** The key that signed it, and whether it is this data directory's. */
  readonly key: string;
  readonly isOwnKey: boolean;
  /** What was removed or written anew since; null when nothing was. */
  readonly contradiction: string | null;
}

/** Declares `captable verify`. */
export function verifyCommand(): Command {
  const command = newCommand("verify", "Check everything against the ledger and the log, and their hash chains.");
  command.option("--org <id or name>", "only this organization");
  command.option("--against <file>", "checkpoints that were kept elsewhere; nothing of then may be gone or other");
  command.option("--signed-by <key>", "the key that must have signed them (captable version --json)");
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
    "captable verify --data-dir /var/lib/captable --json",
  );
  return command.action(async (options: VerifyOptions & PaperOptions) => {
    if (options.code !== undefined || options.document !== undefined) {
      const { verifyPaper } = await import("./verify-paper.ts");
      return await verifyPaper(options);
    }
    const checkpoints = readAgainst(options);
    const { report, compared } = await verifyDataDirectory(options, checkpoints);
    const against = options.against === undefined ? {} : { checkpoints: compared };
    print(options, { ...report, ...against }, describe(report, compared));
    const isSound = report.differences.length === 0 && compared.every(({ contradiction }) => contradiction === null);
    if (!isSound) process.exitCode = DAMAGED;
  });
}

/** The checkpoints to be held against the data. A wrong signature is exit 4. */
function readAgainst({ against, signedBy }: VerifyOptions): SignedCheckpoint[] {
  if (signedBy !== undefined) readKey(signedBy);
  if (against === undefined) {
    if (signedBy !== undefined) throw new CommandError("--signed-by goes with --against", 2);
    return [];
  }
  if (statSync(against, { throwIfNoEntry: false })?.isFile() !== true) {
    throw new CommandError(`there is no file ${against}`, 2);
  }
  return readChecked(against);
}

/** Those of them that are asked for, in the order in which they came. */
function choose(
  checkpoints: readonly SignedCheckpoint[],
  wanted: string | undefined,
  { against, org, signedBy }: VerifyOptions,
): readonly SignedCheckpoint[] {
  const key = signedBy === undefined ? null : readKey(signedBy);
  const chosen = checkpoints.filter(({ orgId }) => wanted === undefined || orgId === wanted);
  if (against !== undefined && chosen.length === 0) {
    throw new CommandError(`${against} holds no checkpoint of ${org}`, 2);
  }
  const other = chosen.find((checkpoint) => key !== null && !isSameKey(checkpoint.signedBy, key));
  if (other) {
    throw new CommandError(
      `the checkpoint of ${subjectOf(other)} of ${other.time} is signed by ${writeVerifier(other.signedBy)}, not by the key asked for`,
      DAMAGED,
    );
  }
  return chosen;
}

/** Reads a public key that was given as an option; exit 2 if it is not one. */
export function readKey(text: string): Verifier {
  const key = readVerifier(text);
  if (key === null) throw new CommandError("--signed-by takes a public key as captable version --json shows it", 2);
  return key;
}

function readChecked(file: string): SignedCheckpoint[] {
  try {
    return readCheckpointFile(file);
  } catch (error) {
    if (error instanceof CheckpointError) throw new CommandError(`${file}: ${error.message}`, DAMAGED);
    throw error;
  }
}

async function verifyDataDirectory(
  options: VerifyOptions,
  checkpoints: readonly SignedCheckpoint[],
): Promise<{ report: VerifyReport; compared: readonly Compared[] }> {
  const { dataDir } = configOf(options);
  refuseWrongDatabase(dataDir);
  const file = join(dataDir, DATABASE_FILE);
  // No more than that is asked of a file that is to be verified.
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) === 0) throw noDatabase(dataDir);
  const db = openReadOnly(file);
  try {
    if (await canNameMigrations(db)) refuseOtherSchema(db);
    const orgId = await readOrganization(db, options.org);
    const chosen = choose(checkpoints, orgId, options);
    const report = await verifyWhole(db, orgId);
    const isReadable = report.organizations.length > 0 || report.differences.length === 0;
    return { report, compared: isReadable ? compare(db, dataDir, chosen) : [] };
  } finally {
    db.sqlite.close();
  }
}

/** The id of the organization that `--org` means. Nothing is asked of a file whose schema is not ours. */
async function readOrganization(db: Reader, named: string | undefined): Promise<string | undefined> {
  if (named === undefined || !(await compareSchema(db)).isReadable) return named;
  return chooseOrganization(db, named).id;
}

function compare(db: Reader, dataDir: string, checkpoints: readonly SignedCheckpoint[]): Compared[] {
  const own = checkpoints.length > 0 ? findSigningKey(dataDir) : null;
  return checkpoints.map((checkpoint) => ({
    orgId: checkpoint.orgId,
    time: checkpoint.time,
    key: writeVerifier(checkpoint.signedBy),
    isOwnKey: own !== null && isSameKey(own, checkpoint.signedBy),
    contradiction: findContradiction(db, checkpoint),
  }));
}

function describe(report: VerifyReport, compared: readonly Compared[]): string[] {
  const { organizations, instance, differences, notes, unverified } = report;
  const people = instance ? [`instance: log of accounts: head ${instance.log.sequence} ${instance.log.hash}`] : [];
  const checked = organizations.flatMap(({ orgId, legalName, entries, head, log }) => [
    `${legalName} (${orgId}): ${counted(entries, "entry", "entries")}, head ${head.sequence} ${head.hash}`,
    `  log of every write: head ${log.sequence} ${log.hash}`,
  ]);
  const noted = notes.map(({ code, subject, detail }) => `note: ${code}: ${subject}: ${detail}`);
  const against = compared.map(({ orgId, time, key, isOwnKey, contradiction }) => {
    const signer = isOwnKey ? "this data directory's key" : `another key, ${key}`;
    const found = contradiction === null ? "all of then is there as it was" : `CONTRADICTED: ${contradiction}`;
    return `checkpoint of ${subjectOf({ orgId })} of ${time}, signed by ${signer}: ${found}`;
  });
  const found = differences.map(
    ({ code, subject, detail, fix }) => `${code}: ${subject}: ${detail}${fix === undefined ? "" : ` ${fix}`}`,
  );
  const isContradicted = compared.some(({ contradiction }) => contradiction !== null);
  const inItself = isContradicted
    ? "No difference in itself; contradicted by what was kept elsewhere."
    : "No difference.";
  const verdict = differences.length === 0 ? inItself : `${counted(differences.length, "difference")}.`;
  return [...checked, ...people, ...against, ...noted, ...found, verdict, `Not looked at: ${unverified.join(", ")}.`];
}
