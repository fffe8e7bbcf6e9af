// What the server answers to anybody: pages, the API's description, health. No key is asked for and nothing is limited
// (DECISIONS sections 6 and 13), so nothing of any organization may come in here.
import type { PathParams } from "../route.ts";

/** Where the OpenAPI document is served, with a key and without one. */
export const OPENAPI_PATH = "/api/v1/openapi.json";

/** What a public route is given. */
export interface PublicRequest {
  readonly params: PathParams;
  readonly headers: Headers;
  /** The address of whoever is connected. */
  address(): string;
}

/** What a public route answers. */
export interface PublicReply {
  readonly status: 200 | 503;
  readonly contentType: string;
  readonly body: string | Uint8Array;
  /** For a `503`: what the log is told of why. */
  readonly cause?: unknown;
  /** Further headers; `cache-control` is `no-store` unless said here. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A route for anybody; always `GET`. May throw a `Problem`. */
export interface PublicRoute {
  readonly path: string;
  /** Whether it answers also where the request's `Host` is malformed: supervisors name what they like. */
  readonly isForAnyHost?: boolean;
  run(request: PublicRequest): PublicReply | Promise<PublicReply>;
}
