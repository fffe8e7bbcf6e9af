// A person's calendars: addresses that a calendar program reads dates to come from.

import { Type } from "@sinclair/typebox";
import { body, defaulted, id } from "../../kernel/fields.ts";
import { problem } from "../../kernel/problem.ts";
import { listEnvelope } from "../../resources/crud.ts";
import { presenter, timestamp } from "../../resources/present.ts";
import { type AccessRoute, type PersonsRoute, personsRoute } from "../access-route.ts";
import { endCalendars, makeCalendarRow } from "../calendars.ts";
import { command } from "../command.ts";
import { type Asking, requireSession } from "../session-writes.ts";
import { hashToken, newToken } from "../sign-in/token.ts";
import { listCalendars } from "../stores/calendar-store.ts";
import { provenCall } from "../stores/log-store.ts";
import { isMember } from "../stores/member-store.ts";

const common = { tag: "Account", isExtension: true, who: "PERSON" } as const;

/** How many calendars an account may have. */
const CALENDARS_MAX = 10;

const NAMES = Type.Boolean({
  description: "Whether it shows names of people and records, and numbers of securities.",
});

const OwnCalendar = Type.Object({
  id: id({ description: "Identifies the calendar." }),
  organizationId: id({ description: "The organization whose dates it shows." }),
  organizationName: Type.String({ description: "The organization's legal name.", examples: ["Acme, Inc."] }),
  names: NAMES,
  createdAt: timestamp({ description: "When the calendar was made." }),
});

const showCalendar = presenter(OwnCalendar);

const list: PersonsRoute = {
  ...common,
  method: "GET",
  path: "/api/v1/auth/calendars",
  operationId: "listCalendars",
  summary: "List your calendars",
  status: 200,
  response: listEnvelope("items", OwnCalendar),
  run: ({ db }, { session }) => {
    const items = listCalendars(db, session).map(({ orgId, legalName, showsNames, ...row }) =>
      showCalendar({ ...row, organizationId: orgId, organizationName: legalName, names: showsNames }),
    );
    return { status: 200, json: { items, nextCursor: null } };
  },
};

interface NewCalendar extends Asking {
  readonly orgId: string;
  readonly showsNames: 0 | 1;
  readonly tokenHash: string;
}

/** Makes a calendar. Throws `403` for another than a member, and `409` beyond the most that an account may have. */
export const makeCalendar = command(
  "makeCalendar",
  (tx, call, { orgId, showsNames, tokenHash, ...asking }: NewCalendar): string => {
    const { id: accountId } = requireSession(tx, asking);
    if (!isMember(tx, { orgId, accountId })) throw problem("forbidden", "You are not a member of this organization.");
    if (listCalendars(tx, { accountId }).length >= CALENDARS_MAX) {
      throw problem("conflict", `You have ${CALENDARS_MAX} calendars: end one that you do not need.`);
    }
    const row = { id: call.newId(), createdAt: call.at, accountId, orgId, tokenHash, showsNames };
    makeCalendarRow(tx, provenCall(call, accountId), row, asking.sessionId);
    return row.id;
  },
);

const create = personsRoute({
  ...common,
  method: "POST",
  path: "/api/v1/auth/calendars",
  operationId: "makeCalendar",
  summary: "Make a calendar of dates to come",
  description:
    "Its address is answered this once. Who has it reads, without signing in, what you may see now of an " +
    "organization's dates: a holder its own. It ends with your membership.",
  status: 201,
  problems: [409],
  body: body({
    organizationId: id({ description: "One that you are a member of." }),
    names: defaulted(NAMES, true),
  }),
  bodyExample: { organizationId: "0190f5a2-6c1e-7b3a-9d4e-1f2a3b4c5d6e", names: true },
  response: Type.Object({
    data: Type.Object({
      id: id({ description: "Identifies the calendar." }),
      url: Type.String({
        description: "The address, for a calendar program.",
        examples: [`https://captable.example.com/calendar/${"0".repeat(43)}.ics`],
      }),
    }),
  }),
  async run(desk, { session, visitor, body: { organizationId: orgId, names = true } }) {
    const membership = session.memberships.find((each) => each.orgId === orgId);
    if (membership?.needsSecondFactor === true && !session.hasSecondFactor) {
      throw problem("second-factor-missing", "This organization requires a second factor: set one up first.");
    }
    const token = newToken();
    const asking = { sessionId: session.id, accountId: session.accountId };
    const made = { ...asking, orgId, showsNames: names ? 1 : 0, tokenHash: hashToken(token) } as const;
    const calendarId = await desk.execute(makeCalendar, made, visitor);
    return { status: 201, json: { data: { id: calendarId, url: `${desk.publicUrl()}/calendar/${token}.ics` } } };
  },
});

/** Ends a calendar. Throws `404`. */
export const endCalendar = command(
  "endCalendar",
  (tx, call, { calendarId, ...asking }: Asking & { calendarId: string }) => {
    const { id: accountId } = requireSession(tx, asking);
    const ending = { accountId, id: calendarId, by: "account", sessionId: asking.sessionId } as const;
    if (endCalendars(tx, provenCall(call, accountId), ending) === 0) {
      throw problem("not-found", "You have no calendar with this id.");
    }
  },
);

const end: PersonsRoute = {
  ...common,
  method: "DELETE",
  path: "/api/v1/auth/calendars/:id",
  operationId: "endCalendar",
  summary: "End a calendar",
  description: "Its address works no more.",
  status: 204,
  problems: [404],
  async run(desk, { session, params, visitor }) {
    const asking = { sessionId: session.id, accountId: session.accountId };
    await desk.execute(endCalendar, { ...asking, calendarId: params.id ?? "" }, visitor);
    return { status: 204 };
  },
};

/** The routes of a person's calendars. */
export const calendarRoutes: readonly AccessRoute[] = [list, create, end];
