// Governance and administration: approvals, valuations, corporate actions, documents, packages, the log; the account, its
// organizations, the instance, an organization's settings.

import { Page as account } from "../account/page.tsx";
import { Page as approval } from "../approval/page.tsx";
import { Page as approvals } from "../approvals/page.tsx";
import { Page as auditLog } from "../audit-log/page.tsx";
import { Page as corporateAction } from "../corporate-action/page.tsx";
import { Page as corporateActions } from "../corporate-actions/page.tsx";
import { Page as documents } from "../documents/page.tsx";
import { Page as instance } from "../instance/page.tsx";
import { Page as ocf } from "../ocf/page.tsx";
import { Page as organizations } from "../organizations/page.tsx";
import { Page as settings } from "../settings/page.tsx";
import { Page as valuations } from "../valuations/page.tsx";

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
