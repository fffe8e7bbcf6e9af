// Who may do what in an organization: members and invitations. `ADMIN`, by session or key.
import { Type } from "@sinclair/typebox";
import { cutPage, readPage, scopeOf } from "../database/paging.ts";
import type { Reader, Tx } from "../database/sql.ts";
import type { Call } from "../kernel/call.ts";
import { body, email, id, nullable, oneOf, text } from "../kernel/fields.ts";
import { notFound } from "../kernel/problem.ts";
import { toTimestamp } from "../kernel/runtime.ts";
import { MEMBER_FIELDS, MEMBER_ROLES, STAKEHOLDERS_OF_MEMBER_MAX } from "../records/member.ts";
import { listEnvelope, PAGE_QUERY } from "../resources/crud.ts";
import { presenter, timestamp } from "../resources/present.ts";
import { type Route, writeRoute } from "../route.ts";
import { listInvitations } from "./link-store.ts";
import { findMember, listMembers, type Member } from "./member-store.ts";
import {
  endMembersSessions,
  invite,
  makeResetLink,
  patchMember,
  removeMember,
  revokeInvitation,
} from "./membership.ts";
import { linkState } from "./orders/links.ts";

const adminOnly = { tag: "Members", role: "ADMIN", isExtension: true } as const;
const changing = { ...adminOnly, needsConfirmation: true } as const;

const roles = oneOf(MEMBER_ROLES);
const EMAIL = text(254, { description: "As it was typed.", examples: ["grace@example.com"] });
const STAKEHOLDER_IDS = Type.Array(id(), { description: "The stakeholders that the person is." });
const LINK_ENDS = timestamp({ description: "Until when the link works." });
const MemberShown = Type.Object({
  id: id(),
  accountId: id(),
  name: text(200, { examples: ["Grace Hopper"] }),
  email: EMAIL,
  role: roles,
  stakeholderIds: STAKEHOLDER_IDS,
  hasSecondFactor: Type.Boolean({ description: "Whether the account has an app for codes, or a passkey." }),
  lastSeenAt: nullable(timestamp({ description: "To the minute." })),
  createdAt: timestamp(),
});
const show = presenter(MemberShown);

const Invitation = Type.Object({
  id: id(),
  email: EMAIL,
  role: roles,
  stakeholderIds: STAKEHOLDER_IDS,
  state: oneOf(["OPEN", "USED", "REVOKED", "EXPIRED"]),
  createdAt: timestamp(),
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

/** The member that a path names. Throws `404`. */
function getMember(db: Reader, orgId: string, memberId: string | undefined): Member {
  const member = findMember(db, { orgId, id: memberId ?? "" });
  if (!member) throw notFound("member");
  return member;
}

function answered(tx: Tx, call: Call, memberId: string) {
  return { status: 200, json: show(getMember(tx, call.orgId, memberId)) } as const;
}

/** The routes of members. `publicUrl` tells where links lead. */
export function memberRoutes(publicUrl: () => string): readonly Route[] {
  return [
    {
      ...adminOnly,
      method: "GET",
      path: "/api/v1/members",
      operationId: "listMembers",
      summary: "List members",
      description: "Newest first.",
      status: 200,
      query: body(PAGE_QUERY),
      response: listEnvelope("items", MemberShown),
      run(db, { orgId, query }) {
        const scope = scopeOf(orgId, "memberships");
        const { limit, before } = readPage(scope, query);
        const rows = listMembers(db, { orgId, before: before ?? Number.MAX_SAFE_INTEGER, limit: limit + 1 });
        const page = cutPage(scope, rows, limit);
        return { status: 200, json: { items: page.rows.map(show), nextCursor: page.nextCursor } };
      },
    },
    {
      ...adminOnly,
      method: "GET",
      path: "/api/v1/members/:id",
      operationId: "getMember",
      summary: "Get a member",
      status: 200,
      problems: [404],
      response: MemberShown,
      run: (db, { orgId, params }) => ({ status: 200, json: show(getMember(db, orgId, params.id)) }),
    },
    writeRoute({
      ...changing,
      method: "PATCH",
      path: "/api/v1/members/:id",
      operationId: "updateMember",
      summary: "Change a member's role or stakeholders",
      status: 200,
      problems: [404, 409],
      body: body({
        role: Type.Optional(MEMBER_FIELDS.role),
        stakeholderIds: Type.Optional({ ...STAKEHOLDER_IDS, uniqueItems: true, maxItems: STAKEHOLDERS_OF_MEMBER_MAX }),
      }),
      bodyExample: { role: "EDITOR" },
      response: MemberShown,
      run(tx, call, { params, body: patch }) {
        const member = getMember(tx, call.orgId, params.id);
        patchMember(tx, call, member, patch);
        return answered(tx, call, member.id);
      },
    }),
    writeRoute({
      ...changing,
      method: "DELETE",
      path: "/api/v1/members/:id",
      operationId: "removeMember",
      summary: "Remove a member",
      description: "At once. Where it was the account's only organization, its sessions end.",
      status: 204,
      problems: [404],
      run(tx, call, { params }) {
        removeMember(tx, call, getMember(tx, call.orgId, params.id));
        return { status: 204 };
      },
    }),
    writeRoute({
      ...changing,
      method: "POST",
      path: "/api/v1/members/:id/reset-link",
      operationId: "makeResetLink",
      summary: "Make a link that sets a member's password anew",
      description:
        "For an operator, and for an `ADMIN` of every organization where the account is a member: no organization takes " +
        "over a person whom another trusts. It works for 24 hours, once.",
      status: 200,
      problems: [404, 409],
      response: Type.Object({
        url: Type.String({ description: "Shown this once.", examples: ["https://cap.example.com/reset#…"] }),
        expiresAt: LINK_ENDS,
      }),
      run(tx, call, { params }) {
        const { token, expiresAt } = makeResetLink(tx, call, getMember(tx, call.orgId, params.id));
        return { status: 200, json: { url: `${publicUrl()}/reset#${token}`, expiresAt } };
      },
    }),
    writeRoute({
      ...changing,
      method: "DELETE",
      path: "/api/v1/members/:id/sessions",
      operationId: "endMemberSessions",
      summary: "End a member's sessions",
      description: "For whoever may make its reset link.",
      status: 204,
      problems: [404],
      run(tx, call, { params }) {
        endMembersSessions(tx, call, getMember(tx, call.orgId, params.id));
        return { status: 204 };
      },
    }),
    {
      ...adminOnly,
      method: "GET",
      path: "/api/v1/invitations",
      operationId: "listInvitations",
      summary: "List invitations",
      description: "Newest first, whatever became of them.",
      status: 200,
      query: body(PAGE_QUERY),
      response: listEnvelope("items", Invitation),
      run(db, { orgId, query, nowMs }) {
        const scope = scopeOf(orgId, "links");
        const { limit, before } = readPage(scope, query);
        const rows = listInvitations(db, { orgId, before: before ?? Number.MAX_SAFE_INTEGER, limit: limit + 1 });
        const page = cutPage(scope, rows, limit);
        const now = toTimestamp(nowMs);
        const items = page.rows.map((row) => showInvitation(row, now));
        return { status: 200, json: { items, nextCursor: page.nextCursor } };
      },
    },
    writeRoute({
      ...changing,
      method: "POST",
      path: "/api/v1/invitations",
      operationId: "createInvitation",
      summary: "Invite somebody",
      description:
        "Bound to the e-mail address, for 7 days, once; a new one revokes the older. The server sends no mail.",
      status: 201,
      problems: [404, 409],
      body: body({ email: email(), ...MEMBER_FIELDS }),
      bodyExample: { email: "grace@example.com", role: "EDITOR" },
      response: NewInvitation,
      run(tx, call, { body: { email: address, role, stakeholderIds = [] } }) {
        const { link, token } = invite(tx, call, { email: address, role, stakeholderIds, isOperator: false });
        return { status: 201, json: { ...showInvitation(link, call.at), url: `${publicUrl()}/join#${token}` } };
      },
    }),
    writeRoute({
      ...changing,
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
    }),
  ];
}
