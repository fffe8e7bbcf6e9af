// The connection to an endpoint: one request at a time by node:https, to an address that was judged after the name was
// resolved, without redirects and without a proxy. One connection is kept, for a minute at most.
import { lookup as systemLookup } from "node:dns";
import http from "node:http";
import https from "node:https";
import type { AllowedAddresses } from "../../kernel/text/network-address.ts";
import { type Destination, destinationOf, isAddress, mayGoTo } from "../../resources/webhook-endpoints/addresses.ts";
import type { DeliveryError } from "../../resources/webhook-endpoints/shape.ts";
import { readRetryAfter } from "./delivery-waits.ts";

const REQUEST_MS = 15_000;
const KEPT_MS = 60_000;
const ANSWER_BYTES_MAX = 64 * 1024;
const [OK, REDIRECTS, REDIRECTS_END] = [200, 300, 400];
const HINTED: ReadonlySet<number> = new Set([429, 503]);
/** What a request on a kept connection fails with when the other end has closed it meanwhile. */
const CLOSED: ReadonlySet<string> = new Set(["ECONNRESET", "EPIPE", "ECONNABORTED"]);
const OF_CERTIFICATES = /CERT|SSL|TLS|SELF_SIGNED|UNABLE_TO|HOSTNAME_MISMATCH|EPROTO/;
const OF_NAMES = /^(?:ENOTFOUND|EAI_|EAGAIN|ENODATA|ESERVFAIL|EREFUSED|DNS_)/;

/** An address of a name. */
export interface Resolved {
  readonly address: string;
  readonly family: number;
}

/** Resolves a name to all its addresses. */
export type Resolve = (name: string, done: (error: Error | null, found: readonly Resolved[]) => void) => void;

/** What a request carries. */
export interface Outgoing {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What became of a request. */
export interface Sent {
  /** Null: it was delivered. */
  readonly error: DeliveryError | null;
  readonly responseStatus: number | null;
  /** What `Retry-After` asks for, where it counts. */
  readonly retryAfterMs: number | null;
}

/** How connections are made. */
export interface ConnectionParts {
  readonly allowed: AllowedAddresses;
  readonly resolve?: Resolve;
  /** Roots to trust instead of the usual. */
  readonly ca?: string | undefined;
  readonly nowMs: () => number;
  /** How long a request may take, instead of 15 s. */
  readonly requestMs?: number | undefined;
}

/** The reason for which a request was given up by us. */
class GivenUp extends Error {
  constructor(readonly reason: DeliveryError) {
    super(reason);
  }
}

const resolveBySystem: Resolve = (name, done) =>
  systemLookup(name, { all: true, verbatim: true }, (error, found) => done(error, found));

/** One endpoint's connection. */
export class Connection {
  readonly #parts: ConnectionParts;
  #agent: http.Agent | null = null;
  #agentOf = "";
  #agentMadeAt = 0;
  #end: ReturnType<typeof setTimeout> | null = null;
  #request: http.ClientRequest | null = null;

  constructor(parts: ConnectionParts) {
    this.#parts = parts;
  }

  /** Sends; never rejects. One at a time. */
  async send(outgoing: Outgoing): Promise<Sent> {
    const destination = destinationOf(new URL(outgoing.url));
    const { host } = destination;
    if (isAddress(host) && !mayGoTo(host, destination, this.#parts.allowed)) return failed("address-not-allowed");
    const deadline = performance.now() + (this.#parts.requestMs ?? REQUEST_MS);
    for (;;) {
      const { sent, mayTryAgain } = await this.#request1(outgoing, destination, deadline);
      if (!mayTryAgain) return sent;
      this.close();
    }
  }

  /** Ends the kept connection, and the request in hand. */
  close(): void {
    this.#request?.destroy(new GivenUp("timeout"));
    this.#agent?.destroy();
    this.#agent = null;
    if (this.#end) clearTimeout(this.#end);
    this.#end = null;
  }

  #request1(
    { url, headers, body }: Outgoing,
    destination: Destination,
    deadline: number,
  ): Promise<{ readonly sent: Sent; readonly mayTryAgain: boolean }> {
    const { promise, resolve } = Promise.withResolvers<{ readonly sent: Sent; readonly mayTryAgain: boolean }>();
    const { isEncrypted } = destination;
    const request = (isEncrypted ? https : http).request(url, {
      method: "POST",
      agent: this.#agentFor(url, destination),
      headers: { ...headers, "content-length": String(Buffer.byteLength(body)) },
    });
    this.#request = request;
    let hasAnswer = false;
    const timer = setTimeout(() => request.destroy(new GivenUp("timeout")), Math.max(0, deadline - performance.now()));
    const settle = (sent: Sent, mayTryAgain = false) => {
      clearTimeout(timer);
      if (this.#request === request) this.#request = null;
      resolve({ sent, mayTryAgain });
    };
    const fail = (error: Error) => {
      const code = "code" in error ? String(error.code) : "";
      settle(failed(reasonOf(error)), !hasAnswer && request.reusedSocket && CLOSED.has(code));
    };
    request.on("error", fail);
    request.on("close", () => fail(new Error("closed")));
    request.on("response", (response) => {
      hasAnswer = true;
      let bytes = 0;
      response.on("data", (piece: Uint8Array) => {
        bytes += piece.length;
        if (bytes > ANSWER_BYTES_MAX) {
          settle(failed("response-too-large", response.statusCode));
          request.destroy();
        }
      });
      response.on("error", fail);
      response.on("aborted", () => fail(new Error("aborted")));
      response.on("end", () => {
        if (response.complete) settle(this.#judge(response));
        else fail(new Error("cut"));
      });
    });
    request.end(body);
    return promise;
  }

  #judge({ statusCode = 0, headers }: http.IncomingMessage): Sent {
    const retryAfterMs = HINTED.has(statusCode) ? readRetryAfter(headers["retry-after"], this.#parts.nowMs()) : null;
    const isRedirect = statusCode >= REDIRECTS && statusCode < REDIRECTS_END;
    const error = isRedirect ? "redirect" : statusCode >= OK && statusCode < REDIRECTS ? null : "status";
    return { error, responseStatus: statusCode, retryAfterMs };
  }

  /** The agent with the kept connection; another one after a minute, or for another address. */
  #agentFor(url: string, destination: Destination): http.Agent {
    const { origin } = new URL(url);
    const now = performance.now();
    if (this.#agent && this.#agentOf === origin && now - this.#agentMadeAt < KEPT_MS) return this.#agent;
    this.close();
    const { isEncrypted } = destination;
    const { ca } = this.#parts;
    const options = { keepAlive: true, maxSockets: 1, maxFreeSockets: 1, lookup: this.#lookup(destination) };
    const agent = isEncrypted
      ? new https.Agent({ ...options, rejectUnauthorized: true, ...(ca !== undefined && { ca }) })
      : new http.Agent(options);
    this.#agent = agent;
    this.#agentOf = origin;
    this.#agentMadeAt = now;
    this.#end = setTimeout(() => {
      if (this.#request === null) this.close();
    }, KEPT_MS);
    this.#end.unref();
    return agent;
  }

  /** Resolves a name, judges every address, and gives those to connect to: nothing resolves it again. */
  #lookup(destination: Destination): http.AgentOptions["lookup"] {
    const { allowed, resolve = resolveBySystem } = this.#parts;
    return (name, options, done) => {
      resolve(name, (error, found) => {
        const [first] = found ?? [];
        if (error || first === undefined) done(new GivenUp("dns"), "", 0);
        else if (!found.every(({ address }) => mayGoTo(address, destination, allowed))) {
          done(new GivenUp("address-not-allowed"), "", 0);
        } else if (options.all) done(null, [...found]);
        else done(null, first.address, first.family);
      });
    };
  }
}

function failed(error: DeliveryError, responseStatus: number | null = null): Sent {
  return { error, responseStatus, retryAfterMs: null };
}

function reasonOf(error: Error): DeliveryError {
  if (error instanceof GivenUp) return error.reason;
  const code = "code" in error ? String(error.code) : "";
  if (code === "HPE_HEADER_OVERFLOW") return "response-too-large";
  if (OF_NAMES.test(code)) return "dns";
  return OF_CERTIFICATES.test(code) ? "tls" : "connect";
}
