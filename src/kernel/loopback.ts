// Loopback: addresses of connections and hosts of URLs that lead to this machine only.
import { isWithin, LOOPBACK_RANGES } from "./text/network-address.ts";

/** Whether a connection's address is loopback, in either family: `127.0.0.1`, `::1`, `::ffff:127.0.0.1`. */
export function isLoopbackAddress(address: string): boolean {
  return isWithin(address, LOOPBACK_RANGES);
}

/** Whether a URL's host is loopback: `localhost` and names under it, `127.0.0.1`, `[::1]`. */
export function isLoopbackHost(hostname: string): boolean {
  return /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
}
