// Words of the frame: side bar, account menu, dialogs over the page.
import { countText } from "../locale.ts";

export const FRAME = {
  nav: "Pages",
  overview: "Overview",
  register: "Register",
  stakeholders: "Stakeholders",
  securities: "Securities",
  classesAndPlans: "Classes & plans",
  ledger: "Ledger",
  governance: "Governance",
  approvals: "Approvals",
  corporateActions: "Corporate actions",
  valuations: "Valuations",
  documents: "Documents",
  models: "Models",
  reports: "Reports",
  settings: "Settings",
  mine: "My holdings",
  switchOrganization: "Switch organization",
  searchOrganizations: "Find an organization",
  allOrganizations: "All organizations",
  account: "Account",
  instance: "Instance",
  organizations: "Organizations",
  signOut: "Sign out",
  theme: "Theme",
  themes: { system: "System", light: "Light", dark: "Dark" },
  accountMenu: ": account, theme, sign out",
  record: "Record",
  test: "Test",
  count: (count: number, isMore: boolean) => (isMore ? `${countText(count)}+` : countText(count)),
  waiting: "waiting",
  search: "Search",
  searchLabel: "Find a page, an action, a holder or a certificate",
  searchKeys: "Ctrl K",
  searchKeysOnMac: "⌘ K",
  pages: "Page",
  actions: "Action",
  holders: "Holder",
  certificates: "Certificate",
} as const;

export const ASKS = {
  signInTitle: "Sign in to go on",
  signInWords: "Your session has ended. What you typed is still here; it goes on where it stopped.",
  accountWords: "This e-mail address has an account here. Sign in with it to go on.",
  confirmTitle: "Confirm who you are",
  confirmWords: "This needs a proof that is at most ten minutes old.",
  confirm: "Confirm",
  idleTitle: "Are you still there?",
  idleWords: "You will be signed out in less than five minutes, because nothing was asked for a while.",
  stay: "Stay signed in",
  byPasskey: "Use a passkey",
  byProvider: (name: string) => `Confirm with ${name}`,
  byCode: "Use a code instead",
  byPassword: "Use the password instead",
} as const;

export const OPERATOR_RESET = {
  title: "An operator of this server asked to set a member's password anew",
  words:
    "It counts a day after it was asked for, unless an administrator refuses it. Ask the person whether it is wanted.",
  toMembers: "To the members",
} as const;

export const NO_ACCESS = {
  organizationTitle: "No such organization",
  organization: "There is no such organization, or you are not a member of it.",
  factorTitle: "A second factor is needed",
  factor: "This organization asks its members for a second factor. Set one up under Account, or sign in with yours.",
  toAccount: "Set up a second factor",
  pageTitle: "Page not found",
  page: "There is no such page.",
  toStart: "To the start",
} as const;
