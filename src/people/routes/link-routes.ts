// Routes for opened links: shows one, accepts an invitation, resets a password.
import { Type } from "@sinclair/typebox";
import { present } from "../../kernel/assert.ts";
import { body, id, nullable, oneOf, optional, text } from "../../kernel/fields.ts";
import { problem, refuse } from "../../kernel/problem.ts";
import { toTimestamp } from "../../kernel/runtime.ts";
import { findOrganization } from "../../resources/organization/store.ts";
import { timestamp } from "../../resources/present.ts";
import { MEMBER_ROLES } from "../../storage/records/member.ts";
import { type AccessReply, type AccessRequest, type AccessRoute, anybodysRoute, type Desk } from "../access-route.ts";
import { hasFactor } from "../orders/factor-orders.ts";
import { requireAnyLink, requireLink, requireReset } from "../orders/link-orders.ts";
import type { Session } from "../principal.ts";
import { membershipsOf } from "../sessions.ts";
import { showSession } from "../shown.ts";
import { requireCode } from "../sign-in/factor.ts";
import { hashNewPassword } from "../sign-in/new-password.ts";
import { hashToken } from "../sign-in/token.ts";
import { findAccount, findAccountByEmail } from "../stores/account-store.ts";
import type { Link } from "../stores/link-store.ts";
import { GIVEN_CODE, GIVEN_PASSWORD, newSession, PERSON_NAME, SESSION_ANSWER, signedIn } from "./session-routes.ts";

const TOKEN = Type.String({
  maxLength: 100,
  description: "What stands after `#` in the link.",
  examples: ["0kq3…"],
});
const common = { tag: "Signing in", isExtension: true, who: "ANYBODY", method: "POST", problems: [404, 409] } as const;

const look = anybodysRoute({
  ...common,
  path: "/api/v1/auth/link",
  operationId: "getLink",
  summary: "Show what a link is for",
  description: "The link's secret stands in the body, so that no log of addresses keeps it.",
  status: 200,
  body: body({ token: TOKEN }),
  response: Type.Object({
    data: Type.Object({
      kind: oneOf(["INVITATION", "RESET"], { description: "To an organization, or of a password." }),
      organization: nullable(
        Type.Object({
          id: id({ description: "Identifies the organization." }),
          legalName: Type.String({ description: "The organization's full legal name.", examples: ["Acme, Inc."] }),
        }),
      ),
      email: text(254, { description: "The email address that the link is for.", examples: ["grace@example.com"] }),
      role: nullable(
        oneOf(MEMBER_ROLES, { description: "What an invited person may do in the organization; null for a reset." }),
      ),
      hasAccount: nullable(
        Type.Boolean({ description: "`true` in a session of the account that the e-mail address has; else null." }),
      ),
      needsCode: Type.Boolean({ description: "Whether a second factor is asked for before the password is set." }),
      validFrom: nullable(
        timestamp({ description: "From when on a reset works that the person's organizations may refuse; null: now." }),
      ),
      expiresAt: timestamp({ description: "Until when the link works." }),
    }),
  }),
  run(desk, { body: { token }, session, nowMs }) {
    const link = requireAnyLink(desk.db, hashToken(token), toTimestamp(nowMs));
    const { kind, orgId, email, role, emailFolded, expiresAt, validFrom, agreedAt } = link;
    const organization = orgId !== null && kind === "INVITATION" ? findOrganization(desk.db, orgId) : null;
    const account = findAccountByEmail(desk.db, { emailFolded });
    const isOwn = session !== null && account?.id === session.accountId;
    const data = {
      ...{ kind, email, role, expiresAt, hasAccount: isOwn ? true : null },
      validFrom: agreedAt === null ? validFrom : null,
      organization: organization && { id: organization.id, legalName: organization.legalName },
      needsCode: kind === "RESET" && account !== null && hasFactor(desk.db, account),
    };
    return { status: 200, json: { data } };
  },
});

const accept = anybodysRoute({
  ...common,
  path: "/api/v1/auth/accept",
  operationId: "acceptInvitation",
  summary: "Accept an invitation",
  description:
    "Makes the account, and signs in. Where the e-mail address has an account, only a session of that account may " +
    "accept: `401` without one.",
  status: 200,
  body: body({
    token: TOKEN,
    name: optional({ ...PERSON_NAME, description: "The person's name, for a new account." }),
    password: optional(GIVEN_PASSWORD),
  }),
  bodyExample: { token: "…", name: "Grace Hopper", password: "a long sentence of yours" },
  response: SESSION_ANSWER,
  async run(desk, request) {
    const link = requireLink(desk.db, hashToken(request.body.token), "INVITATION", toTimestamp(request.nowMs));
    const hasAccount = findAccountByEmail(desk.db, { emailFolded: link.emailFolded }) !== null;
    return hasAccount ? acceptSignedIn(desk, request) : acceptAnew(desk, request, link);
  },
});

interface Accepting {
  readonly token: string;
  readonly name?: string | null | undefined;
  readonly password?: string | null | undefined;
}
type AcceptRequest = AccessRequest<Accepting, Session | null>;

/** Accepts for the account of the session. */
async function acceptSignedIn(desk: Desk, { body: { token }, session, visitor }: AcceptRequest): Promise<AccessReply> {
  const asking = session && { sessionId: session.id, accountId: session.accountId };
  const given = { linkHash: hashToken(token), asking, account: null, session: null };
  await desk.order("acceptInvitation", given, visitor);
  desk.sessions.forget();
  const joined = session && { ...session, memberships: membershipsOf(desk.db, session.accountId) };
  return { status: 200, json: { data: showSession(desk, joined) } };
}

/** Makes the account, and signs in. */
async function acceptAnew(desk: Desk, request: AcceptRequest, link: Link): Promise<AccessReply> {
  const { body: given, visitor, address, nowMs } = request;
  const [name, password] = [given.name ?? "", given.password ?? ""];
  refuse([
    ...(name ? [] : [["#/name", "is needed: the invitation makes an account"] as const]),
    ...(password ? [] : [["#/password", "is needed: the invitation makes an account"] as const]),
  ]);
  const organization = findOrganization(desk.db, present(link.orgId, "the organization"));
  const known = { email: link.email, names: [name, organization?.legalName ?? ""], address };
  const passwordHash = await hashNewPassword(desk, password, known);
  const { token, session } = newSession(desk, nowMs, request.session);
  const account = { name, passwordHash };
  await desk.order("acceptInvitation", { linkHash: hashToken(given.token), asking: null, account, session }, visitor);
  return signedIn(desk, token, nowMs);
}

const reset = anybodysRoute({
  ...common,
  path: "/api/v1/auth/reset",
  operationId: "resetPassword",
  summary: "Set a password by a reset link",
  description: "Ends all sessions of the account. Where it has a second factor, `code` is asked for first.",
  status: 204,
  body: body({ token: TOKEN, password: GIVEN_PASSWORD, code: GIVEN_CODE }),
  bodyExample: { token: "…", password: "another sentence of yours" },
  async run(desk, request) {
    const { body: given, visitor, address, nowMs } = request;
    const link = requireReset(desk.db, hashToken(given.token), toTimestamp(nowMs));
    const account = findAccount(desk.db, { id: present(link.accountId, "whose password") });
    if (!account) throw problem("not-found", "There is no such link.");
    // A person who has only a passkey gives a recovery code: a link must not replace the protection of a passkey.
    const asked = { visitor, nowMs, takesPasskeys: false };
    const factor = hasFactor(desk.db, account) ? await requireCode(desk, account, given.code, asked) : null;
    const names = [account.name, ...membershipsOf(desk.db, account.id).map(({ orgName }) => orgName)];
    const passwordHash = await hashNewPassword(desk, given.password, { email: account.email, names, address });
    await desk.order("resetPassword", { linkHash: hashToken(given.token), passwordHash, factor }, visitor);
    return { status: 204 };
  },
});

/** The routes of links. */
export const linkRoutes: readonly AccessRoute[] = [look, accept, reset];
