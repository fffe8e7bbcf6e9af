// The session cookie: pages cannot read it, and no other site's request sends it.
import { isLoopbackHost } from "../../kernel/loopback.ts";
import { isToken } from "./token.ts";

/** The session's cookie: its name and attributes. Null if a browser would send it in the clear. */
export function cookieOf(publicUrl: string): { readonly name: string; readonly attributes: string } | null {
  const { protocol, hostname, port } = new URL(publicUrl);
  if (protocol === "https:") {
    return { name: "__Host-captable", attributes: "Path=/; Secure; HttpOnly; SameSite=Strict" };
  }
  if (!isLoopbackHost(hostname)) return null;
  // A browser sends cookies to every port of a host: two instances must not share one.
  return { name: `captable-${port || "80"}`, attributes: "Path=/; HttpOnly; SameSite=Strict" };
}

/** The cookie that binds a sign-in begun at a provider to this browser: the browser must send it when it comes back. */
export function handshakeCookieOf(publicUrl: string): ReturnType<typeof cookieOf> {
  const session = cookieOf(publicUrl);
  if (session === null) return null;
  const name = session.name.replace("captable", "captable-oidc");
  return { name, attributes: `${session.attributes.replace("Strict", "Lax")}; Max-Age=600` };
}

/** The token in a request's `Cookie`; null if the cookie is missing. */
export function readToken(header: string | null, name: string): string | null {
  const value = readCookie(header, name);
  return value === null || isToken(value) ? value : "";
}

/** The value of a cookie in a request's `Cookie`, the first of its name; null if the cookie is missing. */
export function readCookie(header: string | null, name: string): string | null {
  for (const pair of (header ?? "").split(";")) {
    const at = pair.indexOf("=");
    if (at >= 0 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim();
  }
  return null;
}
