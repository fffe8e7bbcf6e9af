// Requests for time stamps, and the answers to them (RFC 3161).
import { randomBytes } from "node:crypto";
import { Boolean as DerBoolean, Integer, Null, ObjectIdentifier, OctetString, Sequence } from "asn1js";
import { Fields, numberOf, readDer, TAG } from "./der.ts";
import { TokenError } from "./token.ts";

const SHA256 = "2.16.840.1.101.3.4.2.1";
const NONCE_BYTES = 16;
/** Positive, and without a zero in front: then it has one encoding. */
const NONCE_FIRST_MASK = 0x3f;
const NONCE_FIRST_BIT = 0x40;
const GRANTED_MAX = 1;

/** A request, and what its answer must repeat. */
export interface StampRequest {
  /** In DER. */
  readonly bytes: Uint8Array;
  readonly nonce: Uint8Array;
}

/** A new nonce. */
export function newNonce(): Uint8Array {
  const nonce = randomBytes(NONCE_BYTES);
  nonce[0] = ((nonce[0] ?? 0) & NONCE_FIRST_MASK) | NONCE_FIRST_BIT;
  return nonce;
}

/** The request for a time stamp of what has this SHA-256; the authority's certificate is to come with it. */
export function writeStampRequest(imprint: Uint8Array, nonce: Uint8Array): StampRequest {
  const algorithm = new Sequence({ value: [new ObjectIdentifier({ value: SHA256 }), new Null()] });
  const stamped = new Sequence({ value: [algorithm, new OctetString({ valueHex: imprint })] });
  const request = new Sequence({
    value: [new Integer({ value: 1 }), stamped, new Integer({ valueHex: nonce }), new DerBoolean({ value: true })],
  });
  return { bytes: new Uint8Array(request.toBER()), nonce };
}

/** The token in an answer. Throws `TokenError` where the authority gave none. */
export function readStampAnswer(bytes: Uint8Array): Uint8Array {
  try {
    const answer = new Fields(readDer(bytes));
    const info = new Fields(answer.take(TAG.sequence));
    const status = numberOf(info.take(TAG.integer));
    const token = answer.optional(TAG.sequence);
    answer.end();
    if (status > GRANTED_MAX || token === null) throw new TokenError(`the authority refused (status ${status})`);
    return token.bytes;
  } catch (error) {
    if (error instanceof TokenError) throw error;
    throw new TokenError("the answer does not have the form of RFC 3161");
  }
}
