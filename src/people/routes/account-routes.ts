// Routes of a person's own account: name, e-mail, password, one-time codes, recovery codes.
import { Type } from "@sinclair/typebox";
import { body, email, nullable } from "../../kernel/fields.ts";
import { problem } from "../../kernel/problem.ts";
import {
  type AccessReply,
  type AccessRequest,
  type AccessRoute,
  type Desk,
  type PersonsRoute,
  personsRoute,
} from "../access-route.ts";
import { isConfirmed, type Session } from "../principal.ts";
import { SessionShown, showSession } from "../shown.ts";
import { hashNewPassword } from "../sign-in/new-password.ts";
import { hashToken, newToken } from "../sign-in/token.ts";
import { hashRecoveryCode, matchingStep, newRecoveryCodes, newTotpSecret, totpUri } from "../sign-in/totp.ts";
import { countRecoveryCodes } from "../stores/account-store.ts";
import { GIVEN_PASSWORD, PERSON_NAME, SESSION_ANSWER } from "./session-routes.ts";

const common = { tag: "Account", isExtension: true, who: "PERSON" } as const;
type PersonsRequest = Pick<AccessRequest<unknown, Session>, "session" | "nowMs" | "visitor">;

/** Recovery codes, if new ones were made. */
export const RecoveryCodes = nullable(
  Type.Array(Type.String({ examples: ["7Q2M…"] }), {
    description: "Shown this once: each stands in for a code of the app, once.",
  }),
);
const RENEWED = Type.Object({ data: Type.Object({ ...SessionShown.properties, recoveryCodes: RecoveryCodes }) });

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

const change = personsRoute({
  ...common,
  method: "PATCH",
  path: "/api/v1/auth/account",
  operationId: "updateAccount",
  summary: "Change the name, or ask for another e-mail address",
  description:
    "Another e-mail address needs a proof of the last ten minutes, and is a wish, `pendingEmail`, whether it is taken or " +
    "not: it counts once an administrator or operator accepts it, within 7 days. Until then you sign in by the old one, " +
    "which takes the wish back when it is sent. Five times a day.",
  status: 200,
  body: body({
    name: Type.Optional({ ...PERSON_NAME, description: "The person's name." }),
    email: Type.Optional(email({ description: "The new email address; it counts once it is accepted." })),
  }),
  bodyExample: { name: "Ada King" },
  response: SESSION_ANSWER,
  async run(desk, { session, body: given, visitor, nowMs }) {
    if (given.email !== undefined && given.email !== session.email && !isConfirmed(session, nowMs)) {
      throw problem("confirmation-required", "Confirm who you are, and send the request again.");
    }
    if (given.email !== undefined && given.email !== session.email) desk.failures.askEmail(session.accountId, nowMs);
    await desk.order("changeAccount", { sessionId: session.id, accountId: session.accountId, ...given }, visitor);
    desk.sessions.forget();
    const changed = { ...session, name: given.name ?? session.name };
    return { status: 200, json: { data: showSession(desk, changed) } };
  },
});

const password = personsRoute({
  ...common,
  method: "POST",
  path: "/api/v1/auth/password",
  operationId: "changePassword",
  summary: "Set another password",
  description: "Ends all other sessions of the account.",
  status: 200,
  needsConfirmation: true,
  body: body({ password: GIVEN_PASSWORD }),
  bodyExample: { password: "another sentence of yours" },
  response: SESSION_ANSWER,
  async run(desk, request) {
    const { session, body: given, visitor, address, nowMs } = request;
    const names = [session.name, ...session.memberships.map(({ orgName }) => orgName)];
    const passwordHash = await hashNewPassword(desk, given.password, { email: session.email, names, address });
    const { token, asked } = renewing(request);
    await desk.order("changePassword", { ...asked, passwordHash }, visitor);
    return renewed(desk, { token, nowMs });
  },
});

const enrol: PersonsRoute = {
  ...common,
  method: "POST",
  path: "/api/v1/auth/totp",
  operationId: "beginTotp",
  summary: "Begin to set up one-time codes",
  description: "Shows a secret for an app, as text and for a QR code. It counts once `/auth/totp/verify` got a code.",
  status: 200,
  needsConfirmation: true,
  response: Type.Object({
    data: Type.Object({
      secret: Type.String({ description: "Base32, to be typed in.", examples: ["JBSWY3DPEHPK3PXP"] }),
      uri: Type.String({ description: "To be shown as a QR code.", examples: ["otpauth://totp/captable:ada…"] }),
    }),
  }),
  run(desk, { session, nowMs }) {
    const secret = newTotpSecret();
    desk.enrolments.put(session.id, secret, nowMs);
    return { status: 200, json: { data: { secret, uri: totpUri(secret, session.email) } } };
  },
};

const verify = personsRoute({
  ...common,
  method: "POST",
  path: "/api/v1/auth/totp/verify",
  operationId: "verifyTotp",
  summary: "Set up one-time codes by the first of them",
  status: 200,
  needsConfirmation: true,
  problems: [409],
  body: body({ code: Type.String({ maxLength: 16, description: "The six digits that the app shows." }) }),
  bodyExample: { code: "123456" },
  response: RENEWED,
  async run(desk, request) {
    const { session, body: given, visitor, nowMs } = request;
    const { accountId } = session;
    const secret = desk.enrolments.find(session.id, nowMs);
    if (secret === null) throw problem("invalid-state", "There is no pending secret. Begin with `POST /auth/totp`.");
    const giveBack = desk.failures.attemptCode(accountId, nowMs);
    const step = matchingStep(secret, given.code.replace(/\s/g, ""), nowMs, null);
    if (step === null) throw problem("sign-in-failed", "The code is not the one that the app shows now.");
    giveBack();
    desk.enrolments.take(session.id, nowMs);
    const hasCodes = Number(countRecoveryCodes(desk.db, { accountId })) > 0;
    const codes = hasCodes ? [] : newRecoveryCodes();
    const { token, asked } = renewing(request);
    const sealed = desk.seal.seal(secret, accountId);
    await desk.order("addTotp", { ...asked, sealed, step, codeHashes: codes.map(hashRecoveryCode) }, visitor);
    return renewed(desk, { token, nowMs }, { recoveryCodes: hasCodes ? null : codes });
  },
});

const remove: PersonsRoute = {
  ...common,
  method: "DELETE",
  path: "/api/v1/auth/totp",
  operationId: "removeTotp",
  summary: "Remove one-time codes",
  status: 200,
  needsConfirmation: true,
  problems: [404],
  response: SESSION_ANSWER,
  async run(desk, request) {
    const { token, asked } = renewing(request);
    await desk.order("removeTotp", asked, request.visitor);
    return renewed(desk, { token, nowMs: request.nowMs });
  },
};

const recovery: PersonsRoute = {
  ...common,
  method: "POST",
  path: "/api/v1/auth/recovery-codes",
  operationId: "makeRecoveryCodes",
  summary: "Make new recovery codes",
  description: "They replace all earlier ones.",
  status: 200,
  needsConfirmation: true,
  problems: [409],
  response: RENEWED,
  async run(desk, request) {
    const codes = newRecoveryCodes();
    const { token, asked } = renewing(request);
    await desk.order("makeRecoveryCodes", { ...asked, codeHashes: codes.map(hashRecoveryCode) }, request.visitor);
    return renewed(desk, { token, nowMs: request.nowMs }, { recoveryCodes: codes });
  },
};

/** The routes of a person's own account. */
export const accountRoutes: readonly AccessRoute[] = [change, password, enrol, verify, remove, recovery];
