// The request pipeline: route → host → key → rate limit → role → scope → open organization → body → schema → handler → answer.
// Authorization is in admit.ts, reads in read.ts, writes in write.ts. Every failure that a caller sees is rendered
// here.

import { present } from "../../kernel/assert.ts";
import { problem } from "../../kernel/problem.ts";
import type { AccessRoute, Desk } from "../../people/access-route.ts";
import { isReading, type PathParams, type ReadRequest, type Reply } from "../../resources/route.ts";
import { Admission, type AdmissionParts, type Arrival } from "./admit.ts";
import type { PublicRoute } from "./answers/public.ts";
import { type AnyRoute, isOfPeople } from "./any-route.ts";
import { refuseMalformedHost } from "./host.ts";
import { People } from "./people.ts";
import { type ReadAsked, Reads, type ReadsParts } from "./read.ts";
import { Visit, type VisitParts } from "./request-log.ts";
import { Writes, type WritesParts } from "./write.ts";

/** What the edge needs. */
export interface EdgeParts extends VisitParts, AdmissionParts, ReadsParts, WritesParts {
  /** Called when a request comes, with the clock of `performance.now()`: for work that can wait. */
  readonly lastRequest: Float64Array;
  /** What routes of people need, except the sessions; null: people cannot sign in. */
  readonly desk: Omit<Desk, "sessions"> | null;
}

/** Answers requests for matched routes, and for addresses without a route. */
export class Edge {
  readonly #parts: EdgeParts;
  readonly #admission: Admission;
  readonly #reads: Reads;
  readonly #writes: Writes;
  readonly #people: People | null;

  constructor(parts: EdgeParts) {
    this.#parts = parts;
    this.#admission = new Admission(parts);
    this.#reads = new Reads(parts, this.#admission);
    this.#writes = new Writes(parts, this.#admission, this.#reads);
    const { desk, bodyBytesMax } = parts;
    const admission = this.#admission;
    this.#people = desk && new People({ admission, desk: { ...desk, sessions: admission.sessions }, bodyBytesMax });
  }

  /**
   * Serves one request of a route; a read is answered at once, because a promise would cost as much as the record.
   * `address` gives the client's, and is asked for only when a key is refused or its use noted.
   */
  serve(route: AnyRoute, request: Request, params: PathParams, address: () => string): Response | Promise<Response> {
    const visit = new Visit(this.#parts, request, route.path);
    try {
      this.#parts.lastRequest[0] = visit.started;
      if (route.method !== "GET") this.#parts.lastRequest[1] = visit.started;
      refuseMalformedHost(request);
      if (isOfPeople(route)) return this.#servePeople(route, { request, visit, address }, params);
      if (isReading(route)) this.#reads.openTurn();
      // Refuses an unknown key, and a key whose role or scopes do not suffice for the route.
      const caller = this.#admission.admit(route, { request, visit, address });
      const exchange = { request, params, caller, visit };
      if (route.method === "GET") return this.#reads.read(route, exchange);
      if (isReading(route)) return this.#reads.ask(route, exchange).catch((thrown: unknown) => visit.refuse(thrown));
      return this.#writes.change(route, exchange).then(
        (answer) => {
          this.#reads.streams.wake();
          if (route.role === "ADMIN") this.#admission.forgetWriters(); // it may have revoked a key or removed a member
          return visit.answer(answer);
        },
        (thrown: unknown) => visit.refuse(thrown),
      );
    } catch (thrown) {
      return visit.refuse(thrown);
    }
  }

  async #servePeople(route: AccessRoute, arrival: Arrival, params: PathParams): Promise<Response> {
    try {
      const answer = await present(this.#people, "the desk of people").answer(route, arrival, params);
      if (route.method !== "GET") this.#admission.forgetWriters(); // it may have ended a session
      return answer;
    } catch (thrown) {
      return arrival.visit.refuse(thrown);
    }
  }

  /** Does a read in turn for a caller that is known otherwise than by key or session; `admit` gives its input then. */
  readFor(asked: ReadAsked, admit: () => Omit<ReadRequest, "nowMs">): Promise<Reply> {
    return this.#reads.readFor(asked, admit);
  }

  /** How many streams of events are open. */
  get streamCount(): number {
    return this.#reads.streams.count;
  }

  /** Ends the streams of events, which no answer ends. */
  endStreams(): void {
    this.#reads.streams.stop();
  }

  /** Serves a public route. */
  async servePublic(
    route: PublicRoute,
    request: Request,
    params: PathParams,
    address: () => string,
  ): Promise<Response> {
    const visit = new Visit(this.#parts, request, route.loggedAs ?? route.path);
    try {
      if (!route.isForAnyHost) refuseMalformedHost(request);
      return visit.show(await route.run({ params, headers: request.headers, signal: request.signal, address }));
    } catch (thrown) {
      return visit.refuse(thrown);
    }
  }

  /** Answers a request that no route matches: `405` when the address takes other methods, else `404`. */
  refuseUnrouted(request: Request, allowed: () => readonly string[]): Response {
    const visit = new Visit(this.#parts, request, null);
    try {
      refuseMalformedHost(request);
      const methods = allowed().join(", ");
      if (methods === "") return visit.refuse(problem("not-found", "There is no such address."));
      return visit.refuse(problem("method-not-allowed", `This address takes ${methods}.`), { allow: methods });
    } catch (thrown) {
      return visit.refuse(thrown);
    }
  }

  /** Answers a failure outside any route. */
  refuseFailed(request: Request, thrown: unknown): Response {
    return new Visit(this.#parts, request, null).refuse(thrown);
  }
}
