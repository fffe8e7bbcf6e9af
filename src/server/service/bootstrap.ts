// The start of a data directory: at first its environment, schema, first organization and first key; later the check of
// them.

import { commandLineCall } from "../../kernel/call.ts";
import type { Runtime } from "../../kernel/runtime.ts";
import type { KeyEnvironment } from "../../resources/api-keys/key.ts";
import { createKey } from "../../resources/api-keys/routes.ts";
import { insertOrganization, listOrganizations } from "../../resources/organization/store.ts";
import { migrateWithBackup } from "../../safekeeping/backup/before-migration.ts";
import { DataDirectoryError } from "../../storage/data-dir/directory.ts";
import { findSetting, storeSetting } from "../../storage/database/settings.ts";
import type { Reader, Tx } from "../../storage/database/sql.ts";

/** The name of an organization until a user names it. */
export const UNNAMED = "Unnamed organization";

/**
 * Migrates the database to this program's schema and returns the environment of its keys, fixed when the directory is
 * made. `wanted` null takes the existing one (production for a new directory); another than the directory's is refused.
 * `onReport` is called when the database was made or migrated.
 */
export async function prepareDatabase(
  db: Reader,
  wanted: KeyEnvironment | null,
  onReport: (sentence: string) => void = () => undefined,
): Promise<KeyEnvironment> {
  for (const sentence of (await migrateWithBackup(db)).report) onReport(sentence);
  const fixed = findSetting(db, "environment") as KeyEnvironment | null;
  if (fixed === null) {
    const environment = wanted ?? "production";
    storeSetting({ sqlite: db.sqlite, isWritable: true }, "environment", environment);
    return environment;
  }
  if (wanted !== null && wanted !== fixed) {
    throw new DataDirectoryError(
      `this data directory is a ${fixed} one and CAPTABLE_ENV says ${wanted}: the environment is fixed when it is made`,
    );
  }
  return fixed;
}

/** Makes an organization and its first ADMIN key if the database has no organization; returns the key, or null. */
export function makeFirstOrganization(tx: Tx, runtime: Runtime, environment: KeyEnvironment): string | null {
  if (listOrganizations(tx).length > 0) return null;
  const call = commandLineCall(runtime, makeUnnamedOrganization(tx, runtime));
  return createKey(tx, call, environment, { name: "First key", role: "ADMIN" }).key;
}

/** Makes an organization, unnamed until a user or a package names it; returns its id. */
export function makeUnnamedOrganization(tx: Tx, runtime: Runtime): string {
  const call = commandLineCall(runtime, runtime.newId());
  insertOrganization(tx, call, { legalName: UNNAMED, isNamed: 0 });
  return call.orgId;
}
