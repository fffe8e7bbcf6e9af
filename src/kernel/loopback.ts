// What is this machine alone: addresses of connections and names in URLs that lead nowhere else.
import { isWithin, LOOPBACK_RANGES } from "./text/network-address.ts";

/** Whether the address of a connection is this machine's, in either family: `127.0.0.1`, `::1`, `::ffff:127.0.0.1`. */
export function isLoopbackAddress(address: string): boolean {
  return isWithin(address, LOOPBACK_RANGES);
}

/** Whether a URL's host is this machine alone: `localhost` and names under it, `127.0.0.1`, `[::1]`. */
export function isLoopbackHost(hostname: string): boolean {
  return /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
}
