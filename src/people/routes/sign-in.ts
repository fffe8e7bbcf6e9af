// Sign-in with a password, and the current session.

import { Type } from "@sinclair/typebox";
import { body } from "../../kernel/fields.ts";
import { foldEmail } from "../../kernel/text/email.ts";
import { commitTo } from "../../storage/database/log/account-log.ts";
import { type AccessRequest, type AccessRoute, type AnybodysRoute, anybodysRoute, type Desk } from "../access-route.ts";
import { command } from "../command.ts";
import { hasFactor } from "../factors.ts";
import { reportFailure } from "../failed-proofs.ts";
import {
  beginSession,
  type NewSession,
  passwordProof,
  requireAccount,
  signInFailed,
  type UsedFactor,
  useFactor,
} from "../session-writes.ts";
import { showSession } from "../shown.ts";
import { knownDevice } from "../sign-in/device.ts";
import { checkFactor } from "../sign-in/factor.ts";
import { type Account, findAccountByEmail, setPasswordHash } from "../stores/account-store.ts";
import { provenCall, reportEvent } from "../stores/log-store.ts";
import { GIVEN_CODE, GIVEN_PASSWORD, newSession, SESSION_ANSWER, signedIn } from "./session-answer.ts";

const common = { tag: "Signing in", isExtension: true, status: 200, who: "ANYBODY" } as const;

const read: AnybodysRoute = {
  ...common,
  who: "ANYBODY",
  method: "GET",
  path: "/api/v1/auth/session",
  operationId: "getSession",
  summary: "Get the current session",
  description: "Never `401`: without a session it tells how one can sign in.",
  response: SESSION_ANSWER,
  run: (desk, { session }) => ({ status: 200, json: { data: showSession(desk, session) } }),
};

/** The input of a sign-in by password. */
export interface SignIn {
  readonly accountId: string;
  /** The hash that the password was checked against: it may have changed meanwhile. */
  readonly passwordHash: string;
  readonly factor: UsedFactor | null;
  /** The hash to store from now on, if the old one costs too little; else null. */
  readonly newHash: string | null;
  readonly session: NewSession;
}

/** Signs in by a verified password. */
export const signIn = command(
  "signIn",
  (tx, call, { accountId, passwordHash, factor, newHash, session }: SignIn): void => {
    const account = requireAccount(tx, accountId);
    if (account.passwordHash !== passwordHash) throw signInFailed();
    // A factor may have been set up since the check.
    if (hasFactor(tx, account) && factor === null) throw signInFailed();
    const proof = { ...passwordProof(account), ...(factor && useFactor(tx, call, account, factor)) };
    beginSession(tx, call, accountId, { ...session, method: "PASSWORD", hasSecondFactor: factor !== null, proof });
    if (newHash === null) return;
    setPasswordHash(tx, { id: accountId, passwordHash: newHash });
    const data = { password: commitTo(account.salt, newHash) };
    reportEvent(tx, provenCall(call, accountId), { accountId, event: "password-rehashed", data });
  },
);

const signInRoute = anybodysRoute({
  ...common,
  who: "ANYBODY",
  method: "POST",
  path: "/api/v1/auth/sign-in",
  operationId: "signIn",
  summary: "Sign in with a password",
  description:
    "Whatever is wrong, the answer is the same `401 sign-in-failed`. Where the password is right and the account has a " +
    "second factor, `401 second-factor-required` asks for `code`.",
  body: body({
    email: Type.String({ description: "The account's email address.", maxLength: 254 }),
    password: GIVEN_PASSWORD,
    code: GIVEN_CODE,
  }),
  bodyExample: { email: "ada@example.com", password: "a long sentence of yours" },
  response: SESSION_ANSWER,
  async run(desk, request) {
    const { body: given, session: replaced, visitor, address, nowMs } = request;
    const { token, session } = newSession(desk, nowMs, replaced);
    const emailFolded = foldEmail(given.email.toWellFormed());
    const account = findAccountByEmail(desk.db, { emailFolded });
    const deviceId = knownDevice(desk, request.headers, account, nowMs);
    const giveBack = desk.failures.attempt({ emailFolded, address, deviceId }, nowMs);
    const passwordHash = account?.passwordHash ?? null;
    const isRight = await looked(giveBack, desk.hasher.verify(given.password, passwordHash, address));
    if (!account || !isRight || account.suspendedAt !== null || passwordHash === null) {
      await tellFailure(desk, account, { ...request, reason: isRight ? "SUSPENDED" : "PASSWORD" });
      throw signInFailed();
    }
    giveBack();
    const factor = await checkFactor(desk, account, given.code, { visitor, nowMs, deviceId });
    const isOutdated = desk.hasher.isOutdated(passwordHash);
    const newHash = isOutdated ? await desk.hasher.hash(given.password, address) : null;
    await desk.execute(signIn, { accountId: account.id, passwordHash, factor, newHash, session }, visitor);
    return signedIn(desk, token, nowMs);
  },
});

/** The outcome of a password check; a check that was refused for lack of time is not a failed attempt. */
export async function looked(giveBack: () => void, look: Promise<boolean>): Promise<boolean> {
  try {
    return await look;
  } catch (thrown) {
    giveBack();
    throw thrown;
  }
}

/** Logs it for the account. An unknown address makes as long a write, so that time reveals nothing. */
async function tellFailure(
  desk: Desk,
  account: Account | null,
  { visitor, reason }: Pick<AccessRequest<unknown, unknown>, "visitor"> & { readonly reason: "PASSWORD" | "SUSPENDED" },
): Promise<void> {
  const failed = { event: "sign-in-failed", reason, sessionId: null } as const;
  await desk.execute(reportFailure, { accountId: account?.id ?? null, ...failed }, visitor);
}

/** The routes of the current session, and of sign-in with a password. */
export const signInRoutes: readonly AccessRoute[] = [read, signInRoute];
