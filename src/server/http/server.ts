// Puts the routes on Elysia. Elysia routes and listens; bodies, schemas and failures are the edge's, because its own
// handling of them is more lenient than the contract (see docs/decisions/server.md).
import { Elysia } from "elysia";
import { assert } from "../../kernel/assert.ts";
import type { PublicRoute } from "./answers/public.ts";
import type { AnyRoute } from "./any-route.ts";
import type { ClientAddresses } from "./client-address.ts";
import type { Edge } from "./edge.ts";
import { pathOf } from "./host.ts";

const IDLE_SECONDS = 30;
/**
 * For requests that wait for their turn, and for answers that are files: an export reads much before its first byte.
 */
const LONG_IDLE_SECONDS = 255;
/** No limit: the caller is to see our `413`. The connection holds back what is not read of a body. */
const TRANSPORT_BYTES_MAX = Number.MAX_SAFE_INTEGER;

/** The routes: of organizations and of people, and the public ones. */
export interface Served {
  readonly routes: readonly AnyRoute[];
  readonly publicRoutes: readonly PublicRoute[];
}

/** The peer of a connection is the client. */
const DIRECT: Pick<ClientAddresses, "of" | "notice"> = {
  of: (_request, peer) => peer ?? "unknown",
  notice: () => undefined,
};

/** The listener, which knows the peers of connections. */
type Listening = { requestIP(request: Request): { readonly address: string } | null } | null;

/** Serves all routes through `edge`; `clients` finds the client's address. */
export function makeServer(
  { routes, publicRoutes }: Served,
  edge: Edge,
  clients: Pick<ClientAddresses, "of" | "notice"> = DIRECT,
) {
  /** Requests without a host, by the ones that go in their place. */
  const hostless = new WeakMap<Request, Request>();
  const peerOf = (request: Request, server: Listening) => server?.requestIP(hostless.get(request) ?? request)?.address;
  const addressOf = (request: Request, server: Listening) => {
    const peer = () => peerOf(request, server);
    clients.notice(request, peer);
    return () => clients.of(request, peer());
  };
  // Elysia would share the port with a program that listens there already, and half the requests would go to that one.
  const serve = { idleTimeout: IDLE_SECONDS, maxRequestBodySize: TRANSPORT_BYTES_MAX, reusePort: false };
  // Elysia's own router: Bun's takes 30 ms longer to begin with so many routes, and as long for a request. A standard
  // host name would be one of four letters or more.
  const app = new Elysia({
    serve: { ...serve, development: false },
    systemRouter: false,
    strictPath: true,
    handler: { standardHostname: false },
  });
  for (const route of routes) {
    app.route(
      route.method,
      route.path,
      ({ request, params, server }) => {
        if ("fileType" in route || "expense" in route) server?.timeout(request, LONG_IDLE_SECONDS);
        return edge.serve(route, request, params, addressOf(request, server));
      },
      { parse: "none" },
    );
  }
  for (const route of publicRoutes) {
    app.get(
      route.path,
      ({ request, params, server }) =>
        // Not the address that a proxy names: the peer decides who may see metrics.
        edge.servePublic(route, request, params, () => peerOf(request, server) ?? "unknown"),
      { parse: "none" },
    );
  }
  const addresses = [...routes, ...publicRoutes.map(({ path }) => ({ method: "GET", path }))];
  const known = knownPaths(addresses);
  for (const { method, path } of overshadowed(known)) {
    app.route(method, path, ({ request }) => edge.refuseUnrouted(request, () => methodsOf(known, path)), {
      parse: "none",
    });
  }
  return app.onError(({ code, error, request }) => {
    if (code !== "NOT_FOUND") return edge.refuseFailed(request, error);
    // HTTP/1.0 needs no host, and Elysia finds no path without one.
    if (request.url.startsWith("/")) {
      const named = new Request(`http://localhost${request.url}`, request);
      hostless.set(named, request);
      return app.fetch(named);
    }
    return edge.refuseUnrouted(request, () => methodsOf(known, pathOf(request.url)));
  });
}

interface Address {
  readonly method: string;
  readonly path: string;
}

/** A path with all its methods. */
interface Known {
  readonly path: string;
  readonly segments: readonly string[];
  readonly methods: readonly string[];
}

/** Every path once: a literal one goes before those with parameters. */
function knownPaths(addresses: readonly Address[]): readonly Known[] {
  const byPath = [...Map.groupBy(addresses, ({ path }) => path)];
  return byPath
    .sort(([one], [other]) => Number(hasParameter(one)) - Number(hasParameter(other)))
    .map(([path, group]) => ({ path, segments: path.split("/"), methods: group.map(({ method }) => method) }));
}

/** The methods that an address takes; empty if no route has it. */
function methodsOf(known: readonly Known[], pathname: string): string[] {
  const asked = pathname.split("/");
  const methods = known.find(({ segments }) => matches(segments, asked))?.methods ?? [];
  return methods.includes("GET") ? [...methods, "HEAD"].sort() : [...methods].sort();
}

/**
 * The methods that a literal path would take from one with parameters: `GET /transactions/transfer` is not a
 * transaction.
 */
function overshadowed(known: readonly Known[]): Address[] {
  const open = Map.groupBy(
    known.filter(({ path }) => hasParameter(path)),
    nounAndLength,
  );
  const closed = known.filter(({ path }) => !hasParameter(path));
  return closed.flatMap((literal) => {
    const { path, segments: asked, methods: own } = literal;
    const others = (open.get(nounAndLength(literal)) ?? [])
      .filter(({ segments }) => matches(segments, asked))
      .flatMap(({ methods }) => methods);
    return others.filter((method) => !own.includes(method)).map((method) => ({ method, path }));
  });
}

/** What paths that one address may match have in common: a noun, as in `/api/v1/NOUN/…`, is no parameter. */
function nounAndLength({ path, segments }: Known): string {
  const [, , , noun = ""] = segments;
  assert(!noun.startsWith(":"), `${path} has a parameter where others have a noun`);
  return `${noun} ${segments.length}`;
}

function hasParameter(path: string): boolean {
  return path.includes("/:");
}

/** Whether the segments of an address are those of a path, where any but an empty one may stand for a parameter. */
function matches(path: readonly string[], asked: readonly string[]): boolean {
  if (path.length !== asked.length) return false;
  return path.every((segment, at) => (segment.startsWith(":") ? asked[at] !== "" : segment === asked[at]));
}
