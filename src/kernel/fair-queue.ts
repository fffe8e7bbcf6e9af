// Fair queue: organizations take turns, and within an organization its callers do. A flood of requests from one caller
// delays the others by one request, never by all of them.

/** The caller of a request, and its organization. */
export interface Asker {
  readonly orgId: string;
  /** The key, or the person in any session. One request of a caller is served at a time. */
  readonly callerId: string;
}

/** The waiting items in the order in which they are served: by organization, then by caller, then by arrival. */
export class Round<T extends Asker> {
  /** Organizations in the order of their turns, each with its callers in theirs. */
  readonly #organizations = new Map<string, Map<string, T[]>>();

  /**
   * Adds an item at the end of its caller's line. An organization or caller with no other waiting item takes the last
   * turn.
   */
  add(item: T): void {
    const callers = this.#organizations.get(item.orgId) ?? new Map<string, T[]>();
    const line = callers.get(item.callerId) ?? [];
    line.push(item);
    callers.set(item.callerId, line);
    this.#organizations.set(item.orgId, callers);
  }

  /**
   * Removes and returns the next item that may be served; its organization and caller then take the last turn. Null if
   * no item may be served.
   */
  next(may: (item: T) => boolean): T | null {
    for (const [orgId, callers] of this.#organizations) {
      for (const [callerId, line] of callers) {
        const item = line.find(may);
        if (item === undefined) continue;
        this.remove(item);
        moveToEnd(callers, callerId);
        moveToEnd(this.#organizations, orgId);
        return item;
      }
    }
    return null;
  }

  /** Removes an item that stopped waiting; the others keep their places. */
  remove(item: T): void {
    const callers = this.#organizations.get(item.orgId);
    const line = callers?.get(item.callerId) ?? [];
    const at = line.indexOf(item);
    if (at < 0) return;
    line.splice(at, 1);
    if (line.length === 0) callers?.delete(item.callerId);
    if (callers?.size === 0) this.#organizations.delete(item.orgId);
  }

  /** The number of waiting items of an organization. */
  ofOrganization(orgId: string): readonly T[] {
    return [...(this.#organizations.get(orgId)?.values() ?? [])].flat();
  }

  /** The number of waiting items of a caller, across organizations. */
  ofCaller(callerId: string): readonly T[] {
    return [...this.#organizations.values()].flatMap((callers) => callers.get(callerId) ?? []);
  }
}

function moveToEnd<V>(map: Map<string, V>, key: string): void {
  const value = map.get(key);
  if (value === undefined) return;
  map.delete(key);
  map.set(key, value);
}
