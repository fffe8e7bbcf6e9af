// Members of an organization: roles, removal, resets. For `ADMIN`, by session or key.
import { Type } from "@sinclair/typebox";
import type { Call } from "../kernel/call.ts";
import { body, EXTENSION, email, id, nullable, oneOf, optional, text } from "../kernel/fields.ts";
import { notFound } from "../kernel/problem.ts";
import { toTimestamp } from "../kernel/runtime.ts";
import { listEnvelope } from "../resources/crud.ts";
import { PAGE_QUERY } from "../resources/list-query.ts";
import { presenter, timestamp } from "../resources/present.ts";
import { type Route, writeRoute } from "../resources/route.ts";
import { pageOf, scopeOf } from "../storage/database/paging.ts";
import type { Reader, Tx } from "../storage/database/sql.ts";
import { ROLES } from "../storage/records/api-key.ts";
import { MEMBER_FIELDS, STAKEHOLDERS_OF_MEMBER_MAX } from "../storage/records/member.ts";
import { pendingEmailOf } from "./emails.ts";
import { queueLinkMail, requireMail } from "./mail-queue.ts";
import { endpointsMadeBy, keysMadeBy } from "./makers.ts";
import { ADMIN_ONLY, CHANGING, IS_MAILED, LINK_ENDS, MEMBER_SHAPE } from "./member-shape.ts";
import {
  acceptMembersEmail,
  decideReset,
  endMembersSessions,
  makeResetLink,
  patchMember,
  removeMember,
} from "./membership.ts";
import { findMember, listMembers, type Member } from "./stores/member-store.ts";

const MemberShown = Type.Object({
  id: id({ description: "Identifies the membership." }),
  accountId: id({ description: "The person's account." }),
  name: text(200, { description: "The person's name.", examples: ["Grace Hopper"] }),
  ...MEMBER_SHAPE,
  pendingEmail: nullable(
    text(254, {
      description: "The address that the person asked for, until it is accepted.",
      examples: ["g@example.org"],
    }),
  ),
  hasSecondFactor: Type.Boolean({ description: "Whether the account has an app for codes, or a passkey." }),
  operatorReset: nullable(
    Type.Object(
      {
        requestedAt: timestamp({ description: "When the operator asked for it." }),
        validFrom: timestamp({ description: "From when on it counts, unless it is refused." }),
        name: nullable(Type.String({ description: "The operator's, then.", examples: ["Olive"] })),
      },
      { description: "An operator's reset of the account that may be refused still." },
    ),
  ),
  lastSeenAt: nullable(timestamp({ description: "To the minute." })),
  createdAt: timestamp({ description: "When the person became a member." }),
});
const showRow = presenter(MemberShown);

/** A member as answers show it at an instant. */
function show(member: Member, at: string): Record<string, unknown> {
  return showRow({ ...member, pendingEmail: pendingEmailOf(member, Date.parse(at)) });
}

const MemberDetail = Type.Object({
  ...MemberShown.properties,
  keysMade: Type.Array(
    Type.Object({
      id: id({ description: "Identifies the key, or the webhook endpoint." }),
      kind: oneOf(["API_KEY", "WEBHOOK_ENDPOINT"], { description: "What it is.", ...EXTENSION }),
      name: text(200, {
        description: "The key's name; of an endpoint its description, else its host.",
        examples: ["Payroll sync"],
      }),
      role: oneOf(ROLES, { description: "What the key may do; an endpoint is told what an `ADMIN` is." }),
    }),
    {
      description:
        "The API keys that the person made here, or made with one of those, and that work; and the enabled webhook " +
        "endpoints that were made so.",
    },
  ),
});

/** The member of a path. Throws `404`. */
function getMember(
  db: Reader,
  { orgId, at }: { readonly orgId: string; readonly at: string },
  memberId?: string,
): Member {
  const member = findMember(db, { orgId, id: memberId ?? "", at });
  if (!member) throw notFound("member");
  return member;
}

function answered(tx: Tx, call: Call, memberId: string) {
  return { status: 200, json: show(getMember(tx, call, memberId), call.at) } as const;
}

const LIST: Route = {
  ...ADMIN_ONLY,
  method: "GET",
  path: "/api/v1/members",
  operationId: "listMembers",
  summary: "List members",
  description: "Newest first.",
  status: 200,
  query: body(PAGE_QUERY),
  response: listEnvelope("items", MemberShown),
  run(db, { orgId, query, nowMs }) {
    const scope = scopeOf(orgId, "memberships");
    const at = toTimestamp(nowMs);
    const page = pageOf(scope, query, ({ before, limit }) =>
      listMembers(db, { orgId, before: before ?? Number.MAX_SAFE_INTEGER, limit, at }),
    );
    return { status: 200, json: { items: page.rows.map((row) => show(row, at)), nextCursor: page.nextCursor } };
  },
};

const GET: Route = {
  ...ADMIN_ONLY,
  method: "GET",
  path: "/api/v1/members/:id",
  operationId: "getMember",
  summary: "Get a member",
  status: 200,
  problems: [404],
  response: MemberDetail,
  run(db, { orgId, params, nowMs }) {
    const at = toTimestamp(nowMs);
    const member = getMember(db, { orgId, at }, params.id);
    const keys = keysMadeBy(db, { orgId, accountId: member.accountId, at });
    const endpoints = endpointsMadeBy(db, { orgId, accountId: member.accountId });
    const keysMade = [
      ...keys.map(({ id: keyId, name, role }) => ({ id: keyId, kind: "API_KEY", name, role })),
      ...endpoints.map((endpoint) => {
        const name = endpoint.description ?? new URL(endpoint.url).host;
        return { id: endpoint.id, kind: "WEBHOOK_ENDPOINT", name, role: "ADMIN" };
      }),
    ];
    return { status: 200, json: { ...show(member, at), keysMade } };
  },
};

const UPDATE = writeRoute({
  ...CHANGING,
  method: "PATCH",
  path: "/api/v1/members/:id",
  operationId: "updateMember",
  summary: "Change a member's role or stakeholders",
  status: 200,
  problems: [404, 409],
  body: body({
    role: Type.Optional({ ...MEMBER_FIELDS.role, description: "What the person may do in the organization." }),
    stakeholderIds: Type.Optional({
      ...MEMBER_SHAPE.stakeholderIds,
      uniqueItems: true,
      maxItems: STAKEHOLDERS_OF_MEMBER_MAX,
    }),
  }),
  bodyExample: { role: "EDITOR" },
  response: MemberShown,
  run(tx, call, { params, body: patch }) {
    const member = getMember(tx, call, params.id);
    patchMember(tx, call, member, patch);
    return answered(tx, call, member.id);
  },
});

const REMOVE = writeRoute({
  ...CHANGING,
  method: "DELETE",
  path: "/api/v1/members/:id",
  operationId: "removeMember",
  summary: "Remove a member",
  description:
    "At once, with the open invitations and reset links that the person made. Where it was the account's only " +
    "organization, its sessions end. `revokeKeys` revokes the API keys in `keysMade`, too, and disables the endpoints.",
  status: 204,
  problems: [404],
  query: body({
    revokeKeys: Type.Optional(oneOf(["true", "false"], { description: "Unless said, keys work on." })),
  }),
  run(tx, call, { params, query }) {
    removeMember(tx, call, getMember(tx, call, params.id), { withKeys: query?.revokeKeys === "true" });
    return { status: 204 };
  },
});

const END_SESSIONS = writeRoute({
  ...CHANGING,
  method: "DELETE",
  path: "/api/v1/members/:id/sessions",
  operationId: "endMemberSessions",
  summary: "End a member's sessions",
  description: "For callers that may make the member's reset link.",
  status: 204,
  problems: [404],
  run(tx, call, { params }) {
    endMembersSessions(tx, call, getMember(tx, call, params.id));
    return { status: 204 };
  },
});

const ACCEPT_EMAIL = writeRoute({
  ...CHANGING,
  method: "POST",
  path: "/api/v1/members/:id/accept-email",
  operationId: "acceptMemberEmail",
  summary: "Accept the e-mail address that a member asked for",
  description:
    "The account has it from now on: the person signs in by it. For an administrator other than the person, and no key " +
    "that the person made. With `pendingEmail` only where that is what is asked for still.",
  status: 204,
  problems: [404, 409],
  isBodyOptional: true,
  body: body({ pendingEmail: optional(email({ description: "The address that you have looked at." })) }),
  bodyExample: { pendingEmail: "grace@example.org" },
  run(tx, call, { params, body: { pendingEmail = null } }) {
    acceptMembersEmail(tx, call, getMember(tx, call, params.id), pendingEmail);
    return { status: 204 };
  },
});

const DECIDE_RESET = writeRoute({
  ...CHANGING,
  method: "POST",
  path: "/api/v1/members/:id/operator-reset",
  operationId: "decideOperatorReset",
  summary: "Allow or refuse an operator's reset of a member",
  description:
    "Where `operatorReset` says that one waits. `ALLOW` has it count at once, where no other organization trusts the " +
    "person; `REFUSE` revokes it. For neither the person nor the operator, nor a key that one of them made.",
  status: 204,
  problems: [404, 409],
  body: body({ decision: oneOf(["ALLOW", "REFUSE"], { description: "What becomes of the reset." }) }),
  bodyExample: { decision: "REFUSE" },
  run(tx, call, { params, body: { decision } }) {
    decideReset(tx, call, getMember(tx, call, params.id), decision);
    return { status: 204 };
  },
});

function resetLinkRoute(publicUrl: () => string): Route {
  return writeRoute({
    ...CHANGING,
    method: "POST",
    path: "/api/v1/members/:id/reset-link",
    operationId: "makeResetLink",
    summary: "Make a link that sets a member's password anew",
    description:
      "For an operator, and for an `ADMIN` of every organization where the account is a member: no organization takes " +
      "over a person whom another trusts. An operator who is no such `ADMIN` needs a session with a second factor. It " +
      "works for 24 hours, once.",
    status: 200,
    problems: [404, 409],
    isBodyOptional: true,
    body: body({ isMailed: IS_MAILED }),
    bodyExample: { isMailed: false },
    response: Type.Object({
      url: Type.String({ description: "Shown this once.", examples: ["https://cap.example.com/reset#…"] }),
      expiresAt: LINK_ENDS,
    }),
    run(tx, call, { params, body: { isMailed = false } }) {
      const member = getMember(tx, call, params.id);
      if (isMailed) requireMail(tx);
      const { id: about, token, expiresAt } = makeResetLink(tx, call, member);
      if (isMailed) {
        const { accountId, email: to } = member;
        const { orgId } = call;
        queueLinkMail(tx, call, { kind: "reset-link", to, about, orgId, accountId, token, expiresAt });
      }
      return { status: 200, json: { url: `${publicUrl()}/reset#${token}`, expiresAt } };
    },
  });
}

/** The routes of members. `publicUrl` is the base of the links. */
export function memberRoutes(publicUrl: () => string): readonly Route[] {
  return [LIST, GET, UPDATE, REMOVE, resetLinkRoute(publicUrl), DECIDE_RESET, ACCEPT_EMAIL, END_SESSIONS];
}
