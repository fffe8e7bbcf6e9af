// The `Host` header (RFC 9110, section 7.2): whether it is well formed, and whether it is a name that only this machine
// or its operator gives the service. Another site can point its own name at this machine, and its visitors' browsers
// then send us requests (DNS rebinding); routes for this machine alone must not answer under such a name.
import { isIP } from "node:net";
import { problem } from "../../kernel/problem.ts";

const FORM = /^(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::\d{0,5})?$/;
const REMEMBERED_MAX = 100;
/** Valid hosts, cached: most requests name the same one. */
const right = new Set<string>();

/**
 * Throws `400 malformed-host` if the `Host` is empty, malformed or given twice. A missing one is valid: HTTP/1.0 needs
 * none, and a later request without one is refused before it comes here.
 */
export function refuseMalformedHost({ headers }: Request): void {
  const host = headers.get("host");
  if (host === null || right.has(host)) return;
  // Two are joined by a comma, which no host contains.
  if (!FORM.test(host) || !URL.canParse(`http://${host}`)) {
    throw problem("malformed-host", "The `Host` header must be given once, and name a host and perhaps a port.");
  }
  if (right.size >= REMEMBERED_MAX) right.clear();
  right.add(host);
}

/** Whether a `Host` is a literal IP address, a loopback name, or the host of `publicUrl`. */
export function isOwnHost(host: string | null, publicUrl: string): boolean {
  if (host === null) return false;
  const name = nameIn(`http://${host}`);
  return isIP(name.replace(/^\[(.*)\]$/, "$1")) > 0 || /^(.+\.)?localhost$/.test(name) || name === nameIn(publicUrl);
}

/** The host without its port, in lower case and without a dot at its end. */
function nameIn(url: string): string {
  return new URL(url).hostname.replace(/\.$/, "");
}

/** The path of a request's address, which is not a URL if no host was named. */
export function pathOf(url: string): string {
  return new URL(url, "http://localhost").pathname;
}

/** The path of the public URL, without a slash at its end: empty if the service has a host of its own. */
export function basePathOf(publicUrl: string): string {
  return new URL(publicUrl).pathname.replace(/\/+$/, "");
}
