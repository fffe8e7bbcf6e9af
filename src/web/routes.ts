// The addresses of the pages: a line for each, read by the server, which sends the shell there, and by the pages, which show
// what belongs there. What a page is made of is in pages.ts, under the same name.

/** Where a page stands. `account`: of the person who is signed in. */
export type Place = "bare" | "account" | "organization";

/** The address of a page. */
export interface PageAddress {
  readonly path: string;
  readonly place: Place;
}

/** Every page by its name. */
export const PAGES = {
  start: { path: "/", place: "account" },
  signIn: { path: "/sign-in", place: "bare" },
  setUp: { path: "/setup", place: "bare" },
  join: { path: "/join", place: "bare" },
  reset: { path: "/reset", place: "bare" },
  recover: { path: "/recover", place: "bare" },
  confirmEmail: { path: "/confirm-email", place: "bare" },
  account: { path: "/account", place: "account" },
  organizations: { path: "/organizations", place: "account" },
  instance: { path: "/instance", place: "account" },
  overview: { path: "/o/:orgId", place: "organization" },
  record: { path: "/o/:orgId/record/:operation", place: "organization" },
  newRecord: { path: "/o/:orgId/new/:record", place: "organization" },
  editRecord: { path: "/o/:orgId/edit/:record/:id", place: "organization" },
  stakeholders: { path: "/o/:orgId/stakeholders", place: "organization" },
  securities: { path: "/o/:orgId/securities", place: "organization" },
  security: { path: "/o/:orgId/securities/:id", place: "organization" },
  classesAndPlans: { path: "/o/:orgId/classes-and-plans", place: "organization" },
  shareClass: { path: "/o/:orgId/classes-and-plans/classes/:id", place: "organization" },
  equityPlan: { path: "/o/:orgId/classes-and-plans/plans/:id", place: "organization" },
  ledger: { path: "/o/:orgId/ledger", place: "organization" },
  entry: { path: "/o/:orgId/ledger/:id", place: "organization" },
  stakeholder: { path: "/o/:orgId/stakeholders/:id", place: "organization" },
  settings: { path: "/o/:orgId/settings", place: "organization" },
  mine: { path: "/o/:orgId/mine", place: "organization" },
  certificate: { path: "/o/:orgId/mine/:id", place: "organization" },
  approvals: { path: "/o/:orgId/approvals", place: "organization" },
  approval: { path: "/o/:orgId/approvals/:id", place: "organization" },
  valuations: { path: "/o/:orgId/valuations", place: "organization" },
  corporateActions: { path: "/o/:orgId/corporate-actions", place: "organization" },
  corporateAction: { path: "/o/:orgId/corporate-actions/:id", place: "organization" },
  documents: { path: "/o/:orgId/documents", place: "organization" },
  auditLog: { path: "/o/:orgId/audit-log", place: "organization" },
  registers: { path: "/o/:orgId/registers/:register", place: "organization" },
  ocf: { path: "/o/:orgId/ocf", place: "organization" },
  models: { path: "/o/:orgId/models", place: "organization" },
  modelRound: { path: "/o/:orgId/models/round", place: "organization" },
  modelExit: { path: "/o/:orgId/models/exit", place: "organization" },
  compliance: { path: "/o/:orgId/models/compliance", place: "organization" },
  compareScenarios: { path: "/o/:orgId/models/compare", place: "organization" },
} as const satisfies Record<string, PageAddress>;

/** The name of a page. */
export type PageName = keyof typeof PAGES;
