// Public routes, for any client: pages, the API's description, health. They need no key and have no rate limit, so they
// must show nothing of any organization.
import type { PathParams } from "../../../resources/route.ts";

/** Where the OpenAPI document is served, with a key and without one. */
export const OPENAPI_PATH = "/api/v1/openapi.json";

/** What a public route receives. */
export interface PublicRequest {
  readonly params: PathParams;
  readonly headers: Headers;
  /** Reports that the client is gone. */
  readonly signal: AbortSignal;
  /** The address of the connected client. */
  address(): string;
}

/** The answer of a public route. */
export interface PublicReply {
  readonly status: 200 | 304 | 503;
  readonly contentType: string;
  /** Null for a `304`. */
  readonly body: string | Uint8Array<ArrayBuffer> | null;
  /** For a `503`: the cause, for the log alone. */
  readonly cause?: unknown;
  /** Further headers; `cache-control` is `no-store` unless set here. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A route for any client; always `GET`. May throw a `Problem`. */
export interface PublicRoute {
  readonly path: string;
  /** What the log names in place of the path. */
  readonly loggedAs?: string;
  /** Whether it answers even if the request's `Host` is malformed: supervisors send any name. */
  readonly isForAnyHost?: boolean;
  run(request: PublicRequest): PublicReply | Promise<PublicReply>;
}
