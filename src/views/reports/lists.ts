// The lists of the API that come as CSV, too.
import { approvalRoutes } from "../../resources/approvals/routes.ts";
import { auditLogRoutes } from "../../resources/audit-log/routes.ts";
import { corporateActionRoutes } from "../../resources/corporate-actions/routes.ts";
import { documentRoutes } from "../../resources/documents/routes.ts";
import { equityPlanRoutes } from "../../resources/equity-plans/routes.ts";
import type { ReadRoute, Route } from "../../resources/route.ts";
import { securityRoutes } from "../../resources/securities/routes.ts";
import { shareClassRoutes } from "../../resources/share-classes/routes.ts";
import { stakeholderRoutes } from "../../resources/stakeholders/routes.ts";
import { stockLegendRoutes } from "../../resources/stock-legends/routes.ts";
import { transactionRoutes } from "../../resources/transactions/routes.ts";
import { valuationRoutes } from "../../resources/valuations/routes.ts";
import { vestingMilestoneRoutes } from "../../resources/vesting-milestones/routes.ts";
import { vestingTermsRoutes } from "../../resources/vesting-terms/routes.ts";
import { listCsvRoutesOf } from "./list-csv.ts";

const RESOURCES: readonly (readonly Route[])[] = [
  stakeholderRoutes,
  shareClassRoutes,
  securityRoutes,
  valuationRoutes,
  equityPlanRoutes,
  vestingTermsRoutes,
  vestingMilestoneRoutes,
  corporateActionRoutes,
  transactionRoutes,
  approvalRoutes,
  documentRoutes(),
  stockLegendRoutes,
  auditLogRoutes,
];

/** A route for each list. */
export const listCsvRoutes: readonly ReadRoute[] = RESOURCES.flatMap(listCsvRoutesOf);
