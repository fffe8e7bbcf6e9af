// The feed: the ledger and the log of an organization in one order, and what each of their rows tells.
import { eventIdOf } from "../../kernel/event-id.ts";
import { findRecord } from "../../storage/database/records.ts";
import type { Reader, Row } from "../../storage/database/sql.ts";
import { presenter } from "../present.ts";
import { recordPath } from "../route.ts";
import { segmentOf } from "../segments.ts";
import { Transaction } from "../transactions/schema.ts";
import { beginningOf, beginningsAt, type Place, writeFeedCursor } from "./cursor.ts";
import { changedMembers, STATES } from "./event-members.ts";
import { type Deed, type EventNoun, type IsAsked, isOfAdmin, nounOf, ORGANIZATION_DEEDS } from "./event-types.ts";
import { type FeedList, type LogRow, listEntriesAfter, listLogAfter, rowAt } from "./feed-store.ts";

/** An event, as answers show it. */
export interface FeedEvent {
  readonly id: string;
  readonly type: string;
  readonly timestamp: string;
  readonly data: {
    readonly orgId: string;
    readonly resourceType: string;
    readonly resourceId: string | null;
    readonly url: string | null;
    readonly changed: readonly string[];
    readonly states: Readonly<Record<string, string>>;
    readonly actor: string | null;
    readonly requestId: string | null;
    readonly transaction?: Readonly<Record<string, unknown>>;
  };
}

/** What is read of the feed. */
export interface Reading {
  readonly orgId: string;
  readonly from: Place;
  readonly isAsked: IsAsked;
  /** Whether events of keys, members, invitations and webhook endpoints are told. */
  readonly isAdmin: boolean;
  readonly limit: number;
}

/** A page of the feed: its events, the place behind the last row that was looked at, and whether there are more rows. */
export interface FeedPage {
  readonly events: readonly FeedEvent[];
  /** The cursor behind each of them. */
  readonly cursors: readonly string[];
  /** The place behind each of them. */
  readonly places: readonly Place[];
  readonly place: Place;
  /** The cursor of that place. */
  readonly cursor: string;
  readonly hasMore: boolean;
}

/** How many rows are looked at for a page, whatever is asked for. */
const LOOKED_MAX = 1000;
const AT_ONCE = 250;

const showEntry = presenter(Transaction);

/** Rows of one list in their order, read some at a time. */
class Rows<R extends { readonly sequence: number }> {
  readonly #list: (after: number) => readonly R[];
  #rows: readonly R[] = [];
  #at = 0;
  #after: number;

  constructor(after: number, list: (after: number) => readonly R[]) {
    this.#after = after;
    this.#list = list;
  }

  /** The next row; null at the end. */
  get next(): R | null {
    if (this.#at === this.#rows.length) {
      this.#rows = this.#list(this.#after);
      this.#at = 0;
    }
    return this.#rows[this.#at] ?? null;
  }

  /** Goes on behind a row. */
  pass({ sequence }: R): void {
    this.#after = sequence;
    this.#at++;
  }
}

/**
 * The events from a place on, oldest first: by the instant at which they were recorded, at one instant entries before
 * rows of the log, each list in its own order.
 */
export function readFeed(db: Reader, { orgId, from, isAsked, isAdmin, limit }: Reading): FeedPage {
  const entries = new Rows(from.ledger, (after) => listEntriesAfter(db, { orgId, after, limit: AT_ONCE }));
  const rows = new Rows(from.log, (after) => listLogAfter(db, { orgId, after, limit: AT_ONCE }));
  const events: FeedEvent[] = [];
  const cursors: string[] = [];
  const places: Place[] = [];
  let [place, [ofLedger, ofLog]] = [from, beginningsAt(db, orgId, from)];
  const here = () => writeFeedCursor(place, [ofLedger, ofLog]);
  const add = (event: FeedEvent) => {
    events.push(event);
    cursors.push(here());
    places.push(place);
  };
  for (let looked = 0; looked < LOOKED_MAX && events.length < limit; looked++) {
    const [entry, row] = [entries.next, rows.next];
    if (entry !== null && (row === null || entry.createdAt <= row.at)) {
      entries.pass(entry);
      [place, ofLedger] = [{ ...place, ledger: entry.sequence }, beginningOf(entry.hash)];
      if (isAsked(typeOfEntry(entry))) add(eventOfEntry(entry));
    } else if (row !== null) {
      rows.pass(row);
      [place, ofLog] = [{ ...place, log: row.sequence }, beginningOf(row.hash)];
      const told = toldBy(row);
      const isTold = told !== null && isAsked(`${told.noun}.${told.deed}`) && (isAdmin || !isOfAdmin(told.noun));
      if (isTold) add(eventOfRow(db, orgId, row, told));
    } else break;
  }
  return { events, cursors, places, place, cursor: here(), hasMore: entries.next !== null || rows.next !== null };
}

/** The place behind everything that was recorded before an instant, by bisection: clocks may have gone back. */
export function placeBefore(db: Reader, orgId: string, heads: Place, instant: string): Place {
  const of = (list: FeedList) => {
    let [low, high] = [0, heads[list]];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((rowAt(db, list, orgId, middle)?.at ?? "") < instant) low = middle;
      else high = middle - 1;
    }
    return low;
  };
  return { ledger: of("ledger"), log: of("log") };
}

/** The event of this id whose row is the last one before a place; null if neither row there is its own. */
export function findEvent(db: Reader, orgId: string, { ledger, log }: Place, id: string): FeedEvent | null {
  const [entry] = ledger === 0 ? [] : listEntriesAfter(db, { orgId, after: ledger - 1, limit: 1 });
  if (entry && eventIdOf(entry.hash) === id) return eventOfEntry(entry);
  const [row] = log === 0 ? [] : listLogAfter(db, { orgId, after: log - 1, limit: 1 });
  const told = row && eventIdOf(row.hash) === id ? toldBy(row) : null;
  return row && told ? eventOfRow(db, orgId, row, told) : null;
}

function typeOfEntry({ type }: Row<"transactions">): string {
  return `transaction.${type.toLowerCase()}`;
}

function eventOfEntry(entry: Row<"transactions">): FeedEvent {
  return {
    id: eventIdOf(entry.hash),
    type: typeOfEntry(entry),
    timestamp: entry.createdAt,
    data: {
      orgId: entry.orgId,
      resourceType: "transaction",
      resourceId: entry.id,
      url: recordPath("transactions", entry.id),
      changed: [],
      states: {},
      actor: null,
      requestId: null,
      transaction: showEntry(entry),
    },
  };
}

/** What a row of the log tells. */
interface Told {
  readonly noun: EventNoun;
  readonly deed: string;
  /** The members of the record that changed. */
  readonly changed: readonly string[];
  readonly after: Readonly<Record<string, unknown>>;
}

const ENDS = ["deletedAt", "removedAt", "revokedAt"] as const;

/** Null for a row that is no event: of another kind, or of what no answer shows. */
function toldBy({ method, resourceType, before, after }: LogRow): Told | null {
  if (resourceType === "log") {
    const isEvent = method !== null && ORGANIZATION_DEEDS.has(method);
    return isEvent ? { noun: "organization", deed: method, changed: [], after: {} } : null;
  }
  const noun = nounOf(resourceType);
  if (noun === null) return null;
  const values = JSON.parse(after ?? "{}") as Record<string, unknown>;
  // An invitation has rows of what became of it, and no row before those.
  const isNew = before === null && !("revokedAt" in values && noun === "invitation") && !("usedAt" in values);
  const deed: Deed = isNew ? "created" : ENDS.some((name) => values[name]) ? "deleted" : "updated";
  if (deed !== "updated") return { noun, deed, changed: [], after: values };
  const changed = changedMembers(noun, Object.keys(values));
  return changed.length === 0 ? null : { noun, deed, changed, after: values };
}

function eventOfRow(db: Reader, orgId: string, row: LogRow, { noun, deed, changed, after }: Told): FeedEvent {
  const { hash, at, actor, requestId, resourceId } = row;
  const states = Object.fromEntries(
    STATES.flatMap((name) => (changed.includes(name) ? [[name, String(after[name])] as const] : [])),
  );
  const id = row.resourceType === "log" ? orgId : resourceId;
  const url = deed === "deleted" || id === null ? null : urlOf(db, orgId, noun, id);
  const data = { orgId, resourceType: noun, resourceId: id, url, changed, states, actor, requestId };
  return { id: eventIdOf(hash), type: `${noun}.${deed}`, timestamp: at, data };
}

/** The path of a record; null for one that has none. */
function urlOf(db: Reader, orgId: string, noun: EventNoun, id: string): string | null {
  if (noun === "organization") return "/api/v1/organization";
  if (noun === "invitation") return null;
  const segment = segmentOf(noun.replaceAll("_", "-"));
  if (noun !== "approval_step") return recordPath(segment, id);
  const step = findRecord(db, "approval_steps", orgId, id);
  return step && `${recordPath("approvals", step.approvalId)}/${segment}/${encodeURIComponent(id)}`;
}
