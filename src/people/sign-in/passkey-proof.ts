// Verifies a passkey's answer, as far as possible before the transaction that uses it.

import type { Static } from "@sinclair/typebox";
import { type Problem, problem } from "../../kernel/problem.ts";
import type { AccessRequest, Desk } from "../access-route.ts";
import { reportFailure } from "../failed-proofs.ts";
import { findPasskeyByCredential } from "../stores/passkey-store.ts";
import { type ASSERTION, type Challenge, checkAssertion, takeChallenge } from "./passkeys.ts";

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

/** The passkey that answered a challenge of this use. Throws `401 sign-in-failed` for every fault. */
export async function provePasskey(
  desk: Desk,
  given: Static<typeof ASSERTION>,
  use: Challenge,
  { visitor, nowMs }: Pick<AccessRequest<unknown, unknown>, "visitor" | "nowMs">,
): Promise<UsedPasskey> {
  const challenge = takeChallenge(desk, given.response.clientDataJSON, use, nowMs);
  const passkey = findPasskeyByCredential(desk.db, { credentialId: given.id });
  if (challenge === null || passkey === null) throw passkeyFailed();
  const counter = await checkAssertion(desk, given, { passkey, challenge });
  if (counter !== null && isOwners(given, passkey.accountId, use)) return { passkeyId: passkey.id, counter };
  const event = use.use === "SIGN_IN" ? "sign-in-failed" : "confirmation-failed";
  await desk.execute(
    reportFailure,
    { accountId: passkey.accountId, event, reason: "PASSKEY", sessionId: use.sessionId },
    visitor,
  );
  throw passkeyFailed();
}

/** Whether the authenticator names the passkey's account; if that is known already, it may name none. */
function isOwners({ response: { userHandle } }: Static<typeof ASSERTION>, accountId: string, { use }: Challenge) {
  if (userHandle === null || userHandle === undefined) return use === "CONFIRM";
  return Buffer.from(userHandle, "base64url").toString("utf8") === accountId;
}

/** Throws `401 sign-in-failed` if the transaction did not accept a verified answer. */
export function refuseUnaccepted({ isAccepted }: PasskeyOutcome): void {
  if (!isAccepted) throw passkeyFailed();
}
