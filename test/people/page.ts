// A page of the service in Chromium, with an authenticator that the browser makes up: what passkeys are tried with.
import type { Browser, BrowserContext, CDPSession, Page } from "playwright-core";

/** What the API answered a page. */
export interface PageAnswer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of every shape
  readonly json: any;
}

/** What a browser made of options, as JSON. */
// biome-ignore lint/suspicious/noExplicitAny: it is handed on as it is
export type Credential = any;

/** A page, and the authenticator of its browser. */
export interface PasskeyPage {
  readonly page: Page;
  /** Asks the API as the page does. */
  api(method: string, path: string, body?: unknown): Promise<PageAnswer>;
  /** Has the browser make a passkey. */
  make(options: unknown): Promise<Credential>;
  /** Has the browser use one. */
  use(options: unknown): Promise<Credential>;
  /** Asks for options and uses a passkey to sign in; without sending what it signed. */
  answerTo(use: "sign-in" | "confirm"): Promise<Credential>;
  /** Adds a passkey to the account that is signed in. */
  add(name?: string): Promise<PageAnswer>;
  /** Whether the authenticator is told a right finger or PIN from now on. */
  verifies(isRight: boolean): Promise<void>;
  /** Sets what the authenticator has counted, as an old copy of it would have it. */
  setCounted(count: number): Promise<void>;
}

/** What the page can do by itself. It is text, because it runs in the browser. */
const IN_PAGE = `
  globalThis.ask = async (method, path, body) => {
    const headers = body === undefined ? {} : { "content-type": "application/json" };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const response = await fetch("/api/v1" + path, { method, headers, ...sent });
    const text = await response.text();
    return { status: response.status, json: text === "" ? null : JSON.parse(text) };
  };
  globalThis.make = async (options) =>
    (await navigator.credentials.create({
      publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) })).toJSON();
  globalThis.use = async (options) =>
    (await navigator.credentials.get({
      publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) })).toJSON();
`;

/** Pages of a browser: those that are in use, each with the session of its authenticator, and those that are not. */
interface Pages {
  readonly used: Map<Page, CDPSession>;
  readonly free: Page[];
}
const pagesOf = new WeakMap<Browser, Pages>();

/** Opens a page of a service in a browser of its own cookies; `token` signs it in. Some authenticators ask for nothing. */
export async function openPage(
  browser: Browser,
  url: string,
  { token = null, canVerify = true }: { readonly token?: string | null; readonly canVerify?: boolean } = {},
): Promise<PasskeyPage> {
  const { used, free } = pagesOf.get(browser) ?? { used: new Map(), free: [] };
  pagesOf.set(browser, { used, free });
  const page = free.pop() ?? (await askingPage(await browser.newContext()));
  const context = page.context();
  if (token !== null) await context.addCookies([cookieOf(url, token)]);
  const session = await context.newCDPSession(page);
  used.set(page, session);
  const authenticator = await addAuthenticator(session, canVerify);
  return Object.assign(await onPage(page, url), authenticator);
}

/** Takes the cookies and authenticators of all pages away, for the next test: a new context takes more work than a test. */
export async function releasePages(browser: Browser): Promise<void> {
  const { used, free } = pagesOf.get(browser) ?? { used: new Map<Page, CDPSession>(), free: [] };
  for (const [page, session] of used) {
    await session.detach();
    await page.context().clearCookies();
    free.push(page);
  }
  used.clear();
}

/** A new page, which can ask the service that it is opened at. */
export async function askingPage(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  await page.addInitScript(IN_PAGE);
  return page;
}

/** The session's cookie as the service sets it. */
export function cookieOf(url: string, value: string) {
  const { port, hostname: domain } = new URL(url);
  return { name: `captable-${port}`, value, domain, path: "/", httpOnly: true, sameSite: "Strict" as const };
}

/** Opens a page of a service, which then asks it. */
export async function onPage(page: Page, url: string) {
  await page.goto(`${url}/problems/unauthorized`);
  const call = <T>(name: string, ...given: readonly unknown[]): Promise<T> =>
    page.evaluate(`${name}(...${JSON.stringify(given)})`);
  const api = (method: string, path: string, body?: unknown) =>
    call<PageAnswer>("ask", method, path, ...(body === undefined ? [] : [body]));
  return {
    page,
    api,
    make: (options: unknown) => call<Credential>("make", options),
    use: (options: unknown) => call<Credential>("use", options),
    async answerTo(use: "sign-in" | "confirm") {
      const { json } = await api("POST", "/auth/passkey/options", { for: use });
      return call<Credential>("use", json.data);
    },
    async add(name = "Ada's laptop") {
      const { json } = await api("POST", "/auth/passkeys/options");
      return api("POST", "/auth/passkeys", { name, credential: await call("make", json.data) });
    },
  };
}

/** Gives a page, by its protocol, an authenticator that shows its passkeys without being asked, until that is detached. */
export async function addAuthenticator(protocol: CDPSession, canVerify = true) {
  await protocol.send("WebAuthn.enable");
  const options = {
    protocol: "ctap2" as const,
    transport: "internal" as const,
    automaticPresenceSimulation: true,
    hasResidentKey: canVerify,
    hasUserVerification: canVerify,
    isUserVerified: canVerify,
  };
  const { authenticatorId } = await protocol.send("WebAuthn.addVirtualAuthenticator", { options });
  return {
    verifies: async (isUserVerified: boolean) =>
      void (await protocol.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified })),
    async setCounted(signCount: number) {
      const { credentials } = await protocol.send("WebAuthn.getCredentials", { authenticatorId });
      await protocol.send("WebAuthn.clearCredentials", { authenticatorId });
      for (const credential of credentials) {
        await protocol.send("WebAuthn.addCredential", { authenticatorId, credential: { ...credential, signCount } });
      }
    },
  };
}
