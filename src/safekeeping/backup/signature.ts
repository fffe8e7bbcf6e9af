// The signature of a backup: its manifest is signed by the data directory's key, over the canonical JSON (RFC 8785) of
// all other members. Pure.

import { canonicalJson } from "../../storage/database/log/log-hash.ts";
import { isSignature, readBase64, readVerifier, type Signer, type Verifier } from "../checkpoint/note.ts";
import { verifierOf } from "../checkpoint/signing-key.ts";
import { BackupDamagedError, type Listing } from "./format.ts";

type Signed = Required<Pick<Listing, "signature">>;

/** The manifest with its signature. */
export function signManifest<M extends Omit<Listing, "signature">>(manifest: M, signer: Signer): M & Signed {
  const value = Buffer.from(signer.sign(signedBytes(manifest))).toString("base64");
  return { ...manifest, signature: { key: verifierOf(signer), value } };
}

/**
 * The key that signed a manifest; null for an unsigned one. Throws {@link BackupDamagedError} for a signature that is
 * wrong.
 */
export function signerOfManifest({ signature, ...signed }: Listing): Verifier | null {
  if (signature === undefined) return null;
  const verifier = readVerifier(signature.key);
  const value = readBase64(signature.value);
  const isGood = verifier && value && isSignature(signedBytes(signed), value, verifier.publicKey);
  if (!isGood) throw new BackupDamagedError("the signature of the backup's manifest is wrong: it was changed");
  return verifier;
}

function signedBytes(manifest: object): Uint8Array {
  return Buffer.from(canonicalJson(manifest));
}
