// Texts of buttons, errors, roles and field rules that several pages share. A page's own texts are in the file of its
// name beside this one; no other file of src/web/ holds prose.
import type { Member } from "../api/values.ts";
import { countText } from "../locale.ts";

/** A label for each of the values of an enumeration, as `api/values.ts` lists them, and none besides. */
export type Labels<V extends readonly string[]> = Readonly<Record<V[number], string>>;

/** The label of a value that the API answers; the value where it is in no list of this page's build. */
export function labelIn(labels: Readonly<Record<string, string>>, value: string): string {
  return labels[value] ?? value;
}

export const COMMON = {
  product: "captable",
  skip: "Skip to content",
  loading: (what: string) => `Loading ${what}…`,
  optional: "(optional)",
  cancel: "Cancel",
  close: "Close",
  copy: "Copy",
  copied: "Copied",
  retry: "Try again",
  request: "Request",
  remove: "Remove",
  none: "–",
  clearFilters: "Clear filters",
  nothingMatches: "Nothing matches these filters.",
  tooMany: (count: number) => `Showing the first ${countText(count)}. Filter to see more.`,
  faults: (count: number) =>
    count === 1 ? "One field needs your attention." : `${countText(count)} fields need your attention.`,
  required: "This field is required.",
  notSent: "The server did not answer, so this may or may not be recorded.",
  sendAgain: "Send again",
  onceOnly: "Sending it again cannot record it twice.",
  restored: "Your draft was restored.",
  beginAnew: "Begin anew",
  menu: "Menu",
  showPassword: "Show password",
  choose: "Choose…",
  unlimited: "Unlimited",
  notApplicable: "Not applicable",
  sort: (column: string) => `Sort by ${column}`,
  of: (part: string, whole: string) => `${part} of ${whole}`,
  noOptions: "No match.",
  sending: (name: string) => `Sending ${name}`,
  stopSending: "Stop sending",
} as const;

/** Errors in place of content, and of actions that failed. */
export const ERRORS = {
  title: "This page could not load",
  failed: "That did not work",
  detail: "The page hit an error. Reload it. If that does not help, contact the operator of this server.",
  noAnswer: "The server did not answer. Check your connection and try again.",
  offline: "No connection to the server. What you see may be out of date.",
  unavailable: "The server is unavailable. Retrying automatically.",
  notFound: (noun: string) => `There is no such ${noun}, or it was deleted.`,
  notFoundTitle: "Not found",
  stale: "Another person changed this a moment ago, so nothing was done. Look at it again before you repeat it.",
  deleted: (noun: string) => `This ${noun} was deleted`,
  page: "page",
  declined: "Nothing was changed, because you did not confirm your identity.",
} as const;

/** Names of roles, by the API's value. */
export const ROLE_NAMES = {
  STAKEHOLDER: "Stakeholder",
  VIEWER: "Viewer",
  EDITOR: "Editor",
  ADMIN: "Administrator",
} as const satisfies Labels<typeof Member.role>;

/** Faults of a field, found in the browser before anything is sent; those of figures are in figure-faults.ts. */
export const FIELD_FAULTS = {
  email: "Enter an e-mail address, such as ada@example.com",
  choice: "Choose from the list.",
} as const;
