// A request that was let in, on its way through reading or writing.
import type { Caller } from "../../people/principal.ts";
import type { PathParams } from "../../resources/route.ts";
import type { Asked } from "../changes/task.ts";
import { pathOf } from "./host.ts";
import type { Visit } from "./request-log.ts";

/** What is asked, who asks, and the visit that answers. */
export interface Exchange {
  readonly request: Request;
  readonly params: PathParams;
  readonly caller: Caller;
  readonly visit: Visit;
}

/** Who asks, and by which request, as the log and the idempotency of a write know it. */
export function askedBy({ request, caller, visit }: Exchange): Asked {
  const { orgId, actor, apiKeyId, accountId, actorName, sessionId } = caller;
  const who = { orgId, actor, apiKeyId, accountId, actorName, sessionId };
  return { ...who, requestId: visit.requestId, method: request.method, path: recordedPath(request) };
}

/** The address as the log knows it: with and without a slash at its end it is one. */
function recordedPath(request: Request): string {
  return pathOf(request.url).replace(/\/$/, "");
}
