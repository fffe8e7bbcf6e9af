// All report routes.
import type { ReadRoute } from "../../resources/route.ts";
import { listCsvRoutes } from "./lists.ts";
import { madeRoutes } from "./thread-routes.ts";

/**
 * The routes, in the order of the documentation; `fontFolder` has more fonts for documents, null without such a folder.
 */
export function reportRoutes(fontFolder: string | null): readonly ReadRoute[] {
  return [...madeRoutes(fontFolder), ...listCsvRoutes];
}
