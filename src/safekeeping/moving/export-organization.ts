// Writes one organization of an instance to a file, while others write: a database with its rows and stubs of the
// accounts that they name, checked like a backup before it gets its name. Synchronous for long: for its own process.
import { rmSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { giveToOwnerWithin } from "../../kernel/files/ownership.ts";
import { systemRuntime, type Timestamp, toTimestamp } from "../../kernel/runtime.ts";
import { foldEmail } from "../../kernel/text/email.ts";
import { VERSION } from "../../kernel/version.ts";
import { newSalt } from "../../people/sign-in/token.ts";
import { copyDatabase } from "../../storage/data-dir/copy-store.ts";
import { DataDamagedError } from "../../storage/data-dir/damage.ts";
import { hashFile } from "../../storage/data-dir/durable-files.ts";
import { findFileFault } from "../../storage/data-dir/integrity-store.ts";
import { isClosed } from "../../storage/database/closed.ts";
import { appendEvent } from "../../storage/database/log/account-log.ts";
import { migrateToLatest } from "../../storage/database/migrate.ts";
import { DATABASE_FILE, openReadOnly, openThrowaway } from "../../storage/database/open.ts";
import { insertRow } from "../../storage/database/row-writes.ts";
import { findSetting } from "../../storage/database/settings.ts";
import type { Reader, Tx } from "../../storage/database/sql.ts";
import { Writer } from "../../storage/database/writer.ts";
import { readFiles, writeArchive } from "../backup/format.ts";
import { removeLeftOvers } from "../backup/schedule.ts";
import { signManifest } from "../backup/signature.ts";
import { makeWorkingFolder, type OnStage, type PutFile, putInTarget } from "../backup/target.ts";
import { makeCheckpoint } from "../checkpoint/make.ts";
import { openSigningKey } from "../checkpoint/signing-key.ts";
import type { Lock } from "../encryption/keys.ts";
import type { VerifiedOrganization } from "../verify/report.ts";
import { verifyWhole } from "../verify/whole.ts";
import {
  copyRows,
  finishFile,
  listLeftTokens,
  listMovedPeople,
  listNamedAccounts,
  type MovedCounts,
  type NamedAccount,
} from "./extract-store.ts";
import { knownMovedManifest, type MovedManifest, makeMovedManifest, ORGANIZATION_FILE } from "./moved-manifest.ts";
import { movedAddress } from "./moved-tables.ts";

/** A finished export. */
export interface MovedReport
  extends PutFile,
    Pick<MovedManifest, "createdAt" | "closed" | "withKeys" | "organization" | "people" | "tokensLeftBehind"> {
  readonly file: string;
  readonly isEncrypted: boolean;
}

/** What is exported, and how. */
export interface MovedOptions {
  readonly orgId: string;
  readonly withKeys: boolean;
  readonly nowMs: number;
  readonly onStage: OnStage;
  /** Null leaves the file unencrypted. */
  readonly lock: Lock | null;
}

/** The extract, and what the manifest tells of it. */
interface Extract extends Pick<MovedManifest, "environment" | "closed" | "people" | "tokensLeftBehind"> {
  readonly counts: MovedCounts;
}

/**
 * Writes the organization to the file `out`, which is replaced only when the new one is whole, flushed and checked.
 * With a lock nothing that is not encrypted leaves the data directory. Throws {@link DataDamagedError}.
 */
export async function exportOrganization(dataDir: string, out: string, options: MovedOptions): Promise<MovedReport> {
  const { nowMs, onStage, lock, orgId, withKeys } = options;
  const target = resolve(out);
  if (lock !== null) removeLeftOvers(dataDir, nowMs);
  const folder = makeWorkingFolder(lock === null ? dirname(target) : dataDir, dataDir);
  try {
    onStage("copying", null);
    const file = join(folder, ORGANIZATION_FILE);
    const time = toTimestamp(nowMs);
    const { counts, ...told } = await extract(dataDir, folder, orgId, time);
    giveToOwnerWithin(dataDir, file);
    onStage("checking the copy", null);
    const signer = openSigningKey(dataDir);
    const { organization, note } = await checkExtract(file, (db) => makeCheckpoint(db, orgId, time, signer).note);
    const files = [{ name: ORGANIZATION_FILE, bytes: statSync(file).size, sha256: hashFile(file) } as const];
    const about = { createdAt: time, program: VERSION, withKeys, organization } as const;
    const parts = { ...about, ...told, counts: { ...counts }, files, notes: [note] };
    const manifest = signManifest(makeMovedManifest(parts), signer);
    const draft = join(folder, "organization.tar");
    writeArchive(draft, { manifest, folder, nowMs, onProgress: (done) => onStage("writing", done) });
    const onProgress = (done: number) => onStage("reading back", done);
    readFiles(draft, { into: null, onProgress, known: knownMovedManifest });
    rmSync(file);
    const put = await putInTarget(draft, target, { dataDir, lock, onStage });
    const { createdAt, closed, people, tokensLeftBehind } = manifest;
    return {
      ...put,
      ...{ file: out, isEncrypted: lock !== null },
      ...{ createdAt, closed, withKeys, organization: manifest.organization, people, tokensLeftBehind },
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Makes the organization's own database from a copy of the whole, which is as the data were at one moment. */
async function extract(dataDir: string, folder: string, orgId: string, at: Timestamp): Promise<Extract> {
  const copy = join(folder, "whole.db");
  copyDatabase(join(dataDir, DATABASE_FILE), copy, false);
  const db = openThrowaway(join(folder, ORGANIZATION_FILE));
  try {
    await migrateToLatest(db);
    const counts = copyRows(db, copy, orgId);
    const { accounts, ...told } = withCopy(copy, (source) => ({
      accounts: listNamedAccounts(source, orgId),
      closed: isClosed(source, { orgId }),
      environment: findSetting(source, "environment") ?? "production",
      people: listMovedPeople(source, orgId),
      tokensLeftBehind: listLeftTokens(source, orgId),
    }));
    if (accounts.length > 0) {
      await new Writer(db, () => undefined).submit((tx) => {
        for (const account of accounts) insertStub(tx, account, at);
      });
    }
    finishFile(db);
    return { counts, ...told };
  } finally {
    db.sqlite.close();
    rmSync(copy, { force: true });
  }
}

function withCopy<T>(copy: string, work: (db: Reader) => T): T {
  const db = openReadOnly(copy);
  try {
    return work(db);
  } finally {
    db.sqlite.close();
  }
}

/** A suspended account without address, password and factor: rows that name it hold, and no one signs in with it. */
function insertStub(tx: Tx, { id, name, createdAt }: NamedAccount, at: Timestamp): void {
  const [email, salt] = [movedAddress(id), newSalt()];
  const state = { passwordHash: null, isOperator: 0, suspendedAt: at } as const;
  insertRow(tx, "accounts", { ...state, id, email, emailFolded: foldEmail(email), name, createdAt, salt });
  appendEvent(tx, {
    ...{ id: systemRuntime.newId(), at, accountId: id, event: "account-arrived" },
    ...{ sessionId: null, address: null, userAgent: null },
    by: { actor: "cli", accountId: null, apiKeyId: null },
    data: { email, name, isOperator: 0, suspendedAt: at, salt, password: null, createdAt },
  });
}

/** Threads would take a third of the time away, and 40 MB more. */
const IN_THIS_THREAD = { fromBytes: Number.POSITIVE_INFINITY };

/** Checks the extract as a backup is checked; returns its heads and its checkpoint. */
async function checkExtract(
  file: string,
  makeNote: (db: Reader) => string,
): Promise<{ readonly organization: VerifiedOrganization; readonly note: string }> {
  const fault = findFileFault(file, "integrity_check");
  if (fault !== null) throw damaged(fault);
  const db = openReadOnly(file);
  try {
    const { organizations, differences } = await verifyWhole(db, undefined, IN_THIS_THREAD);
    const [first] = differences;
    if (first) throw damaged(`${first.subject}: ${first.detail} (${differences.length} in all)`);
    const [organization] = organizations;
    if (organization === undefined) throw damaged("the organization is not in the copy");
    return { organization, note: makeNote(db) };
  } finally {
    db.sqlite.close();
  }
}

function damaged(what: string): DataDamagedError {
  return new DataDamagedError(`the data is damaged, so it was not exported: ${what}. See: captable verify`);
}
