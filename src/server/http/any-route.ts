// Every kind of route: of an organization, and of people.
import type { AccessRoute } from "../../people/access-route.ts";
import type { Route } from "../../resources/route.ts";

/** A route of an organization, or of people. */
export type AnyRoute = Route | AccessRoute;

/** Whether a route is about accounts and sessions, outside any organization. */
export function isOfPeople(route: AnyRoute): route is AccessRoute {
  return "who" in route;
}
