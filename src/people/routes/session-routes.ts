// Routes of sessions: sign in, sign out, current session, first account, proof of identity.

import { timingSafeEqual } from "node:crypto";
import { join } from "node:path";
import { Type } from "@sinclair/typebox";
import { body, email, name, optional } from "../../kernel/fields.ts";
import { readPrivateFile } from "../../kernel/files/private-file.ts";
import { type Problem, problem } from "../../kernel/problem.ts";
import { toTimestamp } from "../../kernel/runtime.ts";
import { foldEmail } from "../../kernel/text/email.ts";
import { findKeyByHash } from "../../resources/api-keys/store.ts";
import { findOrganization } from "../../resources/organization/store.ts";
import { ADMIN_KEY_FILE } from "../../storage/data-dir/names.ts";
import {
  type AccessReply,
  type AccessRequest,
  type AccessRoute,
  type AnybodysRoute,
  anybodysRoute,
  type Desk,
  type PersonsRoute,
  personsRoute,
} from "../access-route.ts";
import { type NewSession, signInFailed } from "../orders/session-orders.ts";
import { refuseSecondSetup } from "../orders/setup-orders.ts";
import type { Session } from "../principal.ts";
import { SessionShown, showSession } from "../shown.ts";
import { cookieOf } from "../sign-in/cookie.ts";
import { knownDevice, newDeviceCookie } from "../sign-in/device.ts";
import { checkFactor, proveByCode } from "../sign-in/factor.ts";
import { hashNewPassword } from "../sign-in/new-password.ts";
import { provePasskey, refuseUnaccepted } from "../sign-in/passkey-proof.ts";
import { ASSERTION } from "../sign-in/passkeys.ts";
import { hashToken, newToken } from "../sign-in/token.ts";
import { type Account, findAccount, findAccountByEmail } from "../stores/account-store.ts";

/** A password as typed: any text. */
export const GIVEN_PASSWORD = Type.String({
  maxLength: 1024,
  description: "As received, any characters.",
  examples: ["a long sentence of yours"],
});
const ADMIN_KEY = Type.String({ maxLength: 200, description: "The key that the file `admin.key` holds." });
/** A code of an app, or a recovery code. */
export const GIVEN_CODE = optional(
  Type.String({ maxLength: 64, description: "Six digits, or a recovery code.", examples: ["123456"] }),
);
/** A person's name. */
export const PERSON_NAME = name(200, { examples: ["Ada Lovelace"] });
/** The answer to the begin of a session. */
export const SESSION_ANSWER = Type.Object({ data: SessionShown });

const common = { tag: "Signing in", isExtension: true, status: 200 } as const;

/**
 * A session to begin now in place of another, and its token. Throws `403` if a browser would send the token in the
 * clear.
 */
export function newSession(
  desk: Desk,
  nowMs: number,
  replaced: Pick<Session, "id"> | null,
): { readonly token: string; readonly session: NewSession } {
  if (cookieOf(desk.publicUrl()) === null) {
    throw problem("forbidden", "Signing in needs TLS: reach this server by https, or from its own machine.");
  }
  const token = newToken();
  const expiresAt = toTimestamp(nowMs + desk.sessionMs);
  return { token, session: { tokenHash: hashToken(token), expiresAt, replaces: replaced?.id ?? null } };
}

/** The answer that begins a session: from now on the device is known as one of the account's. */
export function signedIn(desk: Desk, token: string, nowMs: number, status: 200 | 201 = 200): AccessReply {
  return { ...renewed(desk, token, nowMs, status), device: deviceOf(desk, token, nowMs) };
}

/** The answer that gives a session its next token. */
function renewed(desk: Desk, token: string, nowMs: number, status: 200 | 201 = 200): AccessReply {
  desk.sessions.forget();
  return { status, json: { data: showSession(desk, desk.sessions.find(token, nowMs)) }, token };
}

/** The cookie of the device on which the session with this token has begun. */
export function deviceOf(desk: Desk, token: string, nowMs: number): string | null {
  const session = desk.sessions.find(token, nowMs);
  const account = session && findAccount(desk.db, { id: session.accountId });
  return account && newDeviceCookie(desk, account, nowMs);
}

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

const end: PersonsRoute = {
  ...common,
  who: "PERSON",
  method: "DELETE",
  path: "/api/v1/auth/session",
  operationId: "endSession",
  summary: "Sign out",
  status: 204,
  async run(desk, { session, visitor }) {
    await desk.order("signOut", { sessionId: session.id, accountId: session.accountId }, visitor);
    return { status: 204, isEnd: true };
  },
};

const setup = anybodysRoute({
  ...common,
  who: "ANYBODY",
  method: "POST",
  path: "/api/v1/auth/setup",
  operationId: "setUp",
  summary: "Make the first account",
  description:
    "With the key that the file `admin.key` in the data directory holds. The account runs the instance and is `ADMIN` " +
    "of the key's organization. Where there is an account already, people come by invitation.",
  status: 201,
  problems: [409],
  body: body({
    key: ADMIN_KEY,
    name: { ...PERSON_NAME, description: "The person's name." },
    email: email({ description: "The email address by which the person signs in." }),
    password: GIVEN_PASSWORD,
  }),
  bodyExample: {
    key: "pg_live_…",
    name: "Ada Lovelace",
    email: "ada@example.com",
    password: "a long sentence of yours",
  },
  response: SESSION_ANSWER,
  async run(desk, { body: given, session: replaced, visitor, address, nowMs }) {
    refuseSecondSetup(desk.db);
    const { token, session } = newSession(desk, nowMs, replaced);
    const giveBack = desk.failures.attemptFrom(address, nowMs);
    const keyHash = keyHashOfFile(desk, given.key);
    const key = findKeyByHash(desk.db, keyHash);
    const organization = key && findOrganization(desk.db, key.orgId);
    giveBack();
    const known = { email: given.email, names: [given.name, organization?.legalName ?? ""], address };
    const passwordHash = await hashNewPassword(desk, given.password, known);
    const { name: called, email: address_ } = given;
    await desk.order("setUp", { keyHash, email: address_, name: called, passwordHash, session }, visitor);
    return signedIn(desk, token, nowMs, 201);
  },
});

/** The hash of the key, if it is the one in the file. Throws `401 sign-in-failed`, and says no more. */
function keyHashOfFile({ dataDir }: Desk, key: string): string {
  const given = hashToken(key);
  const inFile = hashToken(readKeyFile(dataDir) ?? newToken());
  if (!timingSafeEqual(Buffer.from(given), Buffer.from(inFile))) throw wrongKey();
  return given;
}

function readKeyFile(dataDir: string): string | null {
  try {
    return readPrivateFile(join(dataDir, ADMIN_KEY_FILE));
  } catch {
    return null;
  }
}

function wrongKey(): Problem {
  const otherwise = "without that file, `captable members invite --operator` makes the first account.";
  return problem("sign-in-failed", `This is not the key that the file admin.key holds; ${otherwise}`);
}

const signIn = anybodysRoute({
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
    await desk.order("signIn", { accountId: account.id, passwordHash, factor, newHash, session }, visitor);
    return signedIn(desk, token, nowMs);
  },
});

/** The outcome of a password check; a check that was refused for lack of time is not a failed attempt. */
async function looked(giveBack: () => void, look: Promise<boolean>): Promise<boolean> {
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
  await desk.order("tell", { accountId: account?.id ?? null, ...failed }, visitor);
}

const confirm = personsRoute({
  ...common,
  who: "PERSON",
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
      refuseUnaccepted(await desk.order("confirmByPasskey", { ...asked, ...used }, visitor));
      return renewed(desk, token, nowMs);
    }
    const factor = await prove(desk, given, request);
    await desk.order("confirm", { ...asked, factor }, visitor);
    return renewed(desk, token, nowMs);
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
    await desk.order("tell", told, visitor);
    throw signInFailed();
  }
  giveBack();
  return null;
}

/** The routes of sessions. */
export const sessionRoutes: readonly AccessRoute[] = [read, end, setup, signIn, confirm];
