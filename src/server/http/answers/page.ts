// HTML for people: one shell and one strict policy for every page.
import pageCss from "../assets/page.css" with { type: "text" };
import type { PublicReply, PublicRoute } from "./public.ts";

/** What a page may load: this server's own files and nothing else. */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  "content-security-policy": [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; "),
  "referrer-policy": "no-referrer",
};

/** Makes a page. `title` is plain text, `main` is HTML. */
export function htmlPage(title: string, main: string): PublicReply {
  const body = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/pages.css">
</head>
<body>
<main>
${main}
</main>
</body>
</html>
`;
  return { status: 200, contentType: "text/html; charset=utf-8", body, headers: PAGE_HEADERS };
}

/** The style that pages made by {@link htmlPage} load. */
export const pageStyle: PublicRoute = {
  path: "/pages.css",
  run: () => ({ status: 200, contentType: "text/css; charset=utf-8", body: pageCss }),
};

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Writes plain text as HTML. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character);
}
