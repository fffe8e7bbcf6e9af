// Turns for what takes much of the machine: few run at once, and who waits is served by organization, then by caller. So
// one that asks for more than its share waits for itself, and is refused alone where it asks for far more.

import { type Asker, Round } from "../fair-queue.ts";
import { Problem } from "../problem.ts";

/** Who asks for a turn. */
export interface TurnAsker extends Asker {
  /** Whether it asks for a report, which takes most. */
  readonly isReport: boolean;
}

/** How many run at once, of whom, and how many may wait for how long. */
export interface TurnLimits {
  readonly atOnce: number;
  readonly ofOrganization: number;
  /** Of all that run, and of an organization's. */
  readonly reports: number;
  readonly reportsOfOrganization: number;
  readonly waitingOfOrganization: number;
  readonly waitingOfCaller: number;
  readonly reportsWaitingOfCaller: number;
  readonly patienceMs: number;
}

/** The client has ended the request: no answer is wanted any more. */
export class ClientGone extends Error {
  override readonly name = "ClientGone";
}

interface Waiting extends TurnAsker {
  readonly begin: () => void;
}

const RETRY_SECONDS = 5;

/** Gives turns: of a caller one at a time, of others as the limits say. */
export class Turns {
  readonly #limits: TurnLimits;
  readonly #running = new Set<TurnAsker>();
  readonly #waiting = new Round<Waiting>();
  #isGivingWay = false;

  constructor(limits: TurnLimits) {
    this.#limits = limits;
  }

  /**
   * Waits for a turn; resolves with what ends it. Rejects with `429 rate-limited` where the caller or its organization
   * has too many waiting, with `503 unavailable` where the turn does not come in time, and with {@link ClientGone} when
   * `signal` says that no answer is wanted any more.
   */
  take({ orgId, callerId, isReport }: TurnAsker, signal: AbortSignal): Promise<() => void> {
    const asker = { orgId, callerId, isReport };
    if (!this.#isGivingWay && this.#mayRun(asker)) return Promise.resolve(this.#begin(asker));
    if (this.#hasTooManyWaiting(asker)) return Promise.reject(tooManyWaiting());
    return new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer);
        signal.removeEventListener("abort", goAway);
        this.#waiting.remove(waiting);
      };
      const giveUp = (why: Error) => {
        leave();
        reject(why);
      };
      const goAway = () => giveUp(new ClientGone());
      const waiting: Waiting = {
        ...asker,
        begin: () => {
          leave();
          resolve(this.#begin(asker));
        },
      };
      const timer = setTimeout(() => giveUp(tooBusy()), this.#limits.patienceMs);
      signal.addEventListener("abort", goAway);
      this.#waiting.add(waiting);
      if (signal.aborted) goAway();
    });
  }

  #hasTooManyWaiting({ orgId, callerId, isReport }: TurnAsker): boolean {
    const { waitingOfOrganization, waitingOfCaller, reportsWaitingOfCaller } = this.#limits;
    const ofCaller = this.#waiting.ofCaller(callerId);
    return (
      this.#waiting.ofOrganization(orgId).length >= waitingOfOrganization ||
      ofCaller.length >= waitingOfCaller ||
      (isReport && countReports(ofCaller) >= reportsWaitingOfCaller)
    );
  }

  #begin(asker: TurnAsker): () => void {
    this.#running.add(asker);
    this.#giveWay();
    return () => {
      if (this.#running.delete(asker)) this.#admit();
    };
  }

  /** What a turn does may hold the event loop to its end: before the next begins, what came meanwhile is answered. */
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
    if (!this.#isGivingWay) this.#waiting.next((asker) => this.#mayRun(asker))?.begin();
  }

  #mayRun({ orgId, callerId, isReport }: TurnAsker): boolean {
    const { atOnce, ofOrganization, reports, reportsOfOrganization } = this.#limits;
    const running = [...this.#running];
    const there = running.filter((other) => other.orgId === orgId);
    return (
      running.length < atOnce &&
      // A person is one caller in all its organizations.
      !running.some((other) => other.callerId === callerId) &&
      there.length < ofOrganization &&
      (!isReport || (countReports(running) < reports && countReports(there) < reportsOfOrganization))
    );
  }
}

function countReports(askers: readonly TurnAsker[]): number {
  return askers.filter(({ isReport }) => isReport).length;
}

function tooManyWaiting(): Problem {
  const detail = "Too many of your requests, or of your organization's, wait that read as much. Send fewer at once.";
  return new Problem("rate-limited", detail, undefined, { retryAfterSeconds: RETRY_SECONDS });
}

function tooBusy(): Problem {
  const detail = "The server is busy with other requests that read as much; nothing is wrong with this one.";
  return new Problem("unavailable", detail, undefined, { retryAfterSeconds: RETRY_SECONDS });
}
