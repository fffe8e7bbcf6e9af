// Every kind of route that the document describes.
import type { AccessRoute } from "../../../people/access-route.ts";
import type { Route } from "../../../resources/route.ts";

/** A route of an organization, or of people. */
export type AnyRoute = Route | AccessRoute;
