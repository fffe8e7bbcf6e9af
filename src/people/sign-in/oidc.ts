// The OpenID Connect client: authenticates a person at a provider, by code flow with PKCE, state and nonce. The package
// is loaded, and the provider's metadata fetched, at the first sign-in by it. No code, token or secret leaves this
// module, not even in the log of a failure.
import type { Configuration, CustomFetch, IDToken } from "openid-client";
import { Problem } from "../../kernel/problem.ts";
import { isTwoFactors } from "./amr.ts";

const HOUR_MS = 3_600_000;
const PATIENCE_SECONDS = 10;
const RETRY_SECONDS = 30;
const ANSWER_BYTES_MAX = 2 ** 20;
const TEXT_MAX = 255;

/** The configured provider. */
export interface ProviderSettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly name: string;
  /** Whether the provider's statement of a second factor counts. */
  readonly trustsFactors: boolean;
}

/** What a request to the provider remembers until its answer comes. */
export interface Question {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** The person that the provider authenticated. */
export interface ProviderWord {
  readonly issuer: string;
  readonly subject: string;
  readonly email: string | null;
  readonly isEmailVerified: boolean;
  readonly name: string | null;
  /** When the provider last authenticated the person; null if it does not say. */
  readonly provedAtMs: number | null;
  readonly hasSecondFactor: boolean;
}

/** The provider, or the person there, refused. */
export class ProviderRefusal extends Error {
  override readonly name = "ProviderRefusal";
}

type Client = typeof import("openid-client");

/** The client of one provider. */
export class Provider {
  readonly #settings: ProviderSettings;
  #known: { readonly config: Configuration; readonly sinceMs: number } | null = null;

  constructor(settings: ProviderSettings) {
    this.#settings = settings;
  }

  get name(): string {
    return this.#settings.name;
  }

  get issuer(): string {
    return this.#settings.issuer;
  }

  /**
   * The address to send the browser to, and what to remember; `isFresh` asks for a new proof. Throws `503 unavailable`
   * if the provider does not answer as the standard says.
   */
  async ask(
    redirectUri: string,
    { state, isFresh, nowMs }: { readonly state: string; readonly isFresh: boolean; readonly nowMs: number },
  ): Promise<{ readonly url: string; readonly question: Question }> {
    const client = await import("openid-client");
    const config = await this.#discover(client, nowMs).catch(unavailable);
    const question = { state, nonce: client.randomNonce(), verifier: client.randomPKCECodeVerifier() };
    const url = client.buildAuthorizationUrl(config, {
      redirect_uri: redirectUri,
      scope: "openid email profile",
      state,
      nonce: question.nonce,
      code_challenge: await client.calculatePKCECodeChallenge(question.verifier),
      code_challenge_method: "S256",
      ...(isFresh && { max_age: "0" }),
    });
    return { url: url.href, question };
  }

  /**
   * The person that the provider authenticated, by the address with which it sent the browser back. Throws {@link
   * ProviderRefusal}, and `503 unavailable` as {@link ask}.
   */
  async answer(
    address: URL,
    { state, nonce, verifier }: Question,
    { needsEmail, nowMs }: { readonly needsEmail: boolean; readonly nowMs: number },
  ): Promise<ProviderWord> {
    const client = await import("openid-client");
    try {
      const config = await this.#discover(client, nowMs);
      const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true };
      const tokens = await client.authorizationCodeGrant(config, address, checks);
      const claims = tokens.claims();
      if (claims === undefined) throw new ProviderRefusal("no identity");
      const isTold = claims.email !== undefined && claims.email_verified !== undefined;
      if (!needsEmail || isTold || !config.serverMetadata().userinfo_endpoint) return this.#word(claims, claims);
      const told = await client.fetchUserInfo(config, tokens.access_token, claims.sub);
      return this.#word(claims, { ...claims, ...told });
    } catch (error) {
      if (error instanceof ProviderRefusal || isRefusal(error)) throw new ProviderRefusal("refused");
      return unavailable(error);
    }
  }

  #word(claims: IDToken, { email, email_verified, name }: Readonly<Record<string, unknown>>): ProviderWord {
    const { iss: issuer, sub: subject, auth_time: provedAt, amr } = claims;
    if (subject.length > TEXT_MAX) throw new ProviderRefusal("a subject is too long");
    return {
      ...{ issuer, subject },
      email: typeof email === "string" ? email : null,
      isEmailVerified: email_verified === true,
      name: typeof name === "string" ? name : null,
      provedAtMs: typeof provedAt === "number" ? provedAt * 1000 : null,
      hasSecondFactor: this.#settings.trustsFactors && isTwoFactors(amr),
    };
  }

  /** The provider's metadata, fetched anew each hour. */
  async #discover(client: Client, nowMs: number): Promise<Configuration> {
    if (this.#known && nowMs - this.#known.sinceMs < HOUR_MS) return this.#known.config;
    const { issuer, clientId, clientSecret } = this.#settings;
    const server = new URL(issuer);
    const config = await client.discovery(server, clientId, undefined, secretOf(client, clientSecret), {
      [client.customFetch]: boundedFetch,
      timeout: PATIENCE_SECONDS,
      // The settings allow http on this machine alone.
      execute: [
        client.enableNonRepudiationChecks,
        ...(server.protocol === "http:" ? [client.allowInsecureRequests] : []),
      ],
    });
    this.#known = { config, sinceMs: nowMs };
    return config;
  }
}

/** How the secret is sent: as the standard's default, unless the provider supports only the other way. */
function secretOf(client: Client, secret: string): ReturnType<Client["ClientSecretBasic"]> {
  const [basic, post] = [client.ClientSecretBasic(secret), client.ClientSecretPost(secret)];
  return (server, ...rest) => {
    const { token_endpoint_auth_methods_supported: ways = ["client_secret_basic"] } = server;
    return (ways.includes("client_secret_basic") ? basic : post)(server, ...rest);
  };
}

/** `fetch` that reads at most 1 MiB. */
const boundedFetch: CustomFetch = async (url, options) => {
  const { body, status, headers } = await fetch(url, options as RequestInit);
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body ?? []) {
    length += chunk.byteLength;
    if (length > ANSWER_BYTES_MAX) throw new Error("the answer is too long");
    chunks.push(chunk);
  }
  return new Response(length === 0 ? null : Buffer.concat(chunks), { status, headers });
};

const REFUSALS: readonly unknown[] = ["access_denied", "login_required", "interaction_required", "consent_required"];
const MISMATCHES: readonly unknown[] = ["OAUTH_JWT_CLAIM_COMPARISON_FAILED", "OAUTH_JWT_TIMESTAMP_CHECK_FAILED"];

/** Whether the provider works, and refuses: the person, or a code that it does not know (any more). */
function isRefusal(error: unknown): boolean {
  const { code, error: said } = wordsOf(error);
  if (code === "OAUTH_AUTHORIZATION_RESPONSE_ERROR") return REFUSALS.includes(said);
  if (code === "OAUTH_RESPONSE_BODY_ERROR") return said === "invalid_grant";
  return MISMATCHES.includes(code);
}

function wordsOf(error: unknown): { readonly code?: unknown; readonly error?: unknown } {
  return typeof error === "object" && error !== null ? error : {};
}

function unavailable(error: unknown): never {
  const { code, error: said } = wordsOf(error);
  const words = [code, said].filter((word) => typeof word === "string" && /^\w{1,60}$/.test(word));
  const cause = `the OpenID Connect provider: ${words.join(" ") || "no usable answer"}`;
  throw new Problem("unavailable", "The sign-in provider cannot be reached, or its answer is not valid.", undefined, {
    retryAfterSeconds: RETRY_SECONDS,
    cause,
  });
}
