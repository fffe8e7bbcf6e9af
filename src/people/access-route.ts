// Routes of people: requests about accounts and sessions, outside any organization. The edge serves them like the
// others, but the session alone decides who may call them, and an answer may begin or end one.
import type { Static, TObject, TSchema } from "@sinclair/typebox";
import type { Runtime } from "../kernel/runtime.ts";
import type { PathParams, Query, Reply, RouteBase } from "../resources/route.ts";
import type { Reader } from "../storage/database/sql.ts";
import type { Visitor } from "./call.ts";
import type { Command } from "./command.ts";
import type { Session } from "./principal.ts";
import type { Sessions } from "./sessions.ts";
import type { Failures } from "./sign-in/failures.ts";
import type { Handshake } from "./sign-in/handshake.ts";
import type { PasswordHasher } from "./sign-in/hasher.ts";
import type { Provider } from "./sign-in/oidc.ts";
import type { Challenge } from "./sign-in/passkeys.ts";
import type { Seal } from "./sign-in/seal.ts";
import type { ShortMemory } from "./sign-in/short-memory.ts";

/** What routes of people need. */
export interface Desk {
  /** Never older than the last commit. */
  readonly db: Reader;
  readonly runtime: Runtime;
  readonly sessions: Sessions;
  readonly hasher: PasswordHasher;
  readonly failures: Failures;
  readonly seal: Seal;
  /** Secrets of one-time codes that wait for their first code, by session. */
  readonly enrolments: ShortMemory<string>;
  /** Challenges that wait for a passkey's answer, by challenge. */
  readonly challenges: ShortMemory<Challenge>;
  /** How long a session lives without a request. */
  readonly sessionIdleMs: number;
  /** How long a session lives at most. */
  readonly sessionMs: number;
  readonly dataDir: string;
  /** Facts of the instance for operators, besides those in the database. */
  readonly instance: {
    readonly environment: string;
    /** Null: no share class gets a token. */
    readonly chain: { readonly isEmbedded: boolean } | null;
    readonly backupDir: string | null;
    readonly backupEveryHours: number;
    /** Bytes that each organization may store; 0: no limit. */
    readonly organizationBytes: number;
  };
  /** The OpenID Connect provider; null without one. */
  readonly provider: Provider | null;
  /** Sign-ins begun at the provider, by `state`. */
  readonly handshakes: ShortMemory<Handshake>;
  readonly publicUrl: () => string;
  /** A checkpoint of the instance's log of accounts, signed now. */
  readonly checkpoint: (nowMs: number) => string;
  /** Executes a change of accounts in one transaction. Rejects with the `Problem` that refuses it. */
  execute<D, R>(command: Command<D, R>, data: D, visitor: Visitor): Promise<R>;
}

/** The request of a handler. `S` is the session, or null if none is needed and none was sent. */
export interface AccessRequest<B, S> {
  readonly params: PathParams;
  readonly query: Query;
  /** The query as it came, from `?` on: a provider may add parameters of its own. */
  readonly search: string;
  readonly body: B;
  readonly headers: Headers;
  readonly visitor: Visitor;
  /** The client's address, for limits. */
  readonly address: string;
  readonly nowMs: number;
  readonly session: S;
}

/** The answer of a handler. */
export interface AccessReply extends Omit<Reply, "status" | "file" | "text" | "isOfMoment"> {
  readonly status: 200 | 201 | 204 | 303;
  /** The session's next token, to be set as the cookie; `end` clears it. */
  readonly token?: string;
  readonly isEnd?: boolean;
  /** The `Set-Cookie` of the device that has just signed in; null if it can have none. */
  readonly device?: string | null;
  /** The cause of a `503`, for the log alone. */
  readonly cause?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

interface AccessRouteBase extends Omit<RouteBase, "role" | "status"> {
  readonly status: 200 | 201 | 204 | 303;
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  readonly query?: TObject;
  readonly body?: TObject;
  readonly isBodyOptional?: boolean;
  readonly bodyExample?: unknown;
  /** Whether another site's page may lead here, with a query of its own: a provider sends people back. */
  readonly isFromElsewhere?: boolean;
  readonly isIdempotent?: undefined;
  /** `text/plain` if it answers `plain`. */
  readonly fileType?: "text/plain";
  readonly response?: TSchema;
}

/** A route for any client. */
export interface AnybodysRoute<B = unknown> extends AccessRouteBase {
  readonly who: "ANYBODY";
  run(desk: Desk, request: AccessRequest<B, Session | null>): AccessReply | Promise<AccessReply>;
}

/** A route for users who are signed in, or for operators among them. */
export interface PersonsRoute<B = unknown> extends AccessRouteBase {
  readonly who: "PERSON" | "OPERATOR";
  run(desk: Desk, request: AccessRequest<B, Session>): AccessReply | Promise<AccessReply>;
}

export type AccessRoute = AnybodysRoute | PersonsRoute;

/** Declares a route for any client, with its body's type inferred. */
export function anybodysRoute<S extends TObject>(route: AnybodysRoute<Static<S>> & { readonly body: S }): AccessRoute {
  return route as AnybodysRoute;
}

/** Declares a route for people, with its body's type inferred. */
export function personsRoute<S extends TObject>(route: PersonsRoute<Static<S>> & { readonly body: S }): AccessRoute {
  return route as PersonsRoute;
}
