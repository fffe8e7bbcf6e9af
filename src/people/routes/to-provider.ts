// Sign-in by an OpenID Connect provider, to it. A browser shows the answer, so every failure leads to the sign-in page,
// with words of a closed list.

import { type Static, Type } from "@sinclair/typebox";
import { body, matching, oneOf } from "../../kernel/fields.ts";
import { Problem, type ProblemSlug, problem } from "../../kernel/problem.ts";
import { toTimestamp } from "../../kernel/runtime.ts";
import type { AccessReply, AccessRequest, AnybodysRoute, Desk } from "../access-route.ts";
import { isConfirmed, type Session } from "../principal.ts";
import { handshakeCookieOf } from "../sign-in/cookie.ts";
import { type Handshake, PURPOSES, type Purpose } from "../sign-in/handshake.ts";
import { type Provider, ProviderRefusal } from "../sign-in/oidc.ts";
import { hashToken, newToken } from "../sign-in/token.ts";
import { requireLink } from "../usable-links.ts";

/** Where the provider sends a browser back to. */
export const CALLBACK_PATH = "/api/v1/auth/oidc/callback";

/** Why a sign-in by a provider fails; the person sees each, from a closed list of words. */
export type Refusal = "no-account" | "other-account" | "email-differs";

/** The reason of a failure, if the problem's name alone does not say what to do. */
type Reason = Refusal | "begin-again" | "refused" | "email-unverified" | "too-old";

/** What the routes to the provider and back have in common. */
export const common = { tag: "Signing in", isExtension: true, who: "ANYBODY", method: "GET", status: 303 } as const;

/** A request of a browser on its way to the provider or back, in its session if it has one. */
export type Asked = AccessRequest<unknown, Session | null>;

/** Redirects the browser to the sign-in page, which shows the failure. */
export function back(
  { publicUrl }: Desk,
  told: { readonly problem: ProblemSlug; readonly for?: Purpose; readonly reason?: Reason },
  cause?: unknown,
): AccessReply {
  const query = new URLSearchParams(told);
  return { status: 303, location: `${publicUrl()}/sign-in?${query}`, ...(cause !== undefined && { cause }) };
}

/** The same for a thrown value; one that is not a `Problem` is a bug. */
export function backFrom(desk: Desk, purpose: Purpose, thrown: unknown): AccessReply {
  if (thrown instanceof ProviderRefusal) {
    return back(desk, { problem: "sign-in-failed", for: purpose, reason: "refused" });
  }
  if (!(thrown instanceof Problem)) throw thrown;
  return back(desk, { problem: thrown.slug, for: purpose }, thrown.cause);
}

/** The provider. Throws `404` without one. */
export function requireProvider({ provider }: Desk): Provider {
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

/** The route that leads a browser to the provider. */
export const toProvider: AnybodysRoute = {
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
