// Every route of people.
import type { AccessRoute } from "./route.ts";
import { accountRoutes } from "./routes/account.ts";
import { identityRoutes } from "./routes/identities.ts";
import { linkRoutes } from "./routes/links.ts";
import { oidcRoutes } from "./routes/oidc.ts";
import { organizationsRoutes } from "./routes/organizations.ts";
import { ownSessionRoutes } from "./routes/own-sessions.ts";
import { passkeyRoutes } from "./routes/passkeys.ts";
import { sessionRoutes } from "./routes/sessions.ts";

/** The routes that are asked by people, or by somebody who is about to sign in. */
export const accessRoutes: readonly AccessRoute[] = [
  ...sessionRoutes,
  ...linkRoutes,
  ...accountRoutes,
  ...passkeyRoutes,
  ...oidcRoutes,
  ...identityRoutes,
  ...ownSessionRoutes,
  ...organizationsRoutes,
];
