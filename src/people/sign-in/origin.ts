// Protection against cross-site requests: whether a request that a browser sends with its cookie comes from our own
// pages. Another site's page can make a browser ask us, but can choose neither `Sec-Fetch-Site` nor `Origin`.
import { isLoopbackHost } from "../../kernel/loopback.ts";
import { problem } from "../../kernel/problem.ts";

/** Throws `403 cross-origin` if the request names a host that is neither the public URL's nor a loopback one. */
export function refuseForeignHost({ headers }: Request, publicUrl: string): void {
  const host = headers.get("host");
  if (host !== null && URL.canParse(`http://${host}`)) {
    const asked = new URL(`http://${host}`);
    const own = new URL(publicUrl);
    // A proxy may omit the port.
    const isOwn = asked.hostname === own.hostname && ["", own.port, defaultPort(own)].includes(asked.port);
    if (isOwn || isLoopbackHost(asked.hostname)) return;
  }
  throw crossOrigin("The `Host` is neither this server's public address nor this machine.");
}

function defaultPort({ protocol }: URL): string {
  return protocol === "https:" ? "443" : "80";
}

/** Throws `403 cross-origin` if the request comes from another origin, and for a write that names none. */
export function refuseForeignOrigin(request: Request, publicUrl: string): void {
  const { headers, method } = request;
  const site = headers.get("sec-fetch-site");
  if (site !== null) {
    if (site === "same-origin") return;
    throw crossOrigin("The request does not come from this server's own pages.");
  }
  const origin = headers.get("origin");
  if (origin === null) {
    if (method === "GET" || method === "HEAD") return;
    throw crossOrigin("A write with a session needs the header `Sec-Fetch-Site` or `Origin`.");
  }
  const host = headers.get("host") ?? "";
  const isOwn = origin === new URL(publicUrl).origin;
  const isLocal = origin === `http://${host}` && URL.canParse(origin) && isLoopbackHost(new URL(origin).hostname);
  if (!isOwn && !isLocal) throw crossOrigin("The request does not come from this server's own pages.");
}

function crossOrigin(detail: string) {
  return problem("cross-origin", detail);
}
