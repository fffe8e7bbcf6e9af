// The table of commands. The build of the executable puts the finished table in place of this module, so that a command
// loads no route; a checkout makes it from the routes as they are.
import type { ApiCommand } from "./api-command.ts";

/** Every command of `captable api` that sends one request. */
export async function readCommands(): Promise<readonly ApiCommand[]> {
  const [{ allRoutes }, { commandsOf }] = await Promise.all([
    import("../../src/server/routes.ts"),
    import("./from-routes.ts"),
  ]);
  return commandsOf(allRoutes("production"));
}
