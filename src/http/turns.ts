// Who may read much at this moment (TRUTH section 8). A view as of a date or an export takes the machine for as long as
// a thousand records do, so few run at once: one of a key, two of an organization, in all as many as there are cores.
// The others wait, not for long, in the order in which they came; whoever has gone away waits no longer.
import { availableParallelism } from "node:os";
import { Problem } from "../kernel/problem.ts";
import type { Expense } from "../route.ts";

/** Who asks, and for how much. */
export interface Asker {
  readonly id: string;
  readonly orgId: string;
  readonly expense: Expense;
}

/** How many run at once in all, and how long others wait. */
export interface TurnLimits {
  readonly atOnce: number;
  readonly patienceMs: number;
}

/** The client has ended the request: nobody is left to answer. */
export class ClientGone extends Error {
  override readonly name = "ClientGone";
}

interface Waiting {
  readonly asker: Asker;
  /** A report that waits for the worker alone: it has the place of its key and of its organization meanwhile. */
  hasPlace: boolean;
  readonly begin: () => void;
}

const LIMITS: TurnLimits = { atOnce: Math.max(2, availableParallelism()), patienceMs: 30_000 };
const OF_KEY = 1;
const OF_ORGANIZATION = 2;
const REPORTS = 1;
/** Beyond this, waiting would be of no use to anybody. */
const WAITING_MAX = 1000;
const REPORTS_WAITING_MAX = 8;
const RETRY_SECONDS = 5;

/** Gives turns to those who read much. */
export class Turns {
  readonly #limits: TurnLimits;
  readonly #running = new Set<Asker>();
  #waiting: Waiting[] = [];
  #isGivingWay = false;

  constructor(limits: Partial<TurnLimits> = {}) {
    this.#limits = { ...LIMITS, ...limits };
  }

  /**
   * Waits for a turn; resolves with what ends it. Rejects with `503 unavailable` when it does not come in time, and
   * with {@link ClientGone} when `signal` tells that nobody waits for the answer any more.
   */
  take(asker: Asker, signal: AbortSignal): Promise<() => void> {
    if (!this.#isGivingWay && this.#mayRun(asker)) return Promise.resolve(this.#begin(asker));
    if (this.#waiting.length >= WAITING_MAX || this.#hasTooManyReports(asker)) return Promise.reject(tooBusy());
    return new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer);
        signal.removeEventListener("abort", goAway);
        this.#waiting = this.#waiting.filter((each) => each !== waiting);
      };
      const giveUp = (why: Error) => {
        leave();
        reject(why);
        // Somebody else of the key or the organization may have waited for its place.
        if (waiting.hasPlace) this.#admit();
      };
      const goAway = () => giveUp(new ClientGone());
      const waiting: Waiting = {
        asker,
        hasPlace: false,
        begin: () => {
          leave();
          resolve(this.#begin(asker));
        },
      };
      const timer = setTimeout(() => giveUp(tooBusy()), this.#limits.patienceMs);
      signal.addEventListener("abort", goAway);
      this.#waiting.push(waiting);
      this.#givePlaces();
      if (signal.aborted) goAway();
    });
  }

  #hasTooManyReports({ expense }: Asker): boolean {
    if (expense !== "report") return false;
    return this.#waiting.filter(({ asker }) => asker.expense === "report").length >= REPORTS_WAITING_MAX;
  }

  #begin(asker: Asker): () => void {
    this.#running.add(asker);
    this.#giveWay();
    return () => {
      if (this.#running.delete(asker)) this.#admit();
    };
  }

  /** What a turn does may hold the event loop to its end: before the next begins, whoever came meanwhile is answered. */
  #giveWay(): void {
    this.#isGivingWay = true;
    // The second turn of the loop is the first that has looked at what came in during the work.
    setImmediate(() =>
      setImmediate(() => {
        this.#isGivingWay = false;
        this.#admit();
      }),
    );
  }

  #admit(): void {
    if (this.#isGivingWay) return;
    this.#waiting.find(({ asker, hasPlace }) => this.#mayRun(asker, hasPlace))?.begin();
    this.#givePlaces();
  }

  /** Gives reports that could run but for other reports their key's and their organization's place. */
  #givePlaces(): void {
    for (const waiting of this.#waiting) {
      waiting.hasPlace ||= waiting.asker.expense === "report" && this.#isPlaceFor(waiting.asker);
    }
  }

  #mayRun(asker: Asker, hasPlace = false): boolean {
    const running = [...this.#running];
    const isReport = asker.expense === "report";
    const reports = running.filter(({ expense }) => expense === "report").length;
    return (
      running.length < this.#limits.atOnce && (!isReport || reports < REPORTS) && (hasPlace || this.#isPlaceFor(asker))
    );
  }

  /** Whether the key and the organization have room for one more. */
  #isPlaceFor({ id, orgId }: Asker): boolean {
    const waiting = this.#waiting.filter(({ hasPlace }) => hasPlace).map(({ asker }) => asker);
    const taken = [...this.#running, ...waiting];
    return (
      taken.filter((other) => other.id === id).length < OF_KEY &&
      taken.filter((other) => other.orgId === orgId).length < OF_ORGANIZATION
    );
  }
}

function tooBusy(): Problem {
  const detail = "The server is busy with other requests that read as much; nothing is wrong with this one.";
  return new Problem("unavailable", detail, undefined, { retryAfterSeconds: RETRY_SECONDS });
}
