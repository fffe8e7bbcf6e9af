// Parts of routes that begin a session or give it its next token: their bodies' members, the token, the answer.

import { Type } from "@sinclair/typebox";
import { name, optional } from "../../kernel/fields.ts";
import { problem } from "../../kernel/problem.ts";
import { toTimestamp } from "../../kernel/runtime.ts";
import type { AccessReply, AccessRequest, Desk } from "../access-route.ts";
import type { Session } from "../principal.ts";
import type { Asking, NewSession } from "../session-writes.ts";
import { SessionShown, showSession } from "../shown.ts";
import { cookieOf } from "../sign-in/cookie.ts";
import { newDeviceCookie } from "../sign-in/device.ts";
import { hashToken, newToken } from "../sign-in/token.ts";
import { findAccount } from "../stores/account-store.ts";

/** A password as typed: any text. */
export const GIVEN_PASSWORD = Type.String({
  maxLength: 1024,
  description: "As received, any characters.",
  examples: ["a long sentence of yours"],
});

/** A code of an app, or a recovery code. */
export const GIVEN_CODE = optional(
  Type.String({ maxLength: 64, description: "Six digits, or a recovery code.", examples: ["123456"] }),
);

/** A person's name. */
export const PERSON_NAME = name(200, { examples: ["Ada Lovelace"] });

/** The answer to the begin of a session. */
export const SESSION_ANSWER = Type.Object({ data: SessionShown });

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
  return { ...renewed(desk, { token, nowMs }, {}, status), device: deviceOf(desk, token, nowMs) };
}

/** The cookie of the device on which the session with this token has begun. */
export function deviceOf(desk: Desk, token: string, nowMs: number): string | null {
  const session = desk.sessions.find(token, nowMs);
  const account = session && findAccount(desk.db, { id: session.accountId });
  return account && newDeviceCookie(desk, account, nowMs);
}

type PersonsRequest = Pick<AccessRequest<unknown, Session>, "session" | "nowMs" | "visitor">;

/** Input of every change of a factor: the session's next token. */
export interface Renewing extends Asking {
  readonly tokenHash: string;
}

/** Answered by every change of a factor: the session's next token. */
export function renewing({ session }: PersonsRequest) {
  const token = newToken();
  return { token, asked: { sessionId: session.id, accountId: session.accountId, tokenHash: hashToken(token) } };
}

/** The answer that carries the session with its next token. */
export function renewed(
  desk: Desk,
  { token, nowMs }: { readonly token: string; readonly nowMs: number },
  more: object = {},
  status: 200 | 201 = 200,
): AccessReply {
  desk.sessions.forget();
  return { status, json: { data: { ...showSession(desk, desk.sessions.find(token, nowMs)), ...more } }, token };
}
