// Checks an unpacked backup, which is untrusted input, before anything of it is adopted: first the schema of its files,
// before any other query; then the migration and all checks of `verify`; then manifest and notes against the data. For
// a process of its own, that can be ended.
import { join } from "node:path";
import { systemRuntime, toTimestamp } from "../../kernel/runtime.ts";
import { type ActiveKeys, countActiveKeys } from "../../resources/api-keys/store.ts";
import { flushToDisk } from "../../storage/data-dir/durable-files.ts";
import { CHAIN_FILE, findFileFault, schemaOfNewChain } from "../../storage/data-dir/integrity-store.ts";
import { migrateToLatest, refuseEarlierBuild, refuseNewerSchema, schemaOf } from "../../storage/database/migrate.ts";
import { DATABASE_FILE, openReadOnly, openWritable } from "../../storage/database/open.ts";
import type { Reader } from "../../storage/database/sql.ts";
import { findContradiction } from "../checkpoint/against.ts";
import { CheckpointError, readCheckpoints, type SignedCheckpoint, subjectOf } from "../checkpoint/checkpoint.ts";
import { isSameKey } from "../checkpoint/signing-key.ts";
import { findHashAt } from "../checkpoint/store.ts";
import { canNameMigrations, compareObjects, compareOwnSchema } from "../verify/compare-schema.ts";
import type { Difference, VerifiedOrganization } from "../verify/report.ts";
import { verifyWhole } from "../verify/whole.ts";
import { BackupDamagedError, type Manifest } from "./format.ts";
import { signerOfManifest } from "./signature.ts";

/** The contents of an unpacked backup after its migration to this program's schema. */
export interface Checked {
  readonly organizations: readonly VerifiedOrganization[];
  /** How many keys of each role would work. */
  readonly keys: ActiveKeys;
}

/**
 * Checks the files in `folder` against their manifest and migrates them. Throws {@link BackupDamagedError}, and
 * `NewerSchemaError` if a newer program wrote them, `EarlierBuildError` if a build before 1.0 did.
 */
export async function checkUnpacked(folder: string, manifest: Manifest): Promise<Checked> {
  const names = manifest.files.map(({ name }) => name);
  if (!names.includes(DATABASE_FILE)) throw new BackupDamagedError("the backup has no ledger");
  const other = names.find((name) => name !== DATABASE_FILE && name !== CHAIN_FILE);
  if (other !== undefined) throw new BackupDamagedError(`the backup holds ${other}, which is not a file of captable`);
  const file = join(folder, DATABASE_FILE);
  await withReader(file, checkOwnSchema);
  if (names.includes(CHAIN_FILE)) await withReader(join(folder, CHAIN_FILE), checkChainSchema);
  for (const name of names) {
    const fault = findFileFault(join(folder, name), "integrity_check");
    if (fault !== null) throw damaged(`${name}: ${fault}`);
  }
  await migrate(file);
  const checked = await withReader(file, async (db) => {
    const { organizations, differences } = await verifyWhole(db);
    refuseDifferences(differences);
    refuseOtherHeads(db, manifest, organizations);
    return { organizations, keys: countActiveKeys(db, toTimestamp(systemRuntime.nowMs())) };
  });
  for (const name of names) flushToDisk(join(folder, name));
  return checked;
}

async function withReader<T>(file: string, work: (db: Reader) => Promise<T>): Promise<T> {
  const db = openReadOnly(file);
  try {
    return await work(db);
  } finally {
    db.sqlite.close();
  }
}

/** Only the schema is read before the file is known to be safe. */
async function checkOwnSchema(db: Reader): Promise<void> {
  refuseEarlierBuild(db);
  if (await canNameMigrations(db)) refuseNewerSchema(db);
  refuseDifferences((await compareOwnSchema(db)).differences);
}

/**
 * The same for the embedded chain's file. One that was copied in the moment of its making is empty: it is made anew.
 */
async function checkChainSchema(db: Reader): Promise<void> {
  const found = schemaOf(db);
  if (found.length > 0) refuseDifferences(compareObjects(found, schemaOfNewChain()).differences);
}

async function migrate(file: string): Promise<void> {
  const db = openWritable(file);
  try {
    await migrateToLatest(db);
  } finally {
    db.sqlite.close();
  }
}

function refuseDifferences(differences: readonly Difference[]): void {
  const [first] = differences;
  if (first) throw damaged(`${first.subject}: ${first.detail} (${differences.length} in all)`);
}

function damaged(what: string): BackupDamagedError {
  return new BackupDamagedError(`the backup's contents are not valid: ${what}`);
}

/** Manifest, notes and database name the same organizations, and the same heads and sizes. */
function refuseOtherHeads(db: Reader, manifest: Manifest, found: readonly VerifiedOrganization[]): void {
  // A copy from before a migration names no organizations: the program that made it could not read the older data. The
  // previous version restores it as well as the one that made it.
  if (manifest.organizations.length === 0 && (manifest.notes ?? []).length === 0) return;
  const named = new Map(manifest.organizations.map((organization) => [organization.orgId, organization]));
  for (const { orgId, legalName, head } of found) {
    const said = named.get(orgId);
    if (said === undefined) throw damaged(`its manifest does not name the organization ${legalName} (${orgId})`);
    if (said.head.hash !== head.hash || said.head.sequence !== head.sequence || said.entries !== head.sequence) {
      throw damaged(`the ledger of ${legalName} does not end as its manifest says`);
    }
    if (findHashAt(db, "log", orgId, said.log.sequence) !== said.log.hash) {
      throw damaged(`the log of ${legalName} is not what its manifest says`);
    }
  }
  const [gone] = [...named.keys()].filter((orgId) => !found.some((each) => each.orgId === orgId));
  if (gone !== undefined || named.size !== manifest.organizations.length) {
    throw damaged(`its manifest names the organization ${gone ?? "twice"}, which is not in it`);
  }
  refuseOtherNotes(db, manifest, found);
}

function refuseOtherNotes(db: Reader, manifest: Manifest, found: readonly VerifiedOrganization[]): void {
  const signer = signerOfManifest(manifest);
  if (signer === null) return;
  const notes = readNotes(manifest);
  const ids = (all: readonly { readonly orgId: string | null }[]) =>
    all
      .map(({ orgId }) => orgId ?? "instance")
      .sort()
      .join(" ");
  if (ids(notes) !== ids([...found, { orgId: null }]))
    throw damaged("its notes are not one for each organization and the instance");
  for (const note of notes) {
    const { orgId, ledger } = note;
    const head = found.find((each) => each.orgId === orgId)?.head;
    const contradiction = findContradiction(db, note);
    if (contradiction !== null) throw damaged(contradiction);
    const subject = subjectOf(note);
    if (ledger?.size !== head?.sequence) throw damaged(`the note of ${subject} names another size of its ledger`);
    if (!isSameKey(note.signedBy, signer)) throw damaged(`the note of ${subject} is signed by another key`);
  }
}

function readNotes({ notes = [] }: Manifest): SignedCheckpoint[] {
  try {
    return notes.flatMap((note) => readCheckpoints(note));
  } catch (error) {
    if (error instanceof CheckpointError) throw damaged(error.message);
    throw error;
  }
}
