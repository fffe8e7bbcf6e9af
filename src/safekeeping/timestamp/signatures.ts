// Signatures in certificates and time stamps: RSA, RSA-PSS and ECDSA with SHA-256, SHA-384 or SHA-512.
import { constants, createPublicKey, type KeyObject, verify } from "node:crypto";
import { type Der, DerError, Fields, isSame, numberOf, oidOf, only, TAG } from "./der.ts";

/** A digest, as node:crypto names it. */
export type Digest = "sha256" | "sha384" | "sha512";

const DIGESTS: Readonly<Record<string, Digest>> = {
  "2.16.840.1.101.3.4.2.1": "sha256",
  "2.16.840.1.101.3.4.2.2": "sha384",
  "2.16.840.1.101.3.4.2.3": "sha512",
};
const RSA = "1.2.840.113549.1.1.1";
const RSA_WITH: Readonly<Record<string, Digest>> = {
  "1.2.840.113549.1.1.11": "sha256",
  "1.2.840.113549.1.1.12": "sha384",
  "1.2.840.113549.1.1.13": "sha512",
};
const RSA_PSS = "1.2.840.113549.1.1.10";
const MGF1 = "1.2.840.113549.1.1.8";
const ECDSA_WITH: Readonly<Record<string, Digest>> = {
  "1.2.840.10045.4.3.2": "sha256",
  "1.2.840.10045.4.3.3": "sha384",
  "1.2.840.10045.4.3.4": "sha512",
};
const RSA_BITS_MIN = 2048;

/** The digest that an AlgorithmIdentifier names. Throws {@link DerError} for one that is not accepted. */
export function digestOf(algorithm: Der): Digest {
  const [oid, parameters] = partsOf(algorithm);
  const digest = DIGESTS[oid];
  if (digest === undefined) throw new DerError(`the digest ${oid} is not accepted`);
  refuseParameters(parameters);
  return digest;
}

/** What a signature is checked with. */
interface Scheme {
  readonly digest: Digest;
  readonly keyType: "rsa" | "ec";
  /** Of RSA-PSS: how long its salt is; null for the other schemes. */
  readonly saltLength: number | null;
}

/** Reads an AlgorithmIdentifier of a signature; `digest` where a bare `rsaEncryption` needs one from elsewhere. */
function schemeOf(algorithm: Der, named: Digest | null): Scheme {
  const [oid, parameters] = partsOf(algorithm);
  const byEcdsa = ECDSA_WITH[oid];
  if (byEcdsa !== undefined) {
    if (parameters !== null) throw new DerError("a signature in it is not encoded as it should be");
    return { digest: byEcdsa, keyType: "ec", saltLength: null };
  }
  if (oid === RSA_PSS) return pssOf(parameters);
  refuseParameters(parameters);
  const digest = oid === RSA ? named : RSA_WITH[oid];
  if (digest === null || digest === undefined) throw new DerError(`the signature algorithm ${oid} is not accepted`);
  return { digest, keyType: "rsa", saltLength: null };
}

/** The parameters of RSA-PSS: one digest for message and mask. Its defaults are SHA-1, and so not accepted. */
function pssOf(parameters: Der | null): Scheme {
  if (parameters === null) throw new DerError("the digest of RSA-PSS by default, SHA-1, is not accepted");
  const fields = new Fields(parameters);
  const digestAlgorithm = only(fields.take(TAG.around(0)), TAG.sequence);
  const [mask, ofMask] = partsOf(only(fields.take(TAG.around(1)), TAG.sequence));
  const saltLength = numberOf(only(fields.take(TAG.around(2)), TAG.integer));
  fields.end();
  const digest = digestOf(digestAlgorithm);
  if (mask !== MGF1 || ofMask === null || digestOf(ofMask) !== digest) {
    throw new DerError("a mask of RSA-PSS with another digest is not accepted");
  }
  return { digest, keyType: "rsa", saltLength };
}

/** The parts of an AlgorithmIdentifier: its identifier, and its parameters. */
function partsOf(algorithm: Der): readonly [oid: string, parameters: Der | null] {
  const fields = new Fields(algorithm);
  const oid = oidOf(fields.take(TAG.oid));
  const parameters = algorithm.children.length > 1 ? fields.any() : null;
  fields.end();
  return [oid, parameters];
}

const NULL = Uint8Array.of(TAG.null, 0);

function refuseParameters(parameters: Der | null): void {
  if (parameters !== null && !isSame(parameters.bytes, NULL)) {
    throw new DerError("a signature in it is not encoded as it should be");
  }
}

/** A signature, and what it should be of. */
export interface Signed {
  readonly data: Uint8Array;
  readonly signature: Uint8Array;
  /** The AlgorithmIdentifier of the signature. */
  readonly algorithm: Der;
  /** The digest that stands beside it, in time stamps; null in certificates. */
  readonly digest: Digest | null;
}

/** Whether the owner of a key, as a SubjectPublicKeyInfo, signed this. Throws {@link DerError} for weak algorithms. */
export function isSignedWith(
  publicKeyInfo: Uint8Array,
  { data, signature, algorithm, digest: named }: Signed,
): boolean {
  const { digest, keyType, saltLength } = schemeOf(algorithm, named);
  if (named !== null && named !== digest) throw new DerError("it names two digests");
  const key = keyOf(publicKeyInfo);
  if (key?.asymmetricKeyType !== keyType) return false;
  if (keyType === "rsa" && (key.asymmetricKeyDetails?.modulusLength ?? 0) < RSA_BITS_MIN) {
    throw new DerError(`an RSA key of fewer than ${RSA_BITS_MIN} bits is not accepted`);
  }
  const padding = saltLength === null ? constants.RSA_PKCS1_PADDING : constants.RSA_PKCS1_PSS_PADDING;
  const way = keyType === "ec" ? { key } : { key, padding, ...(saltLength === null ? {} : { saltLength }) };
  return verify(digest, data, way, signature);
}

function keyOf(publicKeyInfo: Uint8Array): KeyObject | null {
  try {
    return createPublicKey({ key: Buffer.from(publicKeyInfo), format: "der", type: "spki" });
  } catch {
    return null;
  }
}
