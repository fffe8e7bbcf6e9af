// Events as they happen: by the stream, and where that cannot be had by asking for news every five seconds.
import { ConnectionError, ProblemError, readRefusal } from "./errors.ts";
import type { EventPattern, EventType } from "./made/known.ts";
import type { components } from "./made/types.ts";
import { readJson } from "./read-json.ts";
import { type Sender, type Wait, waitByTimer } from "./sender.ts";

type Told = components["schemas"]["ListEventsResult"]["items"][number];

/** What happened. Later versions have more types. */
export interface CaptableEvent extends Omit<Told, "type"> {
  readonly type: EventType | (string & {});
}

/** An event of the feed, and the place behind it: what was handled up to there is not told again after that cursor. */
export type FeedEvent = CaptableEvent & { readonly cursor: string };

/** What of the feed is followed. */
export interface EventsOptions {
  /** The cursor of the last event that was handled; without one, what happens from now on. */
  readonly after?: string;
  /** By default all. */
  readonly types?: readonly (EventType | EventPattern)[];
  /** Ends it: the iterator throws the signal's reason. */
  readonly signal?: AbortSignal;
}

const POLL_MS = 5000;
/** After so many polls the stream is tried again. */
const POLLS = 12;
const PAGE = 500;
/** A stream without a sign of life for so long is gone: it has one every 15 s. */
const SILENCE_MS = 45_000;
const AGAIN_MS = 1000;
const AGAIN_MAX_MS = 30_000;

interface Page {
  readonly items: readonly CaptableEvent[];
  readonly cursor: string;
  readonly hasMore: boolean;
}

/** One part of a stream: an event, a sign of life with its cursor, or its end. */
interface Message {
  readonly id: string | null;
  readonly event: string | null;
  readonly data: string | null;
}

/**
 * Follows the feed without end. Network failures after the first answer are waited out; refusals are thrown, as
 * `ProblemError`: with `events-rewound` its `problem.cursor` says where to go on.
 */
export async function* eventsOf(
  sender: Sender,
  { after, types, signal }: EventsOptions,
  wait: Wait = waitByTimer,
): AsyncGenerator<FeedEvent, void, undefined> {
  const asked = types === undefined ? {} : { types: types.join(",") };
  const get = (query: Readonly<Record<string, string>>): Promise<Page> =>
    readJson(sender, `/api/v1/events?${new URLSearchParams({ ...asked, ...query })}`, signal);
  let cursor = after ?? (await get({ after: "latest", limit: "1" })).cursor;
  let failures = 0;
  for (;;) {
    const connection = linked(signal);
    try {
      const stream = await openStream(sender, { ...asked, after: cursor }, connection.signal);
      if (stream !== null) {
        for await (const message of messagesOf(stream, signal)) {
          if (message.event === "end") break;
          if (message.id === null) continue;
          const event = message.data === null ? null : eventIn(message.data);
          cursor = message.id;
          failures = 0;
          if (event !== null) yield { ...event, cursor };
        }
      }
      for (let polls = 0; stream === null && polls < POLLS; polls++) {
        for (let hasMore = true; hasMore; ) {
          const page: Page = await get({ after: cursor, limit: String(PAGE) });
          // Only behind the last one is a place that is known: one in between tells the page again from its start.
          const last = page.items.length - 1;
          for (const [at, event] of page.items.entries())
            yield { ...event, cursor: at === last ? page.cursor : cursor };
          ({ cursor, hasMore } = page);
        }
        failures = 0;
        await wait(POLL_MS, signal);
      }
    } catch (failure) {
      if (signal?.aborted) throw signal.reason;
      if (failure instanceof ProblemError && failure.status < 500 && failure.status !== 429) throw failure;
      if (!(failure instanceof ProblemError || failure instanceof ConnectionError)) throw failure;
    } finally {
      connection.end();
    }
    await wait(Math.min(AGAIN_MS * 2 ** failures++, AGAIN_MAX_MS), signal);
  }
}

/** A signal for one connection, which aborts with another one, and lets go of that at its end. */
function linked(signal: AbortSignal | undefined): { readonly signal: AbortSignal; end(): void } {
  const own = new AbortController();
  const abort = () => own.abort(signal?.reason);
  if (signal?.aborted) abort();
  else signal?.addEventListener("abort", abort, { once: true });
  return { signal: own.signal, end: () => signal?.removeEventListener("abort", abort) };
}

function eventIn(data: string): CaptableEvent {
  try {
    return JSON.parse(data) as CaptableEvent;
  } catch {
    throw new ConnectionError("the stream of events has a message that is no JSON");
  }
}

/** Opens the stream; null where it cannot be had: too many, or a proxy that answers something else. */
async function openStream(
  sender: Sender,
  query: Readonly<Record<string, string>>,
  signal: AbortSignal | undefined,
): Promise<ReadableStream<Uint8Array> | null> {
  const path = `/api/v1/events/stream?${new URLSearchParams(query)}`;
  const headers = new Headers({ accept: "text/event-stream" });
  const response = await sender.send({ method: "GET", path, headers, isSafe: false, isStream: true, signal });
  const type = response.headers.get("content-type") ?? "";
  if (response.ok && type.startsWith("text/event-stream") && response.body) return response.body;
  if (response.ok || response.status === 429 || response.status === 503) {
    await response.body?.cancel();
    return null;
  }
  throw await readRefusal(response);
}

/** The messages of a stream as they come. Throws `ConnectionError` where it breaks off or falls silent. */
async function* messagesOf(
  stream: ReadableStream<Uint8Array>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Message, void, undefined> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await orSilence(reader.read(), signal);
      if (done) return;
      const blocks = (rest + decoder.decode(value, { stream: true })).split(/\r?\n\r?\n/);
      rest = blocks.pop() ?? "";
      yield* blocks.map(messageOf);
    }
  } catch (failure) {
    if (signal?.aborted) throw signal.reason;
    if (failure instanceof ConnectionError) throw failure;
    throw new ConnectionError("the stream of events broke off");
  } finally {
    reader.cancel().catch(() => undefined);
  }
}

/** What is read, or a rejection where nothing comes for long or the signal aborts. */
async function orSilence<T>(read: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let abort = () => {};
  const ended = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new ConnectionError("the stream of events fell silent")), SILENCE_MS);
    abort = () => reject(signal?.reason);
    signal?.addEventListener("abort", abort, { once: true });
  });
  try {
    return await Promise.race([read, ended]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
  }
}

/** Reads a block of lines; members that it does not have are null. */
function messageOf(block: string): Message {
  const fields = new Map<string, string>();
  for (const line of block.split(/\r?\n/)) {
    const [, name = "", value = ""] = /^(\w+): ?(.*)$/.exec(line) ?? [];
    if (name === "") continue;
    const before = fields.get(name);
    fields.set(name, name === "data" && before !== undefined ? `${before}\n${value}` : value);
  }
  return { id: fields.get("id") ?? null, event: fields.get("event") ?? null, data: fields.get("data") ?? null };
}
