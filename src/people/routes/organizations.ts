// The organizations that a person is a member of, and new ones that an operator makes.

import { Type } from "@sinclair/typebox";
import { body, id, nullable, oneOf } from "../../kernel/fields.ts";
import { problem } from "../../kernel/problem.ts";
import { listEnvelope } from "../../resources/crud.ts";
import { findOrganization, insertOrganization } from "../../resources/organization/store.ts";
import { timestamp } from "../../resources/present.ts";
import { MEMBER_ROLES } from "../../storage/records/member.ts";
import { ORGANIZATION_FIELDS } from "../../storage/records/organization.ts";
import { type AccessRoute, type Desk, type PersonsRoute, personsRoute } from "../access-route.ts";
import { personCall } from "../call.ts";
import { command } from "../command.ts";
import type { Membership } from "../principal.ts";
import { type Asking, requireSession } from "../session-writes.ts";
import { insertMembership } from "../stores/member-store.ts";
import { findOverview } from "../stores/organization-store.ts";

const common = { tag: "Account", isExtension: true } as const;

const count = (description: string) => nullable(Type.Integer({ description }));

const OwnOrganization = Type.Object({
  id: id({ description: "Identifies the organization." }),
  legalName: Type.String({ description: "The organization's full legal name.", examples: ["Acme, Inc."] }),
  role: oneOf(MEMBER_ROLES, { description: "What the person may do in the organization." }),
  stakeholderIds: Type.Array(id(), { description: "The stakeholders that you are there." }),
  stakeholderCount: count(
    "Null where your role shows the portal alone or a second factor is wanted, like what follows.",
  ),
  openApprovals: count("Approvals that wait for a decision."),
  failedTokens: count("Classes whose token could not be made."),
  lastEntryAt: nullable(timestamp({ description: "When something was last written to the ledger." })),
});

const NOTHING = { stakeholderCount: null, openApprovals: null, failedTokens: null, lastEntryAt: null };

function showMine(
  { db }: Desk,
  { orgId, orgName, role, stakeholderIds, needsSecondFactor }: Membership,
  hasSecondFactor: boolean,
): Record<string, unknown> {
  const isClosed = role === "STAKEHOLDER" || (needsSecondFactor && !hasSecondFactor);
  const overview = isClosed ? NOTHING : (findOverview(db, { orgId }) ?? NOTHING);
  return { id: orgId, legalName: orgName, role, stakeholderIds, ...overview };
}

const list: PersonsRoute = {
  ...common,
  who: "PERSON",
  method: "GET",
  path: "/api/v1/organizations",
  operationId: "listOrganizations",
  summary: "List your organizations",
  status: 200,
  response: listEnvelope("items", OwnOrganization),
  run: (desk, { session }) => ({
    status: 200,
    json: { items: session.memberships.map((each) => showMine(desk, each, session.hasSecondFactor)), nextCursor: null },
  }),
};

/** Makes an organization, whose `ADMIN` the operator becomes; returns its id. */
export const makeOrganization = command(
  "makeOrganization",
  (tx, call, { legalName, ...asking }: Asking & { readonly legalName: string }): { readonly id: string } => {
    const account = requireSession(tx, asking);
    if (account.isOperator === 0) throw problem("forbidden", "Only an operator makes organizations.");
    const write = personCall(call, call.newId(), { ...account, sessionId: asking.sessionId });
    insertOrganization(tx, write, { legalName, isNamed: 1 });
    insertMembership(tx, write, { id: call.newId(), accountId: account.id, role: "ADMIN", stakeholderIds: [] });
    return { id: write.orgId };
  },
);

const create = personsRoute({
  ...common,
  who: "OPERATOR",
  method: "POST",
  path: "/api/v1/organizations",
  operationId: "createOrganization",
  summary: "Create an organization",
  description: "For operators of the instance, who become its `ADMIN`.",
  status: 201,
  needsConfirmation: true,
  body: body({ legalName: { ...ORGANIZATION_FIELDS.legalName, description: "The organization's full legal name." } }),
  bodyExample: { legalName: "Acme, Inc." },
  response: OwnOrganization,
  async run(desk, { session, body: { legalName }, visitor }) {
    const asked = { sessionId: session.id, accountId: session.accountId, legalName };
    const { id: orgId } = await desk.execute(makeOrganization, asked, visitor);
    desk.sessions.forget();
    const made = findOrganization(desk.db, orgId);
    const membership = {
      ...{ id: "", orgId, orgName: made?.legalName ?? legalName, role: "ADMIN" as const },
      ...{ stakeholderIds: [], needsSecondFactor: false },
    };
    return { status: 201, json: showMine(desk, membership, session.hasSecondFactor) };
  },
});

/** The routes of a person's organizations. */
export const organizationsRoutes: readonly AccessRoute[] = [list, create];
