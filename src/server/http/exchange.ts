// An admitted request on its way through reading or writing: route, caller and visit.
import type { Caller } from "../../people/principal.ts";
import type { PathParams } from "../../resources/route.ts";
import type { Asked } from "../changes/task.ts";
import { pathOf } from "./host.ts";
import type { Visit } from "./request-log.ts";

/** The route, the caller, and the visit that answers. */
export interface Exchange {
  readonly request: Request;
  readonly params: PathParams;
  readonly caller: Caller;
  readonly visit: Visit;
}

/** The caller and its request, as the log and the idempotency of a write record them. */
export function askedBy({ request, caller, visit }: Exchange): Asked {
  const { orgId, actor, apiKeyId, accountId, actorName, sessionId } = caller;
  const who = { orgId, actor, apiKeyId, accountId, actorName, sessionId };
  return { ...who, requestId: visit.requestId, method: request.method, path: recordedPath(request) };
}

/** The address for the log: with or without a slash at its end it is the same. */
function recordedPath(request: Request): string {
  return pathOf(request.url).replace(/\/$/, "");
}
