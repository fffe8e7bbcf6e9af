// Turns for costly work: few run at once, and waiting requests are served by organization, then by caller. So a caller
// that asks for more than its share delays only itself, and only it is refused when it asks for far more.

import type { Asker } from "../fair-queue.ts";
import { Problem } from "../problem.ts";
import { WaitingLine } from "./waiting-line.ts";

/** The caller that waits for a turn. */
export interface TurnAsker extends Asker {
  /** Whether it reads a report, the costliest kind. */
  readonly isReport: boolean;
}

/** Limits: how many run at once, in total and per group, and how many may wait for how long. */
export interface TurnLimits {
  readonly atOnce: number;
  readonly ofOrganization: number;
  /** Limits in total, and for an organization. */
  readonly reports: number;
  readonly reportsOfOrganization: number;
  readonly waitingOfOrganization: number;
  readonly waitingOfCaller: number;
  readonly reportsWaitingOfCaller: number;
  readonly patienceMs: number;
}

/** The client has ended the request, so the answer is no longer wanted. */
export class ClientGone extends Error {
  override readonly name = "ClientGone";
}

const RETRY_SECONDS = 5;

/** Gives turns: one at a time to a caller, to the rest as the limits say. */
export class Turns {
  readonly #limits: TurnLimits;
  readonly #running = new Set<TurnAsker>();
  readonly #waiting = new WaitingLine<TurnAsker>();
  #isGivingWay = false;

  constructor(limits: TurnLimits) {
    this.#limits = limits;
  }

  /**
   * Waits for a turn; resolves with the function that ends it. Rejects with `429 rate-limited` if the caller or its
   * organization has too many waiting, with `503 unavailable` if the turn does not come in time, and with {@link
   * ClientGone} when `signal` reports that the client is gone.
   */
  take({ orgId, callerId, isReport }: TurnAsker, signal: AbortSignal): Promise<() => void> {
    const asker = { orgId, callerId, isReport };
    if (!this.#isGivingWay && this.#mayRun(asker)) return Promise.resolve(this.#begin(asker));
    if (this.#hasTooManyWaiting(asker)) return Promise.reject(tooManyWaiting());
    return this.#waiting.wait(asker, () => this.#begin(asker), {
      ms: this.#limits.patienceMs,
      late: tooBusy,
      signal,
      gone: () => new ClientGone(),
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

  /**
   * A turn's work may block the event loop to its end, so requests that came meanwhile are answered before the next
   * begins.
   */
  #giveWay(): void {
    this.#isGivingWay = true;
    // The second turn of the loop is the first that has read the requests that arrived during the work.
    setImmediate(() =>
      setImmediate(() => {
        this.#isGivingWay = false;
        this.#admit();
      }),
    );
  }

  #admit(): void {
    if (!this.#isGivingWay) this.#waiting.admit((asker) => this.#mayRun(asker));
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
  const detail = "Too many costly reads of yours, or of your organization, are waiting. Send fewer at once.";
  return new Problem("rate-limited", detail, undefined, { retryAfterSeconds: RETRY_SECONDS });
}

function tooBusy(): Problem {
  const detail = "The server is busy with other costly reads; nothing is wrong with this request.";
  return new Problem("unavailable", detail, undefined, { retryAfterSeconds: RETRY_SECONDS });
}
