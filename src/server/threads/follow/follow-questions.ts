// Questions to the follow thread, and what it asks of the thread of the requests.
import type { ToldError } from "../../../kernel/threads/serialized-error.ts";
import type { FollowTaskData } from "../../changes/task.ts";
import type { Config } from "../../config.ts";

/** What the thread is begun with. */
export interface FollowCircumstances {
  readonly config: Config;
  /** The database's file. */
  readonly database: string;
  /** Shared memory: when a request last came, and one that may write, in milliseconds since `timeOrigin`. */
  readonly lastRequest: Float64Array;
  readonly timeOrigin: number;
  /** How long a follower that could not begin waits before it is tried again. */
  readonly againMs: number;
}

/** To the thread: `open` comes first. */
export interface FollowQuestions {
  open(circumstances: FollowCircumstances): void;
  /** Answered when there is nothing left to follow. */
  follow(nothing: null): void;
  /** Answered when what was in hand is done. */
  stop(nothing: null): void;
}

/** From the thread. */
export interface FollowAsks {
  /** Answered when it is on disk: the task's result. */
  write(task: FollowTaskData): unknown;
  /** These two want no answer. */
  trouble(trouble: { readonly message: string; readonly error: ToldError }): void;
  figures(figures: Readonly<Record<string, number>>): void;
}
