// The route table: every route that the edge serves, the OpenAPI document describes, and the writer executes.

import { ocfExportRoute } from "../exchange/ocf/export/routes.ts";
import { ocfImport, ocfImportState, ocfValidate } from "../exchange/ocf/import/routes.ts";
import { ImportsUnderWay, type TellImport } from "../exchange/ocf/import/under-way.ts";
import { importRoutes } from "../exchange/spreadsheet/routes.ts";
import { invitationRoutes } from "../people/invitations.ts";
import { revokeKeyAndLinks } from "../people/makers.ts";
import { memberRoutes } from "../people/members.ts";
import type { KeyEnvironment } from "../resources/api-keys/key.ts";
import { apiKeyRoutes } from "../resources/api-keys/routes.ts";
import { approvalRoutes } from "../resources/approvals/routes.ts";
import { auditLogRoutes } from "../resources/audit-log/routes.ts";
import { corporateActionRoutes } from "../resources/corporate-actions/routes.ts";
import { documentRoutes } from "../resources/documents/routes.ts";
import { equityPlanRoutes } from "../resources/equity-plans/routes.ts";
import { type Room, UNLIMITED_ROOM } from "../resources/organization/room.ts";
import { organizationRoutes } from "../resources/organization/routes.ts";
import type { Route } from "../resources/route.ts";
import { securityRoutes } from "../resources/securities/routes.ts";
import { shareClassRoutes } from "../resources/share-classes/routes.ts";
import { stakeholderRoutes } from "../resources/stakeholders/routes.ts";
import { stockLegendRoutes } from "../resources/stock-legends/routes.ts";
import { transactionRoutes } from "../resources/transactions/routes.ts";
import { valuationRoutes } from "../resources/valuations/routes.ts";
import { vestingMilestoneRoutes } from "../resources/vesting-milestones/routes.ts";
import { vestingTermsRoutes } from "../resources/vesting-terms/routes.ts";
import type { Signer } from "../safekeeping/checkpoint/note.ts";
import { checkpointRoute } from "../safekeeping/checkpoint/routes.ts";
import { passingSigner } from "../safekeeping/checkpoint/signing-key.ts";
import { ledgerRoutes } from "../safekeeping/verify/routes.ts";
import { Verifications } from "../safekeeping/verify/runs.ts";
import { tokenRoutes } from "../tokens/jobs/routes.ts";
import { capTableRoutes } from "../views/cap-table/routes.ts";
import { capTableHealth } from "../views/health/health-route.ts";
import { modelAskRoutes, modelReadRoutes, modelWriteRoutes } from "../views/models/routes.ts";
import { portalPaperRoutes } from "../views/portal/paper.ts";
import { portalRoutes } from "../views/portal/routes.ts";
import { reportRoutes } from "../views/reports/all-routes.ts";

/** What the routes need to know of their service. */
export interface ServedFrom {
  /** Signs checkpoints; without a data directory, a key made for this process. */
  readonly signer?: Signer;
  /** Every how many hours the server makes backups; null if it makes none. */
  readonly backupEveryHours?: number | null;
  /** The URL that links are made with. */
  readonly publicUrl?: () => string;
  /** A folder with more fonts for documents; null for none. */
  readonly fontDir?: string | null;
  /** The state of imports; a thread that only writes has none and gets `tellImport` instead. */
  readonly imports?: ImportsUnderWay;
  readonly tellImport?: TellImport;
  /** The storage limits; without them, nothing is limited. */
  readonly room?: Room;
  /** Verifications; without it, the route refuses them. */
  readonly verifications?: Verifications;
}

/** Every route of the service, in the order of the documentation. */
export function allRoutes(environment: KeyEnvironment, servedFrom: ServedFrom = {}): readonly Route[] {
  const { signer = passingSigner(), backupEveryHours = null, fontDir = null } = servedFrom;
  const { room = UNLIMITED_ROOM } = servedFrom;
  const { publicUrl = () => "http://127.0.0.1:8080" } = servedFrom;
  const { imports = new ImportsUnderWay(), verifications = new Verifications() } = servedFrom;
  return [
    ...organizationRoutes,
    ...apiKeyRoutes(environment, revokeKeyAndLinks),
    ...memberRoutes(publicUrl),
    ...invitationRoutes(publicUrl),
    ...portalRoutes,
    ...portalPaperRoutes(fontDir),
    ...stakeholderRoutes,
    ...shareClassRoutes,
    ...tokenRoutes,
    ...securityRoutes,
    ...valuationRoutes,
    ...equityPlanRoutes,
    ...vestingTermsRoutes,
    ...vestingMilestoneRoutes,
    ...corporateActionRoutes,
    ...approvalRoutes,
    ...documentRoutes(room),
    ...stockLegendRoutes,
    ...auditLogRoutes,
    checkpointRoute(signer),
    ...ledgerRoutes(verifications),
    ...transactionRoutes,
    ...capTableRoutes,
    ...modelAskRoutes,
    ...modelReadRoutes,
    ...modelWriteRoutes,
    ocfImport(servedFrom.tellImport ?? imports.tell, room),
    ocfImportState(imports),
    ocfValidate,
    capTableHealth(backupEveryHours),
    ocfExportRoute,
    ...reportRoutes(fontDir),
    ...importRoutes(room),
  ];
}
