// Authorization: checks a caller's role and scopes against what the route needs, and makes the refusals.

import { Problem, problem } from "../../kernel/problem.ts";
import type { Allowance } from "../../kernel/rate-limit.ts";
import type { AccessRoute } from "../../people/access-route.ts";
import { type Caller, isConfirmed, type Membership, type Session } from "../../people/principal.ts";
import { type Route, scopesFor } from "../../resources/route.ts";
import { MEMBER_ROLES } from "../../storage/records/member.ts";
import { invalid } from "../changes/answer.ts";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const ORGANIZATION_HEADER = "Captable-Organization";

/** What a route needs of its caller. */
export type Asking = Pick<Route, "role" | "needsConfirmation">;

/**
 * The person's membership in the organization that the request names. Throws `422`, or `403` without revealing whether
 * that organization exists.
 */
function membershipAsked(session: Session, { headers }: Request): Membership {
  const orgId = headers.get(ORGANIZATION_HEADER);
  if (orgId === null || !UUID.test(orgId)) {
    throw invalid([{ header: ORGANIZATION_HEADER, detail: "must name one organization by its id" }]);
  }
  const membership = session.memberships.find((each) => each.orgId === orgId);
  if (!membership) throw problem("forbidden", "You are not a member of this organization.");
  if (membership.needsSecondFactor && !session.hasSecondFactor) {
    throw problem(
      "second-factor-missing",
      "This organization requires a second factor. Set one up, or confirm with the one that you have.",
    );
  }
  return membership;
}

/** The organization that the request names, if the person is a member of it; else null. */
export function organizationOf(session: Session, { headers }: Request): string | null {
  const orgId = headers.get(ORGANIZATION_HEADER);
  return session.memberships.some((each) => each.orgId === orgId) ? orgId : null;
}

/**
 * The member that a session is in the organization that the request names, if the route admits it. Throws as {@link
 * membershipAsked}, and `403` for a role too low, at the portal without stakeholders, and without a recent proof of
 * identity.
 */
export function memberFor(route: Asking, session: Session, request: Request, nowMs: number): Membership {
  const membership = membershipAsked(session, request);
  refuseLowRole(route, membership.role, "member");
  refuseNobodysPortal(route, membership.stakeholderIds);
  if (route.needsConfirmation && !isConfirmed(session, nowMs)) throw confirmationRequired();
  return membership;
}

/** The member as the caller of a request. */
export function callerOf({ id, accountId, name }: Session, { orgId, role, stakeholderIds }: Membership): Caller {
  const who = { orgId, id, role, scopes: null, stakeholderIds } as const;
  return { ...who, actor: "person", apiKeyId: null, accountId, actorName: name, sessionId: id };
}

/** Throws `403` if a role is too low for a route, and for a key at the portal. */
export function refuseLowRole(route: Asking, role: Caller["role"], whose: "key" | "member"): void {
  if (route.role === "STAKEHOLDER" && whose === "key") {
    throw problem("forbidden", "The portal is for holders who sign in; a key cannot use it.");
  }
  if (MEMBER_ROLES.indexOf(role) >= MEMBER_ROLES.indexOf(route.role)) return;
  const has = whose === "key" ? "the key has" : "you have";
  throw problem("forbidden", `This operation needs the role ${route.role}; ${has} ${role}.`);
}

/** Throws `403` for a key that has none of the scopes of which a route needs one. People have no scopes. */
export function refuseLackingScope(route: Route, scopes: Caller["scopes"]): void {
  if (scopes === null) return;
  const needed = scopesFor(route);
  if (needed.some((scope) => scopes.includes(scope))) return;
  const has = scopes.length > 0 ? scopes.join(", ") : "no scope";
  throw problem("forbidden", `This operation needs the scope ${needed.join(" or ")}; the key has ${has}.`);
}

/** Throws `403` at the portal for a member who is not a stakeholder. */
function refuseNobodysPortal(route: Asking, stakeholderIds: readonly string[]): void {
  if (route.role !== "STAKEHOLDER" || stakeholderIds.length > 0) return;
  throw problem("forbidden", "The portal is for stakeholders, and your membership is not linked to one.");
}

/** Throws `403` at a route for operators for another person, and for a session without a recent proof where one is needed. */
export function refuseUnproven(
  { who, needsConfirmation }: Pick<AccessRoute, "who" | "needsConfirmation">,
  session: Session,
  nowMs: number,
): void {
  if (who === "OPERATOR" && !session.isOperator) throw problem("forbidden", "This is for operators of the instance.");
  if (needsConfirmation && !isConfirmed(session, nowMs)) throw confirmationRequired();
}

/** The refusal of an operation that needs a proof of identity from the last minutes. */
function confirmationRequired(): Problem {
  return problem("confirmation-required", "Confirm who you are, and send the request again.");
}

/** The refusal of a caller that has neither key nor session. */
export function unauthorized(): Problem {
  return problem("unauthorized", "Authentication is required: send a valid API key as a Bearer token.");
}

/** The refusal of a session that has ended. */
export function ended(): Problem {
  return problem("unauthorized", "The session has ended: sign in again.");
}

/** The refusal of a caller that sends too many requests. */
export function tooMany(allowance: Allowance): Problem {
  const seconds = allowance.retryAfterSeconds;
  return new Problem("rate-limited", `Too many requests; try again in ${seconds} s.`, undefined, {
    retryAfterSeconds: seconds,
  });
}
