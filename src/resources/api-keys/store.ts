// SQL of API keys. A key itself never comes here, only its SHA-256.
import { type RawBuilder, sql } from "kysely";
import type { Call } from "../../kernel/call.ts";
import { changeLogged, changeUntold, insertLogged } from "../../storage/database/log/logged.ts";
import {
  acrossOrganizations,
  all,
  exists,
  first,
  ofOrganization,
  type Params,
  type Reader,
  type Row,
  statement,
  type Tx,
} from "../../storage/database/sql.ts";

const byHash = statement((param: Params<{ keyHash: string }>) =>
  acrossOrganizations
    .selectFrom("api_keys")
    .select(["orgId", "id", "role", "scopes", "expiresAt"])
    .where("keyHash", "=", param("keyHash"))
    .where("revokedAt", "is", null),
);

/** That a key has not expired at an instant. */
function isInTime(at: RawBuilder<string>): RawBuilder<boolean> {
  return sql<boolean>`("expiresAt" is null or "expiresAt" > ${at})`;
}

/** A key's organization, role and expiry. */
export type KeyHolder = Pick<Row<"api_keys">, "orgId" | "id" | "role" | "scopes" | "expiresAt">;

/** The unrevoked key with this SHA-256 (lowercase hex); null if there is no such key. It may have expired. */
export function findKeyByHash(db: Reader, keyHash: string): KeyHolder | null {
  return byHash.first(db, { keyHash });
}

/** Whether the key with this hash works at an instant and was never used. */
export const isUnusedKey = exists((param: Params<{ keyHash: string; at: string }>) =>
  acrossOrganizations
    .selectFrom("api_keys")
    .select("id")
    .where("keyHash", "=", param("keyHash"))
    .where("lastUsedAt", "is", null)
    .where("revokedAt", "is", null)
    .where(isInTime(param("at"))),
);

const byId = statement((param: Params<{ orgId: string; id: string }>) =>
  ofOrganization("api_keys", param).selectAll().where("id", "=", param("id")),
);

/** One key's row, revoked or not; null if the organization has no key with this id. */
export function findKey(db: Reader, orgId: string, id: string): Row<"api_keys"> | null {
  return byId.first(db, { orgId, id });
}

/** One key's row in any organization: for the command line, which works across organizations. */
export const findKeyAnywhere = first((param: Params<{ id: string }>) =>
  acrossOrganizations.selectFrom("api_keys").selectAll().where("id", "=", param("id")),
);

/** The keys of any organization that are shown with this prefix, revoked or not. */
export const listKeysWithPrefix = all((param: Params<{ prefix: string }>) =>
  acrossOrganizations.selectFrom("api_keys").selectAll().where("prefix", "=", param("prefix")).orderBy("seq"),
);

const active = statement((param: Params<{ at: string }>) =>
  acrossOrganizations
    .selectFrom("api_keys")
    .select(["role", (all) => all.fn.countAll<number>().as("count")])
    .where("revokedAt", "is", null)
    .where(isInTime(param("at")))
    .groupBy("role"),
);

/** The number of working keys of each role, in all organizations together. */
export type ActiveKeys = Readonly<Record<Row<"api_keys">["role"], number>>;

/** Counts the keys that work at an instant. */
export function countActiveKeys(db: Reader, at: string): ActiveKeys {
  const counts = Object.fromEntries(active.all(db, { at }).map(({ role, count }) => [role, count]));
  return { VIEWER: 0, EDITOR: 0, ADMIN: 0, ...counts };
}

const activeOf = statement((param: Params<{ orgId: string }>) =>
  ofOrganization("api_keys", param).select("id").where("revokedAt", "is", null),
);

/** The ids of an organization's keys that are not revoked. */
export function listActiveKeys(db: Reader, orgId: string): string[] {
  return activeOf.all(db, { orgId }).map(({ id }) => id);
}

/** All of an organization's keys, oldest first, revoked ones too. */
export const listAllKeys = all((param: Params<{ orgId: string }>) =>
  ofOrganization("api_keys", param).selectAll().orderBy("seq"),
);

const page = statement((param: Params<{ orgId: string; before: number; limit: number }>) =>
  ofOrganization("api_keys", param)
    .selectAll()
    .where("seq", "<", param("before"))
    .orderBy("seq", "desc")
    .limit(param("limit")),
);

/** Up to `limit` keys with `seq` below `before` (null: from the newest), newest first. */
export function listKeys(db: Reader, orgId: string, before: number | null, limit: number): Row<"api_keys">[] {
  return page.all(db, { orgId, before: before ?? Number.MAX_SAFE_INTEGER, limit });
}

/** Stores a new key's row. */
export function insertKey(tx: Tx, call: Call, row: Omit<Row<"api_keys">, "seq">): void {
  insertLogged(tx, call, "api_keys", row);
}

/** Revokes a key. */
export function revokeKey(tx: Tx, call: Call, id: string): void {
  changeLogged(tx, call, "api_keys", id, { revokedAt: call.at });
}

/** A use of a key: the instant, to the minute, and the address. */
export interface KeyUse {
  readonly orgId: string;
  readonly id: string;
  readonly at: string;
  readonly address: string | null;
}

/** Records a key's last use; the audit log does not record this write. */
export function touchKey(tx: Tx, { orgId, id, at, address }: KeyUse): void {
  changeUntold(tx, orgId, "api_keys", id, { lastUsedAt: at, lastUsedAddress: address });
}
