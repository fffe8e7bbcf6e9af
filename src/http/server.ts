// Puts the routes on Elysia. Elysia routes and listens; bodies, schemas and failures are the edge's, because its own
// handling of them is more lenient than the contract (see src/decisions.md).
import { Elysia } from "elysia";
import type { Route } from "../route.ts";
import type { Edge } from "./edge.ts";
import type { PublicRoute } from "./public.ts";

const IDLE_SECONDS = 30;
/** Above our own limits, so that it is our `413` that the caller sees. */
const TRANSPORT_BYTES_MAX = 1024 * 1024 * 1025;

/** Serves `routes` to those with a key and `publicRoutes` to anybody, all through `edge`. */
export function makeServer(routes: readonly Route[], publicRoutes: readonly PublicRoute[], edge: Edge) {
  const app = new Elysia({ serve: { idleTimeout: IDLE_SECONDS, maxRequestBodySize: TRANSPORT_BYTES_MAX } });
  for (const route of routes) {
    app.route(
      route.method,
      route.path,
      ({ request, params, server }) =>
        edge.serve(route, request, params, () => server?.requestIP(request)?.address ?? "unknown"),
      { parse: "none" },
    );
  }
  for (const route of publicRoutes) {
    app.get(
      route.path,
      ({ request, params, server }) =>
        edge.servePublic(route, request, params, () => server?.requestIP(request)?.address ?? "unknown"),
      { parse: "none" },
    );
  }
  const allowed = methodsByAddress([...routes, ...publicRoutes.map(({ path }) => ({ method: "GET" as const, path }))]);
  return app.onError(({ code, error, request }) =>
    code === "NOT_FOUND"
      ? edge.refuseUnrouted(request, allowed(new URL(request.url).pathname))
      : edge.refuseFailed(request, error),
  );
}

/** Tells which methods an address takes; none when no route has it. */
function methodsByAddress(routes: readonly Pick<Route, "path" | "method">[]): (pathname: string) => string[] {
  const patterns = routes.map((route) => ({
    method: route.method,
    pattern: new RegExp(`^${route.path.replace(/:[a-zA-Z]+/g, "[^/]+")}/?$`),
  }));
  return (pathname) => {
    const methods = patterns.filter(({ pattern }) => pattern.test(pathname)).map(({ method }) => method as string);
    return methods.includes("GET") ? [...methods, "HEAD"].sort() : methods.sort();
  };
}
