// Every route that answers a report.
import type { ReadRoute } from "../route.ts";
import { paperRoutes } from "./documents/routes.ts";
import { listCsvRoutes } from "./lists.ts";
import { sheetRoutes } from "./routes.ts";

/** The routes, in the order of the documentation; `fontFolder` has more fonts for documents, null where there are none. */
export function reportRoutes(fontFolder: string | null): readonly ReadRoute[] {
  return [...sheetRoutes, ...paperRoutes(fontFolder), ...listCsvRoutes];
}
