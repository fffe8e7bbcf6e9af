// Pages in a real browser, for tests and pictures: one browser for a file, a fresh context for each test, and a person who
// is signed in. Every visit ends with a look at what the page complained of and whom it asked.
import type { Browser, BrowserContext, CDPSession, Page, Request } from "playwright-core";
import { WAIT_MS } from "./chromium.ts";
import { beginSession, joinOrganization, makeMember, type PersonGiven, type SessionGiven } from "./people.ts";
import type { TestServer } from "./service.ts";

const LOOK_EVERY_MS = 25;
const QUIET_LOOKS = 3;
/** An address of the server that has no page of the app: another would take the browser a new process. */
const EMPTY = "/healthz";
/** Whether a page has its heading. */
const HAS_HEADING =
  "[...document.querySelectorAll('h1:not([data-left])')].some((heading) => heading.checkVisibility())";
/** Whether it has all that it asked for as well: nothing stands in for what is to come. */
const IS_WHOLE = `${HAS_HEADING} && document.querySelector(".outline, [aria-busy=true]") === null`;

/** The display of a browser: size and colours. What is left out is that of a wide screen in light colours. */
export interface Look {
  readonly width?: number;
  readonly height?: number;
  readonly theme?: "light" | "dark";
}

/** A user at a browser. */
export interface Visitor {
  readonly context: BrowserContext;
  readonly page: Page;
  /** What pages complained of: policy, exceptions, failed loads; tests take out what they provoked. */
  readonly complaints: string[];
  /** Every address that was asked for. */
  readonly requests: string[];
  /** Gives the window another display. */
  show(look: Look): Promise<void>;
  /** Goes to an address of the server, by loading it. */
  go(path: string): Promise<void>;
  /**
   * Goes to an address as a link of the page that is open does, and waits for the heading of the page that is there; from a
   * window that is still empty by loading it. What was read less than 30 s before is shown as it was.
   */
  turnTo(path: string): Promise<void>;
  /** Waits until the page has its heading, nothing is asked for, and nothing stands in for what is to come. */
  settled(): Promise<void>;
  /** Throws where a page complained or asked another host since this was last asked. */
  check(): void;
  /** Throws where a page complained or asked another host; ends the visit. */
  leave(): Promise<void>;
}

function emulated({ width = 1440, height = 900, theme = "light" }: Look) {
  return { viewport: { width, height }, colorScheme: theme };
}

/** Opens a browser window at the server, without a session. */
export async function visit(browser: Browser, server: Pick<TestServer, "url">, look: Look = {}): Promise<Visitor> {
  const context = await browser.newContext({
    ...emulated(look),
    locale: "en-US",
    timezoneId: "UTC",
    reducedMotion: "reduce",
    permissions: ["clipboard-read", "clipboard-write"],
  });
  const complaints: string[] = [];
  const requests: string[] = [];
  const underWay = new Set<Request>();
  context.on("page", (page) => {
    page.on("pageerror", (error) => complaints.push(String(error)));
    page.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
    });
    page.on("request", (request) => {
      requests.push(request.url());
      // A stream goes on as long as its page.
      if (!request.url().endsWith("/events/stream")) underWay.add(request);
    });
    for (const end of ["requestfinished", "requestfailed"] as const) {
      page.on(end as "requestfinished", (request) => underWay.delete(request));
    }
  });
  const page = await context.newPage();
  const go = async (path: string) => void (await page.goto(server.url + path));
  function check() {
    const foreign = requests.splice(0).filter((url) => !url.startsWith(server.url) && !/^(?:data|blob):/.test(url));
    if (foreign.length > 0) throw new Error(`asked elsewhere: ${foreign.join(", ")}`);
    const complained = complaints.splice(0);
    if (complained.length > 0) throw new Error(`complained: ${complained.join("\n")}`);
  }
  return {
    ...{ context, page, complaints, requests, go, check },
    async show(given) {
      const { viewport, colorScheme } = emulated(given);
      await page.setViewportSize(viewport);
      await page.emulateMedia({ media: null, colorScheme });
    },
    async turnTo(path) {
      if (["about:blank", server.url + EMPTY].includes(page.url())) await go(path);
      else await inPage({ context }, page, turning(path));
      await waitUntil(page, HAS_HEADING, 1);
    },
    // An answer may lead to the next question, once it has been shown.
    settled: () => waitUntil(page, IS_WHOLE, QUIET_LOOKS, () => underWay.size === 0),
    async leave() {
      await context.close();
      check();
    },
  };
}

/**
 * Waits until an expression is true in a page, and `isQuiet` here, so many times in a row. Playwright's own waiting would
 * load its script into each page first. Throws after `WAIT_MS`.
 */
async function waitUntil(page: Page, expression: string, times: number, isQuiet = () => true): Promise<void> {
  const end = performance.now() + WAIT_MS;
  for (let seen = 0; seen < times; ) {
    await Bun.sleep(LOOK_EVERY_MS);
    // While a page is left for another, evaluating fails.
    const isSo = isQuiet() && (await inPage<boolean>({ context: page.context() }, page, expression).catch(() => false));
    seen = isSo ? seen + 1 : 0;
    if (!isSo && performance.now() > end) throw new Error(`waited too long at ${page.url()} for: ${expression}`);
  }
}

/**
 * Goes from page to page, in the browser: over an address that has none, for two addresses of one page may share its heading,
 * by which a page that was left is known. Without a session that address leads to the sign-in page, which is new then.
 */
function turning(path: string): string {
  // Preact runs effects, from which pages ask, after a frame: they are run when a second one comes.
  return `(async () => {
    const leave = () => document.querySelectorAll("h1").forEach((heading) => heading.setAttribute("data-left", ""));
    const go = async (address) => {
      history.pushState(null, "", address);
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    };
    const target = ${JSON.stringify(path)};
    leave();
    await go("/no-page-is-here");
    if (location.pathname !== new URL(target, location).pathname) leave();
    await go(target);
  })()`;
}

/** Goes to an address from a page that is open, as a link does, and waits until the page that is there has settled. */
export async function follow(visitor: Visitor, path: string): Promise<void> {
  await visitor.turnTo(path);
  await visitor.settled();
}

/** A window that stays open from test to test, for a new one takes 1.2 s of processor time, and a load in it 0.8 s. */
export interface Staying {
  /**
   * Does what a test does there, with another display where one is given. Throws where it does, or where a page complained;
   * the next test then has a new window.
   */
  turn(does: (visitor: Visitor) => Promise<void>, look?: Look): Promise<void>;
  /** Ends the visit. */
  leave(): Promise<void>;
}

/** Takes away the drafts of forms: no test begins with what another typed. */
export async function clearDrafts(visitor: Visitor): Promise<void> {
  await inPage(visitor, visitor.page, "sessionStorage.clear()");
}

/** Leaves the page, and takes away the session and all that is kept in the window. */
export async function clearSession(visitor: Visitor): Promise<void> {
  await visitor.go(EMPTY);
  await inPage(visitor, visitor.page, "sessionStorage.clear(); localStorage.clear()");
  await visitor.context.clearCookies();
}

/**
 * A window that `open` opens for the first test that needs it, with the display `usual`; `clear` takes away what a test has
 * left there.
 */
export function staying(
  open: () => Promise<Visitor>,
  clear: (visitor: Visitor) => Promise<void>,
  usual: Look = {},
): Staying {
  let here: Visitor | null = null;
  return {
    async turn(does, look) {
      here ??= await open();
      const visitor = here;
      try {
        if (look) await visitor.show(look);
        await does(visitor);
        if (look) await visitor.show(usual);
        await visitor.page.unrouteAll({ behavior: "wait" });
        await clear(visitor);
        visitor.check();
      } catch (error) {
        here = null;
        await visitor.context.close();
        throw error;
      }
    },
    async leave() {
      await here?.leave();
      here = null;
    },
  };
}

/** Signs a person in, by a session made in the database: a password takes 0.2 s. Returns the account's id. */
export async function signIn(
  { context }: Pick<Visitor, "context">,
  server: TestServer,
  given: PersonGiven & SessionGiven & { readonly orgId?: string; readonly alsoIn?: readonly string[] } = {},
): Promise<{ readonly accountId: string; readonly memberId: string; readonly email: string }> {
  const { accountId, memberId, email } = await makeMember(server.app.writer, given.orgId ?? server.orgId, given);
  for (const orgId of given.alsoIn ?? []) await joinOrganization(server.app.writer, orgId, accountId, given);
  const { token } = await beginSession(server.app.writer, accountId, given);
  await giveCookie({ context }, server, token);
  return { accountId, memberId, email };
}

/** One session of the protocol for each page: a new one each time takes as much work as the question. */
const sessions = new WeakMap<Page, Promise<CDPSession>>();

/** Evaluates an expression in a page, by the protocol: the policy forbids what the browser's own driver does for it. */
export async function inPage<T>({ context }: Pick<Visitor, "context">, page: Page, expression: string): Promise<T> {
  const opened = sessions.get(page) ?? context.newCDPSession(page);
  sessions.set(page, opened);
  const session = await opened;
  const evaluated = await session.send("Runtime.evaluate", { expression, returnByValue: true, awaitPromise: true });
  if (evaluated.exceptionDetails) throw new Error(JSON.stringify(evaluated.exceptionDetails));
  return evaluated.result.value as T;
}

/** Gives a browser the cookie of a session. */
export async function giveCookie({ context }: Pick<Visitor, "context">, server: TestServer, token: string) {
  const { port } = new URL(server.url);
  const cookie = { name: `captable-${port}`, value: token, url: server.url, httpOnly: true } as const;
  await context.addCookies([{ ...cookie, sameSite: "Strict" }]);
}
