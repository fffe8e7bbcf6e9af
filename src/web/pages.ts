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
};
