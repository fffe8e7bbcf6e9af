// Sign-out, a person's own sessions, and the account's log.

import { Type } from "@sinclair/typebox";
import { body, id, nullable, oneOf } from "../../kernel/fields.ts";
import { problem } from "../../kernel/problem.ts";
import { listEnvelope } from "../../resources/crud.ts";
import { PAGE_QUERY } from "../../resources/list-query.ts";
import { presenter, timestamp } from "../../resources/present.ts";
import { ACCOUNT_EVENTS } from "../../storage/database/log/account-events.ts";
import { pageOf, scopeOf } from "../../storage/database/paging.ts";
import type { AccessRoute, Desk, PersonsRoute } from "../access-route.ts";
import { command } from "../command.ts";
import type { Session } from "../principal.ts";
import { type Asking, endAll, endOne, requireSession } from "../session-writes.ts";
import { listEvents, listEventsOf, provenCall } from "../stores/log-store.ts";
import { isOpenSession, listOpenSessions } from "../stores/session-store.ts";

const common = { tag: "Account", isExtension: true, who: "PERSON" } as const;

/** Signs out. */
export const signOut = command("signOut", (tx, call, { sessionId: id, accountId }: Asking): void => {
  endOne(tx, provenCall(call, accountId), { id, accountId }, { event: "signed-out", by: "signed-out" });
});

const signOutRoute: PersonsRoute = {
  ...common,
  who: "PERSON",
  method: "DELETE",
  path: "/api/v1/auth/session",
  operationId: "endSession",
  summary: "Sign out",
  status: 204,
  async run(desk, { session, visitor }) {
    await desk.execute(signOut, { sessionId: session.id, accountId: session.accountId }, visitor);
    return { status: 204, isEnd: true };
  },
};

const ADDRESS = Type.String({ description: "The address from which it came.", examples: ["192.0.2.7"] });

const USER_AGENT = Type.String({ description: "What the browser says of itself.", examples: ["Mozilla/5.0 …"] });

const OwnSession = Type.Object({
  id: id({ description: "Identifies the session." }),
  isThis: Type.Boolean({ description: "Whether it is the one that asks." }),
  method: oneOf(["SETUP", "PASSWORD", "PASSKEY", "OIDC", "LINK"], { description: "How it began." }),
  hasSecondFactor: Type.Boolean({ description: "Whether a second factor was given in it." }),
  address: nullable(ADDRESS),
  userAgent: nullable(USER_AGENT),
  createdAt: timestamp({ description: "When the session began." }),
  lastSeenAt: timestamp({ description: "To the minute." }),
  expiresAt: timestamp({ description: "When it ends in any case." }),
});

const showOwn = presenter(OwnSession);

/** A person's live sessions, newest first. */
function living({ db, sessions }: Desk, { accountId }: Session, nowMs: number) {
  const endsMs = (row: { readonly id: string; readonly lastSeenAt: string; readonly expiresAt: string }) =>
    Math.min(sessions.idleEndsMs(row), Date.parse(row.expiresAt));
  return listOpenSessions(db, { accountId }).filter((row) => endsMs(row) > nowMs);
}

const list: PersonsRoute = {
  ...common,
  method: "GET",
  path: "/api/v1/auth/sessions",
  operationId: "listOwnSessions",
  summary: "List your sessions",
  status: 200,
  response: listEnvelope("items", OwnSession),
  run(desk, { session, nowMs }) {
    const rows = living(desk, session, nowMs);
    const items = rows.map((row) => showOwn({ ...row, isThis: row.id === session.id ? 1 : 0 }));
    return { status: 200, json: { items, nextCursor: null } };
  },
};

/** Ends another session of the same account. Throws `404`. */
export const endOther = command("endOther", (tx, call, { endedId, ...asking }: Asking & { endedId: string }): void => {
  requireSession(tx, asking);
  if (!isOpenSession(tx, { id: endedId, accountId: asking.accountId })) {
    throw problem("not-found", "You have no open session with this id.");
  }
  const { accountId } = asking;
  endOne(tx, provenCall(call, accountId), { id: endedId, accountId }, { event: "session-ended", by: "account" });
});

const endOneRoute: PersonsRoute = {
  ...common,
  method: "DELETE",
  path: "/api/v1/auth/sessions/:id",
  operationId: "endOwnSession",
  summary: "End one of your sessions",
  status: 204,
  problems: [404],
  async run(desk, { session, params, visitor }) {
    const asking = { sessionId: session.id, accountId: session.accountId };
    await desk.execute(endOther, { ...asking, endedId: params.id ?? "" }, visitor);
    return params.id === session.id ? { status: 204, isEnd: true } : { status: 204 };
  },
};

/** Ends all sessions of an account but the one that asks. */
export const endOthers = command("endOthers", (tx, call, asking: Asking): void => {
  requireSession(tx, asking);
  const { accountId, sessionId } = asking;
  endAll(tx, provenCall(call, accountId), accountId, { by: "account", except: sessionId });
});

const endOthersRoute: PersonsRoute = {
  ...common,
  method: "DELETE",
  path: "/api/v1/auth/sessions",
  operationId: "endOtherSessions",
  summary: "End all your other sessions",
  status: 204,
  async run(desk, { session, visitor }) {
    await desk.execute(endOthers, { sessionId: session.id, accountId: session.accountId }, visitor);
    return { status: 204 };
  },
};

const Event = Type.Object({
  id: id({ description: "Identifies the event." }),
  at: timestamp({ description: "When it happened." }),
  accountId: nullable(id({ description: "The account; null if no account was recognized." })),
  event: oneOf(ACCOUNT_EVENTS, { description: "What happened." }),
  sessionId: nullable(id()),
  address: nullable(ADDRESS),
  userAgent: nullable(USER_AGENT),
});

const showEvent = presenter(Event);

const activity: PersonsRoute = {
  ...common,
  method: "GET",
  path: "/api/v1/auth/activity",
  operationId: "listActivity",
  summary: "List what happened to your account",
  description: "Newest first. An operator sees every account's, or one's with `accountId`.",
  status: 200,
  query: body({ accountId: Type.Optional(id({ description: "Operators only: of this account." })), ...PAGE_QUERY }),
  response: listEnvelope("items", Event),
  run({ db }, { session, query }) {
    const accountId = session.isOperator ? query.accountId : session.accountId;
    const scope = scopeOf(accountId ?? "everybody", "account_log");
    const page = pageOf(scope, query, ({ before, limit }) => {
      const range = { before: before ?? Number.MAX_SAFE_INTEGER, limit };
      return accountId === undefined ? listEvents(db, range) : listEventsOf(db, { accountId, ...range });
    });
    return { status: 200, json: { items: page.rows.map(showEvent), nextCursor: page.nextCursor } };
  },
};

/** The routes of sign-out, of a person's sessions, and of what happened to the account. */
export const ownSessionRoutes: readonly AccessRoute[] = [signOutRoute, list, endOneRoute, endOthersRoute, activity];
