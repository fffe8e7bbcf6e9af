// What each page is made of: loaded when it is first gone to. The addresses are in routes.ts, under the same names.
import type { ComponentType } from "preact";
import type { PageName } from "./routes.ts";

/** A page: its parameters are those of its address. */
export interface PageModule {
  readonly Page: ComponentType<{ readonly params: Readonly<Record<string, string>> }>;
}

// Pages that go together are loaded together: forty pages by themselves share so much with this one and that one that
// there were eighty parts, a sixth larger in all.
const bare = () => import("./pages/chunks/bare-chunk.ts");
const register = () => import("./pages/chunks/register-chunk.ts");
const governance = () => import("./pages/chunks/governance-chunk.ts");
const mine = () => import("./pages/chunks/mine-chunk.ts");

type Together<N extends PageName> = () => Promise<{ readonly PAGES: { readonly [name in N]: PageModule["Page"] } }>;

/** A page of those that are loaded together. */
function among<N extends PageName>(load: Together<N>, name: N): () => Promise<PageModule> {
  return async () => ({ Page: (await load()).PAGES[name] });
}

export const MODULES: { readonly [N in PageName]: () => Promise<PageModule> } = {
  start: among(bare, "start"),
  signIn: among(bare, "signIn"),
  setUp: among(bare, "setUp"),
  join: among(bare, "join"),
  reset: among(bare, "reset"),
  recover: among(bare, "recover"),
  confirmEmail: among(bare, "confirmEmail"),
  account: among(governance, "account"),
  organizations: among(governance, "organizations"),
  instance: among(governance, "instance"),
  overview: () => import("./pages/overview/page.tsx"),
  record: among(register, "record"),
  settings: among(governance, "settings"),
  mine: among(mine, "mine"),
  certificate: among(mine, "certificate"),
  newRecord: among(register, "newRecord"),
  editRecord: among(register, "editRecord"),
  approvals: among(governance, "approvals"),
  approval: among(governance, "approval"),
  valuations: among(governance, "valuations"),
  corporateActions: among(governance, "corporateActions"),
  corporateAction: among(governance, "corporateAction"),
  documents: among(governance, "documents"),
  auditLog: among(governance, "auditLog"),
  ocf: among(governance, "ocf"),
  models: among(governance, "models"),
  modelRound: among(governance, "modelRound"),
  modelExit: among(governance, "modelExit"),
  compliance: among(governance, "compliance"),
  compareScenarios: among(governance, "compareScenarios"),
  stakeholders: among(register, "stakeholders"),
  securities: among(register, "securities"),
  security: among(register, "security"),
  classesAndPlans: among(register, "classesAndPlans"),
  shareClass: among(register, "shareClass"),
  equityPlan: among(register, "equityPlan"),
  ledger: among(register, "ledger"),
  entry: among(register, "entry"),
  stakeholder: among(register, "stakeholder"),
  registers: among(register, "registers"),
};
