// Time stamp tokens (RFC 3161, RFC 5652, RFC 5816): what one says, and whether it was signed by an authority that a
// given root vouches for.
import { createHash } from "node:crypto";
import { toTimestamp } from "../../kernel/runtime.ts";
import { type Certificate, findChainFault, readCertificate, readExtensions } from "./certificates.ts";
import { type Der, DerError, Fields, isSame, numberOf, oidOf, only, readDer, TAG, timeOf } from "./der.ts";
import { digestOf, isSignedWith } from "./signatures.ts";

const SIGNED_DATA = "1.2.840.113549.1.7.2";
const TIME_STAMP = "1.2.840.113549.1.9.16.1.4";
const CONTENT_TYPE = "1.2.840.113549.1.9.3";
const MESSAGE_DIGEST = "1.2.840.113549.1.9.4";
const SIGNING_CERTIFICATE = "1.2.840.113549.1.9.16.2.12";
const SIGNING_CERTIFICATE_V2 = "1.2.840.113549.1.9.16.2.47";

/** What a time stamp says. */
export interface TimeStamp {
  /** Its time, by the authority's clock. */
  readonly time: string;
  /** The policy that the authority follows, as an object identifier. */
  readonly policy: string;
}

/** A token that does not hold, and why: to be shown behind "the time stamp of … ". */
export class TokenError extends Error {
  override readonly name = "TokenError";
}

/** What a token must be of. */
export interface Expected {
  /** The SHA-256 of what was stamped. */
  readonly imprint: Uint8Array;
  /** The nonce that was sent, as the content of its INTEGER; undefined where it is not known any more. */
  readonly nonce?: Uint8Array | undefined;
  readonly roots: readonly Certificate[];
}

/** Reads what a token says, without a check. Throws {@link TokenError}. */
export function readTimeStamp(token: Uint8Array): TimeStamp {
  return attempt(() => {
    const { time, policy } = readInfo(readSigned(token).content);
    return { time: toTimestamp(time), policy };
  });
}

/** Checks a token whole, and returns what it says. Throws {@link TokenError}. */
export function verifyToken(token: Uint8Array, { imprint, nonce, roots }: Expected): TimeStamp {
  return attempt(() => {
    const signed = readSigned(token);
    const info = readInfo(signed.content);
    if (info.imprint === null || !isSame(info.imprint, imprint)) refuse("it is of something else");
    if (nonce !== undefined && (info.nonce === null || !isSame(info.nonce, nonce))) {
      refuse("it is the answer to another request");
    }
    const signer = signerOf(signed);
    verifyAttributes(signed, signer);
    const fault = findChainFault(signer, signed.certificates, { roots, timeMs: info.time });
    if (fault !== null) refuse(fault);
    return { time: toTimestamp(info.time), policy: info.policy };
  });
}

function refuse(why: string): never {
  throw new TokenError(why);
}

function attempt<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof TokenError) throw error;
    throw new TokenError(error instanceof DerError ? error.message : "it cannot be read");
  }
}

/** A CMS SignedData with one signer. */
interface SignedData {
  /** The TSTInfo, as encoded. */
  readonly content: Uint8Array;
  readonly certificates: readonly Certificate[];
  /** Who signed, by issuer and serial number. */
  readonly issuer: Uint8Array;
  readonly serial: Uint8Array;
  readonly digestAlgorithm: Der;
  /** The signed attributes, as they stand. */
  readonly attributes: Der;
  readonly algorithm: Der;
  readonly signature: Uint8Array;
}

function readSigned(token: Uint8Array): SignedData {
  const outer = new Fields(readDer(token));
  if (oidOf(outer.take(TAG.oid)) !== SIGNED_DATA) refuse("it is not signed data");
  const data = new Fields(only(outer.take(TAG.around(0)), TAG.sequence));
  outer.end();
  if (numberOf(data.take(TAG.integer)) !== 3) refuse("it is of another version");
  const digests = data.take(TAG.set).children;
  const content = readContent(data.take(TAG.sequence));
  const certificates = data.optional(TAG.around(0))?.children ?? [];
  // Lists of revoked certificates, which nothing signs here.
  data.optional(TAG.around(1));
  const info = new Fields(only(data.take(TAG.set), TAG.sequence));
  data.end();
  if (numberOf(info.take(TAG.integer)) !== 1) refuse("it names its signer in another way than time stamps do");
  const name = new Fields(info.take(TAG.sequence));
  const [issuer, serial] = [name.take(TAG.sequence).bytes, name.take(TAG.integer).content];
  name.end();
  const digestAlgorithm = info.take(TAG.sequence);
  const attributes = info.take(TAG.around(0));
  const [algorithm, signature] = [info.take(TAG.sequence), info.take(TAG.octetString).content];
  info.optional(TAG.around(1));
  info.end();
  if (!digests.some(({ bytes }) => isSame(bytes, digestAlgorithm.bytes))) refuse("it does not name its digest");
  return {
    ...{ content, issuer, serial, digestAlgorithm, attributes, algorithm, signature },
    certificates: certificates.filter(({ tag }) => tag === TAG.sequence).map(readCertificate),
  };
}

function readContent(encapsulated: Der): Uint8Array {
  const fields = new Fields(encapsulated);
  if (oidOf(fields.take(TAG.oid)) !== TIME_STAMP) refuse("it is no time stamp");
  const { content } = only(fields.take(TAG.around(0)), TAG.octetString);
  fields.end();
  return content;
}

/** The members of a TSTInfo that count here. */
interface Info {
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly policy: string;
  /** Null where it is not a SHA-256. */
  readonly imprint: Uint8Array | null;
  readonly nonce: Uint8Array | null;
}

function readInfo(content: Uint8Array): Info {
  const fields = new Fields(readDer(content));
  if (numberOf(fields.take(TAG.integer)) !== 1) refuse("it is of another version");
  const policy = oidOf(fields.take(TAG.oid));
  const stamped = new Fields(fields.take(TAG.sequence));
  const [digest, imprint] = [digestOf(stamped.take(TAG.sequence)), stamped.take(TAG.octetString).content];
  stamped.end();
  fields.take(TAG.integer);
  const time = timeOf(fields.take(TAG.time));
  fields.optional(TAG.sequence);
  fields.optional(TAG.boolean);
  const nonce = fields.optional(TAG.integer)?.content ?? null;
  fields.optional(TAG.around(0));
  const extensions = fields.optional(TAG.around(1));
  fields.end();
  if (extensions) refuseCritical(extensions);
  return { time, policy, imprint: digest === "sha256" ? imprint : null, nonce };
}

/** Extensions stand in `[1]` without a list around them. */
function refuseCritical(extensions: Der): void {
  const list = { ...extensions, tag: TAG.sequence };
  for (const [oid, { isCritical }] of readExtensions(list)) {
    if (isCritical) refuse(`it has a critical extension that is not understood, ${oid}`);
  }
}

function signerOf({ certificates, issuer, serial }: SignedData): Certificate {
  const signer = certificates.find((each) => isSame(each.issuer, issuer) && isSame(each.serial, serial));
  return signer ?? refuse("it does not hold its signer's certificate");
}

/** Checks what was signed: the content's type and digest, which certificate signed it, and the signature itself. */
function verifyAttributes(signed: SignedData, signer: Certificate): void {
  const { attributes, content, digestAlgorithm, algorithm, signature } = signed;
  const values = readAttributes(attributes);
  const [type, message] = [values.get(CONTENT_TYPE), values.get(MESSAGE_DIGEST)];
  if (type === undefined || oidOf(type) !== TIME_STAMP) refuse("what was signed is no time stamp");
  const digest = digestOf(digestAlgorithm);
  const computed = createHash(digest).update(content).digest();
  if (message?.tag !== TAG.octetString || !isSame(message.content, computed)) {
    refuse("what was signed is something else");
  }
  if (!namesSigner(values, signer)) refuse("what was signed names another certificate");
  // They were signed as a set, and stand as `[0]`.
  const data = Uint8Array.from(attributes.bytes);
  data[0] = TAG.set;
  if (!isSignedWith(signer.publicKeyInfo, { data, signature, algorithm, digest })) refuse("its signature is wrong");
}

/** The value of each signed attribute, of which each has one. */
function readAttributes(attributes: Der): ReadonlyMap<string, Der> {
  const values = new Map<string, Der>();
  for (const each of attributes.children) {
    const fields = new Fields(each);
    const [oid, set] = [oidOf(fields.take(TAG.oid)), fields.take(TAG.set)];
    fields.end();
    const [value, more] = set.children;
    if (value === undefined || more !== undefined || values.has(oid)) refuse("what was signed is not usual");
    values.set(oid, value);
  }
  return values;
}

/** Whether the attributes name the signer's certificate by its digest, and by issuer and number where those are said. */
function namesSigner(values: ReadonlyMap<string, Der>, signer: Certificate): boolean {
  const named = [values.get(SIGNING_CERTIFICATE_V2), values.get(SIGNING_CERTIFICATE)];
  const said = named.map((value, place) => value === undefined || isNamed(value, signer, place === 0));
  return named.some((value) => value !== undefined) && said.every(Boolean);
}

/** The first ESSCertID or ESSCertIDv2 of an attribute is the signer's. */
function isNamed(value: Der, signer: Certificate, isSecond: boolean): boolean {
  const [first] = new Fields(value).take(TAG.sequence).children;
  if (first === undefined) return false;
  const fields = new Fields(first);
  const named = isSecond ? fields.optional(TAG.sequence) : null;
  const digest = isSecond ? (named === null ? "sha256" : digestOf(named)) : "sha1";
  const { content: hash } = fields.take(TAG.octetString);
  const place = fields.optional(TAG.sequence);
  fields.end();
  if (!isSame(hash, createHash(digest).update(signer.bytes).digest())) return false;
  return place === null || isPlaceOf(place, signer);
}

/** An IssuerSerial: names, of which one is the issuer's, and the number. */
function isPlaceOf(place: Der, { issuer, serial }: Certificate): boolean {
  const fields = new Fields(place);
  const [names, number] = [fields.take(TAG.sequence), fields.take(TAG.integer)];
  fields.end();
  const isIssuer = names.children.some((each) => each.tag === TAG.around(4) && isSame(each.content, issuer));
  return isIssuer && isSame(number.content, serial);
}
