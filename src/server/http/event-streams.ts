// Streams of server-sent events: who waits is woken by a commit, and what has happened is read when the client takes it,
// so that a slow one holds no memory.
import { Problem } from "../../kernel/problem.ts";
import { giveWay } from "../../kernel/threads/give-way.ts";
import type { LiveReader, ReadRoute } from "../../resources/route.ts";
import { dataVersion } from "../../storage/database/open.ts";
import type { Reader } from "../../storage/database/sql.ts";
import type { Admission } from "./admit.ts";
import type { Exchange } from "./exchange.ts";

const HEARTBEAT_MS = 15_000;
/** How often commits of other threads and processes are looked for: an organization is not read more often. */
const LOOK_MS = 50;
/** Of the time while requests write, looks take a fiftieth: what one took is rested so many times, up to so long. */
const REST_TIMES = 49;
const REST_MS_MAX = 250;
/** So long after a commit, requests count as writing. */
const WRITING_MS = 50;
const BEGINNING = "retry: 2000\n\n";

/** How many streams there may be: of a key or session, of an organization, and in all. */
export interface StreamLimits {
  readonly ofCaller: number;
  readonly ofOrganization: number;
  readonly inAll: number;
}

const LIMITS: StreamLimits = { ofCaller: 20, ofOrganization: 100, inAll: 500 };
const BUSY_RETRY_SECONDS = 30;

/** Why a stream ends. */
type Reason = "unauthorized" | "forbidden" | "rewound" | "server-stops";

interface StreamsParts {
  readonly reader: Reader;
  readonly admission: Pick<Admission, "admitAgain">;
  /** Opens the snapshot of this turn of the event loop. */
  readonly openTurn: () => void;
  readonly limits?: Partial<StreamLimits> | undefined;
}

/** The streams of a service. */
export class EventStreams {
  readonly #parts: StreamsParts;
  readonly #limits: StreamLimits;
  readonly #open = new Set<Stream>();
  #looks: ReturnType<typeof setInterval> | null = null;
  #version = -1;
  #waking: ReturnType<typeof setTimeout> | null = null;
  #wokenAt = Number.NEGATIVE_INFINITY;
  /** One for all streams that read at one moment. */
  #look = {};
  /** How long the streams have read since they were woken. */
  #tookMs = 0;
  #committedAt = Number.NEGATIVE_INFINITY;

  constructor(parts: StreamsParts) {
    this.#parts = parts;
    this.#limits = { ...LIMITS, ...parts.limits };
  }

  /** How many there are. */
  get count(): number {
    return this.#open.size;
  }

  /** Begins a stream. Throws `429` or `503` where there are too many, and what its route throws. */
  open(live: NonNullable<ReadRoute["live"]>, route: ReadRoute, exchange: Exchange, query: object): ReadableStream {
    const { request, params, caller, visit } = exchange;
    const { orgId, id, role } = caller;
    this.#refuseTooMany(id, orgId);
    const { reader } = this.#parts;
    const lastEventId = request.headers.get("last-event-id") || null;
    const asked = { orgId, params, query: { ...query }, nowMs: visit.startedMs, role, lastEventId };
    const stream = new Stream({ reader: live(reader, asked), callerId: id, orgId });
    this.#open.add(stream);
    this.#looks ??= this.#beginLooks();
    const end = () => {
      this.#open.delete(stream);
      stream.wake();
      if (this.#open.size > 0 || this.#looks === null) return;
      clearInterval(this.#looks);
      this.#looks = null;
    };
    request.signal.addEventListener("abort", end);
    const encoder = new TextEncoder();
    let isFirst = true;
    return new ReadableStream(
      {
        pull: async (controller) => {
          const next = isFirst ? Promise.resolve(BEGINNING) : this.#next(stream, route, request);
          isFirst = false;
          const text = await next.catch((thrown: unknown) => {
            end();
            throw thrown;
          });
          if (text !== null) controller.enqueue(encoder.encode(text));
          if (text !== null && stream.ended === null) return;
          end();
          controller.close();
        },
        cancel: end,
      },
      { highWaterMark: 0 },
    );
  }

  /**
   * Something may have happened: called after commits. Who waits looks at once, and then at most every 50 ms, and more
   * seldom where much is read.
   */
  wake(): void {
    if (this.#open.size === 0) return;
    this.#committedAt = performance.now();
    this.#lookSoon();
  }

  #lookSoon(): void {
    if (this.#waking !== null) return;
    const rest = Math.max(LOOK_MS, Math.min(REST_MS_MAX, this.#tookMs * REST_TIMES));
    const wait = this.#wokenAt + rest - performance.now();
    if (wait <= 0) this.#wakeAll();
    else {
      this.#waking = setTimeout(() => {
        this.#waking = null;
        this.#wakeAll();
      }, wait);
    }
  }

  #wakeAll(): void {
    this.#wokenAt = performance.now();
    this.#tookMs = 0;
    this.#look = {};
    for (const stream of this.#open) stream.wake();
  }

  /** Ends all streams, which say so. */
  stop(): void {
    for (const stream of this.#open) stream.end("server-stops");
  }

  #refuseTooMany(callerId: string, orgId: string): void {
    const { ofCaller, ofOrganization, inAll } = this.#limits;
    const count = (is: (stream: Stream) => boolean) => [...this.#open].filter(is).length;
    if (this.#open.size >= inAll) {
      const retry = { retryAfterSeconds: BUSY_RETRY_SECONDS };
      throw new Problem("unavailable", "The server has as many streams of events as it may.", undefined, retry);
    }
    if (count((stream) => stream.callerId === callerId) >= ofCaller) {
      throw tooMany(`A key or session may have ${ofCaller} streams of events at once.`);
    }
    if (count((stream) => stream.orgId === orgId) >= ofOrganization) {
      throw tooMany(`An organization may have ${ofOrganization} streams of events at once.`);
    }
  }

  #beginLooks(): ReturnType<typeof setInterval> {
    return setInterval(() => {
      const version = dataVersion(this.#parts.reader);
      if (version === this.#version) return;
      this.#version = version;
      this.wake();
    }, LOOK_MS);
  }

  /** The next text of a stream: messages, a heartbeat, or its end; null once its client has gone. */
  async #next(stream: Stream, route: ReadRoute, request: Request): Promise<string | null> {
    const until = performance.now() + HEARTBEAT_MS;
    for (;;) {
      if (!this.#open.has(stream)) return null;
      if (stream.ended) return ending(stream.ended);
      const look = this.#look;
      // What came after it had read is for the next look, in which it reads together with the others.
      if (stream.hasRead === look && performance.now() < until) {
        await stream.wait(until - performance.now());
        continue;
      }
      const began = performance.now();
      try {
        const { reader, admission, openTurn } = this.#parts;
        openTurn();
        const { role } = admission.admitAgain(route, request);
        const { text, hasMore } = stream.reader.next(reader, { look, role });
        // While requests write, it has a page of each look; it goes on behind when they rest.
        const isWriting = began - this.#committedAt < WRITING_MS;
        stream.hasRead = hasMore && !isWriting ? null : look;
        if (hasMore && isWriting) this.#lookSoon();
        if (text !== "") return text;
        if (performance.now() >= until) return stream.reader.heartbeat(reader);
      } catch (thrown) {
        stream.end(reasonOf(thrown));
        continue;
      } finally {
        this.#tookMs += performance.now() - began;
      }
      // What is not asked for may be long: others have their turn after each page of it.
      if (stream.hasRead === null) await giveWay();
    }
  }
}

interface StreamParts {
  readonly reader: LiveReader;
  readonly callerId: string;
  readonly orgId: string;
}

/** One stream. */
class Stream {
  readonly reader: LiveReader;
  readonly callerId: string;
  readonly orgId: string;
  /** Why it ends; null while it goes on. */
  ended: Reason | null = null;
  /** The look in which it read what it may; null before. */
  hasRead: object | null = null;
  #wakes = Promise.withResolvers<void>();

  constructor({ reader, callerId, orgId }: StreamParts) {
    this.reader = reader;
    this.callerId = callerId;
    this.orgId = orgId;
  }

  /** Waits until it is woken, or for so long. */
  async wait(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, ms);
    await Promise.race([this.#wakes.promise, promise]);
    clearTimeout(timer);
  }

  wake(): void {
    const { resolve } = this.#wakes;
    this.#wakes = Promise.withResolvers<void>();
    resolve();
  }

  end(reason: Reason): void {
    this.ended ??= reason;
    this.wake();
  }
}

function tooMany(detail: string): Problem {
  return new Problem("rate-limited", detail, undefined, { retryAfterSeconds: BUSY_RETRY_SECONDS });
}

function reasonOf(thrown: unknown): Reason {
  if (!(thrown instanceof Problem)) throw thrown;
  if (thrown.status === 401) return "unauthorized";
  if (thrown.status === 403) return "forbidden";
  if (thrown.slug === "events-rewound") return "rewound";
  throw thrown;
}

function ending(reason: Reason): string {
  return `event: end\ndata: ${JSON.stringify({ reason })}\n\n`;
}
