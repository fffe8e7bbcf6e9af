// Health checks, /healthz and /readyz: whether the process answers, and whether it can do its work.

import { Problem } from "../../../kernel/problem.ts";
import type { Changes } from "../../changes/task.ts";
import type { PublicReply, PublicRoute } from "./public.ts";

/** Any client may ask, so the disk is tried at most this often. */
const PROBE_EVERY_MS = 1000;
const NOT_WRITABLE = "the database cannot be written";

/** The routes that supervisors and load balancers ask. The server listens only after migrations are done. */
export function healthRoutes(changes: Pick<Changes, "tryToWrite">): readonly PublicRoute[] {
  let probedMs = Number.NEGATIVE_INFINITY;
  let probe: Promise<PublicReply> = Promise.resolve(say(503, NOT_WRITABLE));
  const tryToWrite = () => {
    // By the monotonic clock: after a wall clock that was set back, an old answer would stand for years.
    const askedMs = performance.now();
    if (askedMs - probedMs < PROBE_EVERY_MS) return probe;
    probedMs = askedMs;
    probe = changes.tryToWrite().then(
      () => say(200, "ready"),
      (failure) => ({ ...say(503, NOT_WRITABLE), cause: failure instanceof Problem ? failure.cause : failure }),
    );
    return probe;
  };
  return [
    { path: "/healthz", isForAnyHost: true, run: () => say(200, "alive") },
    {
      path: "/readyz",
      isForAnyHost: true,
      run: tryToWrite,
    },
  ];
}

function say(status: 200 | 503, state: string): PublicReply {
  return { status, contentType: "application/json", body: JSON.stringify({ state }) };
}
