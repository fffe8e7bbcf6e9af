// The table of people's routes.
import type { AccessRoute } from "./access-route.ts";
import { accountRoutes } from "./routes/account-routes.ts";
import { identityRoutes } from "./routes/identity-routes.ts";
import { linkRoutes } from "./routes/link-routes.ts";
import { oidcRoutes } from "./routes/oidc-routes.ts";
import { organizationsRoutes } from "./routes/organization-routes.ts";
import { ownSessionRoutes } from "./routes/own-session-routes.ts";
import { passkeyRoutes } from "./routes/passkey-routes.ts";
import { sessionRoutes } from "./routes/session-routes.ts";

/** The routes for people, signed in or about to sign in. */
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
