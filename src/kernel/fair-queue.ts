// A line in which organizations take turns, and within an organization its callers: however much one of them asks for,
// the others wait for one of its requests and never for all of them.

/** Who asks: a caller of an organization. */
export interface Asker {
  readonly orgId: string;
  /** The key, or the person in whatever session: of it one request is served at a time. */
  readonly callerId: string;
}

/** What waits, in the order in which it is served: by organization, then by caller, then as it came. */
export class Round<T extends Asker> {
  /** Organizations in the order in which they are next, each with its callers in theirs. */
  readonly #organizations = new Map<string, Map<string, T[]>>();

  /** Puts one at the end of its caller's line. An organization, or a caller, that has none waiting comes last. */
  add(item: T): void {
    const callers = this.#organizations.get(item.orgId) ?? new Map<string, T[]>();
    const line = callers.get(item.callerId) ?? [];
    line.push(item);
    callers.set(item.callerId, line);
    this.#organizations.set(item.orgId, callers);
  }

  /** Takes out the next that may be served; its organization, and its caller there, are then the last. Null: there is none. */
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

  /** Takes out one that waits no longer; the others keep their places. */
  remove(item: T): void {
    const callers = this.#organizations.get(item.orgId);
    const line = callers?.get(item.callerId) ?? [];
    const at = line.indexOf(item);
    if (at < 0) return;
    line.splice(at, 1);
    if (line.length === 0) callers?.delete(item.callerId);
    if (callers?.size === 0) this.#organizations.delete(item.orgId);
  }

  /** What waits of an organization. */
  ofOrganization(orgId: string): readonly T[] {
    return [...(this.#organizations.get(orgId)?.values() ?? [])].flat();
  }

  /** What waits of a caller, in whatever organizations. */
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
