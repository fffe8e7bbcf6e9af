// Words that many pages use. What a page alone says stands in a file of its name beside this one; no other file of
// src/web/ holds prose.
import { countText } from "../locale.ts";

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
  tooMany: (count: number) => `Only the first ${countText(count)} are shown. Filter to see more.`,
  faults: (count: number) =>
    count === 1 ? "One field needs your attention." : `${countText(count)} fields need your attention.`,
  required: "This is needed.",
  notSent: "No answer came from the server. It is not known whether this was recorded.",
  sendAgain: "Send again",
  onceOnly: "Sending again records it once at most.",
  restored: "What you typed here before is still in the form.",
  beginAnew: "Begin anew",
  menu: "Menu",
  showPassword: "Show password",
  choose: "Choose…",
  unlimited: "Unlimited",
  notApplicable: "Not applicable",
  sort: (column: string) => `Sort by ${column}`,
  of: (part: string, whole: string) => `${part} of ${whole}`,
  noOptions: "Nothing found.",
  sending: (name: string) => `Sending ${name}`,
  stopSending: "Stop sending",
} as const;

/** What stands in place of content that could not be had. */
export const ERRORS = {
  title: "This could not be loaded",
  failed: "That did not work",
  detail: "Something went wrong in the page. Reload it; if it happens again, tell whoever runs this server.",
  noAnswer: "No answer came from the server. Check the connection and try again.",
  offline: "No connection to the server. What you see may be out of date.",
  unavailable: "The server cannot answer at the moment. It is asked again by itself.",
  notFound: (noun: string) => `There is no such ${noun}, or it was deleted.`,
  notFoundTitle: "Not found",
  page: "page",
  declined: "This was not done, because you did not confirm who you are.",
} as const;

/** Roles as people call them. */
export const ROLE_NAMES = {
  STAKEHOLDER: "Stakeholder",
  VIEWER: "Viewer",
  EDITOR: "Editor",
  ADMIN: "Administrator",
} as const;

/** What the rules of a field say, in the dashboard's own words. */
export const FIELD_FAULTS = {
  type: (number: string) => `Type ${number}`,
  decimal: (example: string) => `Enter digits, with fractions as in ${example}`,
  digits: "Enter at most 15 digits, and 10 of a fraction",
  date: "Enter a day that exists, such as 2026-01-31",
  email: "Enter an e-mail address, such as ada@example.com",
  choice: "Choose one of the list.",
  whole: "Enter a whole number, such as 12",
  positive: "Enter more than 0",
} as const;
