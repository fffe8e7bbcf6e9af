// What a query reads, to be read again by the tags of its answers: those that are still the same are not sent again, and
// nothing that they show is drawn anew.
import { send } from "./send.ts";

/** An answer as it came. */
interface Kept {
  readonly tag: string;
  readonly headers: Headers;
  readonly bytes: ArrayBuffer;
}

const readings = new WeakMap<AbortSignal, Reading>();

/** The requests of one reading; they are known by the signal that ends it. */
export class Reading {
  readonly #before: ReadonlyMap<string, Kept>;
  readonly #kept = new Map<string, Kept>();
  readonly #isQuiet: boolean;
  /** Whether an answer is another than before. */
  hasNews = false;

  /** `isQuiet`: the page reads by itself, which keeps no session alive. */
  constructor(signal: AbortSignal, before: Reading | null, isQuiet: boolean) {
    this.#before = before === null ? new Map() : before.#kept;
    this.#isQuiet = isQuiet;
    readings.set(signal, this);
  }

  /** Whether a record is read by its own address, or what lies below it. */
  isAbout(id: string): boolean {
    return [...this.#kept.keys()].some((url) => new URL(url).pathname.split("/").includes(id));
  }

  /** Sends a request of the reading; the answer that is known where it is still the same. */
  async send(request: Request): Promise<Response> {
    const { url, headers, method } = request;
    if (this.#isQuiet) headers.set("Captable-Background", "1");
    // What is asked by a body has no tag.
    const before = method === "GET" ? this.#before.get(url) : undefined;
    if (before) headers.set("If-None-Match", before.tag);
    const response = await send(request);
    if (before && response.status === 304) {
      // Read to its end, else its connection is not used again.
      await response.arrayBuffer();
      return this.#keep(url, before);
    }
    this.hasNews = true;
    const tag = response.headers.get("etag");
    if (method !== "GET" || response.status !== 200 || tag === null) return response;
    return this.#keep(url, { tag, headers: response.headers, bytes: await response.arrayBuffer() });
  }

  #keep(url: string, kept: Kept): Response {
    this.#kept.set(url, kept);
    return new Response(kept.bytes, { headers: kept.headers });
  }
}

/** A request that knows the reading which it is part of. */
export class PartRequest extends Request {
  readonly reading: Reading | undefined;

  constructor(url: string | URL | Request, init?: RequestInit) {
    super(url, init);
    this.reading = init?.signal ? readings.get(init.signal) : undefined;
  }
}

/** Sends a request of the API's client. */
export function sendPart(request: Request): Promise<Response> {
  const reading = request instanceof PartRequest ? request.reading : undefined;
  return reading ? reading.send(request) : send(request);
}
