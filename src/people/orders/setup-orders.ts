// Set-up: the first account of an instance, made with the first key; and organizations that an operator makes.

import { problem } from "../../kernel/problem.ts";
import { findKeyByHash } from "../../resources/api-keys/store.ts";
import { insertOrganization } from "../../resources/organization/store.ts";
import { commitTo } from "../../storage/database/log/account-log.ts";
import type { Reader, Tx } from "../../storage/database/sql.ts";
import { lackingScopes, SCOPES } from "../../storage/records/api-key.ts";
import { makeAccount } from "../accounts.ts";
import { type AccountCall, personCall } from "../call.ts";
import { hasAccounts } from "../stores/account-store.ts";
import { provenCall } from "../stores/log-store.ts";
import { insertMembership } from "../stores/member-store.ts";
import { type Asking, beginSession, type NewSession, requireSession } from "./session-orders.ts";

/** The first account. */
export interface Setup {
  /** Of the key in `admin.key`. */
  readonly keyHash: string;
  readonly email: string;
  readonly name: string;
  readonly passwordHash: string;
  readonly session: NewSession;
}

/** Throws `409 invalid-state` if an account exists: further members are invited. */
export function refuseSecondSetup(db: Reader): void {
  if (hasAccounts(db))
    throw problem("invalid-state", "This server has an account already. Further people join by invitation.");
}

/** Makes the first account: an operator, `ADMIN` of the key's organization, signed in. */
export function setUp(tx: Tx, call: AccountCall, { keyHash, email, name, passwordHash, session }: Setup): void {
  refuseSecondSetup(tx);
  const key = findKeyByHash(tx, keyHash);
  if (key?.role !== "ADMIN" || (key.expiresAt !== null && key.expiresAt <= call.at)) {
    throw problem("sign-in-failed", "The key in admin.key no longer has the role ADMIN.");
  }
  // The account gets all rights: a key with fewer must not become one.
  const lacking = lackingScopes(key.scopes, SCOPES);
  if (lacking.length > 0) throw problem("forbidden", `The key in admin.key lacks the scope ${lacking.join(", ")}.`);
  const id = call.newId();
  const own = provenCall(call, id);
  const { salt } = makeAccount(tx, own, { id, email, name, passwordHash, isOperator: 1 });
  const sessionId = call.newId();
  const write = personCall(call, key.orgId, { id, name, sessionId });
  insertMembership(tx, write, { id: call.newId(), accountId: id, role: "ADMIN", stakeholderIds: [] });
  const proof = { apiKeyId: key.id, apiKey: commitTo(salt, keyHash) };
  beginSession(tx, own, id, { ...session, method: "SETUP", hasSecondFactor: false, proof, id: sessionId });
}

/** Makes an organization, whose `ADMIN` the operator becomes; returns its id. */
export function makeOrganization(
  tx: Tx,
  call: AccountCall,
  { legalName, ...asking }: Asking & { readonly legalName: string },
): { readonly id: string } {
  const account = requireSession(tx, asking);
  if (account.isOperator === 0) throw problem("forbidden", "Only an operator makes organizations.");
  const write = personCall(call, call.newId(), { ...account, sessionId: asking.sessionId });
  insertOrganization(tx, write, { legalName, isNamed: 1 });
  insertMembership(tx, write, { id: call.newId(), accountId: account.id, role: "ADMIN", stakeholderIds: [] });
  return { id: write.orgId };
}
