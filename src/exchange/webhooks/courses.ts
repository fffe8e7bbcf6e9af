// Courses: what is sent to an endpoint in its order, and where it is noted how far that is. Of an organization it is the
// feed; of the instance, its own events.

import { cursorAt, type Place } from "../../resources/events/cursor.ts";
import { type FeedEvent, readFeed } from "../../resources/events/feed.ts";
import { askedBy, placeOfEndpoint } from "../../resources/webhook-endpoints/pending.ts";
import type { Endpoint } from "../../resources/webhook-endpoints/store.ts";
import { inSnapshot } from "../../storage/database/snapshot.ts";
import type { Reader } from "../../storage/database/sql.ts";
import type { FollowGround } from "../../storage/follow/follower.ts";
import { type InstanceEndpoint, listInstanceEvents } from "../../storage/follow/instance-store.ts";
import {
  disableInstanceTask,
  disableTask,
  type EndReason,
  instanceProgressTask,
  type Made,
  progressTask,
} from "./delivery-tasks.ts";

/** What is to be sent, and the place behind it. */
export interface Message<P> {
  readonly id: string;
  readonly type: string;
  readonly timestamp: string;
  readonly place: P;
  /** The place as deliveries name it; null without a name. */
  readonly cursor: string | null;
  readonly content: Readonly<Record<string, unknown>> & { readonly data: Readonly<Record<string, unknown>> };
}

/** Some messages from a place on, and the place behind all that was looked at. */
export interface Piece<P> {
  readonly messages: readonly Message<P>[];
  readonly place: P;
  readonly hasMore: boolean;
}

/** How an endpoint fares. */
export interface Fare {
  readonly failures: number;
  readonly lastSuccessAt: string | null;
  readonly failingSince: string | null;
  readonly nextAttemptAt: string | null;
  readonly lastError: string | null;
}

/** What a lane needs of an endpoint's row. */
export interface EndpointRow extends Fare {
  readonly id: string;
  readonly url: string;
  readonly secretVersion: number;
  readonly keyFingerprint: string;
  readonly previousSecretUntil: string | null;
  /** Moves with each change by a person. */
  readonly revision: number;
  readonly include: "ids" | "record";
}

/** An endpoint's course; `R` is its row, `P` a place in it. */
export interface Course<R extends EndpointRow, P> {
  /** Whose slots it takes. */
  readonly orgId: string;
  /** The place of a row, and a text that says whether a row has another. */
  placeOf(row: R): P;
  nameOfPlace(row: R): string;
  /** The same of a place. */
  nameOf(place: P): string;
  read(row: R, from: P, limit: number): Piece<P>;
  /** Notes how far it is; returns whether that was still the thread's to say. */
  note(row: R, place: P, fare: Fare, made: readonly Made[]): Promise<boolean>;
  disable(row: R, reason: EndReason): Promise<void>;
}

type Ground = Pick<FollowGround, "db" | "write">;

/** An event as a message. */
export function messageOf<P>(event: FeedEvent, place: P, cursor: string | null): Message<P> {
  const { id, type, timestamp } = event;
  return { id, type, timestamp, place, cursor, content: { ...event } };
}

/** The course of an organization's endpoint. */
export function feedCourse({ db, write }: Ground, orgId: string): Course<Endpoint, Place> {
  return {
    orgId,
    placeOf: (row) => inSnapshot(db, () => placeOfEndpoint(db, row)),
    nameOfPlace: ({ cursor }) => cursor,
    nameOf: (place) => cursorAt(db, orgId, place),
    read: (row, from, limit) => inSnapshot(db, () => readPiece(db, row, from, limit)),
    note: (row, place, fare, made) => {
      const { id, revision } = row;
      return write(progressTask, {
        orgId,
        id,
        revision,
        progress: { ...fare, cursor: cursorAt(db, orgId, place) },
        made,
      });
    },
    disable: ({ id, revision }, reason) => write(disableTask, { orgId, id, revision, reason }),
  };
}

function readPiece(db: Reader, row: Endpoint, from: Place, limit: number): Piece<Place> {
  const { orgId } = row;
  const { events, cursors, places, place, hasMore } = readFeed(db, {
    orgId,
    from,
    isAsked: askedBy(row),
    isAdmin: true,
    limit,
  });
  const messages = events.map((event, at) => messageOf(event, places[at] ?? place, cursors[at] ?? null));
  return { messages, place, hasMore };
}

/** The row of an instance's endpoint, as lanes take it. */
export type InstanceRow = InstanceEndpoint & Pick<EndpointRow, "previousSecretUntil" | "revision" | "include">;

/** What stands for the organization in the slots of instance endpoints. */
export const INSTANCE = "instance";

/** The course of the instance's endpoints. */
export function instanceCourse({ db, write }: Ground): Course<InstanceRow, number> {
  return {
    orgId: INSTANCE,
    placeOf: ({ place }) => place,
    nameOfPlace: ({ place }) => String(place),
    nameOf: String,
    read(_row, after, limit) {
      const rows = listInstanceEvents(db, { after, limit });
      const messages = rows.map(({ id, seq, at, type, data }) => ({
        ...{ id, type, timestamp: at, place: seq, cursor: null },
        content: { id, type, timestamp: at, data: JSON.parse(data) as Record<string, unknown> },
      }));
      return { messages, place: rows.at(-1)?.seq ?? after, hasMore: rows.length === limit };
    },
    note: ({ id }, place, fare) => write(instanceProgressTask, { id, place, ...fare }),
    disable: ({ id }, reason) => write(disableInstanceTask, { id, reason }),
  };
}
