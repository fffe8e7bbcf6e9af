// Scope check for what a key creates: another key or a member gets at most the key's own role and scopes. Else a key
// that may only manage keys could create one that may write, or invite its holder as an administrator.

import type { Call } from "../../kernel/call.ts";
import { problem } from "../../kernel/problem.ts";
import type { Tx } from "../../storage/database/sql.ts";
import { lackingScopes, type Scope, scopesOfRole } from "../../storage/records/api-key.ts";
import { MEMBER_ROLES, type MemberRole } from "../../storage/records/member.ts";
import { findKey } from "./store.ts";

/**
 * Throws `403` if the calling key has a lower role or lacks one of the scopes, and names what it lacks. People and the
 * command line have no scopes.
 */
export function refuseMoreThanOwn(
  tx: Tx,
  { orgId, apiKeyId }: Call,
  role: MemberRole,
  scopes: readonly Scope[] = scopesOfRole(role),
): void {
  if (apiKeyId === null) return;
  const key = findKey(tx, orgId, apiKeyId);
  const lacking = lackingScopes(key?.scopes ?? "", scopes);
  const isLower = key === null || MEMBER_ROLES.indexOf(key.role) < MEMBER_ROLES.indexOf(role);
  if (!isLower && lacking.length === 0) return;
  const lacks = isLower ? `the role ${role}` : `the scope ${lacking.join(", ")}`;
  throw problem("forbidden", `A key gives no more than it has itself; this one lacks ${lacks}.`);
}
