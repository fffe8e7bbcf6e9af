// Every route of the service: what the edge serves, the document describes, and whoever changes the database carries out.
import { invitationRoutes } from "./access/invitations.ts";
import { revokeKeyAndLinks } from "./access/makers.ts";
import { memberRoutes } from "./access/members.ts";
import { capTableRoutes } from "./cap-table/routes.ts";
import type { Signer } from "./checkpoint/note.ts";
import { checkpointRoute } from "./checkpoint/routes.ts";
import { passingSigner } from "./checkpoint/signing-key.ts";
import { capTableHealth } from "./health/route.ts";
import { tokenRoutes } from "./jobs/routes.ts";
import { modelAskRoutes, modelReadRoutes, modelWriteRoutes } from "./models/routes.ts";
import { ocfExportRoute } from "./ocf/export/routes.ts";
import { ocfImport, ocfImportState, ocfValidate } from "./ocf/import/routes.ts";
import { ImportsUnderWay, type TellImport } from "./ocf/import/under-way.ts";
import { portalPaperRoutes } from "./portal/paper.ts";
import { portalRoutes } from "./portal/routes.ts";
import { reportRoutes } from "./reports/all-routes.ts";
import type { KeyEnvironment } from "./resources/api-keys/key.ts";
import { apiKeyRoutes } from "./resources/api-keys/routes.ts";
import { approvalRoutes } from "./resources/approvals/routes.ts";
import { auditLogRoutes } from "./resources/audit-log/routes.ts";
import { corporateActionRoutes } from "./resources/corporate-actions/routes.ts";
import { documentRoutes } from "./resources/documents/routes.ts";
import { equityPlanRoutes } from "./resources/equity-plans/routes.ts";
import { type Room, UNLIMITED_ROOM } from "./resources/organization/room.ts";
import { organizationRoutes } from "./resources/organization/routes.ts";
import { securityRoutes } from "./resources/securities/routes.ts";
import { shareClassRoutes } from "./resources/share-classes/routes.ts";
import { stakeholderRoutes } from "./resources/stakeholders/routes.ts";
import { stockLegendRoutes } from "./resources/stock-legends/routes.ts";
import { transactionRoutes } from "./resources/transactions/routes.ts";
import { valuationRoutes } from "./resources/valuations/routes.ts";
import { vestingMilestoneRoutes } from "./resources/vesting-milestones/routes.ts";
import { vestingTermsRoutes } from "./resources/vesting-terms/routes.ts";
import type { Route } from "./route.ts";
import { importRoutes } from "./spreadsheet/routes.ts";
import { ledgerRoutes } from "./verify/routes.ts";
import { Verifications } from "./verify/runs.ts";

/** What the service's routes need to know of where they run. */
export interface ServedFrom {
  /** Signs checkpoints; where nothing is served from a data directory, a key of the moment. */
  readonly signer?: Signer;
  /** How often the server takes backups; null where it takes none. */
  readonly backupEveryHours?: number | null;
  /** How others reach the service: where links lead that are made here. */
  readonly publicUrl?: () => string;
  /** A folder with more fonts for documents; null for none. */
  readonly fontDir?: string | null;
  /** What is known of imports; a thread that only writes has none and tells `tellImport` instead. */
  readonly imports?: ImportsUnderWay;
  readonly tellImport?: TellImport;
  /** What may be stored; without it, nothing is limited. */
  readonly room?: Room;
  /** Where nobody verifies, it is refused. */
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
