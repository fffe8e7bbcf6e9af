// Routes of sign-in by an OpenID Connect provider: to it, and back. A browser shows what they answer, so every failure
// leads to the sign-in page, with words of a closed list.
import { timingSafeEqual } from "node:crypto";
import { type Static, Type } from "@sinclair/typebox";
import { findFaults } from "../../kernel/check.ts";
import { body, matching, oneOf } from "../../kernel/fields.ts";
import { Problem, type ProblemSlug, problem } from "../../kernel/problem.ts";
import { toTimestamp } from "../../kernel/runtime.ts";
import type { AccessReply, AccessRequest, AccessRoute, AnybodysRoute, Desk } from "../access-route.ts";
import type { IdentityOutcome, Refusal } from "../orders/identity-orders.ts";
import { requireLink } from "../orders/link-orders.ts";
import { isConfirmed, type Session } from "../principal.ts";
import { handshakeCookieOf, readToken } from "../sign-in/cookie.ts";
import { type Handshake, PURPOSES, type Purpose } from "../sign-in/handshake.ts";
import { type Provider, ProviderRefusal, type ProviderWord } from "../sign-in/oidc.ts";
import { hashToken, newToken } from "../sign-in/token.ts";
import { findAccount } from "../stores/account-store.ts";
import { findIdentityBySubject } from "../stores/identity-store.ts";
import { deviceOf, newSession, PERSON_NAME } from "./session-routes.ts";

const CALLBACK_PATH = "/api/v1/auth/oidc/callback";
/** How far the provider's clock may differ. */
const CLOCKS_APART_MS = 60_000;

/** The reason of a failure, if the problem's name alone does not say what to do. */
type Reason = Refusal | "begin-again" | "refused" | "email-unverified" | "too-old";

const common = { tag: "Signing in", isExtension: true, who: "ANYBODY", method: "GET", status: 303 } as const;
type Asked = AccessRequest<unknown, Session | null>;

/** Redirects the browser to the sign-in page, which shows the failure. */
function back(
  { publicUrl }: Desk,
  told: { readonly problem: ProblemSlug; readonly for?: Purpose; readonly reason?: Reason },
  cause?: unknown,
): AccessReply {
  const query = new URLSearchParams(told);
  return { status: 303, location: `${publicUrl()}/sign-in?${query}`, ...(cause !== undefined && { cause }) };
}

/** The same for a thrown value; one that is not a `Problem` is a bug. */
function backFrom(desk: Desk, purpose: Purpose, thrown: unknown): AccessReply {
  if (thrown instanceof ProviderRefusal) {
    return back(desk, { problem: "sign-in-failed", for: purpose, reason: "refused" });
  }
  if (!(thrown instanceof Problem)) throw thrown;
  return back(desk, { problem: thrown.slug, for: purpose }, thrown.cause);
}

function requireProvider({ provider }: Desk): Provider {
  if (provider) return provider;
  throw problem("not-found", "No OpenID Connect provider is set up here.");
}

const Beginning = body({
  for: Type.Optional(oneOf(PURPOSES, { description: "The purpose; by default to sign in." })),
  link: Type.Optional(
    matching("^[0-9a-f]{64}$", "the lowercase hex SHA-256 of a link's token", 64, {
      description: "To accept: the lowercase hex SHA-256 of the invitation's token, which itself stands in no address.",
    }),
  ),
});

const begin: AnybodysRoute = {
  ...common,
  path: "/api/v1/auth/oidc",
  operationId: "beginOidc",
  summary: "Go to the OpenID Connect provider",
  description:
    "For a browser to follow. `link` and `confirm` need a session, `link` a proof of the last ten minutes. The provider " +
    "sends the browser back to `/auth/oidc/callback`.",
  problems: [404],
  query: Beginning,
  async run(desk, request) {
    const provider = requireProvider(desk);
    const given = request.query as Static<typeof Beginning>;
    const purpose = given.for ?? "sign-in";
    try {
      return await goTo(desk, provider, request, { purpose, linkHash: given.link ?? null });
    } catch (thrown) {
      return backFrom(desk, purpose, thrown);
    }
  },
};

async function goTo(
  desk: Desk,
  provider: Provider,
  request: Asked,
  { purpose, linkHash }: Pick<Handshake, "purpose" | "linkHash">,
): Promise<AccessReply> {
  const { session, address, nowMs } = request;
  desk.failures.begin(address, nowMs);
  const cookie = handshakeCookieOf(desk.publicUrl());
  if (cookie === null) throw problem("forbidden", "Signing in needs TLS.");
  refuseBeginning(desk, request, { purpose, linkHash });
  const [state, browser] = [newToken(), newToken()];
  const how = { state, isFresh: purpose === "confirm", nowMs };
  const { url, question } = await provider.ask(desk.publicUrl() + CALLBACK_PATH, how);
  const asking = session && { sessionId: session.id, accountId: session.accountId };
  const browserHash = hashToken(browser);
  desk.handshakes.put(state, { purpose, question, browserHash, begunMs: nowMs, asking, linkHash }, nowMs);
  const headers = { "set-cookie": `${cookie.name}=${browser}; ${cookie.attributes}` };
  return { status: 303, location: url, headers };
}

function refuseBeginning(
  { db }: Desk,
  { session, nowMs }: Asked,
  { purpose, linkHash }: Pick<Handshake, "purpose" | "linkHash">,
): void {
  if (purpose === "accept") {
    requireLink(db, linkHash ?? "", "INVITATION", toTimestamp(nowMs));
  }
  if (purpose !== "link" && purpose !== "confirm") return;
  if (session === null) throw problem("unauthorized", "You are not signed in.");
  if (purpose === "link" && !isConfirmed(session, nowMs)) throw problem("confirmation-required", "Confirm first.");
}

const callback: AnybodysRoute = {
  ...common,
  path: CALLBACK_PATH,
  operationId: "finishOidc",
  summary: "Come back from the OpenID Connect provider",
  description:
    "For the browser that the provider sends back. It leads to `/`, or to `/sign-in` with `problem`, `for` and `reason`.",
  problems: [404],
  isFromElsewhere: true,
  query: body({
    state: Type.Optional(Type.String({ description: "As it was sent to the provider.", examples: ["t0Xy…"] })),
    code: Type.Optional(Type.String({ description: "What the provider gives for whom it saw.", examples: ["Zm9v…"] })),
    error: Type.Optional(Type.String({ description: "Why it gives none.", examples: ["access_denied"] })),
  }),
  async run(desk, request) {
    const provider = requireProvider(desk);
    const handshake = handshakeOf(desk, request);
    if (handshake === null) return back(desk, { problem: "sign-in-failed", reason: "begin-again" });
    const { purpose, question } = handshake;
    const { search, nowMs } = request;
    try {
      const address = new URL(desk.publicUrl() + CALLBACK_PATH + search);
      const word = await provider.answer(address, question, { needsEmail: purpose === "accept", nowMs });
      return await ACTS[purpose](desk, request, handshake, word);
    } catch (thrown) {
      return backFrom(desk, purpose, thrown);
    }
  },
};

/** The sign-in that this browser began under the address's `state`; it continues once. */
function handshakeOf(desk: Desk, { search, headers, nowMs }: Asked): Handshake | null {
  const state = new URLSearchParams(search).get("state") ?? "";
  const handshake = desk.handshakes.find(state, nowMs);
  const cookie = handshakeCookieOf(desk.publicUrl());
  const browser = cookie && readToken(headers.get("cookie"), cookie.name);
  if (handshake === null || browser === null) return null;
  if (!timingSafeEqual(Buffer.from(hashToken(browser)), Buffer.from(handshake.browserHash))) return null;
  return desk.handshakes.take(state, nowMs);
}

type Act = (desk: Desk, request: Asked, handshake: Handshake, word: ProviderWord) => Promise<AccessReply>;

/** How each purpose uses the provider's word. */
const ACTS: Readonly<Record<Purpose, Act>> = { "sign-in": signIn, accept, link, confirm };

/** Redirects, signed in with a token; or shows the failure. */
function home(desk: Desk, purpose: Purpose, { refusal }: IdentityOutcome, token: string | null): AccessReply {
  if (refusal !== null) return back(desk, { problem: "sign-in-failed", for: purpose, reason: refusal });
  desk.sessions.forget();
  return { status: 303, location: `${desk.publicUrl()}/`, ...(token !== null && { token }) };
}

/** The same if a session has begun: the device is known from now on. */
function homeSignedIn(
  desk: Desk,
  purpose: Purpose,
  outcome: IdentityOutcome,
  { token, nowMs }: { readonly token: string; readonly nowMs: number },
): AccessReply {
  const reply = home(desk, purpose, outcome, token);
  return outcome.refusal === null ? { ...reply, device: deviceOf(desk, token, nowMs) } : reply;
}

async function signIn(
  desk: Desk,
  { visitor, nowMs }: Asked,
  { asking }: Handshake,
  word: ProviderWord,
): Promise<AccessReply> {
  const { token, session } = newSession(desk, nowMs, asking && { id: asking.sessionId });
  try {
    const outcome = await desk.order("signInByIdentity", { word: told(word), session }, visitor);
    return homeSignedIn(desk, "sign-in", outcome, { token, nowMs });
  } catch (thrown) {
    const identity = findIdentityBySubject(desk.db, word);
    const account = identity && findAccount(desk.db, { id: identity.accountId });
    const reason = account?.suspendedAt ? "SUSPENDED" : "PROVIDER";
    const failed = { event: "sign-in-failed", reason, sessionId: null } as const;
    if (identity) await desk.order("tell", { ...failed, accountId: identity.accountId }, visitor);
    throw thrown;
  }
}

async function accept(
  desk: Desk,
  { visitor, nowMs }: Asked,
  { linkHash, asking }: Handshake,
  word: ProviderWord,
): Promise<AccessReply> {
  const { email, isEmailVerified } = word;
  if (linkHash === null || email === null || !isEmailVerified) {
    return back(desk, { problem: "sign-in-failed", for: "accept", reason: "email-unverified" });
  }
  const { token, session } = newSession(desk, nowMs, asking && { id: asking.sessionId });
  const name = word.name !== null && findFaults(PERSON_NAME, word.name).length === 0 ? word.name : email;
  const acceptance = { linkHash, word: told(word), email, name, asking, session };
  const outcome = await desk.order("acceptByIdentity", acceptance, visitor);
  return outcome.isBegun
    ? homeSignedIn(desk, "accept", outcome, { token, nowMs })
    : home(desk, "accept", outcome, null);
}

async function link(desk: Desk, { visitor }: Asked, { asking }: Handshake, word: ProviderWord): Promise<AccessReply> {
  if (asking === null) throw problem("unauthorized", "You are not signed in.");
  const token = newToken();
  const coming = { ...asking, word: told(word), tokenHash: hashToken(token) };
  return home(desk, "link", await desk.order("linkIdentity", coming, visitor), token);
}

async function confirm(
  desk: Desk,
  { visitor }: Asked,
  { asking, begunMs }: Handshake,
  word: ProviderWord,
): Promise<AccessReply> {
  if (asking === null) throw problem("unauthorized", "You are not signed in.");
  if (word.provedAtMs === null || word.provedAtMs < begunMs - CLOCKS_APART_MS) {
    return back(desk, { problem: "sign-in-failed", for: "confirm", reason: "too-old" });
  }
  const token = newToken();
  const coming = { ...asking, word: told(word), tokenHash: hashToken(token) };
  return home(desk, "confirm", await desk.order("confirmByIdentity", coming, visitor), token);
}

/** The input of a change of accounts. */
function told({ issuer, subject, hasSecondFactor }: ProviderWord) {
  return { issuer, subject, hasSecondFactor };
}

/** The routes to the provider and back. */
export const oidcRoutes: readonly AccessRoute[] = [begin, callback];
