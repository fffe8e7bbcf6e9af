// Serves the OpenAPI document. Its builder is loaded with the first request for it: at the start it would cost more
// than opening the database.

import { OPENAPI_PATH, type PublicRoute } from "../answers/public.ts";
import type { AnyRoute } from "../any-route.ts";

/** Serves the document of `routes`, built once. */
export function openApiRoute(routes: readonly AnyRoute[]): PublicRoute {
  let text: Promise<string> | undefined;
  return {
    path: OPENAPI_PATH,
    async run() {
      text ??= build(routes);
      return { status: 200, contentType: "application/json", body: await text };
    },
  };
}

async function build(routes: readonly AnyRoute[]): Promise<string> {
  const { buildOpenApi } = await import("./document.ts");
  return JSON.stringify(await buildOpenApi(routes));
}
