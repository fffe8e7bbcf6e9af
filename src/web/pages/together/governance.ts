// Governance and administration: approvals, valuations, corporate actions, documents, packages, the log; the account, its
// organizations, the instance, an organization's settings.

import { Page as account } from "../account.tsx";
import { Page as approval } from "../approval.tsx";
import { Page as approvals } from "../approvals.tsx";
import { Page as auditLog } from "../audit-log.tsx";
import { Page as corporateAction } from "../corporate-action.tsx";
import { Page as corporateActions } from "../corporate-actions.tsx";
import { Page as documents } from "../documents.tsx";
import { Page as instance } from "../instance.tsx";
import { Page as ocf } from "../ocf.tsx";
import { Page as organizations } from "../organizations.tsx";
import { Page as settings } from "../settings.tsx";
import { Page as valuations } from "../valuations.tsx";

export const PAGES = {
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
