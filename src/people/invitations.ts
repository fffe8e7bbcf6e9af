// Invitations into an organization: e-mail address, role and expiry. For `ADMIN`, by session or key.
import { Type } from "@sinclair/typebox";
import { body, email, id, oneOf } from "../kernel/fields.ts";
import { toTimestamp } from "../kernel/runtime.ts";
import { makerShape } from "../resources/api-keys/maker.ts";
import { listEnvelope } from "../resources/crud.ts";
import { PAGE_QUERY } from "../resources/list-query.ts";
import { presenter, timestamp } from "../resources/present.ts";
import { type Route, writeRoute } from "../resources/route.ts";
import { pageOf, scopeOf } from "../storage/database/paging.ts";
import { MEMBER_FIELDS } from "../storage/records/member.ts";
import { queueLinkMail, requireMail } from "./mail-queue.ts";
import { ADMIN_ONLY, CHANGING, IS_MAILED, LINK_ENDS, MEMBER_SHAPE } from "./member-shape.ts";
import { invite, revokeInvitation } from "./membership.ts";
import { listInvitations } from "./stores/link-store.ts";
import { linkState } from "./usable-links.ts";

const Invitation = Type.Object({
  id: id({ description: "Identifies the invitation." }),
  ...MEMBER_SHAPE,
  state: oneOf(["OPEN", "USED", "REVOKED", "EXPIRED"], {
    description: "Whether the invitation can be used, was used or revoked, or has expired.",
  }),
  madeBy: makerShape("Who made it. It counts only while that person, or key, is `ADMIN` here."),
  createdAt: timestamp({ description: "When the invitation was made." }),
  expiresAt: LINK_ENDS,
});
const showInvitationRow = presenter(Invitation);
const NewInvitation = Type.Object({
  ...Invitation.properties,
  url: Type.String({ description: "The link to send, shown this once.", examples: ["https://cap.example.com/join#…"] }),
});

function showInvitation(row: Parameters<typeof linkState>[0] & Readonly<Record<string, unknown>>, now: string) {
  return showInvitationRow({ ...row, state: linkState(row, now) });
}

const LIST: Route = {
  ...ADMIN_ONLY,
  method: "GET",
  path: "/api/v1/invitations",
  operationId: "listInvitations",
  summary: "List invitations",
  description: "Newest first, used, revoked and expired ones too.",
  status: 200,
  query: body(PAGE_QUERY),
  response: listEnvelope("items", Invitation),
  run(db, { orgId, query, nowMs }) {
    const scope = scopeOf(orgId, "links");
    const page = pageOf(scope, query, ({ before, limit }) =>
      listInvitations(db, { orgId, before: before ?? Number.MAX_SAFE_INTEGER, limit }),
    );
    const now = toTimestamp(nowMs);
    const items = page.rows.map((row) => showInvitation(row, now));
    return { status: 200, json: { items, nextCursor: page.nextCursor } };
  },
};

function createRoute(publicUrl: () => string): Route {
  return writeRoute({
    ...CHANGING,
    method: "POST",
    path: "/api/v1/invitations",
    operationId: "createInvitation",
    summary: "Invite a person",
    description:
      "Bound to the e-mail address, for 7 days, once; a new one revokes the older. With `isMailed` the server also sends " +
      "the link, where it sends mail.",
    status: 201,
    problems: [404, 409],
    body: body({
      email: email({ description: "The email address of the person who is invited." }),
      ...MEMBER_FIELDS,
      isMailed: IS_MAILED,
    }),
    bodyExample: { email: "grace@example.com", role: "EDITOR" },
    response: NewInvitation,
    run(tx, call, { body: { email: address, role, stakeholderIds = [], isMailed = false } }) {
      if (isMailed) requireMail(tx);
      const { link, token } = invite(tx, call, { email: address, role, stakeholderIds, isOperator: false });
      if (isMailed) {
        const { id: about, expiresAt } = link;
        const { orgId } = call;
        queueLinkMail(tx, call, { kind: "invitation", to: address, about, orgId, token, expiresAt });
      }
      return { status: 201, json: { ...showInvitation(link, call.at), url: `${publicUrl()}/join#${token}` } };
    },
  });
}

const REVOKE = writeRoute({
  ...CHANGING,
  method: "DELETE",
  path: "/api/v1/invitations/:id",
  operationId: "revokeInvitation",
  summary: "Revoke an invitation",
  status: 204,
  problems: [404],
  run(tx, call, { params }) {
    revokeInvitation(tx, call, params.id ?? "");
    return { status: 204 };
  },
});

/** The routes of invitations. `publicUrl` is the base of the links. */
export function invitationRoutes(publicUrl: () => string): readonly Route[] {
  return [LIST, createRoute(publicUrl), REVOKE];
}
