// The queue of imports: the organization that waited longest is next, so that one with many holds up no other.
import type { ImportKey } from "./perform.ts";

/** A waiting import, and since when it waits (RFC 3339, UTC). */
export interface WaitingImport extends ImportKey {
  readonly state: "READING" | "COMMITTING";
  readonly since: string;
}

/**
 * The next import; null if the queue is empty. An organization waits since its oldest import does, or since its last
 * one ended (`endedAt`, by organization), whichever is later. `waiting` is in the order of arrival.
 */
export function nextImport(
  waiting: readonly WaitingImport[],
  endedAt: ReadonlyMap<string, string>,
): WaitingImport | null {
  const oldest = new Map<string, WaitingImport>();
  for (const each of waiting) {
    const other = oldest.get(each.orgId);
    if (other === undefined || each.since < other.since) oldest.set(each.orgId, each);
  }
  let next: WaitingImport | null = null;
  let nextSince = "";
  for (const each of oldest.values()) {
    const [, since = ""] = [each.since, endedAt.get(each.orgId) ?? ""].toSorted();
    if (next === null || since < nextSince) [next, nextSince] = [each, since];
  }
  return next;
}
