// The follow thread of a service: what it asks for goes to the service's writer.
import { toTimestamp } from "../../kernel/runtime.ts";
import { FollowThread } from "../threads/follow/follow-thread-client.ts";
import { FOLLOWERS } from "../threads/follow/followers.ts";
import type { ServiceParts } from "./parts.ts";
import type { Writes } from "./writes.ts";

/** The follow thread's client. */
export function followThreadOf(
  { config, ports, onTrouble }: ServiceParts,
  { changes, watching, lastRequest }: Pick<Writes, "changes" | "watching" | "lastRequest">,
): FollowThread {
  const { runtime, startFollowing: start, followers = FOLLOWERS, followAgainMs: againMs } = ports;
  return new FollowThread({
    ...{ config, watching, lastRequest, followers, start, againMs },
    write: (task) => changes.follow(task),
    onTrouble: (message, thrown) => onTrouble({ time: toTimestamp(runtime.nowMs()), message }, thrown),
  });
}
