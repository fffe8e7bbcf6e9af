// What a setting is, and the values that settings may have, from their text: each function returns undefined for what
// is not allowed. Pure.
import { isLoopbackHost } from "../kernel/loopback.ts";
import {
  type AddressRange,
  type AllowedAddresses,
  LOOPBACK_RANGES,
  readRange,
} from "../kernel/text/network-address.ts";

/** A setting. */
export interface Setting<T> {
  /** The command-line flag, if the setting has one. */
  readonly flag?: string;
  readonly variable: string;
  readonly default: string | null;
  /** The allowed values in words, for the message about a wrong one. */
  readonly allowed: string;
  readonly doc: string;
  /** Whether the value may hold a credential, so that no message shows it. */
  readonly isSecret?: boolean;
  /** Returns undefined if `text` is not allowed. */
  parse(text: string): T | undefined;
}

/** Declares a setting, with its value inferred. */
export function setting<T>(spec: Setting<T>): Setting<T> {
  return spec;
}

/** The largest port. */
export const PORT_MAX = 65_535;
/** How many ranges of proxies a setting may name. */
export const PROXY_RANGES_MAX = 8;

/** A whole number from `min` to `max`. */
export function wholeNumber(min: number, max: number) {
  return (text: string) => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    return value >= min && value <= max ? value : undefined;
  };
}

/** One of the words. */
export function word<const W extends readonly string[]>(...words: W) {
  return (text: string): W[number] | undefined => words.find((known) => known === text);
}

/** Any text but an empty one. */
export function anyText(text: string): string | undefined {
  return text === "" ? undefined : text;
}

/** A host name or address; an IPv6 address also in the brackets that it has in URLs. */
export function hostName(text: string): string | undefined {
  const bare = /^\[(.+)\]$/.exec(text)?.[1] ?? text;
  return /^[A-Za-z0-9._:%-]+$/.test(bare) ? bare : undefined;
}

/** A base URL, to which paths are added. */
export function baseUrl(text: string): string | undefined {
  return /[?#]/.test(text) ? undefined : httpUrl(text);
}

/** The URL of a server that requests go to; a key says who calls, and no name in the URL. */
export function serverUrl(text: string): string | undefined {
  const url = baseUrl(text);
  return url !== undefined && new URL(url).username === "" && new URL(url).password === "" ? url : undefined;
}

function httpUrl(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : null;
  return url && /^https?:$/.test(url.protocol) ? text.replace(/\/+$/, "") : undefined;
}

/** Kept as it is: a node's path or query may be its credential. */
export function rpcUrl(text: string): string | undefined {
  return httpUrl(text) === undefined ? undefined : text;
}

/** An e-mail address, and nothing besides it. */
export function mailAddress(text: string): string | undefined {
  return /^[\x21-\x7e]{1,64}@[A-Za-z0-9.-]{1,190}$/.test(text) && !/[<>"(),:;\\[\]]/.test(text) ? text : undefined;
}

/** A provider's URL: TLS, except for a provider on this machine. */
export function issuerUrl(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isLocal = url?.protocol === "http:" && isLoopbackHost(url.hostname);
  return url && (url.protocol === "https:" || isLocal) && !/[?#]/.test(text) ? text : undefined;
}

/** The addresses of trusted proxies: none, this machine, or ranges. */
export function proxyRanges(text: string): readonly AddressRange[] | undefined {
  if (text === "none") return [];
  const words = text.split(",").map((each) => each.trim());
  const ranges = words.map((each) => (each === "loopback" ? LOOPBACK_RANGES : [readRange(each)]));
  if (words.filter((each) => each !== "loopback").length > PROXY_RANGES_MAX) return undefined;
  const read = ranges.flat().filter((range) => range !== null);
  return read.length === ranges.flat().length ? read : undefined;
}

/** The number of a chain. */
export function chainNumber(text: string): number | undefined {
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;
}

/** Where webhooks may go: nowhere, or public addresses and ranges. */
export function allowedAddresses(text: string): AllowedAddresses | undefined {
  if (text === "none") return { isPublic: false, ranges: [] };
  const words = text.split(",").map((each) => each.trim());
  const ranges = words.filter((each) => each !== "public").map(readRange);
  const read = ranges.filter((range) => range !== null);
  return read.length === ranges.length ? { isPublic: words.includes("public"), ranges: read } : undefined;
}

/** The name of a bucket, also of servers that take more than AWS does. */
export function bucketName(text: string): string | undefined {
  return /^[A-Za-z0-9][A-Za-z0-9._-]{1,61}[A-Za-z0-9]$/.test(text) ? text : undefined;
}

/** The name of a region. */
export function regionName(text: string): string | undefined {
  return /^[A-Za-z0-9-]{1,40}$/.test(text) ? text : undefined;
}

/** What names of objects begin with. */
export function objectPrefix(text: string): string | undefined {
  const isWhole = /^[A-Za-z0-9_.-]+(?:\/[A-Za-z0-9_.-]+)*\/?$/.test(text) && text.length <= 200;
  return isWhole && !/(?:^|\/)\.{1,2}(?:\/|$)/.test(text) ? text : undefined;
}
