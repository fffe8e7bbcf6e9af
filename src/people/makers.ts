// Who made a link or a key, and whether it could make that still. A link counts only while its maker could make it: what a
// removed person left behind must not let it in again.

import { present } from "../kernel/assert.ts";
import type { Call } from "../kernel/call.ts";
import { type Maker, readMaker } from "../resources/api-keys/maker.ts";
import { revokeKeyById } from "../resources/api-keys/routes.ts";
import { findKey, listAllKeys, revokeKey } from "../resources/api-keys/store.ts";
import { tellOf } from "../storage/database/log/audit.ts";
import type { Reader, Row, Tx } from "../storage/database/sql.ts";
import { type AccountCall, accountCall } from "./call.ts";
import { revokeOne } from "./links.ts";
import { type Account, findAccount } from "./stores/account-store.ts";
import { type Link, listOpenLinksMadeBy } from "./stores/link-store.ts";
import { countMemberships, isAdmin, isBesides, isMemberBeyond } from "./stores/member-store.ts";

type Key = Row<"api_keys">;

function works({ revokedAt, expiresAt }: Pick<Key, "revokedAt" | "expiresAt">, at: string): boolean {
  return revokedAt === null && (expiresAt === null || expiresAt > at);
}

/** Whether somebody may do at an instant what an ADMIN of an organization may. */
function mayManage(db: Reader, { actor, accountId, apiKeyId }: Maker, orgId: string, at: string): boolean {
  if (accountId !== null) {
    return findAccount(db, { id: accountId })?.suspendedAt === null && isAdmin(db, { orgId, accountId });
  }
  if (apiKeyId === null) return actor === "cli";
  const key = findKey(db, orgId, apiKeyId);
  return key !== null && key.role === "ADMIN" && works(key, at);
}

/** By which right somebody resets an account. */
export type Right = "COMMAND_LINE" | "ADMIN" | "OPERATOR";

/** Who resets an account: through which organization, null for what operators do. */
export interface Resetter {
  readonly maker: Maker;
  readonly orgId: string | null;
}

/**
 * By which right somebody may reset an account at an instant: the command line; an `ADMIN` of every organization where
 * the account is a member, and then not of an operator, who has rights beyond them all; an operator. A key is of one
 * organization. Null: by none.
 */
export function rightToReset(db: Reader, { maker, orgId }: Resetter, account: Account, at: string): Right | null {
  const { actor, accountId } = maker;
  if (actor === "cli") return "COMMAND_LINE";
  if (orgId !== null && account.isOperator === 0 && mayManage(db, maker, orgId, at)) {
    const isBeyond =
      accountId === null
        ? Number(countMemberships(db, { accountId: account.id })) > 1
        : isMemberBeyond(db, { accountId: account.id, adminId: accountId });
    if (!isBeyond) return "ADMIN";
  }
  const operator = accountId === null ? null : findAccount(db, { id: accountId });
  return operator?.isOperator === 1 && operator.suspendedAt === null ? "OPERATOR" : null;
}

/** Whether an operator's reset waits: the account is a member somewhere, and nowhere together with the operator. */
export function mustWait(db: Reader, accountId: string, operatorId: string): boolean {
  return Number(countMemberships(db, { accountId })) > 0 && !isBesides(db, { accountId, otherId: operatorId });
}

/** Whether a link's maker could make it at an instant. */
export function isStillMade(db: Reader, link: Link, at: string): boolean {
  const maker = readMaker(link.madeBy);
  if (link.kind === "INVITATION") {
    return mayManage(db, maker, present(link.orgId, "the organization of an invitation"), at);
  }
  const account = present(findAccount(db, { id: present(link.accountId, "whose password") }), "the account");
  const right = rightToReset(db, { maker, orgId: link.orgId }, account, at);
  if (right !== "OPERATOR" || link.validFrom !== null) return right !== null;
  return !mustWait(db, account.id, present(maker.accountId, "the operator"));
}

/** An account, or a key. */
export type MakerId = { readonly accountId: string } | { readonly apiKeyId: string };

/**
 * Revokes the open links that their maker could not make any more, after something was taken away from it. `callIn`
 * gives the write in an organization, which is told of its invitations.
 */
export function revokeLinksOf(tx: Tx, call: AccountCall, callIn: (orgId: string) => Call, maker: MakerId): void {
  const none = { accountId: "", apiKeyId: "" };
  for (const link of listOpenLinksMadeBy(tx, { ...none, ...maker })) {
    if (isStillMade(tx, link, call.at) || !revokeOne(tx, call, link)) continue;
    if (link.kind !== "INVITATION" || link.orgId === null) continue;
    tellOf(tx, callIn(link.orgId), "invitation", link.id, { revokedAt: call.at });
  }
}

/** The same in a write of one organization: nothing is taken away in another. */
export function revokeLinksAfter(tx: Tx, call: Call, maker: MakerId): void {
  revokeLinksOf(tx, accountCall(call), (orgId) => ({ ...call, orgId }), maker);
}

/** Revokes a key with the open links that were made with it. Throws `404`. */
export function revokeKeyAndLinks(tx: Tx, call: Call, keyId: string): void {
  revokeKeyById(tx, call, keyId);
  revokeLinksAfter(tx, call, { apiKeyId: keyId });
}

/** Whose keys, where and when. */
interface KeysOf {
  readonly orgId: string;
  readonly accountId: string;
  readonly at: string;
}

/**
 * The working keys of an organization that an account made, oldest first; those too that were made with one of its
 * keys, whether that works still or not: a caller that has the one has the other.
 */
export function keysMadeBy(db: Reader, { orgId, accountId, at }: KeysOf): readonly Key[] {
  const made = new Set<string>();
  const keys = listAllKeys(db, { orgId }).filter(({ id, madeBy }) => {
    const maker = madeBy === null ? null : readMaker(madeBy);
    // A key is younger than the one with which it was made.
    if (maker === null || (maker.accountId !== accountId && !made.has(maker.apiKeyId ?? ""))) return false;
    made.add(id);
    return true;
  });
  return keys.filter((key) => works(key, at));
}

/** Revokes the working keys that an account made, with what was made with them. */
export function revokeKeysMadeBy(tx: Tx, call: Call, accountId: string): void {
  const { orgId, at } = call;
  for (const { id } of keysMadeBy(tx, { orgId, accountId, at })) {
    revokeKey(tx, call, id);
    revokeLinksAfter(tx, call, { apiKeyId: id });
  }
}
