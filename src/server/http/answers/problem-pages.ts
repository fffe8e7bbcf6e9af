// /problems/{slug}: the page that the `type` of a problem document links to, and that explains it.
import { PROBLEMS, type ProblemSlug, problem } from "../../../kernel/problem.ts";
import { escapeHtml, htmlPage } from "./page.ts";
import type { PublicReply, PublicRoute } from "./public.ts";

/** The page of every problem kind; another slug is a `404`. */
export const problemPage: PublicRoute = {
  path: "/problems/:slug",
  run({ params }) {
    const slug = params.slug ?? "";
    if (!isSlug(slug)) throw problem("not-found", "There is no such kind of problem.");
    return showKind(slug);
  },
};

function isSlug(text: string): text is ProblemSlug {
  return Object.hasOwn(PROBLEMS, text);
}

function showKind(slug: ProblemSlug): PublicReply {
  const { status, title, explanation } = PROBLEMS[slug];
  return htmlPage(
    `${title} (${slug})`,
    `<p class="status">HTTP ${status} · <code>${slug}</code></p>
<h1>${escapeHtml(title)}</h1>
<p>${withCode(explanation)}</p>
<footer>
<p>The answer's <code>detail</code> says what was wrong with that request; <code>instance</code> holds its id.</p>
<p><a href="/docs">API reference</a></p>
</footer>`,
  );
}

/** Plain text with code between backticks. */
function withCode(text: string): string {
  return escapeHtml(text).replace(/`([^`]+)`/g, "<code>$1</code>");
}
