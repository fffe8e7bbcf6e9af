// A person's own account: name, e-mail address, password.

import { Type } from "@sinclair/typebox";
import { body, email } from "../../kernel/fields.ts";
import { problem } from "../../kernel/problem.ts";
import { commitTo } from "../../storage/database/log/account-log.ts";
import { tellOf } from "../../storage/database/log/audit.ts";
import { type AccessRoute, personsRoute } from "../access-route.ts";
import { personCall } from "../call.ts";
import { command } from "../command.ts";
import { askForEmail } from "../emails.ts";
import { revokeResetLinks } from "../links.ts";
import { isConfirmed } from "../principal.ts";
import { type Asking, endAll, renew, requireSession } from "../session-writes.ts";
import { showSession } from "../shown.ts";
import { hashNewPassword } from "../sign-in/new-password.ts";
import { setName, setPasswordHash } from "../stores/account-store.ts";
import { provenCall, reportEvent } from "../stores/log-store.ts";
import { listOpenMemberships } from "../stores/member-store.ts";
import { GIVEN_PASSWORD, PERSON_NAME, type Renewing, renewed, renewing, SESSION_ANSWER } from "./session-answer.ts";

const common = { tag: "Account", isExtension: true, who: "PERSON", status: 200 } as const;

/** Changes the name, and records a pending e-mail address: it counts once it is accepted. */
export const changeAccount = command(
  "changeAccount",
  (
    tx,
    call,
    { name, email, ...asking }: Asking & { readonly name?: string | undefined; readonly email?: string | undefined },
  ): void => {
    const account = requireSession(tx, asking);
    const own = provenCall(call, account.id);
    const { sessionId } = asking;
    if (name !== undefined && name !== account.name) {
      setName(tx, { id: account.id, name });
      reportEvent(tx, own, { accountId: account.id, event: "name-changed", data: { name }, sessionId });
      // The log of each organization shows names, so it records whose name changed.
      for (const { orgId } of listOpenMemberships(tx, { accountId: account.id })) {
        tellOf(tx, personCall(call, orgId, { ...account, sessionId }), "account", account.id, { name });
      }
    }
    if (email !== undefined) askForEmail(tx, own, account, email, sessionId);
  },
);

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
    await desk.execute(changeAccount, { sessionId: session.id, accountId: session.accountId, ...given }, visitor);
    desk.sessions.forget();
    const changed = { ...session, name: given.name ?? session.name };
    return { status: 200, json: { data: showSession(desk, changed) } };
  },
});

/** Sets the password; ends all other sessions. */
export const changePassword = command(
  "changePassword",
  (tx, call, { passwordHash, tokenHash, ...asking }: Renewing & { readonly passwordHash: string }): void => {
    const { id, salt } = requireSession(tx, asking);
    const own = provenCall(call, id);
    setPasswordHash(tx, { id, passwordHash });
    revokeResetLinks(tx, own, id);
    endAll(tx, own, id, { by: "password-changed", except: asking.sessionId });
    const renewed = renew(tx, asking, { tokenHash, givesFactor: false });
    const data = { password: commitTo(salt, passwordHash), ...renewed };
    reportEvent(tx, own, { accountId: id, event: "password-changed", data, sessionId: asking.sessionId });
  },
);

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
    await desk.execute(changePassword, { ...asked, passwordHash }, visitor);
    return renewed(desk, { token, nowMs });
  },
});

/** The routes of a person's own account. */
export const accountRoutes: readonly AccessRoute[] = [change, password];
