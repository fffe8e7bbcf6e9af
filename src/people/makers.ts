// Makers of links and keys: whether the maker still has the right to make it. A link counts only while it does, so that
// a removed person cannot come back by a link made earlier.

import { present } from "../kernel/assert.ts";
import type { Call } from "../kernel/call.ts";
import { type Maker, readMaker } from "../resources/api-keys/maker.ts";
import { revokeKeyById } from "../resources/api-keys/routes.ts";
import { findKey, listAllKeys, revokeKey } from "../resources/api-keys/store.ts";
import { disableEndpoint, type Endpoint, listAllEndpoints } from "../resources/webhook-endpoints/store.ts";
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

/** Whether a maker has, at an instant, the rights of an ADMIN of an organization. */
function mayManage(db: Reader, { actor, accountId, apiKeyId }: Maker, orgId: string, at: string): boolean {
  if (accountId !== null) {
    return findAccount(db, { id: accountId })?.suspendedAt === null && isAdmin(db, { orgId, accountId });
  }
  if (apiKeyId === null) return actor === "cli";
  const key = findKey(db, orgId, apiKeyId);
  return key !== null && key.role === "ADMIN" && works(key, at);
}

/** The right by which a maker resets an account. */
export type Right = "COMMAND_LINE" | "ADMIN" | "OPERATOR";

/** The maker of a reset: through which organization, null for operators. */
export interface Resetter {
  readonly maker: Maker;
  readonly orgId: string | null;
}

/**
 * The right by which a maker may reset an account at an instant: the command line; an `ADMIN` of every organization
 * where the account is a member, but not for an operator's account, which has rights beyond them all; an operator. A
 * key belongs to one organization. Null: no right.
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

/**
 * Whether an operator's reset waits: the account is a member of an organization, and of no organization together with
 * the operator.
 */
export function mustWait(db: Reader, accountId: string, operatorId: string): boolean {
  return Number(countMemberships(db, { accountId })) > 0 && !isBesides(db, { accountId, otherId: operatorId });
}

/** Whether a link's maker has the right to make it at an instant. */
export function isStillMade(db: Reader, link: Link, at: string): boolean {
  const maker = readMaker(link.madeBy);
  if (link.kind === "INVITATION") {
    return mayManage(db, maker, present(link.orgId, "the organization of an invitation"), at);
  }
  const account = present(findAccount(db, { id: present(link.accountId, "whose account") }), "the account");
  // What the person asked for itself counts while the address is its own.
  if (maker.actor === "job" || link.kind === "EMAIL") {
    const isOwn = link.kind === "EMAIL" || account.emailFolded === link.emailFolded;
    return isOwn && account.suspendedAt === null;
  }
  const right = rightToReset(db, { maker, orgId: link.orgId }, account, at);
  if (right !== "OPERATOR" || link.validFrom !== null) return right !== null;
  return !mustWait(db, account.id, present(maker.accountId, "the operator"));
}

/** An account, or a key. */
export type MakerId = { readonly accountId: string } | { readonly apiKeyId: string };

/**
 * Revokes the open links that their maker has no right to make any more, after it lost rights. `callIn` gives the write
 * in an organization, whose log records its revoked invitations.
 */
export function revokeLinksOf(tx: Tx, call: AccountCall, callIn: (orgId: string) => Call, maker: MakerId): void {
  const none = { accountId: "", apiKeyId: "" };
  for (const link of listOpenLinksMadeBy(tx, { ...none, ...maker })) {
    if (isStillMade(tx, link, call.at) || !revokeOne(tx, call, link)) continue;
    if (link.kind !== "INVITATION" || link.orgId === null) continue;
    tellOf(tx, { ...callIn(link.orgId), evenClosed: true }, "invitation", link.id, { revokedAt: call.at });
  }
}

/** The same in a write of one organization: other organizations' links stay. */
export function revokeLinksAfter(tx: Tx, call: Call, maker: MakerId): void {
  revokeLinksOf(tx, accountCall(call), (orgId) => ({ ...call, orgId }), maker);
}

/** Revokes a key with the open links that were made with it. Throws `404`. */
export function revokeKeyAndLinks(tx: Tx, call: Call, keyId: string): void {
  revokeKeyById(tx, call, keyId);
  revokeLinksAfter(tx, call, { apiKeyId: keyId });
}

/** The maker, the organization and the instant of a list of keys. */
interface KeysOf {
  readonly orgId: string;
  readonly accountId: string;
  readonly at: string;
}

/**
 * The working keys of an organization that an account made, oldest first; also those that were made with one of its
 * keys, whether that still works or not: a caller that has the one has the other.
 */
export function keysMadeBy(db: Reader, { orgId, accountId, at }: KeysOf): readonly Key[] {
  return allKeysMadeBy(db, { orgId, accountId }).filter((key) => works(key, at));
}

function allKeysMadeBy(db: Reader, { orgId, accountId }: Omit<KeysOf, "at">): readonly Key[] {
  const made = new Set<string>();
  return listAllKeys(db, { orgId }).filter(({ id, madeBy }) => {
    const maker = madeBy === null ? null : readMaker(madeBy);
    // A key is younger than the one that made it.
    if (maker === null || (maker.accountId !== accountId && !made.has(maker.apiKeyId ?? ""))) return false;
    made.add(id);
    return true;
  });
}

/** The enabled webhook endpoints that an account made, or that were made with one of its keys, oldest first. */
export function endpointsMadeBy(db: Reader, { orgId, accountId }: Omit<KeysOf, "at">): readonly Endpoint[] {
  const keyIds = new Set(allKeysMadeBy(db, { orgId, accountId }).map(({ id }) => id));
  return listAllEndpoints(db, { orgId }).filter(({ status, madeBy }) => {
    const maker = readMaker(madeBy);
    return status === "ENABLED" && (maker.accountId === accountId || keyIds.has(maker.apiKeyId ?? ""));
  });
}

/**
 * Revokes the working keys that an account made, with what was made with them, and disables the webhook endpoints
 * that it made.
 */
export function revokeKeysMadeBy(tx: Tx, call: Call, accountId: string): void {
  const { orgId, at } = call;
  for (const { id } of keysMadeBy(tx, { orgId, accountId, at })) {
    revokeKey(tx, call, id);
    revokeLinksAfter(tx, call, { apiKeyId: id });
  }
  for (const endpoint of endpointsMadeBy(tx, { orgId, accountId }))
    disableEndpoint(tx, call, endpoint, "MAKER_REMOVED");
}
