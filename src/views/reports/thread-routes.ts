// The reports that a reading thread answers. Lists as CSV are loaded each with its first question: a resource's routes
// bring with them what writes, which takes memory that a thread needs for what it reads.
import type { ReadRoute, Route } from "../../resources/route.ts";
import { paperRoutes } from "./documents/routes.ts";
import { listCsvRoutesOf } from "./list-csv.ts";
import { sheetRoutes } from "./routes.ts";

/** All but the lists. */
export function madeRoutes(fontFolder: string | null): readonly ReadRoute[] {
  return [...sheetRoutes, ...paperRoutes(fontFolder)];
}

/** The routes of each resource, by the operation that lists it. */
const RESOURCES: Readonly<Record<string, () => Promise<readonly Route[]>>> = {
  listStakeholders: async () => (await import("../../resources/stakeholders/routes.ts")).stakeholderRoutes,
  listShareClasses: async () => (await import("../../resources/share-classes/routes.ts")).shareClassRoutes,
  listSecurities: async () => (await import("../../resources/securities/routes.ts")).securityRoutes,
  listValuations: async () => (await import("../../resources/valuations/routes.ts")).valuationRoutes,
  listEquityPlans: async () => (await import("../../resources/equity-plans/routes.ts")).equityPlanRoutes,
  listVestingTerms: async () => (await import("../../resources/vesting-terms/routes.ts")).vestingTermsRoutes,
  listVestingMilestones: async () =>
    (await import("../../resources/vesting-milestones/routes.ts")).vestingMilestoneRoutes,
  listCorporateActions: async () => (await import("../../resources/corporate-actions/routes.ts")).corporateActionRoutes,
  listTransactions: async () => (await import("../../resources/transactions/routes.ts")).transactionRoutes,
  listApprovals: async () => (await import("../../resources/approvals/routes.ts")).approvalRoutes,
  listDocuments: async () => (await import("../../resources/documents/routes.ts")).documentRoutes(),
  listStockLegends: async () => (await import("../../resources/stock-legends/routes.ts")).stockLegendRoutes,
  listAuditEntries: async () => (await import("../../resources/audit-log/routes.ts")).auditLogRoutes,
};

/** The route of an operation that answers a list as CSV; null if there is no such route. */
export async function loadListCsv(operationId: string): Promise<ReadRoute | null> {
  const load = RESOURCES[operationId.replace(/Csv$/, "")];
  const routes = load ? listCsvRoutesOf(await load()) : [];
  return routes.find((route) => route.operationId === operationId) ?? null;
}
