// The table of people's routes.
import type { AccessRoute } from "./access-route.ts";
import { accountRoutes } from "./routes/account.ts";
import { confirmRoute } from "./routes/confirm.ts";
import { fromProvider } from "./routes/from-provider.ts";
import { identityRoutes } from "./routes/identities.ts";
import { instanceRoutes } from "./routes/instance.ts";
import { notificationRoutes } from "./routes/notifications.ts";
import { oneTimeCodeRoutes } from "./routes/one-time-codes.ts";
import { linkRoutes } from "./routes/opened-links.ts";
import { organizationsRoutes } from "./routes/organizations.ts";
import { calendarRoutes } from "./routes/own-calendars.ts";
import { passkeyRoutes } from "./routes/own-passkeys.ts";
import { ownSessionRoutes } from "./routes/own-sessions.ts";
import { setup } from "./routes/setup.ts";
import { signInRoutes } from "./routes/sign-in.ts";
import { toProvider } from "./routes/to-provider.ts";

/** The routes for people, signed in or about to sign in. */
export const accessRoutes: readonly AccessRoute[] = [
  ...signInRoutes,
  setup,
  confirmRoute,
  ...linkRoutes,
  ...accountRoutes,
  ...oneTimeCodeRoutes,
  ...passkeyRoutes,
  toProvider,
  fromProvider,
  ...identityRoutes,
  ...ownSessionRoutes,
  ...calendarRoutes,
  ...notificationRoutes,
  ...organizationsRoutes,
  ...instanceRoutes,
];
