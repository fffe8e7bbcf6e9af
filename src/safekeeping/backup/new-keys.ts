// Replaces all API keys of an unpacked backup by a new one: keys that were made before the backup, or revoked since,
// give no access any more.
import { present } from "../../kernel/assert.ts";
import { commandLineCall } from "../../kernel/call.ts";
import { systemRuntime, toTimestamp } from "../../kernel/runtime.ts";
import type { KeyEnvironment } from "../../resources/api-keys/key.ts";
import { createKey } from "../../resources/api-keys/routes.ts";
import { type ActiveKeys, countActiveKeys, listActiveKeys, revokeKey } from "../../resources/api-keys/store.ts";
import { listOrganizations } from "../../resources/organization/store.ts";
import { findSetting } from "../../storage/database/settings.ts";
import type { Tx } from "../../storage/database/sql.ts";
import { writeUnpacked } from "./unpacked.ts";

/** Revokes all keys in the folder's database and makes an ADMIN key of its first organization. */
export function makeNewKeys(folder: string): Promise<{ readonly adminKey: string; readonly keys: ActiveKeys }> {
  return writeUnpacked(folder, (tx) => {
    const adminKey = replaceKeys(tx);
    return { adminKey, keys: countActiveKeys(tx, toTimestamp(systemRuntime.nowMs())) };
  });
}

function replaceKeys(tx: Tx): string {
  const environment = (findSetting(tx, "environment") ?? "production") as KeyEnvironment;
  const organizations = listOrganizations(tx);
  for (const { id } of organizations) {
    const call = { ...commandLineCall(systemRuntime, id), evenClosed: true } as const;
    for (const keyId of listActiveKeys(tx, id)) revokeKey(tx, call, keyId);
  }
  const first = present(organizations[0], "an organization in the backup");
  const call = { ...commandLineCall(systemRuntime, first.id), evenClosed: true } as const;
  return createKey(tx, call, environment, { name: "New key", role: "ADMIN" }).key;
}
