// captable openapi: prints the OpenAPI document.
import type { Command } from "commander";
import { newCommand, print, withExamples, withoutDataDir } from "../command.ts";

/** Declares `captable openapi`: the same document that the server serves, without a data directory. */
export function openapiCommand(): Command {
  const command = withoutDataDir(newCommand("openapi", "Print the API's OpenAPI 3.1 document."));
  // The environment decides the prefix of new keys and nothing in the document, which is JSON anyhow.
  command.action(async () => {
    const [{ allRoutes }, { accessRoutes }, { buildOpenApi }] = await Promise.all([
      import("../../src/server/routes.ts"),
      import("../../src/people/routes.ts"),
      import("../../src/server/http/openapi/document.ts"),
    ]);
    print({ json: true }, await buildOpenApi([...allRoutes("production"), ...accessRoutes]), []);
  });
  return withExamples(command, "captable openapi > openapi.json");
}
