// /healthz and /readyz: whether the process answers, and whether it can do its work (DECISIONS section 13).
import { storeSetting } from "../database/settings.ts";
import type { Writer } from "../database/writer.ts";
import type { Runtime } from "../kernel/runtime.ts";
import type { PublicReply, PublicRoute } from "./public.ts";

/** Anybody may ask, so the disk is tried at most this often. */
const PROBE_EVERY_MS = 1000;

/** The routes that supervisors and load balancers ask. The server listens only after migrations are done. */
export function healthRoutes(writer: Writer, runtime: Runtime): readonly PublicRoute[] {
  let probedMs = Number.NEGATIVE_INFINITY;
  let probe: Promise<boolean> = Promise.resolve(false);
  const isWritable = () => {
    // By the clock that only goes forward: after one that was set back, an old answer would stand for years.
    const askedMs = performance.now();
    if (askedMs - probedMs < PROBE_EVERY_MS) return probe;
    probedMs = askedMs;
    probe = writer
      .submit((tx) => storeSetting(tx, "probedAtMs", String(runtime.nowMs())))
      .then(
        () => true,
        () => false,
      );
    return probe;
  };
  return [
    { path: "/healthz", isForAnyHost: true, run: () => say(200, "alive") },
    {
      path: "/readyz",
      isForAnyHost: true,
      run: async () => ((await isWritable()) ? say(200, "ready") : say(503, "the database cannot be written")),
    },
  ];
}

function say(status: 200 | 503, state: string): PublicReply {
  return { status, contentType: "application/json", body: JSON.stringify({ state }) };
}
