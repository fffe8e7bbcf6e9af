// The pages of governance: approvals, valuations, corporate actions, documents, packages, and the log.
import { Page as approval } from "../approval.tsx";
import { Page as approvals } from "../approvals.tsx";
import { Page as auditLog } from "../audit-log.tsx";
import { Page as corporateAction } from "../corporate-action.tsx";
import { Page as corporateActions } from "../corporate-actions.tsx";
import { Page as documents } from "../documents.tsx";
import { Page as ocf } from "../ocf.tsx";
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
} as const;
