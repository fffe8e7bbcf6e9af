// Passkeys: added, removed, and used to sign in or to confirm. A passkey's counter is checked in the transaction that
// stores it, so that of two uses of one answer exactly one counts.

import { type Problem, problem } from "../../kernel/problem.ts";
import type { Proof } from "../../storage/database/log/account-events.ts";
import { commitTo } from "../../storage/database/log/account-log.ts";
import type { Tx } from "../../storage/database/sql.ts";
import type { AccountCall } from "../call.ts";
import type { MadePasskey } from "../sign-in/passkeys.ts";
import { type Account, countRecoveryCodes } from "../stores/account-store.ts";
import { provenCall, reportEvent } from "../stores/log-store.ts";
import {
  countPasskeys,
  deletePasskey,
  findPasskey,
  findPasskeyByCredential,
  insertPasskey,
  type Passkey,
  setPasskeyUsed,
} from "../stores/passkey-store.ts";
import { keepRecoveryCodes, type Renewing } from "./account-orders.ts";
import { forgetNoFactor, requireFactor } from "./factor-orders.ts";
import {
  beginSession,
  type Confirmation,
  type NewSession,
  renew,
  renewByProof,
  requireAccount,
  requireSession,
} from "./session-orders.ts";
import { requireOtherWay, type Ways } from "./way-orders.ts";

const PASSKEYS_MAX = 20;

/** A passkey that answered correctly, and its authenticator's counter. */
export interface UsedPasskey {
  readonly passkeyId: string;
  readonly counter: number;
}

/** Whether it succeeded; if not, the account's log has the reason. */
export interface PasskeyOutcome {
  readonly isAccepted: boolean;
}

/** The one text for every fault of a passkey. */
export function passkeyFailed(): Problem {
  return problem("sign-in-failed", "The passkey was not accepted. Try again, or sign in another way.");
}

/** Signs in by a passkey, which is two factors: possession, and what unlocked it. */
export function signInByPasskey(
  tx: Tx,
  call: AccountCall,
  { session, ...used }: UsedPasskey & { readonly session: NewSession },
): PasskeyOutcome {
  const passkey = requirePasskey(tx, used.passkeyId);
  const account = requireAccount(tx, passkey.accountId);
  if (!usePasskey(tx, call, passkey, used.counter)) return { isAccepted: false };
  const proof = passkeyProof(account, passkey);
  beginSession(tx, call, account.id, { ...session, method: "PASSKEY", hasSecondFactor: true, proof });
  return { isAccepted: true };
}

/** Confirms a person's identity by a passkey. */
export function confirmByPasskey(
  tx: Tx,
  call: AccountCall,
  {
    passkeyId,
    counter,
    tokenHash,
    ...asking
  }: UsedPasskey & Pick<Confirmation, "sessionId" | "accountId" | "tokenHash">,
): PasskeyOutcome {
  const account = requireSession(tx, asking);
  const passkey = requirePasskey(tx, passkeyId);
  if (passkey.accountId !== account.id) throw passkeyFailed();
  if (!usePasskey(tx, call, passkey, counter)) return { isAccepted: false };
  renewByProof(tx, call, asking, { tokenHash, givesFactor: true, proof: passkeyProof(account, passkey) });
  return { isAccepted: true };
}

/** The proof that this passkey answered. */
function passkeyProof({ salt }: Account, { id, publicKey }: Passkey): Proof {
  return { passkeyId: id, passkey: commitTo(salt, publicKey) };
}

function requirePasskey(tx: Tx, id: string): Passkey {
  const passkey = findPasskey(tx, { id });
  if (passkey === null) throw passkeyFailed();
  return passkey;
}

/** Stores a use. False if the counter went back: the authenticator was copied, or the answer was used before. */
function usePasskey(tx: Tx, call: AccountCall, passkey: Passkey, counter: number): boolean {
  const isCounting = counter > 0 || passkey.counter > 0;
  if (isCounting && counter <= passkey.counter) {
    const { id, accountId } = passkey;
    reportEvent(tx, call, { accountId, event: "passkey-counter-went-back", data: { id } });
    return false;
  }
  setPasskeyUsed(tx, { id: passkey.id, counter, lastUsedAt: call.at });
  return true;
}

/** A passkey to store, and recovery codes for an account that has none. */
export interface NewPasskey extends Renewing, MadePasskey {
  readonly name: string;
  readonly codeHashes: readonly string[];
}

/** Adds a passkey. Throws `409` if it is known, or there are too many. */
export function addPasskey(
  tx: Tx,
  call: AccountCall,
  { tokenHash, codeHashes, sessionId, accountId, ...made }: NewPasskey,
): { readonly id: string; readonly hasNewCodes: boolean } {
  const asking = { sessionId, accountId };
  const account = requireSession(tx, asking);
  requireFactor(tx, account, sessionId);
  if (findPasskeyByCredential(tx, made)) throw problem("conflict", "This passkey was added already.");
  if (Number(countPasskeys(tx, { accountId })) >= PASSKEYS_MAX) {
    throw problem("invalid-state", `An account has at most ${PASSKEYS_MAX} passkeys: remove one first.`);
  }
  const id = call.newId();
  insertPasskey(tx, { id, createdAt: call.at, accountId, ...made });
  const hasNewCodes = Number(countRecoveryCodes(tx, { accountId })) === 0;
  const own = provenCall(call, accountId);
  if (hasNewCodes) keepRecoveryCodes(tx, own, account, { codeHashes });
  const { credentialId, publicKey } = made;
  const proof = { passkeyId: id, passkey: commitTo(account.salt, publicKey) };
  const renewed = renew(tx, asking, { tokenHash, givesFactor: true, proof });
  const data = { id, credentialId, publicKey, ...renewed };
  reportEvent(tx, own, { accountId, event: "passkey-added", data, sessionId });
  return { id, hasNewCodes };
}

/**
 * Removes a passkey, and the recovery codes if no other factor is left. Throws `404`, and `409` for the last way to
 * sign in.
 */
export function removePasskey(
  tx: Tx,
  call: AccountCall,
  { passkeyId, ways, tokenHash, ...asking }: Renewing & { passkeyId: string; ways: Ways },
): void {
  const account = requireSession(tx, asking);
  requireFactor(tx, account, asking.sessionId);
  const passkey = findPasskey(tx, { id: passkeyId });
  if (passkey?.accountId !== account.id) throw problem("not-found", "You have no passkey with this id.");
  deletePasskey(tx, { id: passkeyId });
  requireOtherWay(tx, account, ways);
  forgetNoFactor(tx, account);
  const data = { id: passkeyId, ...renew(tx, asking, { tokenHash, givesFactor: false }) };
  const removed = { accountId: account.id, event: "passkey-removed", data, sessionId: asking.sessionId } as const;
  reportEvent(tx, provenCall(call, account.id), removed);
}
