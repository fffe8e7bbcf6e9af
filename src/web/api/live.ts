// Follows what happens in an organization while its page is looked at: by a stream of events, or, where the browser has as
// many of those as it may, by asking from time to time. What is shown is then read again.
import { pause } from "../clock.ts";
import { answer, apiOf, BACKGROUND } from "./client.ts";
import { type Happenings, streamed, tell } from "./happenings.ts";
import { ApiProblem } from "./problem.ts";
import { readSoon } from "./read-soon.ts";
import { changedElsewhere } from "./remembered.ts";
import { session } from "./session.ts";

/** A browser has six connections to a server for all its pages: streams take three at most. */
const LOCKS = ["captable-live-1", "captable-live-2", "captable-live-3"] as const;
const HIDDEN_MS = 60_000;
const ASK_EVERY_MS = 30_000;
const AGAIN_MS = 2000;
/** A stream says something every 15 s: one that is silent for longer is dead. */
const SILENT_MS = 40_000;
const PAGE_SIZE = 500;

/** Where the feed was left in each organization. */
const cursors = new Map<string, string>();

/** Follows an organization of which nothing was read before `since`, an instant of the server. Returns what ends it. */
export function follow(orgId: string, since: string): () => void {
  const end = new AbortController();
  following(orgId, since, end.signal).catch(() => undefined);
  return () => end.abort();
}

/** Rejects once it is ended. */
async function following(orgId: string, since: string, end: AbortSignal): Promise<never> {
  for (;;) {
    if (document.visibilityState !== "visible") await once(document, "visibilitychange", end);
    const looked = whileLookedAt(end);
    try {
      await catchUp(orgId, since, looked);
      const wasOpen = await withLock(() => stream(orgId, looked));
      await pause(wasOpen ? AGAIN_MS : ASK_EVERY_MS, looked);
    } catch (error) {
      end.throwIfAborted();
      const status = error instanceof ApiProblem ? error.status : 0;
      if (error instanceof Out || status === 401 || status === 403) await signedIn(end);
      else if (!looked.aborted) await pause(ASK_EVERY_MS, end);
    }
  }
}

/** Reads what happened since the feed was left. Throws `ApiProblem` where one may not. */
async function catchUp(orgId: string, since: string, signal: AbortSignal): Promise<void> {
  const ask = (query: { readonly after: string } | { readonly since: string }) => {
    const params = { query: { ...query, limit: PAGE_SIZE } };
    return answer(apiOf(orgId).GET("/api/v1/events", { params, headers: BACKGROUND, signal }));
  };
  for (let hasMore = true; hasMore; ) {
    const after = cursors.get(orgId);
    try {
      const page = await ask(after === undefined ? { since } : { after });
      hasMore = page.hasMore;
      heard(orgId, page.items, page.cursor);
    } catch (error) {
      if (!(error instanceof ApiProblem && error.slug === "events-rewound")) throw error;
      heard(orgId, null, (await ask({ after: "latest" })).cursor);
    }
  }
}

/** One may follow no longer. */
class Out extends Error {}

/** Follows the stream until it ends; false where it cannot be had. Throws `Out`. */
async function stream(orgId: string, looked: AbortSignal): Promise<boolean> {
  const silence = new AbortController();
  const headers = { ...BACKGROUND, "Captable-Organization": orgId, "Last-Event-ID": cursors.get(orgId) ?? "" };
  const asked = { headers, signal: AbortSignal.any([looked, silence.signal]) };
  const { ok, body } = await fetch("/api/v1/events/stream", asked).catch(() => Response.error());
  if (!ok || body === null) return false;
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  streamed.set(orgId);
  for (let rest = "", isOut = false; ; ) {
    const timer = setTimeout(() => silence.abort(), SILENT_MS);
    const { done, value = "" } = await reader.read().catch(() => ({ done: true, value: "" }));
    clearTimeout(timer);
    const blocks = `${rest}${value}`.split("\n\n");
    rest = blocks.pop() ?? "";
    for (const block of blocks) isOut = take(orgId, block) || isOut;
    if (!done) continue;
    streamed.set(null);
    if (isOut) throw new Out();
    return true;
  }
}

/** Takes a block of the stream, whose lines are fields with their values; true where it says that one may no longer. */
function take(orgId: string, block: string): boolean {
  const { id, data = "", event } = Object.fromEntries(block.split("\n").map((line) => line.split(/: (.*)/s, 2)));
  if (id !== undefined) heard(orgId, data === "" ? [] : [JSON.parse(data)], id);
  return event === "end" && /unauthorized|forbidden/.test(data);
}

/** Takes what happened, and where the feed is left then. */
function heard(orgId: string, happened: Happenings, cursor: string): void {
  cursors.set(orgId, cursor);
  if (happened?.length === 0) return;
  const deleted = (happened ?? []).filter(({ type }) => type.endsWith(".deleted"));
  changedElsewhere(
    orgId,
    deleted.flatMap(({ data }) => data.resourceId ?? []),
  );
  tell(orgId, happened);
  readSoon();
}

/** Runs with one of the locks; null where none is free, or there are none. */
async function withLock<T>(does: () => Promise<T>): Promise<T | null> {
  for (const name of LOCKS) {
    const done = await navigator.locks?.request(name, { ifAvailable: true }, async (lock) => {
      return lock === null ? null : { answer: await does() };
    });
    if (done) return done.answer;
  }
  return null;
}

/** Aborted at the end, or once the page was hidden for a while. */
function whileLookedAt(end: AbortSignal): AbortSignal {
  const looked = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const look = () => {
    clearTimeout(timer);
    if (document.visibilityState !== "visible") timer = setTimeout(() => looked.abort(), HIDDEN_MS);
  };
  document.addEventListener("visibilitychange", look, { signal: AbortSignal.any([end, looked.signal]) });
  return AbortSignal.any([end, looked.signal]);
}

function once(target: EventTarget, event: string, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    target.addEventListener(event, () => resolve(), { once: true, signal });
    signal.addEventListener("abort", () => reject(signal.reason));
  });
}

/** Waits until a user signs in, here or on another page. */
async function signedIn(end: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const leave = session.follow(resolve);
  await Promise.race([promise, once(window, "focus", end)]).finally(leave);
}
