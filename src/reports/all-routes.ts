// Every route that answers a report.
import type { ReadRoute } from "../route.ts";
import { listCsvRoutes } from "./lists.ts";
import { sheetRoutes } from "./routes.ts";

/** The routes, in the order of the documentation. */
export const reportRoutes: readonly ReadRoute[] = [...sheetRoutes, ...listCsvRoutes];
