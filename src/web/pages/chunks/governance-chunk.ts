// Governance and administration: approvals, valuations, corporate actions, documents, packages and spreadsheets, the log; the
// account, its organizations, the instance, an organization's settings; and the models: rounds, exits, scenarios, what the law
// asks of grants. Apart, what both need makes parts of its own, 3 KiB more in all.

import { Page as account } from "../account/page.tsx";
import { Page as approval } from "../approval/page.tsx";
import { Page as approvals } from "../approvals/page.tsx";
import { Page as auditLog } from "../audit-log/page.tsx";
import { Page as compareScenarios } from "../compare-scenarios/page.tsx";
import { Page as compliance } from "../compliance/page.tsx";
import { Page as corporateAction } from "../corporate-action/page.tsx";
import { Page as corporateActions } from "../corporate-actions/page.tsx";
import { Page as documents } from "../documents/page.tsx";
import { Page as instance } from "../instance/page.tsx";
import { Page as modelExit } from "../model-exit/page.tsx";
import { Page as modelRound } from "../model-round/page.tsx";
import { Page as models } from "../models/page.tsx";
import { Page as ocf } from "../ocf/page.tsx";
import { Page as organizations } from "../organizations/page.tsx";
import { Page as settings } from "../settings/page.tsx";
import { Page as valuations } from "../valuations/page.tsx";

export const PAGES = {
  models,
  modelRound,
  modelExit,
  compliance,
  compareScenarios,
  approvals,
  approval,
  valuations,
  corporateActions,
  corporateAction,
  documents,
  ocf,
  auditLog,
  account,
  organizations,
  instance,
  settings,
} as const;
