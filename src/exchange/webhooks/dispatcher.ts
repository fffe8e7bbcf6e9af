// The dispatcher: a lane for each enabled endpoint, and what is sent out of turn. It is loaded when the follow thread begins
// it.
import { lstatSync } from "node:fs";
import { toTimestamp } from "../../kernel/runtime.ts";
import type { AllowedAddresses } from "../../kernel/text/network-address.ts";
import { type Place, readFeedCursor } from "../../resources/events/cursor.ts";
import { findEvent } from "../../resources/events/feed.ts";
import { type Looked, lookedToEnd, organizationsSince } from "../../resources/events/feed-store.ts";
import { CHECKPOINT_KEPT, checkpointEvent } from "../../resources/webhook-endpoints/checkpoint-store.ts";
import { type Delivery, findTest, listPendingDeliveries } from "../../resources/webhook-endpoints/delivery-store.ts";
import { type Endpoint, findEndpoint, listEnabledEndpoints } from "../../resources/webhook-endpoints/store.ts";
import { type OpenedWebhookKey, WebhookKey } from "../../resources/webhook-endpoints/webhook-key.ts";
import { webhookKeyFile } from "../../storage/data-dir/names.ts";
import type { FollowGround, Following } from "../../storage/follow/follower.ts";
import { listInstanceEndpoints } from "../../storage/follow/instance-store.ts";
import { Connection, type ConnectionParts, type Sent } from "./connection.ts";
import { feedCourse, type InstanceRow, instanceCourse, type Message, messageOf } from "./courses.ts";
import { pruneTask, settleTask } from "./delivery-tasks.ts";
import { Lane, type LaneParts } from "./lane.ts";
import { bodyOf } from "./message-body.ts";
import { signedRequest } from "./signed.ts";
import { Slots } from "./slots.ts";

const GRACE_MS = 5000;
const FIGURES_EACH_MS = 1000;
const PRUNE_EACH_MS = 3_600_000;

/** What differs in tests. */
export type DispatcherParts = Partial<Pick<ConnectionParts, "resolve" | "ca" | "requestMs">>;

/** A lane of either kind. */
interface AnyLane {
  readonly oldestPendingAt: string | null;
  stop(graceMs: number): Promise<void>;
}

/** Sends to all endpoints. */
export class Dispatcher implements Following {
  readonly #ground: FollowGround;
  readonly #parts: LaneParts;
  readonly #lanes = new Map<string, Lane<Endpoint, Place>>();
  readonly #instanceLanes = new Map<string, Lane<InstanceRow, number>>();
  readonly #ending = new Set<Promise<void>>();
  /** The endpoints with a delivery out of turn under way. */
  readonly #outOfTurn = new Map<string, Promise<void>>();
  readonly #keyFile: WebhookKey;
  readonly #timers: ReturnType<typeof setInterval>[];
  #key: OpenedWebhookKey | null = null;
  #keySeen = "";
  #isStopping = false;
  /** How far both tables of the feed were looked at. */
  #seen: Looked;
  #counts = { webhooksSucceededTotal: 0, webhooksFailedTotal: 0 };

  constructor(ground: FollowGround, given: DispatcherParts = {}) {
    this.#ground = ground;
    const { settings, runtime } = ground;
    const allowed: AllowedAddresses = settings.webhookAllow;
    this.#seen = lookedToEnd(ground.db);
    this.#keyFile = new WebhookKey(webhookKeyFile(settings.dataDir));
    this.#parts = {
      ground,
      slots: new Slots(),
      key: () => this.#key,
      newConnection: () => new Connection({ allowed, nowMs: () => runtime.nowMs(), ...given }),
      onSent: (isDelivered) => this.#count(isDelivered),
    };
    this.#timers = [
      setInterval(() => this.#tellFigures(), FIGURES_EACH_MS),
      setInterval(() => this.#prune(), PRUNE_EACH_MS),
    ];
    this.#prune();
    this.wake();
  }

  wake(): void {
    if (this.#isStopping) return;
    this.#readKey();
    const { db } = this.#ground;
    const { orgIds, ...seen } = organizationsSince(db, this.#seen);
    this.#seen = seen;
    const isNews = ({ orgId }: Endpoint) => orgIds.has(orgId);
    this.#keepLanes(
      listEnabledEndpoints(db),
      isNews,
      this.#lanes,
      (row) => new Lane(this.#parts, feedCourse(this.#ground, row.orgId), row),
    );
    const ofInstance = listInstanceEndpoints(db)
      .filter(({ status }) => status === "ENABLED")
      .map((row): InstanceRow => ({ ...row, previousSecretUntil: null, revision: 0, include: "ids" }));
    this.#keepLanes(
      ofInstance,
      () => true,
      this.#instanceLanes,
      (row) => new Lane(this.#parts, instanceCourse(this.#ground), row),
    );
    this.#sendOutOfTurn();
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    for (const timer of this.#timers) clearInterval(timer);
    const lanes: AnyLane[] = [...this.#lanes.values(), ...this.#instanceLanes.values()];
    await Promise.all([...lanes.map((lane) => lane.stop(GRACE_MS)), ...this.#ending, ...this.#outOfTurn.values()]);
    // Nothing waits for what is not there any more.
    this.#lanes.clear();
    this.#instanceLanes.clear();
    this.#tellFigures();
  }

  /** A lane for each row, and none for others; `isNews`: whether something was recorded that it may send. */
  #keepLanes<R extends { readonly id: string }, L extends { wake(row: R, isNews: boolean): void } & AnyLane>(
    rows: readonly R[],
    isNews: (row: R) => boolean,
    lanes: Map<string, L>,
    make: (row: R) => L,
  ): void {
    const ids = new Set(rows.map(({ id }) => id));
    for (const [id, lane] of lanes) {
      if (ids.has(id)) continue;
      lanes.delete(id);
      const ending: Promise<void> = lane.stop(GRACE_MS).finally(() => this.#ending.delete(ending));
      this.#ending.add(ending);
    }
    for (const row of rows) {
      const lane = lanes.get(row.id);
      if (lane) lane.wake(row, isNews(row));
      else lanes.set(row.id, make(row));
    }
  }

  /** Reads the key where its file is another than before. */
  #readKey(): void {
    const found = lstatSync(webhookKeyFile(this.#ground.settings.dataDir), { throwIfNoEntry: false });
    const seen = found === undefined ? "none" : `${found.ino} ${found.mtimeMs} ${found.mode}`;
    if (seen === this.#keySeen) return;
    this.#keySeen = seen;
    this.#key = this.#keyFile.find();
  }

  #sendOutOfTurn(): void {
    for (const delivery of listPendingDeliveries(this.#ground.db)) {
      const { endpointId } = delivery;
      if (this.#outOfTurn.has(endpointId)) continue;
      const sending = this.#deliver(delivery)
        .catch((error: unknown) => this.#ground.trouble("a webhook out of turn could not be sent or noted", error))
        .finally(() => {
          this.#outOfTurn.delete(endpointId);
          if (!this.#isStopping) this.#sendOutOfTurn();
        });
      this.#outOfTurn.set(endpointId, sending);
    }
  }

  async #deliver(delivery: Delivery): Promise<void> {
    const { db, runtime, write } = this.#ground;
    const { orgId, endpointId, id } = delivery;
    const connection = this.#parts.newConnection();
    const release = await this.#parts.slots.take({ orgId, callerId: endpointId });
    const [startedMs, began] = [runtime.nowMs(), performance.now()];
    const ending = setInterval(() => {
      if (this.#isStopping) connection.close();
    }, GRACE_MS);
    try {
      const endpoint = findEndpoint(db, { orgId, id: endpointId });
      const sent = await this.#sendOne(delivery, endpoint, connection, startedMs);
      if (sent.error !== null && this.#isStopping) return;
      this.#count(sent.error === null);
      const outcome = {
        state: sent.error === null ? "SUCCEEDED" : "FAILED",
        ...{ startedAt: toTimestamp(startedMs), durationMs: Math.round(performance.now() - began) },
        ...{ responseStatus: sent.responseStatus, error: sent.error },
      } as const;
      await write(settleTask, { orgId, id, outcome });
    } finally {
      clearInterval(ending);
      release();
      connection.close();
    }
  }

  async #sendOne(delivery: Delivery, endpoint: Endpoint | null, connection: Connection, nowMs: number): Promise<Sent> {
    const { eventId } = delivery;
    const key = this.#key;
    const unsent = (error: Sent["error"]): Sent => ({ error, responseStatus: null, retryAfterMs: null });
    if (endpoint === null || key?.fingerprint !== endpoint.keyFingerprint) return unsent("key-missing");
    const body = await bodyOf({ content: this.#contentOf(delivery) }, endpoint, this.#ground);
    return connection.send(signedRequest({ id: eventId, body }, { url: endpoint.url, nowMs, key, by: endpoint }));
  }

  /** What a delivery out of turn says: an event of the feed, a checkpoint, or a test. */
  #contentOf(delivery: Delivery): Message<null>["content"] {
    const { orgId, endpointId, eventId, eventType, cursor, createdAt } = delivery;
    const { db } = this.#ground;
    if (eventType === CHECKPOINT_KEPT) return checkpointEvent(db, delivery);
    const claim = cursor === null ? null : readFeedCursor(cursor);
    const event = claim === null ? null : findEvent(db, orgId, claim, eventId);
    if (event !== null) return messageOf(event, null, cursor).content;
    const asked = findTest(db, { orgId, endpointId, eventId });
    return { id: eventId, type: eventType, timestamp: asked?.createdAt ?? createdAt, data: { orgId } };
  }

  #count(isDelivered: boolean): void {
    this.#counts[isDelivered ? "webhooksSucceededTotal" : "webhooksFailedTotal"]++;
  }

  #tellFigures(): void {
    const lanes: AnyLane[] = [...this.#lanes.values(), ...this.#instanceLanes.values()];
    const pending = lanes.flatMap(({ oldestPendingAt }) =>
      oldestPendingAt === null ? [] : [Date.parse(oldestPendingAt)],
    );
    this.#ground.tellFigures({
      ...this.#counts,
      webhooksOldestPendingMs: pending.length === 0 ? 0 : Math.min(...pending),
    });
  }

  #prune(): void {
    const { db, write, trouble } = this.#ground;
    for (const orgId of new Set(listEnabledEndpoints(db).map((row) => row.orgId))) {
      write(pruneTask, { orgId }).catch((error: unknown) => trouble("old deliveries could not be removed", error));
    }
  }
}
