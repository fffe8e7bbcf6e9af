// Following: begins the followers that have something to do, wakes them after commits, and ends them, as the follow
// thread's client asks.
import { present } from "../../../kernel/assert.ts";
import { systemRuntime } from "../../../kernel/runtime.ts";
import { BackgroundLoop } from "../../../kernel/threads/background-loop.ts";
import type { Peer } from "../../../kernel/threads/peer.ts";
import { tellError } from "../../../kernel/threads/serialized-error.ts";
import type { ThreadWork } from "../../../kernel/threads/thread.ts";
import { dataVersion, openReadOnly } from "../../../storage/database/open.ts";
import type { Reader } from "../../../storage/database/sql.ts";
import type { Follower, FollowGround, Following } from "../../../storage/follow/follower.ts";
import type { FollowAsks, FollowCircumstances, FollowQuestions } from "./follow-questions.ts";
import { FOLLOWERS } from "./followers.ts";
import { recordReader } from "./read-record.ts";

/** How often commits are looked for. */
const LOOK_MS = 100;
/** How long after its arrival a request that may write counts as writing. */
const RECENT_MS = 50;
/** How often a rest checks whether it is still needed. */
const REST_LOOK_MS = 20;

/** Asks the client. */
type Asker = Pick<Peer<FollowAsks, FollowQuestions>, "ask" | "tell">;

/** What an open follow thread has. */
class Followed {
  readonly #followers: readonly Follower[];
  readonly #db: Reader;
  readonly #settings: FollowCircumstances["config"];
  readonly #ground: FollowGround;
  readonly #lastWriteMs: () => number;
  readonly #working = new Map<Follower, Following>();
  readonly #againMs: number;
  /** Those that could not begin, and when each is tried again, by `performance.now()`. */
  readonly #failed = new Map<Follower, number>();
  readonly #loop = new BackgroundLoop(() => this.#look());
  readonly #rested = Promise.withResolvers<void>();
  #version = -1;
  #isBegun = false;

  constructor(followers: readonly Follower[], circumstances: FollowCircumstances, asker: Asker) {
    const { config, database, lastRequest, timeOrigin, againMs } = circumstances;
    this.#againMs = againMs;
    this.#followers = followers;
    this.#settings = config;
    this.#db = openReadOnly(database);
    const ahead = performance.timeOrigin - timeOrigin;
    this.#lastWriteMs = () => present(lastRequest[1], "when a request last wrote") - ahead;
    this.#ground = {
      db: this.#db,
      settings: config,
      runtime: systemRuntime,
      write: (task, data) => asker.ask("write", { name: task.taskName, data }) as Promise<never>,
      read: recordReader(this.#db, () => systemRuntime.nowMs()),
      rest: (msMax) => this.#rest(msMax),
      trouble: (message, thrown) => asker.tell("trouble", { message, error: tellError(thrown) }),
      tellFigures: (figures) => asker.tell("figures", figures),
    };
  }

  /** Resolves once nothing is left to follow. */
  follow(): Promise<void> {
    if (!this.#isBegun) this.#loop.start();
    this.#isBegun = true;
    return this.#rested.promise;
  }

  /** Ends the followers, which finish what is in hand, and closes the connection. */
  async stop(): Promise<void> {
    await this.#loop.stop();
    await this.#end([...this.#working.keys()]);
    this.#rested.resolve();
    this.close();
  }

  close(): void {
    this.#db.sqlite.close();
  }

  /** A failure ends the thread. */
  async #look(): Promise<number> {
    try {
      return await this.#lookOnce();
    } catch (error) {
      void this.#loop.stop();
      this.#rested.reject(error);
      return LOOK_MS;
    }
  }

  async #lookOnce(): Promise<number> {
    const version = dataVersion(this.#db);
    const isDue = [...this.#failed.values()].some((at) => performance.now() >= at);
    if (version === this.#version && !isDue) return LOOK_MS;
    this.#version = version;
    const wanted = this.#followers.filter((each) => each.isWanted(this.#db, this.#settings));
    await this.#end([...this.#working.keys()].filter((each) => !wanted.includes(each)));
    for (const each of this.#failed.keys()) if (!wanted.includes(each)) this.#failed.delete(each);
    for (const each of wanted) {
      const known = this.#working.get(each);
      if (known) known.wake();
      else await this.#begin(each);
    }
    if (wanted.length === 0) this.#rested.resolve();
    return LOOK_MS;
  }

  /** Begins a follower. One that cannot begin is tried again later, and the others go on. */
  async #begin(follower: Follower): Promise<void> {
    if (performance.now() < (this.#failed.get(follower) ?? 0)) return;
    try {
      this.#working.set(follower, await follower.begin(this.#ground));
      this.#failed.delete(follower);
    } catch (error) {
      this.#failed.set(follower, performance.now() + this.#againMs);
      const why = error instanceof Error ? error.message : String(error);
      this.#ground.trouble(`${follower.name} could not begin: ${why}`, error);
    }
  }

  async #end(followers: readonly Follower[]): Promise<void> {
    await Promise.all(followers.map((each) => this.#working.get(each)?.stop()));
    for (const each of followers) this.#working.delete(each);
  }

  async #rest(msMax: number): Promise<void> {
    const until = performance.now() + msMax;
    for (;;) {
      const now = performance.now();
      if (now >= until || now - this.#lastWriteMs() >= RECENT_MS || this.#loop.isStopping) return;
      await Bun.sleep(REST_LOOK_MS);
    }
  }
}

/** What the follow thread does; `end` closes its connection. */
export function following(followers: readonly Follower[] = FOLLOWERS): {
  readonly work: ThreadWork<FollowAsks, FollowQuestions>;
  end(): void;
} {
  let opened: Followed | null = null;
  const here = () => present(opened, "what is followed");
  return {
    work: (asker) => ({
      open(circumstances) {
        opened = new Followed(followers, circumstances, asker);
      },
      follow: () => here().follow(),
      stop: () => here().stop(),
    }),
    end: () => opened?.close(),
  };
}
