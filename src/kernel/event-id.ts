// Ids of events, as the feed and webhooks name them: `evt_` and 32 hex digits.

const DIGITS = 32;

/** The id of the event that the row with this hash tells, of whose digits it has the first. */
export function eventIdOf(hash: string): string {
  return `evt_${hash.slice(0, DIGITS)}`;
}

/** The id of an event that no row of the feed tells, from a new UUID: it shows nothing of when it was made. */
export function newEventId(uuid: string): string {
  return eventIdOf(Bun.CryptoHasher.hash("sha256", uuid, "hex"));
}
