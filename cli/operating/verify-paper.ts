// captable verify --code and --document: paper, or the file of it, held against the ledger.
import { readFileSync, statSync } from "node:fs";
import { systemRuntime, toUtcDate } from "../../src/kernel/runtime.ts";
import { listOrganizations } from "../../src/resources/organization/store.ts";
import { verifyWhole } from "../../src/safekeeping/verify/whole.ts";
import { inSnapshot } from "../../src/storage/database/snapshot.ts";
import type { Reader } from "../../src/storage/database/sql.ts";
import { type Checked, checkCode, checkDocument } from "../../src/views/reports/documents/check.ts";
import { readCode } from "../../src/views/reports/documents/code.ts";
import { CommandError, type CommonOptions, configOf, print } from "../command.ts";
import { withRecords } from "../data.ts";

/** What of paper is held against the ledger. */
export interface PaperOptions extends CommonOptions {
  readonly code?: string;
  readonly document?: string;
}

const DIFFERS = 1;
const ELSEWHERE = 2;
const DAMAGED = 4;

/** Checks a code or a document; exit 1 where it differs, 2 for another organization, 4 for a damaged ledger. */
export async function verifyPaper(options: PaperOptions): Promise<void> {
  const config = configOf(options);
  const bytes = options.document === undefined ? null : readDocument(options.document);
  const checked = await withRecords(config, (db) => checkIn(db, options, bytes, config.fontDir));
  print(options, { ...checked }, wordsOf(checked));
  // A file has the hash of its entry, and tells a rewritten ledger by it; a typed code has the entry's number alone.
  if (!checked.agrees) process.exitCode = checked.isLedgerOther ? DAMAGED : DIFFERS;
}

function readDocument(file: string): Uint8Array {
  if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) {
    throw new CommandError(`there is no file ${file}`, ELSEWHERE);
  }
  return readFileSync(file);
}

async function checkIn(
  db: Reader,
  { code = "" }: PaperOptions,
  bytes: Uint8Array | null,
  fontFolder: string | null,
): Promise<Checked> {
  const today = toUtcDate(systemRuntime.nowMs());
  const { facts } = await import("../../src/views/reports/documents/read-pdf.ts").then((reader) =>
    bytes === null ? { facts: null } : reader.readDocumentFile(bytes),
  );
  const orgId = bytes === null ? (readCode(code)?.orgId ?? null) : (facts?.code.orgId ?? null);
  if (orgId === null) {
    throw new CommandError(bytes === null ? "this is no code of ours" : "the file is no document of ours", DIFFERS);
  }
  if (!listOrganizations(db).some(({ id }) => id === orgId)) {
    throw new CommandError(`the organization ${orgId} is not in this data directory`, ELSEWHERE);
  }
  const { differences } = await verifyWhole(db, orgId);
  const [first] = differences;
  if (first) throw new CommandError(`the ledger itself is damaged: ${first.code}: ${first.detail}`, DAMAGED);
  if (bytes === null) return inSnapshot(db, () => checkCode(db, code, today));
  return await checkDocument(db, bytes, { today, fontFolder });
}

function wordsOf({ agrees, notes, statement, changed }: Checked): string[] {
  return [
    agrees ? "Agrees with the ledger." : "DIFFERS.",
    ...notes,
    ...changed.map(({ label, isComputed, was, now }) => {
      const what = isComputed ? "changed since, as it follows from vesting terms" : "changed since";
      return `${what}: ${label}: ${was ?? "(nothing)"} is now ${now ?? "(nothing)"}`;
    }),
    "",
    ...statement.map(([label, value]) => `${label}: ${value}`),
  ];
}
