// A request that was let in, on its way through reading or writing.
import type { Caller } from "../access/principal.ts";
import type { PathParams } from "../route.ts";
import type { Visit } from "./visit.ts";

/** What is asked, who asks, and the visit that answers. */
export interface Exchange {
  readonly request: Request;
  readonly params: PathParams;
  readonly caller: Caller;
  readonly visit: Visit;
}
