// The background loop: one timer, one step at a time, and no request waits for it. After a failure of the chain it
// waits, longer each time; the ledger's changes stay in the outbox meanwhile. The code that plans, sends and reconciles
// is loaded with its first work: it brings the token and its cryptography, which a service without tokens never needs.

import { callWithoutRequest } from "../../kernel/call.ts";
import { Problem } from "../../kernel/problem.ts";
import { type Runtime, toTimestamp } from "../../kernel/runtime.ts";
import { BackgroundLoop } from "../../kernel/threads/background-loop.ts";
import { isClosed, refuseClosedIn } from "../../storage/database/closed.ts";
import { dataVersion } from "../../storage/database/open.ts";
import type { Reader, Tx } from "../../storage/database/sql.ts";
import type { Writer } from "../../storage/database/writer.ts";
import { ChainError } from "../chain/port.ts";
import { findOpenSubmission, hasReadyOperation, listNextOperations, listSent } from "./operation-store.ts";
import { failOverdue } from "./record.ts";
import type { Progress, Sender, SenderTiming } from "./sender.ts";
import { type ChainSource, checkSession, openSession, type Session } from "./session.ts";
import { changeJob, clearRetryRequests, findJob, hasRetryRequest, type Job, listPlannable } from "./store.ts";
import { changeToken, DEPLOYMENT_MS_MAX, listOverdue, listTokenized } from "./token-store.ts";

/** Polling intervals, in milliseconds. */
export interface JobsTiming extends SenderTiming {
  /** For new jobs, while the outbox is empty. */
  readonly idleMs: number;
  /** For the receipt of a sent transaction. */
  readonly pollMs: number;
  /** For a chain that was exchanged at run time. */
  readonly checkMs: number;
  readonly reconcileMs: number;
  /** The first and the longest wait after a failure. */
  readonly backoffMs: readonly [first: number, longest: number];
}

/** The timing of a service; a failing node is asked again after a second at first, then less and less often. */
export const JOBS_TIMING: JobsTiming = {
  idleMs: 100,
  pollMs: 1000,
  checkMs: 10_000,
  reconcileMs: 60_000,
  stuckMs: 60_000,
  resendMs: 15_000,
  backoffMs: [1000, 300_000],
};

/** The rest after a step, as a multiple of that step's duration. */
const RESTS = { writing: 39, reading: 4, idle: 0 } as const;
const REST_MS_MAX = 500;
/** How often a rest checks whether it is still needed. */
const LOOK_MS = 20;
const PLANNED_AT_ONCE = 5;

/** The dependencies of the background work. */
export interface JobsParts {
  readonly db: Reader;
  readonly writer: Writer;
  readonly runtime: Runtime;
  readonly source: ChainSource;
  readonly timing: JobsTiming;
  /** The load of requests: the more requests, the smaller the share of time for the background work. */
  readonly activity: () => keyof typeof RESTS;
  /** Logs a failure once while it lasts: in words without secrets, and as it was thrown. */
  readonly onTrouble: (line: { readonly time: string; readonly message: string }, thrown: unknown) => void;
}

let work: ReturnType<typeof importWork> | null = null;

/** The code that plans, sends and reconciles, loaded once. */
export function loadWork(): ReturnType<typeof importWork> {
  work ??= importWork();
  return work;
}

async function importWork() {
  const [mirror, wallets, sender, reconcile] = await Promise.all([
    import("./mirror.ts"),
    import("./wallet-jobs.ts"),
    import("./sender.ts"),
    import("./reconcile.ts"),
  ]);
  return { ...mirror, ...wallets, ...sender, ...reconcile };
}

/** The loop of the background work. */
export class Jobs {
  readonly #parts: JobsParts;
  #sender: Sender | null = null;
  readonly #loop = new BackgroundLoop(() => this.#work());
  #session: Session | null = null;
  // Durations use the monotonic clock, since the wall clock may be set.
  #checkedAtMs = 0;
  #reconciledAtMs: number;
  #seenVersion = -1;
  #failures = 0;
  #nextAttemptAtMs = 0;
  #lastMessage: string | null = null;

  constructor(parts: JobsParts) {
    this.#parts = parts;
    this.#reconciledAtMs = parts.runtime.elapsedMs() - parts.timing.reconcileMs / 2;
  }

  /** Starts polling for work. */
  start(): void {
    this.#loop.start();
  }

  /** Finishes the current step, closes the chain, and stops. */
  async stop(): Promise<void> {
    await this.#loop.stop();
    await this.#closeSession();
  }

  /** Works until no work is ready; returns how long to wait. */
  async #work(): Promise<number> {
    while (!this.#loop.isStopping) {
      const started = performance.now();
      const waitMs = await this.step();
      if (waitMs > 0) return waitMs;
      await this.#rest(performance.now() - started);
    }
    return this.#parts.timing.idleMs;
  }

  /**
   * Takes one step and handles its failure; returns how long to wait, 0 to go on at once. Called by the loop, or by
   * tests instead of it.
   */
  async step(): Promise<number> {
    const { idleMs, pollMs } = this.#parts.timing;
    try {
      const progress = await this.#advance();
      return { again: 0, wait: pollMs, idle: idleMs }[progress];
    } catch (error) {
      await this.#backOff(error);
      return idleMs;
    }
  }

  /** Between two steps requests get their turn: all but a fortieth of the time, but only while requests write. */
  async #rest(stepMs: number): Promise<void> {
    const started = performance.now();
    let leftMs = 0;
    do {
      await Bun.sleep(Math.min(leftMs, LOOK_MS));
      const restMs = Math.min(REST_MS_MAX, stepMs * RESTS[this.#parts.activity()]);
      leftMs = started + restMs - performance.now();
    } while (leftMs > 0 && !this.#loop.isStopping);
  }

  async #advance(): Promise<Progress> {
    const { db, runtime } = this.#parts;
    const nowMs = runtime.nowMs();
    await this.#failOverdue(nowMs);
    if (runtime.elapsedMs() < this.#nextAttemptAtMs) {
      if (!hasRetryRequest(db)) return "idle";
      await this.#parts.writer.submit(clearRetryRequests);
    }
    const isReconciling = runtime.elapsedMs() - this.#reconciledAtMs >= this.#parts.timing.reconcileMs;
    const version = dataVersion(db);
    if (version === this.#seenVersion && !isReconciling && this.#failures === 0) return "idle";
    if (await this.#plan(nowMs)) return "again";
    const isSending = findOpenSubmission(db) !== null || hasReadyOperation(db);
    if (isSending) {
      const progress = await this.#send();
      this.#noteSuccess();
      return progress === "idle" ? "wait" : progress;
    }
    if (isReconciling) await this.#reconcile();
    this.#noteSuccess();
    this.#seenVersion = version;
    return "idle";
  }

  async #send(): Promise<Progress> {
    const { db, writer, runtime, timing } = this.#parts;
    const { Sender } = await loadWork();
    this.#sender ??= new Sender(db, writer, runtime, timing);
    return this.#sender.advance(await this.#openSession());
  }

  async #failOverdue(nowMs: number): Promise<void> {
    const { db, writer, runtime } = this.#parts;
    const overdue = listOverdue(db, nowMs);
    if (overdue.length === 0) return;
    await writer.submit((tx) => {
      for (const { orgId, stockClassId, isTooFarOff } of overdue) {
        if (isTooFarOff) changeToken(tx, orgId, stockClassId, { deadlineMs: nowMs + DEPLOYMENT_MS_MAX });
        else failOverdue(tx, callWithoutRequest(runtime, orgId, "job"), stockClassId);
      }
    });
  }

  /** Plans the oldest jobs; false if no job waits. */
  async #plan(nowMs: number): Promise<boolean> {
    const { db, writer, runtime, source } = this.#parts;
    if (listPlannable(db, { limit: 1 }).length === 0) return false;
    const { planJob, keepWallets, knowsWallets } = await loadWork();
    if (!knowsWallets(db)) {
      const xpub = await source.openWallets();
      await writer.submit((tx) => keepWallets(tx, xpub));
    }
    const jobs = listPlannable(db, { limit: PLANNED_AT_ONCE });
    await Promise.all(
      jobs.map(async (job) => {
        const plan = (tx: Tx) => {
          refuseClosedIn(tx, job.orgId);
          return planJob(tx, callWithoutRequest(runtime, job.orgId, "job"), job, nowMs);
        };
        await writer.submit(plan, "repeatable").catch((error: unknown) => this.#giveUp(job, error));
      }),
    );
    return true;
  }

  /** A job that cannot be planned must not block the others. */
  async #giveUp(job: Job, error: unknown): Promise<void> {
    if (error instanceof Problem) throw error;
    const message = error instanceof Error ? error.message : String(error);
    this.#parts.onTrouble({ time: toTimestamp(this.#parts.runtime.nowMs()), message }, error);
    await this.#parts.writer.submit((tx) => changeJob(tx, job, { state: "FAILED", error: message }));
  }

  async #reconcile(): Promise<void> {
    const { db, writer, runtime } = this.#parts;
    this.#reconciledAtMs = runtime.elapsedMs();
    const deployed = listTokenized(db).filter(
      ({ orgId, tokenizationStatus }) => tokenizationStatus === "DEPLOYED" && !isClosed(db, { orgId }),
    );
    if (deployed.length === 0) return;
    const { reconcileTotals } = await loadWork();
    const session = await this.#openSession();
    await reconcileTotals({ db, writer, session, at: toTimestamp(runtime.nowMs()) }, deployed);
  }

  async #openSession(): Promise<Session> {
    const { db, writer, runtime, source, timing } = this.#parts;
    const nowMs = runtime.elapsedMs();
    if (this.#session === null) {
      this.#session = await openSession(db, writer, runtime, source);
      this.#checkedAtMs = nowMs;
    } else if (nowMs - this.#checkedAtMs >= timing.checkMs) {
      await checkSession(writer, runtime, this.#session);
      this.#checkedAtMs = nowMs;
    }
    return this.#session;
  }

  async #closeSession(): Promise<void> {
    const session = this.#session;
    this.#session = null;
    await session?.chain.close().catch(() => undefined);
  }

  #noteSuccess(): void {
    this.#failures = 0;
    this.#lastMessage = null;
  }

  /**
   * Backs off after a failure, 1 s doubling to 5 min, or as long as the node asks; records the reason at the job. The
   * jitter keeps several services from returning to a node at once.
   */
  async #backOff(error: unknown): Promise<void> {
    const { runtime, timing, onTrouble } = this.#parts;
    if (error instanceof ChainError && error.kind === "reorged") return;
    if (!(error instanceof ChainError) || error.kind === "operator") await this.#closeSession();
    const nowMs = runtime.nowMs();
    const [first, longest] = timing.backoffMs;
    const doubled = Math.min(longest, first * 2 ** Math.min(this.#failures, 20));
    const asked = error instanceof ChainError ? (error.retryAfterMs ?? 0) : 0;
    this.#failures++;
    const waitMs = Math.max(asked, Math.round(doubled * (0.5 + runtime.random() / 2)));
    this.#nextAttemptAtMs = runtime.elapsedMs() + waitMs;
    const message = error instanceof Error ? error.message : String(error);
    if (message !== this.#lastMessage) onTrouble({ time: toTimestamp(nowMs), message }, error);
    this.#lastMessage = message;
    await this.#noteTrouble(message, nowMs + waitMs).catch(() => undefined);
  }

  /** Records the failure at the current job. */
  async #noteTrouble(error: string, nextAttemptAtMs: number): Promise<void> {
    const { db, writer } = this.#parts;
    const open = findOpenSubmission(db);
    const operation = (open && listSent(db, { submission: open.seq })[0]) ?? listNextOperations(db, 1)[0];
    const [waiting] = operation ? [findJob(db, { id: operation.jobId })] : listPlannable(db, { limit: 1 });
    if (!waiting) return;
    await writer.submit((tx) => changeJob(tx, waiting, { error, nextAttemptAtMs, attempts: waiting.attempts + 1 }));
  }
}
