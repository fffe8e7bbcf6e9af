// What each page is made of: loaded when it is first gone to. The addresses are in routes.ts, under the same names.
import type { ComponentType } from "preact";
import type { PageName } from "./routes.ts";

/** A page: its parameters are those of its address. */
export interface PageModule {
  readonly Page: ComponentType<{ readonly params: Readonly<Record<string, string>> }>;
}

export const MODULES: { readonly [N in PageName]: () => Promise<PageModule> } = {
  start: () => import("./pages/start.tsx"),
  signIn: () => import("./pages/sign-in.tsx"),
  setUp: () => import("./pages/set-up.tsx"),
  join: () => import("./pages/join.tsx"),
  reset: () => import("./pages/reset.tsx"),
  account: () => import("./pages/account.tsx"),
  organizations: () => import("./pages/organizations.tsx"),
  instance: () => import("./pages/instance.tsx"),
  overview: () => import("./pages/overview.tsx"),
  record: () => import("./pages/record.tsx"),
  settings: () => import("./pages/settings.tsx"),
  mine: () => import("./pages/mine.tsx"),
  certificate: () => import("./pages/certificate.tsx"),
  newRecord: () => import("./pages/new-record.tsx"),
  editRecord: () => import("./pages/edit-record.tsx"),
  approvals: () => import("./pages/approvals.tsx"),
  approval: () => import("./pages/approval.tsx"),
  valuations: () => import("./pages/valuations.tsx"),
  corporateActions: () => import("./pages/corporate-actions.tsx"),
  corporateAction: () => import("./pages/corporate-action.tsx"),
  documents: () => import("./pages/documents.tsx"),
  auditLog: () => import("./pages/audit-log.tsx"),
  ocf: () => import("./pages/ocf.tsx"),
  stakeholders: () => import("./pages/stakeholders.tsx"),
  securities: () => import("./pages/securities.tsx"),
  security: () => import("./pages/security.tsx"),
  classesAndPlans: () => import("./pages/classes-and-plans.tsx"),
  shareClass: () => import("./pages/share-class.tsx"),
  equityPlan: () => import("./pages/equity-plan.tsx"),
  ledger: () => import("./pages/ledger.tsx"),
  entry: () => import("./pages/entry.tsx"),
  stakeholder: () => import("./pages/stakeholder.tsx"),
};
