// The dashboard's files: the shell at the address of each page, and the scripts and styles that it loads. All of it is
// public and the same for every user; an organization's or a person's data comes by the API.
import { problem } from "../../../kernel/problem.ts";
import type { Asset } from "../../../web/asset.ts";
import { nextChange, webFiles } from "../../../web/files.ts";
import { PAGES } from "../../../web/routes.ts";
import type { PublicReply, PublicRequest, PublicRoute } from "./public.ts";

/** What a page may load and do: scripts and styles of files of this server, and no text that becomes script or markup. */
const SHELL_HEADERS: Readonly<Record<string, string>> = {
  "content-security-policy": [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; "),
  vary: "accept",
};
/** The names change with their content. */
const FOR_EVER = "public, max-age=31536000, immutable";

async function shell({ headers }: PublicRequest): Promise<PublicReply> {
  if (!asksForHtml(headers.get("accept"))) throw problem("not-found", "There is no such address.");
  const { html } = await webFiles();
  return { status: 200, contentType: "text/html; charset=utf-8", body: html, headers: SHELL_HEADERS };
}

/** Whether an `Accept` header names HTML, and does not refuse it: programs send none, or one that takes everything. */
function asksForHtml(accept: string | null): boolean {
  const kinds = (accept ?? "").toLowerCase().split(",");
  const html = kinds.map((kind) => kind.split(";").map((part) => part.trim())).find(([type]) => type === "text/html");
  return html !== undefined && !html.some((part) => /^q=0(\.0*)?$/.test(part));
}

async function asset({ params, headers }: PublicRequest): Promise<PublicReply> {
  const found = (await webFiles()).assets.get(params.name ?? "");
  if (found === undefined) throw problem("not-found", "There is no such address.");
  return reply(found, await found.bytes(), headers);
}

/** The file as it is, or unpacked for the rare client that does not take gzip. */
function reply({ contentType, isGzipped }: Asset, bytes: Uint8Array<ArrayBuffer>, asked: Headers): PublicReply {
  const headers = { "cache-control": FOR_EVER, vary: "accept-encoding" };
  if (!isGzipped) return { status: 200, contentType, body: bytes, headers };
  if (!/\bgzip\b/.test(asked.get("accept-encoding") ?? "")) {
    return { status: 200, contentType, body: Bun.gunzipSync(bytes), headers };
  }
  return { status: 200, contentType, body: bytes, headers: { ...headers, "content-encoding": "gzip" } };
}

/** For `bun run dev`: answers when the pages' sources have changed. */
function changes(next: () => Promise<boolean>): PublicRoute {
  return {
    path: "/assets/dev-changes",
    run: async () => ({ status: 200, contentType: "text/plain", body: (await next()) ? "changed" : "same" }),
  };
}

/** The pages of the dashboard, and their files. */
export const webRoutes: readonly PublicRoute[] = [
  ...Object.values(PAGES).map(({ path }) => ({ path, run: shell })),
  ...(nextChange === null ? [] : [changes(nextChange)]),
  { path: "/assets/:name", run: asset },
];
