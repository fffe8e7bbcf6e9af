// The mails of an organization: to whom, of what kind, and what became of each; never their text.
import { Type } from "@sinclair/typebox";
import { body, id, integer, nullable, oneOf, optional, text } from "../kernel/fields.ts";
import { listEnvelope } from "../resources/crud.ts";
import { PAGE_QUERY } from "../resources/list-query.ts";
import { presenter, timestamp } from "../resources/present.ts";
import type { ReadRoute } from "../resources/route.ts";
import { pageOf, scopeOf } from "../storage/database/paging.ts";
import { MAIL_KINDS, MAIL_STATES } from "../storage/records/mail.ts";
import { ADMIN_ONLY } from "./member-shape.ts";
import { listMails, type Mail } from "./stores/mail-store.ts";

const MailShown = Type.Object({
  id: id({ description: "Identifies the mail; its `Message-ID` begins with it." }),
  kind: oneOf(MAIL_KINDS, { description: "What it is about." }),
  to: text(254, { description: "The address that it goes to.", examples: ["grace@example.com"] }),
  accountId: nullable(id({ description: "Whose address that is; null for an invitation." })),
  state: oneOf(MAIL_STATES, {
    description: "`QUEUED`: to be sent, or tried again; `DROPPED`: of no use any more before it was sent.",
  }),
  attempts: integer(0, { description: "How often it was tried." }),
  nextAttemptAt: nullable(timestamp({ description: "When it is tried next; null once it is not." })),
  error: nullable(
    Type.String({
      description: "The code of the last failure, without what the server said.",
      examples: ["451 EENVELOPE"],
    }),
  ),
  sentAt: nullable(timestamp({ description: "When the mail server accepted it." })),
  createdAt: timestamp({ description: "When it was queued." }),
});

const show = presenter(MailShown);

/** The route. */
export const listMailsRoute: ReadRoute = {
  ...ADMIN_ONLY,
  tag: "Members",
  method: "GET",
  path: "/api/v1/mails",
  operationId: "listMails",
  summary: "List mails",
  description: "Newest first, those of the last 90 days. Never their text.",
  status: 200,
  query: body({ ...PAGE_QUERY, state: optional(oneOf(MAIL_STATES, { description: "Mails in this state." })) }),
  response: listEnvelope("items", MailShown),
  run(db, { orgId, query }) {
    const scope = scopeOf(orgId, `mails ${query.state ?? ""}`);
    const page = pageOf(scope, query, ({ before, limit }): Mail[] => {
      const range = { orgId, before: before ?? Number.MAX_SAFE_INTEGER, limit };
      return listMails(query.state === undefined).all(db, { ...range, state: query.state ?? "" });
    });
    return { status: 200, json: { items: page.rows.map(show), nextCursor: page.nextCursor } };
  },
};
