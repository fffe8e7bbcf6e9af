// Events that wait for an endpoint: those of the feed behind its place that it asks for.
import type { Reader } from "../../storage/database/sql.ts";
import { BEGINNING, isHere, type Place, readFeedCursor, rewoundTo } from "../events/cursor.ts";
import { asksFor, type IsAsked } from "../events/event-types.ts";
import { readFeed } from "../events/feed.ts";
import type { Endpoint } from "./store.ts";

const COUNTED_MAX = 1000;
/** How many pages of the feed are looked at: it is asked for by people, and answered with other requests. */
const PAGES_MAX = 2;

/** The place where deliveries to an endpoint go on; after a restore that took its place away, an earlier one. */
export function placeOfEndpoint(db: Reader, { orgId, cursor }: Pick<Endpoint, "orgId" | "cursor">): Place {
  const claim = readFeedCursor(cursor);
  if (claim === null) return BEGINNING;
  return isHere(db, orgId, claim) ? claim : rewoundTo(db, orgId, claim);
}

/** The events that an endpoint asks for. */
export function askedBy({ types }: Pick<Endpoint, "types">): IsAsked {
  return asksFor(JSON.parse(types) as string[]);
}

/** How many events wait, as far as is counted, and when the first was recorded. */
export function pendingOf(
  db: Reader,
  row: Endpoint,
): { readonly pendingEvents: number; readonly oldestPendingAt: string | null } {
  const { orgId } = row;
  const isAsked = askedBy(row);
  let from = placeOfEndpoint(db, row);
  let [pendingEvents, oldestPendingAt]: [number, string | null] = [0, null];
  for (let page = 0; page < PAGES_MAX; page++) {
    const limit = COUNTED_MAX - pendingEvents;
    const { events, place, hasMore } = readFeed(db, { orgId, from, isAsked, isAdmin: true, limit });
    pendingEvents += events.length;
    oldestPendingAt ??= events[0]?.timestamp ?? null;
    if (!hasMore || pendingEvents >= COUNTED_MAX) break;
    from = place;
  }
  return { pendingEvents, oldestPendingAt };
}
