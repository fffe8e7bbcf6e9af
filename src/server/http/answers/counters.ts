// Request counters for `/metrics`. They run in every request, so they allocate nothing: two look-ups and a few
// additions.

/** Upper bounds of the latency histogram's buckets, in milliseconds. */
export const LATENCY_BOUNDS_MS: readonly number[] = [0.5, 1, 2.5, 5, 10, 25, 50, 100, 250, 1000, 5000];

/** Counts of requests of one method on one route. */
interface Series {
  readonly byStatus: Map<number, number>;
}

/** How long requests of one kind took. */
export interface Latency {
  /** Not cumulative; the last one counts durations above every bound. */
  readonly buckets: number[];
  sumMs: number;
  count: number;
}

function newLatency(): Latency {
  return { buckets: new Array<number>(LATENCY_BOUNDS_MS.length + 1).fill(0), sumMs: 0, count: 0 };
}

/** Requests and answers since the start. */
export class RequestCounters {
  /** Of requests that only read, and of those that may write. */
  readonly reads = newLatency();
  readonly writes = newLatency();
  readonly #routes = new Map<string, Map<string, Series>>();

  /** Counts an answer. `route` is the route's pattern, null where none matched. */
  count(method: string, route: string | null, status: number, ms: number): void {
    const { byStatus } = this.#series(method, route ?? "none");
    byStatus.set(status, (byStatus.get(status) ?? 0) + 1);
    const latency = method === "GET" || method === "HEAD" ? this.reads : this.writes;
    let bucket = 0;
    while (bucket < LATENCY_BOUNDS_MS.length && ms > (LATENCY_BOUNDS_MS[bucket] ?? 0)) bucket++;
    latency.buckets[bucket] = (latency.buckets[bucket] ?? 0) + 1;
    latency.sumMs += ms;
    latency.count++;
  }

  /** Every count so far. */
  *answers(): Generator<{ route: string; method: string; status: number; count: number }> {
    for (const [route, methods] of this.#routes) {
      for (const [method, { byStatus }] of methods) {
        for (const [status, count] of byStatus) yield { route, method, status, count };
      }
    }
  }

  #series(method: string, route: string): Series {
    let methods = this.#routes.get(route);
    if (!methods) {
      methods = new Map();
      this.#routes.set(route, methods);
    }
    // A caller may send any word as the method; unknown ones share a series.
    const known = KNOWN_METHODS.has(method) ? method : "other";
    let series = methods.get(known);
    if (!series) {
      series = { byStatus: new Map() };
      methods.set(known, series);
    }
    return series;
  }
}

const KNOWN_METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);
