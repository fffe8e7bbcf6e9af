// Certificates of time stamp authorities (RFC 5280): what of them counts, and the chain from one to a given root at a time.
import { type Der, DerError, Fields, isSame, numberOf, oidOf, only, readDer, TAG, timeOf } from "./der.ts";
import { isSignedWith } from "./signatures.ts";

const CHAIN_MAX = 8;
const PEM_BYTES_MAX = 1024 * 1024;

const BASIC_CONSTRAINTS = "2.5.29.19";
const KEY_USAGE = "2.5.29.15";
const EXTENDED_KEY_USAGE = "2.5.29.37";
const POLICIES = "2.5.29.32";
const UNDERSTOOD: ReadonlySet<string> = new Set([BASIC_CONSTRAINTS, KEY_USAGE, EXTENDED_KEY_USAGE, POLICIES]);
const TIME_STAMPING = "1.3.6.1.5.5.7.3.8";
const ANY_USE = "2.5.29.37.0";

interface Extension {
  readonly isCritical: boolean;
  /** The DER value in it. */
  readonly value: Uint8Array;
}

/** A certificate. */
export interface Certificate {
  /** All of it. */
  readonly bytes: Uint8Array;
  readonly serial: Uint8Array;
  /** Names, as encoded. */
  readonly issuer: Uint8Array;
  readonly subject: Uint8Array;
  /** Milliseconds since 1970. */
  readonly validFrom: number;
  readonly validTo: number;
  readonly publicKeyInfo: Uint8Array;
  readonly extensions: ReadonlyMap<string, Extension>;
  /** Whether the owner of `issuer` signed it. */
  isSignedBy(issuer: Certificate): boolean;
}

/** Reads a certificate. Throws {@link DerError}. */
export function readCertificate(der: Der): Certificate {
  const fields = new Fields(der);
  const [tbs, algorithm, bits] = [fields.take(TAG.sequence), fields.take(TAG.sequence), fields.take(TAG.bitString)];
  fields.end();
  const body = new Fields(tbs);
  body.optional(TAG.around(0));
  const serial = body.take(TAG.integer).content;
  const named = body.take(TAG.sequence);
  const [issuer, validity, subject, info] = [body.any(), body.take(TAG.sequence), body.any(), body.take(TAG.sequence)];
  const extensions = body.optional(TAG.around(3));
  body.end();
  if (!isSame(named.bytes, algorithm.bytes)) throw new DerError("a certificate names two signature algorithms");
  const period = new Fields(validity);
  const [validFrom, validTo] = [timeOf(period.any()), timeOf(period.any())];
  const signed = { data: tbs.bytes, signature: bitsOf(bits), algorithm, digest: null };
  return {
    bytes: der.bytes,
    ...{ serial, issuer: issuer.bytes, subject: subject.bytes, validFrom, validTo, publicKeyInfo: info.bytes },
    extensions: extensions === null ? new Map() : readExtensions(only(extensions, TAG.sequence)),
    isSignedBy: (issuing) => isSignedWith(issuing.publicKeyInfo, signed),
  };
}

/** A bit string of whole bytes. */
function bitsOf({ content }: Der): Uint8Array {
  if (content[0] !== 0) throw new DerError("a signature in it is not encoded as it should be");
  return content.subarray(1);
}

/** The extensions by their identifier. */
export function readExtensions(list: Der): ReadonlyMap<string, Extension> {
  const extensions = new Map<string, Extension>();
  if (list.tag !== TAG.sequence) throw new DerError("it has another value than it should have");
  for (const each of list.children) {
    const fields = new Fields(each);
    const oid = oidOf(fields.take(TAG.oid));
    const flag = fields.optional(TAG.boolean);
    const { content: value } = fields.take(TAG.octetString);
    fields.end();
    if (extensions.has(oid)) throw new DerError("it has an extension twice");
    extensions.set(oid, { isCritical: flag !== null && flag.content[0] !== 0, value });
  }
  return extensions;
}

/** Reads the certificates of a PEM text. Throws {@link DerError} where it has no certificate, or one that cannot be read. */
export function readPem(text: string): Certificate[] {
  if (text.length > PEM_BYTES_MAX) throw new DerError("it is too large for a file of certificates");
  const blocks = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  if (blocks.length === 0) throw new DerError("it has no certificate in PEM");
  return blocks.map((block) => {
    const bytes = Buffer.from(block.replace(/-----[A-Z ]+-----|\s/g, ""), "base64");
    return readCertificate(readDer(bytes));
  });
}

/**
 * Why the certificates do not lead from the signer of time stamps to a root that was given; null if they do, all valid
 * at `timeMs`.
 */
export function findChainFault(
  signer: Certificate,
  others: readonly Certificate[],
  { roots, timeMs }: { readonly roots: readonly Certificate[]; readonly timeMs: number },
): string | null {
  const usage = signer.extensions.get(EXTENDED_KEY_USAGE);
  if (usage === undefined || !usage.isCritical || !isSameList(usesOf(usage), [TIME_STAMPING])) {
    return "its signer's certificate is not one for time stamps alone";
  }
  if (!hasKeyUsage(signer, 0) && !hasKeyUsage(signer, 1)) return "its signer's certificate is not one for signatures";
  const fault = findFault(signer, timeMs);
  if (fault !== null) return fault;
  const search = { roots, others, timeMs, fault: "its certificates lead to none of the roots that are trusted" };
  return leadsToRoot(signer, 0, search) ? null : search.fault;
}

interface Search {
  readonly roots: readonly Certificate[];
  readonly others: readonly Certificate[];
  readonly timeMs: number;
  /** The last reason why an issuer did not count. */
  fault: string;
}

/** Whether a certificate is a root, or issued by one, or by others that lead to one; `below` are its issuers so far. */
function leadsToRoot(certificate: Certificate, below: number, search: Search): boolean {
  const { roots, others, timeMs } = search;
  if (roots.some(({ bytes }) => isSame(bytes, certificate.bytes))) return true;
  if (below >= CHAIN_MAX) return false;
  return [...roots, ...others].some((issuer) => {
    if (!isSame(issuer.subject, certificate.issuer) || isSame(issuer.bytes, certificate.bytes)) return false;
    if (!certificate.isSignedBy(issuer)) return false;
    const fault = findIssuerFault(issuer, below) ?? findFault(issuer, timeMs);
    if (fault !== null) search.fault = fault;
    return fault === null && leadsToRoot(issuer, below + 1, search);
  });
}

function findFault({ validFrom, validTo, extensions }: Certificate, timeMs: number): string | null {
  if (timeMs < validFrom || timeMs > validTo) return "one of its certificates was not valid at its time";
  const unknown = [...extensions].find(([oid, { isCritical }]) => isCritical && !UNDERSTOOD.has(oid));
  return unknown ? `one of its certificates has a critical extension that is not understood, ${unknown[0]}` : null;
}

/** Why a certificate may not issue another one, above `below` other issuers. */
function findIssuerFault(issuer: Certificate, below: number): string | null {
  const constraints = issuer.extensions.get(BASIC_CONSTRAINTS);
  const [isAuthority = null, pathLength = null] = constraints ? readDer(constraints.value).children : [];
  const isOne = isAuthority?.tag === TAG.boolean && isAuthority.content[0] !== 0;
  const isTooLong = pathLength !== null && numberOf(pathLength) < below;
  if (!isOne || isTooLong || !hasKeyUsage(issuer, 5)) {
    return "one of its certificates was issued by one that may not issue it";
  }
  const usage = issuer.extensions.get(EXTENDED_KEY_USAGE);
  const isForThat = usage === undefined || usesOf(usage).some((use) => use === TIME_STAMPING || use === ANY_USE);
  return isForThat ? null : "one of its certificates was issued by one that is not for time stamps";
}

/** Whether a key may be used so, by the bit of RFC 5280; a certificate without that extension allows all. */
function hasKeyUsage({ extensions }: Certificate, bit: number): boolean {
  const usage = extensions.get(KEY_USAGE);
  if (usage === undefined) return true;
  const { tag, content } = readDer(usage.value);
  return tag === TAG.bitString && ((content[1] ?? 0) & (0x80 >> bit)) !== 0;
}

function usesOf({ value }: Extension): string[] {
  return readDer(value).children.map(oidOf);
}

function isSameList(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((each, index) => each === other[index]);
}
