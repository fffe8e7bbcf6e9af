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
  account: { path: "/account", place: "account" },
  organizations: { path: "/organizations", place: "account" },
  instance: { path: "/instance", place: "account" },
  overview: { path: "/o/:orgId", place: "organization" },
} as const satisfies Record<string, PageAddress>;

/** The name of a page. */
export type PageName = keyof typeof PAGES;
