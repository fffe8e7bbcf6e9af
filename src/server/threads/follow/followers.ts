// The followers: all work of the follow thread, and its tasks by name, as the writer finds them.

import { mail } from "../../../exchange/mail/follower.ts";
import { webhooks } from "../../../exchange/webhooks/webhook-follower.ts";
import { keepingCheckpoints } from "../../../safekeeping/kept/follower.ts";
import type { AnyFollowTask } from "../../../storage/follow/follow-task.ts";
import type { Follower } from "../../../storage/follow/follower.ts";

/** Every follower. */
export const FOLLOWERS: readonly Follower[] = [webhooks, keepingCheckpoints(), mail];

/** Every task by its name. */
export const FOLLOW_TASKS = tasksOf(FOLLOWERS);

/** The tasks of followers by their names. */
export function tasksOf(followers: readonly Follower[]): ReadonlyMap<string, AnyFollowTask> {
  const tasks = new Map<string, AnyFollowTask>();
  for (const task of followers.flatMap((each) => each.tasks)) {
    if (tasks.has(task.taskName)) throw new Error(`two tasks are called ${task.taskName}`);
    tasks.set(task.taskName, task);
  }
  return tasks;
}
