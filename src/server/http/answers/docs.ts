// /docs: the API reference. Swagger UI comes from inside the program, so that it works where there is no internet.
import docsCss from "../assets/docs.css" with { type: "text" };
import docsJs from "../assets/docs.js" with { type: "text" };
import swaggerCssFile from "../assets/swagger-ui.css.gz" with { type: "file" };
import swaggerJsFile from "../assets/swagger-ui-bundle.js.gz" with { type: "file" };
import { PAGE_HEADERS } from "./page.ts";
import type { PublicReply, PublicRequest, PublicRoute } from "./public.ts";

const JAVASCRIPT = "text/javascript; charset=utf-8";
const CSS = "text/css; charset=utf-8";

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>captable API reference</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/swagger-ui.css">
<link rel="stylesheet" href="/docs/docs.css">
</head>
<body>
<noscript>The reference needs JavaScript. The same is in <a href="/api/v1/openapi.json">openapi.json</a>.</noscript>
<div id="swagger-ui"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/docs.js"></script>
</body>
</html>
`;

/** The page and what it loads. */
export const docsRoutes: readonly PublicRoute[] = [
  { path: "/docs", run: () => text(PAGE, "text/html; charset=utf-8", PAGE_HEADERS) },
  { path: "/docs/docs.css", run: () => text(docsCss, CSS) },
  { path: "/docs/docs.js", run: () => text(docsJs, JAVASCRIPT) },
  { path: "/docs/swagger-ui.css", run: (request) => compressed(swaggerCssFile, CSS, request) },
  { path: "/docs/swagger-ui-bundle.js", run: (request) => compressed(swaggerJsFile, JAVASCRIPT, request) },
];

function text(body: string, contentType: string, headers: Readonly<Record<string, string>> = {}): PublicReply {
  return { status: 200, contentType, body, headers };
}

/** A gzipped file: as it is, or unpacked for the rare client that does not take gzip. */
async function compressed(file: string, contentType: string, request: PublicRequest): Promise<PublicReply> {
  const bytes = await Bun.file(file).bytes();
  const headers = { "cache-control": "public, max-age=3600", vary: "accept-encoding" };
  if (!/\bgzip\b/.test(request.headers.get("accept-encoding") ?? "")) {
    return { status: 200, contentType, body: Bun.gunzipSync(bytes), headers };
  }
  return { status: 200, contentType, body: bytes, headers: { ...headers, "content-encoding": "gzip" } };
}
