// The follow thread's client, in the thread of the requests: begins the thread when there is something to follow, has its
// tasks carried out, and begins it again a while after it failed.
import { toldError } from "../../../kernel/threads/serialized-error.ts";
import { type StartThread, startsWorker, Thread } from "../../../kernel/threads/thread.ts";
import { dataVersion } from "../../../storage/database/open.ts";
import type { Reader } from "../../../storage/database/sql.ts";
import type { Follower } from "../../../storage/follow/follower.ts";
import type { FollowTaskData } from "../../changes/task.ts";
import type { Config } from "../../config.ts";
import type { FollowAsks, FollowQuestions } from "./follow-questions.ts";

/** How often it is looked whether there is something to follow, after commits. */
const LOOK_MS = 1000;
const AGAIN_MS = 10_000;
/** How long what is in hand may take when the service stops, and then its notes. */
const STOP_MS = 6000;

const startThread = startsWorker(
  "the follow thread",
  () => new Worker(new URL("./follow-thread.ts", import.meta.url).href),
);

/** What the client needs. */
export interface FollowThreadParts {
  readonly config: Config;
  /** The connection that notices commits; not the thread's own. */
  readonly watching: Reader;
  /** Shared with the requests, which note in it when one last came, and one that may write. */
  readonly lastRequest: Float64Array;
  /** Carries a task out; settles when it is on disk. */
  readonly write: (task: FollowTaskData) => Promise<unknown>;
  readonly onTrouble: (message: string, thrown: unknown) => void;
  readonly followers: readonly Follower[];
  /** Starts what follows, instead of a thread. */
  readonly start?: StartThread | undefined;
  /** How long it waits after a failure, instead of 10 s. */
  readonly againMs?: number | undefined;
}

type FollowWorker = Thread<FollowQuestions, FollowAsks>;

/** Has followers work in a thread. */
export class FollowThread {
  readonly #parts: FollowThreadParts;
  #thread: FollowWorker | null = null;
  #looks: ReturnType<typeof setInterval> | null = null;
  #again: ReturnType<typeof setTimeout> | null = null;
  #version = -1;
  #isStopped = false;
  /** What the thread has told, and what those before it had counted. */
  #figures: Readonly<Record<string, number>> = {};
  #counted: Readonly<Record<string, number>> = {};

  constructor(parts: FollowThreadParts) {
    this.#parts = parts;
  }

  /** Whether there is a thread. */
  get isBegun(): boolean {
    return this.#thread !== null;
  }

  /** What the followers have told since the service began; what is called `…Total` is counted over all threads. */
  get figures(): Readonly<Record<string, number>> {
    const totals = Object.entries(this.#counted).map(([name, count]) => [name, count + (this.#figures[name] ?? 0)]);
    return { ...this.#figures, ...Object.fromEntries(totals) };
  }

  /** Looks now, and from now on after commits. */
  begin(): void {
    this.#look();
    this.#looks = setInterval(() => this.#look(), LOOK_MS);
    this.#looks.unref();
  }

  /** Looks at once, as after a change that makes something to follow. */
  look(): void {
    this.#version = -1;
    this.#look();
  }

  /** Ends it; what is in hand has 5 s. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    if (this.#looks) clearInterval(this.#looks);
    if (this.#again) clearTimeout(this.#again);
    const thread = this.#thread;
    if (thread === null) return;
    const stopped = thread.ask("stop", null).catch(() => undefined);
    const { promise, resolve } = Promise.withResolvers<void>();
    const patience = setTimeout(resolve, STOP_MS);
    await Promise.race([stopped, promise]);
    clearTimeout(patience);
    thread.end();
    this.#thread = null;
  }

  #look(): void {
    if (this.#thread !== null || this.#again !== null || this.#isStopped) return;
    const { watching, config, followers } = this.#parts;
    const version = dataVersion(watching);
    if (version === this.#version) return;
    this.#version = version;
    if (followers.some((each) => each.isWanted(watching, config))) this.#begin();
  }

  #begin(): void {
    const { start = startThread, config, watching, lastRequest, write, onTrouble, againMs = AGAIN_MS } = this.#parts;
    const thread: FollowWorker = new Thread<FollowQuestions, FollowAsks>({
      start,
      own: {
        write,
        trouble: ({ message, error }) => onTrouble(message, toldError(error)),
        figures: (figures) => {
          this.#figures = { ...this.#figures, ...figures };
        },
      },
      onLost: (error) => this.#lose(error),
    });
    this.#thread = thread;
    this.#counted = Object.fromEntries(Object.entries(this.figures).filter(([name]) => name.endsWith("Total")));
    this.#figures = {};
    const { timeOrigin } = performance;
    thread.tell("open", { config, database: watching.sqlite.name, lastRequest, timeOrigin, againMs });
    thread.ask("follow", null).then(
      () => this.#rest(thread),
      (error) => this.#fail(thread, error),
    );
  }

  /** Nothing is left to follow. */
  #rest(thread: FollowWorker): void {
    if (this.#isStopped) return;
    thread.end();
    this.#thread = null;
    this.#version = -1;
  }

  /** A follower could not be begun, or the thread has ended. */
  #fail(thread: FollowWorker, error: Error): void {
    if (this.#thread !== thread) return;
    thread.end();
    this.#lose(error);
  }

  #lose(error: Error): void {
    this.#thread = null;
    if (this.#isStopped) return;
    this.#parts.onTrouble(error.message, error);
    this.#again = setTimeout(() => {
      this.#again = null;
      this.look();
    }, this.#parts.againMs ?? AGAIN_MS);
    this.#again.unref();
  }
}
