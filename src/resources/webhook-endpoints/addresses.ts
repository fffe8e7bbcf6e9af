// Where webhooks may go: public addresses by https alone, others only in ranges that the operator listed. A name is judged
// by all its addresses, before each connection. This brings ipaddr.js: it is loaded when it is needed.
import ipaddr from "ipaddr.js";
import { type AllowedAddresses, familyOf, isWithin, readRange } from "../../kernel/text/network-address.ts";

const HTTPS_PORT = 443;
const HTTP_PORT = 80;
const OWN_PORTS_FROM = 1024;
/** Answers on every machine of one provider, by an address that looks public. */
const PROVIDERS_OWN = "168.63.129.16";
/** What is given out to networks of the world; ipaddr.js takes the rest of IPv6 for public, too. */
const GLOBAL_SIX = [readRange("2000::/3")].filter((range) => range !== null);

/** The parts of a URL that decide where a request goes. */
export interface Destination {
  readonly isEncrypted: boolean;
  /** A name, or an address without brackets. */
  readonly host: string;
  readonly port: number;
}

/** The destination of a URL. */
export function destinationOf({ protocol, hostname, port }: URL): Destination {
  const isEncrypted = protocol === "https:";
  const usual = isEncrypted ? HTTPS_PORT : HTTP_PORT;
  return { isEncrypted, host: bareHost(hostname), port: port === "" ? usual : Number(port) };
}

/** A URL's host as the system takes it. */
function bareHost(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, "$1");
}

/** Whether a host is an address, and no name. */
export function isAddress(host: string): boolean {
  return familyOf(host) !== 0;
}

/** Whether a request to a destination may go to this address. */
export function mayGoTo(address: string, { isEncrypted, port }: Destination, allowed: AllowedAddresses): boolean {
  // A zone names a network of this machine.
  if (address.includes("%")) return false;
  if (isWithin(address, allowed.ranges)) return true;
  const isUsualPort = port === HTTPS_PORT || port >= OWN_PORTS_FROM;
  return allowed.isPublic && isEncrypted && isUsualPort && isPublic(address);
}

/** Whether an address is one of the Internet's. */
export function isPublic(address: string): boolean {
  if (familyOf(address) === 0) return false;
  const unwrapped = ipaddr.process(address);
  if (unwrapped.range() !== "unicast" || unwrapped.toString() === PROVIDERS_OWN) return false;
  return unwrapped.kind() === "ipv4" || isWithin(unwrapped.toString(), GLOBAL_SIX);
}

/** What is wrong with a URL as an endpoint's; null if nothing is, as far as can be seen without resolving its name. */
export function faultOfUrl(text: string, allowed: AllowedAddresses): string | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) return "must be an https URL";
  if (/[\s\\]/.test(text)) return "must not have spaces or backslashes";
  if (url.username !== "" || url.password !== "") return "must not name a user";
  if (text.includes("#")) return "must not have a fragment";
  const destination = destinationOf(url);
  const { isEncrypted, host, port } = destination;
  if (port === 0) return "must not have the port 0";
  if (isAddress(host)) {
    return mayGoTo(host, destination, allowed) ? null : "is at an address that this server sends nothing to";
  }
  if (!isEncrypted && allowed.ranges.length === 0) return "must be an https URL";
  const isUsualPort = port === HTTPS_PORT || port >= OWN_PORTS_FROM;
  if (!isUsualPort && allowed.ranges.length === 0) return "must have the port 443, or one from 1024";
  return null;
}
