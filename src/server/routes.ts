// The route table: every route that the edge serves, the OpenAPI document describes, and the writer executes.

import { ocfExportRoute } from "../exchange/ocf/export/routes.ts";
import { ocfImport, ocfImportState, ocfValidate } from "../exchange/ocf/import/routes.ts";
import { ImportsUnderWay, type TellImport } from "../exchange/ocf/import/under-way.ts";
import { importRoutes } from "../exchange/spreadsheet/routes.ts";
import { type AllowedAddresses, PUBLIC_ADDRESSES } from "../kernel/text/network-address.ts";
import { invitationRoutes } from "../people/invitations.ts";
import { listMailsRoute } from "../people/mails.ts";
import { revokeKeyAndLinks } from "../people/makers.ts";
import { memberRoutes } from "../people/members.ts";
import { acceptanceRoutes } from "../resources/acceptances/routes.ts";
import type { KeyEnvironment } from "../resources/api-keys/key.ts";
import { apiKeyRoutes } from "../resources/api-keys/routes.ts";
import { approvalRoutes } from "../resources/approvals/routes.ts";
import { auditLogRoutes } from "../resources/audit-log/routes.ts";
import { corporateActionRoutes } from "../resources/corporate-actions/routes.ts";
import { documentRoutes } from "../resources/documents/routes.ts";
import { equityPlanRoutes } from "../resources/equity-plans/routes.ts";
import { eventRoutes } from "../resources/events/routes.ts";
import { type Room, UNLIMITED_ROOM } from "../resources/organization/room.ts";
import { organizationRoutes } from "../resources/organization/routes.ts";
import type { ReadRoute, Route } from "../resources/route.ts";
import { securityRoutes } from "../resources/securities/routes.ts";
import { shareClassRoutes } from "../resources/share-classes/routes.ts";
import { stakeholderRoutes } from "../resources/stakeholders/routes.ts";
import { stockLegendRoutes } from "../resources/stock-legends/routes.ts";
import { transactionRoutes } from "../resources/transactions/routes.ts";
import { valuationRoutes } from "../resources/valuations/routes.ts";
import { vestingMilestoneRoutes } from "../resources/vesting-milestones/routes.ts";
import { vestingTermsRoutes } from "../resources/vesting-terms/routes.ts";
import { webhookRoutes } from "../resources/webhook-endpoints/routes.ts";
import { WebhookKey } from "../resources/webhook-endpoints/webhook-key.ts";
import type { Signer } from "../safekeeping/checkpoint/note.ts";
import { checkpointRoute } from "../safekeeping/checkpoint/routes.ts";
import { passingSigner } from "../safekeeping/checkpoint/signing-key.ts";
import { keptRoutes } from "../safekeeping/kept/routes.ts";
import { proofRoutes } from "../safekeeping/tree/routes.ts";
import { ledgerRoutes } from "../safekeeping/verify/routes.ts";
import { Verifications } from "../safekeeping/verify/runs.ts";
import { tokenRoutes } from "../tokens/jobs/routes.ts";
import { capTableRoutes } from "../views/cap-table/routes.ts";
import { dateRoutes } from "../views/dates/routes.ts";
import { capTableHealth } from "../views/health/health-route.ts";
import { modelAskRoutes, modelReadRoutes, modelWriteRoutes } from "../views/models/routes.ts";
import { portalAcceptanceRoutes } from "../views/portal/acceptance-routes.ts";
import { portalPaperRoutes } from "../views/portal/paper.ts";
import { portalRoutes } from "../views/portal/routes.ts";
import { reportRoutes } from "../views/reports/all-routes.ts";
import { batchRoute } from "./batch/batch-route.ts";
import { basePathOf } from "./http/host.ts";

/** What the routes need to know of their service. */
export interface ServedFrom {
  /** Signs checkpoints; without a data directory, a key made for this process. */
  readonly signer?: Signer;
  /** Every how many hours the server makes backups; null if it makes none. */
  readonly backupEveryHours?: number | null;
  /** Every how many hours it asks for time stamps of checkpoints; null if it asks for none. */
  readonly timestampEveryHours?: number | null;
  /** The URL that links are made with. */
  readonly publicUrl?: () => string;
  /** A folder with more fonts for documents; null for none. */
  readonly fontDir?: string | null;
  /** The state of imports; a thread that only writes has none and gets `tellImport` instead. */
  readonly imports?: ImportsUnderWay;
  readonly tellImport?: TellImport;
  /** The storage limits; without them, nothing is limited. */
  readonly room?: Room;
  /** The key of webhooks; without a data directory, one of this process. */
  readonly webhookKey?: WebhookKey;
  /** Where webhooks may go; without it, to public addresses. */
  readonly webhookAllow?: AllowedAddresses;
  /** Verifications; without it, the route refuses them. */
  readonly verifications?: Verifications;
}

const DEFAULT_URL = "http://127.0.0.1:8080";

/** Every route of the service, in the order of the documentation. */
export function allRoutes(environment: KeyEnvironment, servedFrom: ServedFrom = {}): readonly Route[] {
  const routes = withRecords(declaredRoutes(environment, servedFrom));
  const { publicUrl = () => DEFAULT_URL } = servedFrom;
  return [...routes, batchRoute(routes, () => basePathOf(publicUrl()))];
}

/**
 * Gives each change the route that reads its record: at the change's own address, or where that ends in a verb or a
 * list, at the address before it. Routes that answer one record alone: their addresses end in a parameter, or at the
 * organization. A record within another has the route of that one, too.
 */
function withRecords(routes: readonly Route[]): readonly Route[] {
  const isRecord = (route: Route): route is ReadRoute =>
    route.method === "GET" && route.response !== undefined && /(?:\/:\w+|\/organization)$/.test(route.path);
  const records = new Map(routes.filter(isRecord).map((route) => [route.path, route]));
  return routes.map((route) => {
    if (route.method === "GET") return route;
    const record = records.get(route.path) ?? records.get(route.path.replace(/\/[^/]+$/, ""));
    const whole = records.get(route.path.replace(/\/[^/]+\/:[^/]+$/, ""));
    return record ? { ...route, record, whole } : route;
  });
}

function declaredRoutes(environment: KeyEnvironment, servedFrom: ServedFrom): readonly Route[] {
  const { signer = passingSigner(), backupEveryHours = null, timestampEveryHours = null, fontDir = null } = servedFrom;
  const { room = UNLIMITED_ROOM, webhookKey = new WebhookKey(null), webhookAllow = PUBLIC_ADDRESSES } = servedFrom;
  const { publicUrl = () => DEFAULT_URL } = servedFrom;
  const { imports = new ImportsUnderWay(), verifications = new Verifications() } = servedFrom;
  return [
    ...organizationRoutes,
    ...apiKeyRoutes(environment, revokeKeyAndLinks),
    ...memberRoutes(publicUrl),
    ...invitationRoutes(publicUrl),
    listMailsRoute,
    ...portalRoutes,
    ...portalPaperRoutes(fontDir),
    ...portalAcceptanceRoutes(fontDir),
    ...stakeholderRoutes,
    ...shareClassRoutes,
    ...tokenRoutes,
    ...securityRoutes,
    ...acceptanceRoutes,
    ...valuationRoutes,
    ...equityPlanRoutes,
    ...vestingTermsRoutes,
    ...vestingMilestoneRoutes,
    ...corporateActionRoutes,
    ...approvalRoutes,
    ...documentRoutes(room),
    ...stockLegendRoutes,
    ...auditLogRoutes,
    ...eventRoutes,
    ...webhookRoutes({ key: webhookKey, allowed: webhookAllow }),
    checkpointRoute(signer),
    ...keptRoutes,
    ...proofRoutes(() => signer),
    ...ledgerRoutes(verifications),
    ...transactionRoutes,
    ...capTableRoutes,
    ...modelAskRoutes,
    ...modelReadRoutes,
    ...modelWriteRoutes,
    ocfImport(servedFrom.tellImport ?? imports.tell, room),
    ocfImportState(imports),
    ocfValidate,
    capTableHealth({ backupEveryHours, timestampEveryHours }),
    ...dateRoutes,
    ocfExportRoute,
    ...reportRoutes(fontDir),
    ...importRoutes(room),
  ];
}
