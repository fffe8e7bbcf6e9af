// IP addresses: parsed exactly, compared with ranges, and grouped into the networks that limits count. An IPv6 caller
// has a whole /64 and a site often a /48, so a single address says little about its user.

const BITS = { 4: 32, 6: 128 } as const;
const SITE_BITS = 48;
const LINK_BITS = 64;
/** The upper 96 bits of an IPv4 address in the form of IPv6, `::ffff:192.0.2.1`. */
const MAPPED = 0xffffn;

/** An address as a number; an IPv4-mapped IPv6 address counts as IPv4. */
export interface Address {
  readonly family: 4 | 6;
  readonly value: bigint;
}

/** A range of addresses, as `10.0.0.0/8`. */
export interface AddressRange extends Address {
  readonly prefix: number;
}

/** A colon at the end of an address stands beside another. */
const SIX_CHARACTERS = /^[\da-f:.]*(?:[\da-f.]|::)$/i;
const FOUR = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/;

/** The family of a bare address, 0 if the text is not one. The same as of `node:net`, which takes long to load. */
export function familyOf(text: string): 4 | 6 | 0 {
  if (FOUR.test(text)) return 4;
  return SIX_CHARACTERS.test(text) && URL.canParse(`http://[${text}]/`) ? 6 : 0;
}

/** Reads an address, with a zone (`%eth0`) or without; null if the text is not an address. */
export function readAddress(text: string): Address | null {
  const bare = text.replace(/%.*$/, "");
  const family = familyOf(bare);
  if (family === 4) return { family, value: valueOf4(bare) };
  if (family !== 6) return null;
  const value = valueOf6(bare);
  return value >> 32n === MAPPED ? { family: 4, value: value & 0xffff_ffffn } : { family, value };
}

function valueOf4(text: string): bigint {
  return text.split(".").reduce((value, part) => value * 256n + BigInt(part), 0n);
}

function valueOf6(text: string): bigint {
  // The last 32 bits may be written as an IPv4 address.
  const whole = text.replace(/\d+(?:\.\d+){3}$/, (last) => {
    const value = valueOf4(last);
    return `${(value >> 16n).toString(16)}:${(value & 0xffffn).toString(16)}`;
  });
  const [head = "", tail] = whole.split("::");
  const before = head === "" ? [] : head.split(":");
  const after = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros = tail === undefined ? 0 : 8 - before.length - after.length;
  const parts = [...before, ...Array.from({ length: zeros }, () => "0"), ...after];
  return parts.reduce((value, part) => value * 65536n + BigInt(`0x${part}`), 0n);
}

/** Reads a range, `address/bits`; null if the text is not a range, or has bits set behind its prefix. */
export function readRange(text: string): AddressRange | null {
  const [, before = "", bits = ""] = /^([^/]+)\/(\d{1,3})$/.exec(text) ?? [];
  const address = readAddress(before);
  if (address === null || before.includes("%")) return null;
  // A mapped address counts from the 96 bits before it.
  const prefix = Number(bits) - (address.family === 4 && familyOf(before) === 6 ? 96 : 0);
  const { family, value } = address;
  if (prefix < 0 || prefix > BITS[family]) return null;
  return networkOf(value, family, prefix) === value ? { family, value, prefix } : null;
}

function networkOf(value: bigint, family: 4 | 6, prefix: number): bigint {
  const rest = BigInt(BITS[family] - prefix);
  return (value >> rest) << rest;
}

/** Whether an address lies in one of the ranges. */
export function isWithin(text: string, ranges: readonly AddressRange[]): boolean {
  const address = readAddress(text);
  if (address === null) return false;
  return ranges.some(
    ({ family, value, prefix }) => family === address.family && networkOf(address.value, family, prefix) === value,
  );
}

/** Loopback addresses. */
export const LOOPBACK_RANGES = rangesOf("127.0.0.0/8", "::1/128");
/** Addresses without a route on the Internet: private, link-local, carrier-grade NAT, unique local. */
export const PRIVATE_RANGES = rangesOf(
  "10.0.0.0/8",
  "172.16.0.0/12",
  "192.168.0.0/16",
  "169.254.0.0/16",
  "100.64.0.0/10",
  "fc00::/7",
  "fe80::/10",
);

function rangesOf(...texts: readonly string[]): readonly AddressRange[] {
  return texts.flatMap((text) => readRange(text) ?? []);
}

/** The networks of a caller that limits count. */
export interface Networks {
  /** The caller: an IPv4 address, or the /64 of an IPv6 one. A text that is not an address stands for itself. */
  readonly own: string;
  /** The site, a /48 of IPv6, for which ten times as much is allowed; null for IPv4. */
  readonly site: string | null;
}

/** The networks of an address. */
export function networksOf(text: string): Networks {
  const address = readAddress(text);
  if (address === null) return { own: text, site: null };
  const { family, value } = address;
  if (family === 4) return { own: `4:${value.toString(16)}`, site: null };
  const named = (bits: number) => `6:${networkOf(value, 6, bits).toString(16)}/${bits}`;
  return { own: named(LINK_BITS), site: named(SITE_BITS) };
}

/** Where requests of the server may go: to public addresses, and to listed ranges. */
export interface AllowedAddresses {
  readonly isPublic: boolean;
  readonly ranges: readonly AddressRange[];
}

/** Public addresses alone. */
export const PUBLIC_ADDRESSES: AllowedAddresses = { isPublic: true, ranges: [] };
