// Confirmation: a person proves again who they are.

import { body, optional } from "../../kernel/fields.ts";
import { problem } from "../../kernel/problem.ts";
import { type AccessRequest, type Desk, personsRoute } from "../access-route.ts";
import { command } from "../command.ts";
import { reportFailure } from "../failed-proofs.ts";
import type { Session } from "../principal.ts";
import {
  type Asking,
  passwordProof,
  renewByProof,
  requireSession,
  signInFailed,
  type UsedFactor,
  useFactor,
} from "../session-writes.ts";
import { proveByCode } from "../sign-in/factor.ts";
import { provePasskey, refuseUnaccepted } from "../sign-in/passkey-proof.ts";
import { ASSERTION } from "../sign-in/passkeys.ts";
import { hashToken, newToken } from "../sign-in/token.ts";
import { findAccount } from "../stores/account-store.ts";
import { confirmByPasskey } from "./own-passkeys.ts";
import { GIVEN_CODE, GIVEN_PASSWORD, renewed, SESSION_ANSWER } from "./session-answer.ts";
import { looked } from "./sign-in.ts";

/** A session's proof, and its next token. */
interface Confirmation extends Asking {
  readonly tokenHash: string;
  /** The second factor that was given; null where it was the password. */
  readonly factor: UsedFactor | null;
}

/** Confirms a person's identity. */
export const confirm = command("confirm", (tx, call, { factor, tokenHash, ...asking }: Confirmation): void => {
  const account = requireSession(tx, asking);
  const proof = factor ? useFactor(tx, call, account, factor) : passwordProof(account);
  renewByProof(tx, call, asking, { tokenHash, givesFactor: factor !== null, proof });
});

/** The route of the confirmation. */
export const confirmRoute = personsRoute({
  ...{ tag: "Signing in", isExtension: true, status: 200, who: "PERSON" },
  method: "POST",
  path: "/api/v1/auth/confirm",
  operationId: "confirm",
  summary: "Prove again who you are",
  description:
    "With the password, a code or a passkey. For ten minutes, what needs a proof is allowed; the session gets a new " +
    "token.",
  body: body({ password: optional(GIVEN_PASSWORD), code: GIVEN_CODE, passkey: optional(ASSERTION) }),
  bodyExample: { password: "a long sentence of yours" },
  response: SESSION_ANSWER,
  async run(desk, request) {
    const { session, body: given, visitor, nowMs } = request;
    const { id: sessionId, accountId } = session;
    const token = newToken();
    const asked = { sessionId, accountId, tokenHash: hashToken(token) };
    if (given.passkey) {
      const used = await provePasskey(desk, given.passkey, { use: "CONFIRM", sessionId }, request);
      refuseUnaccepted(await desk.execute(confirmByPasskey, { ...asked, ...used }, visitor));
      return renewed(desk, { token, nowMs });
    }
    const factor = await prove(desk, given, request);
    await desk.execute(confirm, { ...asked, factor }, visitor);
    return renewed(desk, { token, nowMs });
  },
});

type Given = { readonly password?: string | null | undefined; readonly code?: string | null | undefined };

/** The proof: a second factor, or the password (null). Throws `401 sign-in-failed`, `422` if nothing is given. */
async function prove(desk: Desk, { password, code }: Given, request: AccessRequest<unknown, Session>) {
  const { session, visitor, address, nowMs } = request;
  const account = findAccount(desk.db, { id: session.accountId });
  if (!account) throw signInFailed();
  if (code !== null && code !== undefined) return proveByCode(desk, account, code, request);
  if (password === null || password === undefined) {
    throw problem("validation-failed", "Send `password`, `code` or `passkey`.", [
      { pointer: "#/password", detail: "is needed, or `code`, or `passkey`" },
    ]);
  }
  const giveBack = desk.failures.attemptIn(session.id, nowMs);
  if (!(await looked(giveBack, desk.hasher.verify(password, account.passwordHash, address)))) {
    const told = {
      accountId: account.id,
      event: "confirmation-failed",
      reason: "PASSWORD",
      sessionId: session.id,
    } as const;
    await desk.execute(reportFailure, told, visitor);
    throw signInFailed();
  }
  giveBack();
  return null;
}
