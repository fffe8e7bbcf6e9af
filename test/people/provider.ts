// A real OpenID Connect provider on loopback, whose user is the one that the test sets; and a browser that goes there
// and back, as far as cookies and redirects go.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Provider } from "oidc-provider";
import { present } from "../../src/kernel/assert.ts";

export const CLIENT_ID = "captable";
export const CLIENT_SECRET = "a secret of 32 characters or more";

/** Whom the provider sees. */
export interface Seen {
  readonly sub: string;
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly name?: string;
  /** The user's methods of authentication there. */
  readonly amr?: readonly string[];
  /** Whether the person says no. */
  readonly cancels?: boolean;
}

/** A provider that serves. */
export interface TestProvider {
  readonly issuer: string;
  /** Knows a client from now on, which may come back to these addresses. */
  admit(redirectUris: readonly string[], secretSentBy?: "client_secret_basic" | "client_secret_post"): void;
  /** Whom it sees from now on. */
  sees(person: Seen): void;
  /** Has it answer with something else from now on; null: as a provider again. */
  answersWith(answer: (() => Response) | null): void;
  /** What it was asked, a path a request. */
  readonly asked: string[];
  stop(): Promise<void>;
}

const LONG_SECONDS = 3600;
const LASTING = ["Interaction", "Grant", "Session", "AccessToken", "IdToken", "AuthorizationCode"];

/** Starts a provider. */
export async function startProvider(): Promise<TestProvider> {
  let seen: Seen = { sub: "unknown" };
  let instead: (() => Response) | null = null;
  let provider: Provider | null = null;
  const asked: string[] = [];
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const issuer = `http://127.0.0.1:${port}`;
  const make = (redirectUris: readonly string[], secretSentBy: string) =>
    new Provider(issuer, {
      clients: [
        {
          client_id: CLIENT_ID,
          client_secret: CLIENT_SECRET,
          redirect_uris: redirectUris,
          token_endpoint_auth_method: secretSentBy,
        },
      ],
      clientAuthMethods: [secretSentBy],
      ttl: Object.fromEntries(LASTING.map((kind) => [kind, LONG_SECONDS])),
      findAccount: (_: unknown, accountId: string) => ({ accountId, claims: () => ({ ...seen, sub: accountId }) }),
      claims: { openid: ["sub", "amr"], email: ["email", "email_verified"], profile: ["name"] },
      features: { devInteractions: { enabled: false } },
      interactions: { url: () => "/interaction" },
      cookies: { keys: ["for tests"] },
      loadExistingGrant: async (ctx: { oidc: { client: { clientId: string }; session: { accountId: string } } }) => {
        const { client, session } = ctx.oidc;
        const grant = new (present(provider, "the provider").Grant)({
          clientId: client.clientId,
          accountId: session.accountId,
        });
        grant.addOIDCScope("openid email profile");
        await grant.save();
        return grant;
      },
    });
  server.on("request", async (request, response) => {
    asked.push(request.url?.split("?")[0] ?? "");
    if (instead) {
      const other = instead();
      response.writeHead(other.status, Object.fromEntries(other.headers)).end(await other.text());
    } else if (request.url === "/interaction") {
      const login = { accountId: seen.sub, ...(seen.amr && { amr: seen.amr }) };
      await present(provider, "the provider").interactionFinished(
        request,
        response,
        seen.cancels ? { error: "access_denied" } : { login },
      );
    } else await present(provider, "the provider").callback()(request, response);
  });
  return {
    issuer,
    asked,
    admit(redirectUris, secretSentBy = "client_secret_basic") {
      provider = make(redirectUris, secretSentBy);
    },
    sees(person) {
      seen = person;
    },
    answersWith(answer) {
      instead = answer;
    },
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** A browser's cookies and redirects; what a page would do is the test's. */
export class Traveller {
  readonly #cookies = new Map<string, Map<string, string>>();

  /** A cookie's value at an origin. */
  cookie(origin: string, name: string): string | null {
    return this.#of(origin).get(name) ?? null;
  }

  setCookie(origin: string, name: string, value: string): void {
    this.#of(origin).set(name, value);
  }

  /** Loses the cookies of an origin. */
  forget(origin: string): void {
    this.#cookies.delete(origin);
  }

  /** Goes to an address and does not follow where it leads. */
  async go(url: string, site: "same-origin" | "cross-site"): Promise<{ status: number; location: string | null }> {
    const { origin } = new URL(url);
    // A strict cookie does not come along from another site.
    const sent = [...this.#of(origin)].filter(([name]) => site === "same-origin" || !/^captable-\d+$/.test(name));
    const cookie = sent.map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await fetch(url, { redirect: "manual", headers: { "sec-fetch-site": site, cookie } });
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      this.#of(origin).set(name, value);
    }
    await response.text();
    const location = response.headers.get("location");
    return { status: response.status, location: location && new URL(location, url).href };
  }

  /** Follows redirects from a page's link until they lead to an address for which `isThere`; returns that. */
  async follow(url: string, isThere: (url: URL) => boolean): Promise<string> {
    let [at, site]: [string, "same-origin" | "cross-site"] = [url, "same-origin"];
    for (let steps = 0; steps < 10; steps++) {
      const { location, status } = await this.go(at, site);
      if (location === null) throw new Error(`${at} led nowhere: ${status}`);
      if (isThere(new URL(location))) return location;
      if (new URL(location).origin !== new URL(at).origin) site = "cross-site";
      at = location;
    }
    throw new Error("redirects without end");
  }

  #of(origin: string): Map<string, string> {
    const cookies = this.#cookies.get(origin) ?? new Map<string, string>();
    this.#cookies.set(origin, cookies);
    return cookies;
  }
}
