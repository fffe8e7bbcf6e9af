// What a person is told by mail: topics that can be turned off, for each organization and for the instance.

import { Type } from "@sinclair/typebox";
import { body, id, nullable, optional } from "../../kernel/fields.ts";
import { problem } from "../../kernel/problem.ts";
import type { MailTopic } from "../../storage/records/mail.ts";
import { type AccessRoute, type Desk, type PersonsRoute, personsRoute } from "../access-route.ts";
import { command } from "../command.ts";
import type { Session } from "../principal.ts";
import { type Asking, requireSession } from "../session-writes.ts";
import { INSTANCE, listMailChoices, turnOff, turnOn } from "../stores/mail-store.ts";

const common = { tag: "Account", isExtension: true, who: "PERSON", status: 200 } as const;

const OF_ORGANIZATION = ["approvals", "acceptances", "dates"] as const;

const APPROVALS = Type.Boolean({ description: "Approvals that wait for you, and decisions about yours." });
const ACCEPTANCES = Type.Boolean({ description: "Securities that wait for your acceptance." });
const DATES = Type.Boolean({ description: "Dates that are near." });
const OPERATORS = Type.Boolean({ description: "For operators: what is wrong with the instance." });
const ORGANIZATION = id({ description: "The organization; one that you are a member of." });

const Notifications = Type.Object({
  data: Type.Object({
    organizations: Type.Array(
      Type.Object({ organizationId: ORGANIZATION, approvals: APPROVALS, acceptances: ACCEPTANCES, dates: DATES }),
      { description: "Your organizations, with what you are told about each." },
    ),
    instance: nullable(OPERATORS),
  }),
});

function show({ db }: Pick<Desk, "db">, { accountId, memberships, isOperator }: Session) {
  const off = new Set(listMailChoices(db, { accountId }).map(({ orgId, topic }) => `${orgId} ${topic}`));
  const isOn = (orgId: string, topic: MailTopic) => !off.has(`${orgId} ${topic}`);
  const organizations = memberships.map(({ orgId }) => ({
    organizationId: orgId,
    approvals: isOn(orgId, "approvals"),
    acceptances: isOn(orgId, "acceptances"),
    dates: isOn(orgId, "dates"),
  }));
  return { data: { organizations, instance: isOperator ? isOn(INSTANCE, "instance") : null } };
}

const read: PersonsRoute = {
  ...common,
  method: "GET",
  path: "/api/v1/auth/notifications",
  operationId: "getNotifications",
  summary: "Show what you are told by mail",
  description: "What can be turned off; links and changes of your account's security are sent in any case.",
  response: Notifications,
  run: (desk, { session }) => ({ status: 200, json: show(desk, session) }),
};

/** A topic to turn on or off. */
interface Choice {
  readonly orgId: string;
  readonly topic: MailTopic;
  readonly isOn: boolean;
}

/** Turns topics on and off. */
export const chooseMails = command(
  "chooseMails",
  (tx, _call, { choices, ...asking }: Asking & { readonly choices: readonly Choice[] }): void => {
    const { id: accountId } = requireSession(tx, asking);
    for (const { isOn, ...choice } of choices) {
      turnOn(tx, { accountId, ...choice });
      if (!isOn) turnOff(tx, { accountId, ...choice });
    }
  },
);

const change = personsRoute({
  ...common,
  method: "PATCH",
  path: "/api/v1/auth/notifications",
  operationId: "updateNotifications",
  summary: "Change what you are told by mail",
  description: "What is not sent stays as it is.",
  body: body({
    organizations: Type.Optional(
      Type.Array(
        body({
          organizationId: ORGANIZATION,
          approvals: optional(APPROVALS),
          acceptances: optional(ACCEPTANCES),
          dates: optional(DATES),
        }),
        { maxItems: 1000, description: "The organizations to change." },
      ),
    ),
    instance: optional(OPERATORS),
  }),
  bodyExample: { organizations: [{ organizationId: "0190f5a2-6c1e-7b3a-9d4e-1f2a3b4c5d6e", dates: false }] },
  response: Notifications,
  async run(desk, { session, visitor, body: given }) {
    const choices: Choice[] = [];
    for (const each of given.organizations ?? []) {
      const { organizationId: orgId } = each;
      if (!session.memberships.some((membership) => membership.orgId === orgId)) {
        throw problem("forbidden", "You are not a member of this organization.");
      }
      for (const topic of OF_ORGANIZATION) {
        const isOn = each[topic];
        if (typeof isOn === "boolean") choices.push({ orgId, topic, isOn });
      }
    }
    if (typeof given.instance === "boolean") {
      choices.push({ orgId: INSTANCE, topic: "instance", isOn: given.instance });
    }
    await desk.execute(chooseMails, { sessionId: session.id, accountId: session.accountId, choices }, visitor);
    return { status: 200, json: show(desk, session) };
  },
});

/** The routes of what a person is told by mail. */
export const notificationRoutes: readonly AccessRoute[] = [read, change];
