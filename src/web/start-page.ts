// `/` for somebody who types the service's address into a browser: what answers here, where its API is described, and
// how to begin. Programs are told `404`, as at every address that no route has. It says nothing of any organization,
// nor of this machine.
import { htmlPage } from "../http/page.ts";
import type { PublicRoute } from "../http/public.ts";
import { problem } from "../kernel/problem.ts";

const MAIN = `<p class="status">It runs, and this is its address.</p>
<h1>captable</h1>
<p>The cap table of your company: who owns what, in a ledger that anybody can check, with a REST API and the Open Cap
Format in and out.</p>
<p><a href="/docs">API reference</a></p>
<h2>To begin</h2>
<p>Whoever runs it makes a key, on the machine that it runs on:</p>
<pre><code>captable keys create --name Office --role EDITOR --out office.key</code></pre>
<p>and where it was installed with the systemd unit that it prints:</p>
<pre><code>sudo -u captable captable keys create --name Office --role EDITOR --data-dir /var/lib/captable</code></pre>
<p>Each request then has the key in its head: <code>Authorization: Bearer KEY</code>.
<code>captable cap-table</code> shows who owns what without any.</p>
<footer>
<p><code>captable --help</code> lists every command.</p>
</footer>`;

/** The page; whoever does not ask for HTML gets a `404`. */
export const startPage: PublicRoute = {
  path: "/",
  run({ headers }) {
    if (!asksForHtml(headers.get("accept"))) throw problem("not-found", "There is no such address.");
    const page = htmlPage("captable", MAIN);
    return { ...page, headers: { ...page.headers, vary: "accept" } };
  },
};

/** Whether an `Accept` names HTML, and does not refuse it: programs send none, or one that takes everything. */
function asksForHtml(accept: string | null): boolean {
  const kinds = (accept ?? "").toLowerCase().split(",");
  const html = kinds.map((kind) => kind.split(";").map((part) => part.trim())).find(([type]) => type === "text/html");
  return html !== undefined && !html.some((part) => /^q=0(\.0*)?$/.test(part));
}
