// Texts of the frame: side bar, account menu, search, dialogs over the page.
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
  searchLabel: "Find a page, action, holder or certificate",
  searchKeys: "Ctrl K",
  searchKeysOnMac: "⌘ K",
  pages: "Page",
  actions: "Action",
  holders: "Holder",
  certificates: "Certificate",
} as const;

export const ASKS = {
  signInTitle: "Sign in to continue",
  signInWords: "Your session ended. Your entries are kept: sign in to continue where you were.",
  accountWords: "This e-mail address already has an account. Sign in with it to continue.",
  confirmTitle: "Confirm your identity",
  confirmWords: "This action needs a sign-in from the last ten minutes.",
  confirm: "Confirm",
  idleTitle: "Are you still there?",
  idleWords: "You will be signed out in less than five minutes because of inactivity.",
  stay: "Stay signed in",
  byPasskey: "Use a passkey",
  byProvider: (name: string) => `Confirm with ${name}`,
  byCode: "Use a code instead",
  byPassword: "Use the password instead",
} as const;

export const OPERATOR_RESET = {
  title: "An operator asked to reset a member's password",
  words:
    "The reset link works one day after the request, unless an administrator refuses it. Ask the member whether they want it.",
  toMembers: "Go to members",
} as const;

export const NO_ACCESS = {
  organizationTitle: "Organization not found",
  organization: "This organization does not exist, or you are not a member of it.",
  factorTitle: "Second factor required",
  factor: "This organization requires a second factor. Set one up under Account, or sign in with yours.",
  toAccount: "Set up a second factor",
  pageTitle: "Page not found",
  page: "This page does not exist.",
  toStart: "Go to start",
} as const;

export const COMING = {
  title: "Coming up",
  asCalendar: "As a calendar",
  more: (count: number) => `Show ${countText(count)} more`,
} as const;
