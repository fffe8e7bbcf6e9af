// A lane: sends one endpoint's messages one after the other, waits after failures, and notes how far it is.
import { toTimestamp } from "../../kernel/runtime.ts";
import { giveWay } from "../../kernel/threads/give-way.ts";
import type { DeliveryError } from "../../resources/webhook-endpoints/shape.ts";
import type { OpenedWebhookKey } from "../../resources/webhook-endpoints/webhook-key.ts";
import type { FollowGround } from "../../storage/follow/follower.ts";
import type { Connection, Sent } from "./connection.ts";
import type { Course, EndpointRow, Fare, Message } from "./courses.ts";
import type { Made } from "./delivery-tasks.ts";
import { isGivenUp, WAIT_MAX_MS, waitAfter } from "./delivery-waits.ts";
import { bodyOf } from "./message-body.ts";
import { signedRequest } from "./signed.ts";
import type { Slots } from "./slots.ts";

const READ_AT_ONCE = 50;
const NOTED_EACH = 50;
const NOTED_EACH_MS = 1000;
/** A place that moved past rows without an event is noted less often. */
const PASSED_NOTED_EACH_MS = 30_000;
const MS_A_MESSAGE = 5;
/** How long a message waits for requests that write. */
const REST_MS_MAX = 250;
const GONE = 410;

/** What lanes share. */
export interface LaneParts {
  readonly ground: FollowGround;
  readonly slots: Slots;
  readonly key: () => OpenedWebhookKey | null;
  readonly newConnection: () => Connection;
  /** Called after each request. */
  readonly onSent: (isDelivered: boolean) => void;
}

/** One endpoint's lane. */
export class Lane<R extends EndpointRow, P> {
  readonly #parts: LaneParts;
  readonly #course: Course<R, P>;
  readonly #connection: Connection;
  #row: R;
  #place: P;
  #fare: Fare;
  /** The place that the row was last seen or left with. */
  #notedPlace: string;
  /** Counts moves of the place by people, so that what is under way does not undo them. */
  #epoch = 0;
  #messages: Message<P>[] = [];
  #made: Made[] = [];
  #isMoved = false;
  #notedAt = Number.NEGATIVE_INFINITY;
  #isStopping = false;
  #wakes = Promise.withResolvers<void>();
  readonly #running: Promise<void>;

  constructor(parts: LaneParts, course: Course<R, P>, row: R) {
    [this.#parts, this.#course, this.#row] = [parts, course, row];
    this.#connection = parts.newConnection();
    this.#place = course.placeOf(row);
    this.#notedPlace = course.nameOfPlace(row);
    this.#fare = fareOf(row);
    this.#running = this.#run();
  }

  /** When the message that is next was recorded; null without one. */
  get oldestPendingAt(): string | null {
    return this.#messages[0]?.timestamp ?? null;
  }

  /** The endpoint may have changed; with `isNews` something may have been recorded. */
  wake(row: R, isNews: boolean): void {
    const isChanged = row.revision !== this.#row.revision;
    this.#row = row;
    if (isChanged) {
      this.#fare = fareOf(row);
      this.#messages = [];
      if (this.#course.nameOfPlace(row) !== this.#notedPlace) {
        this.#place = this.#course.placeOf(row);
        this.#notedPlace = this.#course.nameOfPlace(row);
        this.#isMoved = false;
        this.#epoch++;
      }
    }
    const isKeyAwaited = this.#fare.lastError === "key-missing";
    if (isChanged || isNews || isKeyAwaited) this.#wakeUp();
  }

  /** Sends nothing more; after `graceMs` what is under way is ended, and does not count as a failure. */
  async stop(graceMs: number): Promise<void> {
    this.#isStopping = true;
    this.#wakeUp();
    const patience = setTimeout(() => this.#connection.close(), graceMs);
    await this.#running;
    clearTimeout(patience);
    this.#connection.close();
  }

  async #run(): Promise<void> {
    while (!this.#isStopping) {
      try {
        await this.#step();
      } catch (error) {
        this.#parts.ground.trouble("a webhook could not be noted or read, and is tried again", error);
        await this.#pause(NOTED_EACH_MS);
      }
    }
    await this.#note().catch(() => undefined);
  }

  async #step(): Promise<void> {
    const key = this.#parts.key();
    if (key?.fingerprint !== this.#row.keyFingerprint) {
      if (this.#fare.lastError !== "key-missing") await this.#fail("key-missing", null);
      return this.#pause(null);
    }
    const waitMs = this.#waitMs();
    if (waitMs > 0) return this.#pause(waitMs);
    if (this.#messages.length === 0 && !this.#read()) return this.#idle();
    const [message] = this.#messages;
    if (message === undefined) return giveWay();
    await this.#parts.ground.rest(REST_MS_MAX);
    if (this.#isStopping || this.#messages[0] !== message) return;
    const began = performance.now();
    await this.#send(message, key);
    const leftMs = began + MS_A_MESSAGE - performance.now();
    if (leftMs > 0) await Bun.sleep(Math.ceil(leftMs));
  }

  /** How long until the next attempt. */
  #waitMs(): number {
    const { nextAttemptAt } = this.#fare;
    if (nextAttemptAt === null) return 0;
    return Math.min(WAIT_MAX_MS, Date.parse(nextAttemptAt) - this.#parts.ground.runtime.nowMs());
  }

  /** Reads on; false at the end. */
  #read(): boolean {
    const { messages, place, hasMore } = this.#course.read(this.#row, this.#place, READ_AT_ONCE);
    this.#messages = [...messages];
    if (messages.length > 0) return true;
    if (this.#course.nameOf(place) !== this.#course.nameOf(this.#place)) {
      this.#place = place;
      this.#isMoved = true;
    }
    return hasMore;
  }

  /** Notes what is not noted yet, and waits until something happens. */
  async #idle(): Promise<void> {
    if (!this.#isMoved && this.#made.length === 0) return this.#pause(null);
    const eachMs = this.#made.length > 0 ? NOTED_EACH_MS : PASSED_NOTED_EACH_MS;
    const leftMs = this.#notedAt + eachMs - performance.now();
    if (leftMs > 0) return this.#pause(leftMs);
    await this.#note();
  }

  async #send(message: Message<P>, key: OpenedWebhookKey): Promise<void> {
    const { ground, slots, onSent } = this.#parts;
    const release = await slots.take({ orgId: this.#course.orgId, callerId: this.#row.id });
    const [epoch, row] = [this.#epoch, this.#row];
    const startedMs = ground.runtime.nowMs();
    const began = performance.now();
    let sent: Sent;
    try {
      if (this.#isStopping || this.#messages[0] !== message) return;
      const body = await bodyOf(message, row, ground);
      const request = signedRequest({ id: message.id, body }, { url: row.url, nowMs: startedMs, key, by: row });
      sent = await this.#connection.send(request);
    } finally {
      release();
    }
    const { error, responseStatus } = sent;
    if (error !== null && this.#isStopping) return;
    onSent(error === null);
    this.#made.push({
      ...{ eventId: message.id, eventType: message.type, cursor: message.cursor, attempt: this.#fare.failures + 1 },
      ...{
        startedAt: toTimestamp(startedMs),
        durationMs: Math.round(performance.now() - began),
        responseStatus,
        error,
      },
      state: error === null ? "SUCCEEDED" : "FAILED",
    });
    if (epoch !== this.#epoch) return;
    if (error === null) await this.#succeed(message);
    else if (row === this.#row || row.revision === this.#row.revision) await this.#fail(error, sent);
  }

  async #succeed(message: Message<P>): Promise<void> {
    const wasFailing = this.#fare.failures > 0;
    const lastSuccessAt = toTimestamp(this.#parts.ground.runtime.nowMs());
    this.#fare = { failures: 0, lastSuccessAt, failingSince: null, nextAttemptAt: null, lastError: null };
    this.#place = message.place;
    this.#isMoved = true;
    if (this.#messages[0] === message) this.#messages.shift();
    const isDue = this.#made.length >= NOTED_EACH || performance.now() - this.#notedAt >= NOTED_EACH_MS;
    if (wasFailing || isDue) await this.#note();
  }

  async #fail(error: DeliveryError, sent: Sent | null): Promise<void> {
    const { runtime } = this.#parts.ground;
    const nowMs = runtime.nowMs();
    const failures = this.#fare.failures + (sent === null ? 0 : 1);
    const failingSince = this.#fare.failingSince ?? (sent === null ? null : toTimestamp(nowMs));
    const waitMs = sent === null ? null : Math.max(waitAfter(failures, runtime.random()), sent.retryAfterMs ?? 0);
    const nextAttemptAt = waitMs === null ? null : toTimestamp(nowMs + waitMs);
    this.#fare = { ...this.#fare, failures, failingSince, nextAttemptAt, lastError: error };
    await this.#note();
    if (sent?.responseStatus === GONE) await this.#course.disable(this.#row, "GONE");
    else if (sent !== null && failingSince !== null && isGivenUp(failingSince, nowMs)) {
      await this.#course.disable(this.#row, "FAILING");
    }
  }

  /** Notes deliveries, and the place behind them. */
  async #note(): Promise<void> {
    const [made, place, epoch] = [this.#made, this.#place, this.#epoch];
    this.#made = [];
    this.#notedAt = performance.now();
    try {
      const isCurrent = await this.#course.note(this.#row, place, this.#fare, made);
      if (!isCurrent || epoch !== this.#epoch) return;
      this.#notedPlace = this.#course.nameOf(place);
      this.#isMoved = this.#place !== place;
    } catch (error) {
      this.#made = [...made, ...this.#made];
      throw error;
    }
  }

  #wakeUp(): void {
    const { resolve } = this.#wakes;
    this.#wakes = Promise.withResolvers<void>();
    resolve();
  }

  /** Waits until it is woken, or for so long. */
  async #pause(ms: number | null): Promise<void> {
    if (this.#isStopping) return;
    const woken = this.#wakes.promise;
    if (ms === null) return woken;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, ms);
    await Promise.race([woken, promise]);
    clearTimeout(timer);
  }
}

function fareOf({ failures, lastSuccessAt, failingSince, nextAttemptAt, lastError }: Fare): Fare {
  return { failures, lastSuccessAt, failingSince, nextAttemptAt, lastError };
}
