// Everything that people leave in the database, made by what makes it in the service: accounts with a password, one-time
// codes, recovery codes, a passkey and an identity; links open, used and revoked; sessions open and ended.

import { present } from "../../src/kernel/assert.ts";
import { commandLineCall } from "../../src/kernel/call.ts";
import { systemRuntime, toTimestamp, toUtcDate } from "../../src/kernel/runtime.ts";
import type { AccountCall } from "../../src/people/call.ts";
import { VISITOR } from "../../src/people/call.ts";
import { reportFailure } from "../../src/people/failed-proofs.ts";
import { invite } from "../../src/people/membership.ts";
import { changeAccount } from "../../src/people/routes/account.ts";
import { confirm } from "../../src/people/routes/confirm.ts";
import { linkIdentity, signInByIdentity } from "../../src/people/routes/from-provider.ts";
import { addTotp } from "../../src/people/routes/one-time-codes.ts";
import { acceptInvitation } from "../../src/people/routes/opened-links.ts";
import { makeCalendar } from "../../src/people/routes/own-calendars.ts";
import { addPasskey } from "../../src/people/routes/own-passkeys.ts";
import { endOthers } from "../../src/people/routes/own-sessions.ts";
import { hashToken, newToken } from "../../src/people/sign-in/token.ts";
import { hashRecoveryCode, newRecoveryCodes, stepAt } from "../../src/people/sign-in/totp.ts";
import { listOpenMemberships } from "../../src/people/stores/member-store.ts";
import type { Tx } from "../../src/storage/database/sql.ts";
import type { Writer } from "../../src/storage/database/writer.ts";

const DAY_MS = 86_400_000;

/** A person of {@link makeWholePeople}: its account, and a session that is open. */
export interface WholePerson {
  readonly email: string;
  readonly accountId: string;
  readonly sessionId: string;
  readonly token: string;
}

/** A change of accounts as a request makes one. */
export function visitorCall(): AccountCall {
  const nowMs = systemRuntime.nowMs();
  const when = { nowMs, at: toTimestamp(nowMs), today: toUtcDate(nowMs) };
  const request = { requestId: null, method: "POST", path: "/api/v1/auth", address: "192.0.2.7", userAgent: "Test/1" };
  return { ...request, ...when, by: VISITOR, newId: () => systemRuntime.newId() };
}

function newSession(replaces: string | null = null) {
  const token = newToken();
  const expiresAt = toTimestamp(systemRuntime.nowMs() + DAY_MS);
  return { token, session: { tokenHash: hashToken(token), expiresAt, replaces } };
}

function sessionOf(tx: Tx, token: string): { sessionId: string; accountId: string } {
  const text = "select id as sessionId, accountId from sessions where tokenHash = ?";
  return present(
    tx.sqlite.prepare<[string], { sessionId: string; accountId: string }>(text).get(hashToken(token)),
    "the session",
  );
}

/** Invites a person, who accepts: an account with a password hash of no password, signed in. */
function join(tx: Tx, orgId: string, email: string, name: string) {
  const invited = { email, role: "EDITOR", stakeholderIds: [], isOperator: false } as const;
  const link = invite(tx, commandLineCall(systemRuntime, orgId), invited);
  const begun = newSession();
  const account = { name, passwordHash: `$argon2id$of-${email}` };
  const accepted = { linkHash: hashToken(link.token), asking: null, account, session: begun.session };
  acceptInvitation(tx, visitorCall(), accepted);
  return { token: begun.token, ...sessionOf(tx, begun.token) };
}

/** Sets everything up that one signs in with; returns the session's token from then on. */
function addFactors(tx: Tx, { sessionId, accountId }: { sessionId: string; accountId: string }, name: string): string {
  const asking = { sessionId, accountId };
  const codeHashes = newRecoveryCodes().map(hashRecoveryCode);
  const next = () => ({ tokenHash: hashToken(newToken()) });
  const [step, call] = [stepAt(systemRuntime.nowMs()), visitorCall];
  addTotp(tx, call(), { ...asking, ...next(), sealed: `sealed-${name}`, step, codeHashes });
  const made = { credentialId: `credential-${name}`, publicKey: `key-${name}`, counter: 1, transports: "[]" };
  addPasskey(tx, call(), { ...asking, ...next(), ...made, name, codeHashes: [] });
  const word = { issuer: "https://id.example.com", subject: `subject-${name}`, hasSecondFactor: false };
  linkIdentity(tx, call(), { ...asking, ...next(), word });
  const { orgId } = present(listOpenMemberships(tx, { accountId })[0], "the membership");
  makeCalendar(tx, call(), { ...asking, ...next(), orgId, showsNames: 1 });
  const token = newToken();
  const recoveryHash = present(codeHashes[0], "a code");
  confirm(tx, call(), { ...asking, tokenHash: hashToken(token), factor: { recoveryHash } });
  return token;
}

/** Makes two people with all that they can have, in an organization. */
export async function makeWholePeople(writer: Writer, orgId: string): Promise<readonly WholePerson[]> {
  const people: WholePerson[] = [];
  for (const name of ["Grace Hopper", "Edith Clarke"]) {
    people.push(await writer.submit((tx) => makeWhole(tx, orgId, name)));
  }
  return people;
}

function makeWhole(tx: Tx, orgId: string, name: string): WholePerson {
  const email = `${name.toLowerCase().replace(" ", ".")}@example.com`;
  const joined = join(tx, orgId, email, name);
  const { accountId } = joined;
  const token = addFactors(tx, joined, name);
  // Another session, by every factor; it ends.
  const { session } = newSession();
  const word = { issuer: "https://id.example.com", subject: `subject-${name}`, hasSecondFactor: true };
  signInByIdentity(tx, visitorCall(), { word, session });
  endOthers(tx, visitorCall(), { sessionId: joined.sessionId, accountId });
  changeAccount(tx, visitorCall(), { sessionId: joined.sessionId, accountId, name: `${name} II` });
  reportFailure(tx, visitorCall(), { accountId, event: "sign-in-failed", reason: "PASSWORD", sessionId: null });
  // Invitations that stay open, and that are revoked by a newer one.
  const other = { email: `other.${email}`, role: "VIEWER", stakeholderIds: [], isOperator: false } as const;
  for (let count = 0; count < 2; count++) invite(tx, commandLineCall(systemRuntime, orgId), other);
  return { email, accountId, sessionId: joined.sessionId, token };
}
