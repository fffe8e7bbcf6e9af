// What happens in the organization of the page, as its feed tells it: heard by what has to do with it at once.
import { Store } from "./store.ts";
import type { paths } from "./types.ts";

/** An event of the feed. */
export type Happening =
  paths["/api/v1/events"]["get"]["responses"][200]["content"]["application/json"]["items"][number];
/** Events in order; null where it is not known what happened, and anything may have. */
export type Happenings = readonly Happening[] | null;

const hearers = new Set<(orgId: string, happened: Happenings) => void>();

/** The organization that a stream tells of at the moment; null where the page asks from time to time, or not at all. */
export const streamed = new Store<string | null>(null);

/** Hears of what happens from now on; returns what ends it. */
export function hear(hearer: (orgId: string, happened: Happenings) => void): () => void {
  hearers.add(hearer);
  return () => void hearers.delete(hearer);
}

/** Tells what happened in an organization. */
export function tell(orgId: string, happened: Happenings): void {
  for (const hearer of [...hearers]) hearer(orgId, happened);
}
