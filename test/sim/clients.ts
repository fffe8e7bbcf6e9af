// Clients as they should be: one request at a time, sent again with its Idempotency-Key until it is answered. What was
// answered is remembered, to be held against the service for ever after.
import { toUtcDate } from "../../src/kernel/runtime.ts";
import type { Random } from "../kit/random.ts";
import type { Clock } from "./clock.ts";
import type { Service } from "./service.ts";
import { type Trace, Violation } from "./trace.ts";
import { type Wish, Wishes } from "./wishes.ts";

/** An organization and a key of its ADMIN. */
export interface Organization {
  readonly id: string;
  readonly key: string;
}

/** A request until its end is known. */
export interface PendingRequest {
  readonly orgId: string;
  readonly wish: Wish;
  readonly key: string | null;
  /** The id of each request that was sent for it, answered or not. */
  readonly requestIds: string[];
  /** The final answer; null until the client has it. */
  answer: { readonly status: number; readonly body: string } | null;
}

/** An answer as its client sees it. */
export interface Seen {
  readonly status: number;
  readonly body: string;
  readonly isReplayed: boolean;
}

/** How requests get to the service: one that crashes meanwhile answers nothing. */
export async function send(
  service: Service,
  organization: Organization,
  method: string,
  path: string,
  more: { readonly body?: unknown; readonly key?: string | null; readonly requestId?: string } = {},
): Promise<Seen | null> {
  const headers: Record<string, string> = { authorization: `Bearer ${organization.key}` };
  if (more.key) headers["idempotency-key"] = more.key;
  if (more.requestId) headers["x-request-id"] = more.requestId;
  const init: RequestInit = { method, headers };
  if (more.body !== undefined) {
    init.body = JSON.stringify(more.body);
    headers["content-type"] = "application/json";
    headers["content-length"] = String(Buffer.byteLength(init.body));
  }
  const request = new Request(`http://cap.example/api/v1${path}`, init);
  // A body comes when the machine has time for it; here it is there at once.
  const bytes = new TextEncoder().encode(typeof init.body === "string" ? init.body : "");
  Object.defineProperty(request, "bytes", { value: async () => bytes });
  const response = await service.handle(request);
  if (service.isDead) return null;
  const body = await response.text();
  if (response.status >= 500) throw new Violation(`${method} ${path} was answered ${response.status}: ${body}`);
  return { status: response.status, body, isReplayed: response.headers.has("idempotent-replayed") };
}

/** One client of an organization. */
export class Client {
  readonly organization: Organization;
  /** What it waits for the answer to. */
  inHand: PendingRequest | null = null;
  readonly #name: string;
  readonly #random: Random;
  readonly #clock: Clock;
  readonly #trace: Trace;
  #undertaken = 0;

  constructor(name: string, organization: Organization, random: Random, clock: Clock, trace: Trace) {
    this.#name = name;
    this.organization = organization;
    this.#random = random;
    this.#clock = clock;
    this.#trace = trace;
  }

  /**
   * Sends what is in hand again, or something new. `loss` is how likely the answer gets lost on its way. Resolves with
   * a function that records the answer: the driver of several clients calls it, so that the order is always the same.
   */
  async act(service: Service, loss: number): Promise<(() => PendingRequest | null) | null> {
    this.inHand ??= this.#beginRequest(service);
    const pending = this.inHand;
    const { wish, key, requestIds } = pending;
    const requestId = this.#clock.newId();
    requestIds.push(requestId);
    const isLost = this.#random.chance(loss);
    const more = { key, requestId, ...(wish.body === undefined ? {} : { body: wish.body }) };
    const seen = await send(service, this.organization, wish.method, wish.path, more);
    if (seen === null) return null;
    return () => {
      const line = `${this.#name} ${wish.method} ${wish.path} ${seen.status}${seen.isReplayed ? " replayed" : ""}`;
      this.#trace.note(`answer ${isLost ? "lost to" : "to"} ${line} ${Bun.hash(seen.body).toString(16)}`);
      if (isLost) return null;
      pending.answer = seen;
      this.inHand = null;
      return pending;
    };
  }

  #beginRequest(service: Service): PendingRequest {
    const name = `${this.#name}${++this.#undertaken}`;
    const orgId = this.organization.id;
    const today = toUtcDate(this.#clock.nowMs());
    const wish = new Wishes(this.#random, service.probe, orgId, today, name).any();
    return { orgId, wish, key: wish.isKeyed ? `key-${name}` : null, requestIds: [], answer: null };
  }
}
