// Passkeys: made, removed, and used to sign in or to confirm. What a passkey has counted is judged where it is kept, so that
// of two uses of one answer exactly one counts.

import type { Tx } from "../../database/sql.ts";
import { type Problem, problem } from "../../kernel/problem.ts";
import { countRecoveryCodes } from "../account-store.ts";
import type { AccountCall } from "../call.ts";
import { tellOfAccount } from "../log-store.ts";
import {
  countPasskeys,
  deletePasskey,
  findPasskey,
  findPasskeyByCredential,
  insertPasskey,
  type Passkey,
  setPasskeyUsed,
} from "../passkey-store.ts";
import type { MadePasskey } from "../passkeys.ts";
import { keepRecoveryCodes, type Renewing } from "./account.ts";
import { forgetNoFactor, requireFactor } from "./factors.ts";
import {
  beginSession,
  type NewSession,
  type Proof,
  renew,
  renewByProof,
  requireAccount,
  requireSession,
} from "./sessions.ts";
import { requireOtherWay, type Ways } from "./ways.ts";

const PASSKEYS_MAX = 20;

/** A passkey that answered rightly, and what its authenticator had counted. */
export interface UsedPasskey {
  readonly passkeyId: string;
  readonly counter: number;
}

/** Whether it came to something; where not, the account's log tells why. */
export interface PasskeyOutcome {
  readonly isAccepted: boolean;
}

/** The one text for whatever is wrong with a passkey. */
export function passkeyFailed(): Problem {
  return problem("sign-in-failed", "The passkey was not accepted. Try again, or sign in otherwise.");
}

/** Signs in by a passkey, which is two factors: having it, and what unlocked it. */
export function signInByPasskey(
  tx: Tx,
  call: AccountCall,
  { session, ...used }: UsedPasskey & { readonly session: NewSession },
): PasskeyOutcome {
  const passkey = requirePasskey(tx, used.passkeyId);
  const { id } = requireAccount(tx, passkey.accountId);
  if (!usePasskey(tx, call, passkey, used.counter)) return { isAccepted: false };
  beginSession(tx, call, id, { ...session, method: "PASSKEY", hasSecondFactor: true });
  return { isAccepted: true };
}

/** Confirms who somebody is by a passkey. */
export function confirmByPasskey(
  tx: Tx,
  call: AccountCall,
  { passkeyId, counter, tokenHash, ...asking }: UsedPasskey & Pick<Proof, "sessionId" | "accountId" | "tokenHash">,
): PasskeyOutcome {
  const { id } = requireSession(tx, asking);
  const passkey = requirePasskey(tx, passkeyId);
  if (passkey.accountId !== id) throw passkeyFailed();
  if (!usePasskey(tx, call, passkey, counter)) return { isAccepted: false };
  renewByProof(tx, call, asking, { tokenHash, givesFactor: true });
  tellOfAccount(tx, call, id, "confirmed", asking.sessionId);
  return { isAccepted: true };
}

function requirePasskey(tx: Tx, id: string): Passkey {
  const passkey = findPasskey(tx, { id });
  if (passkey === null) throw passkeyFailed();
  return passkey;
}

/** Notes a use. False where the count went back: then there are two of the authenticator, or the answer was used. */
function usePasskey(tx: Tx, call: AccountCall, passkey: Passkey, counter: number): boolean {
  const isCounting = counter > 0 || passkey.counter > 0;
  if (isCounting && counter <= passkey.counter) {
    tellOfAccount(tx, call, passkey.accountId, "passkey-counter-went-back");
    return false;
  }
  setPasskeyUsed(tx, { id: passkey.id, counter, lastUsedAt: call.at });
  return true;
}

/** A passkey to keep, and recovery codes for an account that has none. */
export interface NewPasskey extends Renewing, MadePasskey {
  readonly name: string;
  readonly codeHashes: readonly string[];
}

/** Adds a passkey. Throws `409` where it is known, or there are too many. */
export function addPasskey(
  tx: Tx,
  call: AccountCall,
  { tokenHash, codeHashes, sessionId, accountId, ...made }: NewPasskey,
): { readonly id: string; readonly hasNewCodes: boolean } {
  const asking = { sessionId, accountId };
  const account = requireSession(tx, asking);
  requireFactor(tx, account, sessionId);
  if (findPasskeyByCredential(tx, made)) throw problem("conflict", "This passkey is here already.");
  if (Number(countPasskeys(tx, { accountId })) >= PASSKEYS_MAX) {
    throw problem("invalid-state", `An account has at most ${PASSKEYS_MAX} passkeys: remove one first.`);
  }
  const id = call.newId();
  insertPasskey(tx, { id, createdAt: call.at, accountId, ...made });
  const hasNewCodes = Number(countRecoveryCodes(tx, { accountId })) === 0;
  if (hasNewCodes) keepRecoveryCodes(tx, call, accountId, codeHashes);
  renew(tx, asking, { tokenHash, givesFactor: true });
  tellOfAccount(tx, call, accountId, "passkey-added", sessionId);
  return { id, hasNewCodes };
}

/** Removes a passkey, and the recovery codes where no other factor is left. Throws `404`, and `409` for the last way in. */
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
  renew(tx, asking, { tokenHash, givesFactor: false });
  tellOfAccount(tx, call, account.id, "passkey-removed", asking.sessionId);
}
