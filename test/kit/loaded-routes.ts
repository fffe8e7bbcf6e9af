// Routes that a test calls itself, without the server that loads what runs a route before its first request.
import { loading, type Route } from "../../src/resources/route.ts";
import { allRoutes } from "../../src/server/routes.ts";

/** Loads what runs these routes; returns them. */
export async function loaded<R extends Route>(routes: readonly R[]): Promise<readonly R[]> {
  for (const route of routes) {
    if ("ask" in route) await loading(route.ask);
    else if ("run" in route) await loading(route.run);
  }
  return routes;
}

/** All routes, with what runs them. */
export const LOADED_ROUTES: readonly Route[] = await loaded(allRoutes("test"));
