// Passkeys (WebAuthn): makes the browser's options and verifies its answers. The package is loaded at the first use. A
// challenge is for one use, and used up by the first answer that names it.
import { randomBytes } from "node:crypto";
import { type Static, Type } from "@sinclair/typebox";
import { optional } from "../../kernel/fields.ts";
import type { Passkey } from "../stores/passkey-store.ts";
import type { ShortMemory } from "./short-memory.ts";

const CHALLENGE_BYTES = 32;
/** How long a challenge is remembered. */
const PATIENCE_MS = 300_000;
/** EdDSA, ES256, RS256 (IANA's COSE numbers), which most authenticators support. */
const ALGORITHMS = [-8, -7, -257];
const CREDENTIAL_ID_MAX = 1400;
const PART_MAX = 16_384;
const TRANSPORTS_MAX = 10;

/** The purpose of a challenge, and its session; null for a person who is about to sign in. */
export interface Challenge {
  readonly use: "SIGN_IN" | "CONFIRM" | "ADD";
  readonly sessionId: string | null;
}

/** The relying party, and the store of challenges. */
export interface PasskeyPlace {
  readonly publicUrl: () => string;
  readonly challenges: ShortMemory<Challenge>;
}

const part = (description: string) => Type.String({ maxLength: PART_MAX, description });
/** Browsers add members as the standard grows. */
const open = { additionalProperties: true } as const;
const CREDENTIAL = {
  id: Type.String({ maxLength: CREDENTIAL_ID_MAX, description: "The credential's id, base64url." }),
  rawId: Type.String({ maxLength: CREDENTIAL_ID_MAX, description: "The same." }),
  type: Type.String({ maxLength: 20, description: "`public-key`." }),
};

/** A browser's answer to `navigator.credentials.get`, as its `toJSON()` shows it. */
export const ASSERTION = Type.Object(
  {
    ...CREDENTIAL,
    response: Type.Object(
      {
        clientDataJSON: part("Base64url."),
        authenticatorData: part("Base64url."),
        signature: part("Base64url."),
        userHandle: optional(part("Base64url.")),
      },
      { ...open, description: "What the authenticator signed." },
    ),
  },
  { ...open, description: "What `navigator.credentials.get` answered, by its `toJSON()`." },
);

/** A browser's answer to `navigator.credentials.create`, as its `toJSON()` shows it. */
export const ATTESTATION = Type.Object(
  {
    ...CREDENTIAL,
    response: Type.Object(
      {
        clientDataJSON: part("Base64url."),
        attestationObject: part("Base64url."),
        transports: optional(
          Type.Array(Type.String({ maxLength: 20 }), {
            maxItems: TRANSPORTS_MAX,
            description: "How the authenticator is reached, as `usb`.",
          }),
        ),
      },
      { ...open, description: "What the authenticator made." },
    ),
  },
  { ...open, description: "What `navigator.credentials.create` answered, by its `toJSON()`." },
);

/** The package: one of its dependencies looks for metadata while it is loaded. */
async function load() {
  await import("reflect-metadata");
  return import("@simplewebauthn/server");
}

function newChallenge({ challenges }: PasskeyPlace, challenge: Challenge, nowMs: number) {
  const bytes = new Uint8Array(randomBytes(CHALLENGE_BYTES));
  challenges.put(Buffer.from(bytes).toString("base64url"), challenge, nowMs);
  return bytes;
}

/** The options of `navigator.credentials.get`; `allowed` are the passkeys that may answer, null allows any. */
export async function requestOptions(
  place: PasskeyPlace,
  challenge: Challenge,
  allowed: readonly Passkey[] | null,
  nowMs: number,
) {
  const { generateAuthenticationOptions } = await load();
  return generateAuthenticationOptions({
    rpID: new URL(place.publicUrl()).hostname,
    challenge: newChallenge(place, challenge, nowMs),
    userVerification: "required",
    timeout: PATIENCE_MS,
    ...(allowed && { allowCredentials: allowed.map(describe) }),
  });
}

/** The options of `navigator.credentials.create`; an authenticator that has one of `present` makes no other. */
export async function creationOptions(
  place: PasskeyPlace,
  challenge: Challenge,
  {
    account,
    present,
  }: {
    readonly account: { readonly id: string; readonly email: string; readonly name: string };
    readonly present: readonly Passkey[];
  },
  nowMs: number,
) {
  const { generateRegistrationOptions } = await load();
  return generateRegistrationOptions({
    rpName: "captable",
    rpID: new URL(place.publicUrl()).hostname,
    challenge: newChallenge(place, challenge, nowMs),
    userID: new Uint8Array(Buffer.from(account.id)),
    userName: account.email,
    userDisplayName: account.name,
    attestationType: "none",
    authenticatorSelection: { residentKey: "preferred", userVerification: "required" },
    supportedAlgorithmIDs: ALGORITHMS,
    excludeCredentials: present.map(describe),
    timeout: PATIENCE_MS,
  });
}

function describe({ credentialId: id, transports }: Passkey) {
  return { id, transports: JSON.parse(transports) };
}

/**
 * The challenge that an answer names, if it was made for this purpose; it counts once, also if the answer turns out
 * wrong.
 */
export function takeChallenge(
  { challenges }: PasskeyPlace,
  clientDataJSON: string,
  { use, sessionId }: Challenge,
  nowMs: number,
): string | null {
  const named = challengeIn(clientDataJSON);
  const kept = named === null ? null : challenges.take(named, nowMs);
  return kept?.use === use && kept.sessionId === sessionId ? named : null;
}

function challengeIn(clientDataJSON: string): string | null {
  try {
    const { challenge } = JSON.parse(Buffer.from(clientDataJSON, "base64url").toString("utf8"));
    return typeof challenge === "string" ? challenge : null;
  } catch {
    return null;
  }
}

/** The authenticator's counter, if a passkey signed the challenge for this server; else null. */
export async function checkAssertion(
  { publicUrl }: PasskeyPlace,
  { id, rawId, response }: Static<typeof ASSERTION>,
  { passkey, challenge }: { readonly passkey: Passkey; readonly challenge: string },
): Promise<number | null> {
  const { verifyAuthenticationResponse } = await load();
  const { clientDataJSON, authenticatorData, signature } = response;
  const { origin, hostname } = new URL(publicUrl());
  const publicKey = new Uint8Array(Buffer.from(passkey.publicKey, "base64url"));
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: {
        ...{ id, rawId, type: "public-key", clientExtensionResults: {} },
        response: { clientDataJSON, authenticatorData, signature },
      },
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: hostname,
      requireUserVerification: true,
      // The counter is checked in the transaction that stores it; from zero on, the package accepts every count.
      credential: { id: passkey.credentialId, publicKey, counter: 0 },
    });
    return verified ? authenticationInfo.newCounter : null;
  } catch {
    return null;
  }
}

/** A passkey that a browser made, as it is stored. */
export type MadePasskey = Pick<Passkey, "credentialId" | "publicKey" | "counter" | "transports">;

/** The passkey that was made for this challenge and server; null if it was not. */
export async function checkAttestation(
  { publicUrl }: PasskeyPlace,
  { id, rawId, response }: Static<typeof ATTESTATION>,
  challenge: string,
): Promise<MadePasskey | null> {
  const { verifyRegistrationResponse } = await load();
  const { origin, hostname } = new URL(publicUrl());
  const { clientDataJSON, attestationObject } = response;
  try {
    if (!(await isUnattested(attestationObject))) return null;
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: {
        ...{ id, rawId, type: "public-key", clientExtensionResults: {} },
        response: { clientDataJSON, attestationObject },
      },
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: hostname,
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    });
    if (!verified || registrationInfo.credential.id !== id) return null;
    const { publicKey, counter } = registrationInfo.credential;
    const transports = JSON.stringify(response.transports ?? []);
    return { credentialId: id, publicKey: Buffer.from(publicKey).toString("base64url"), counter, transports };
  } catch {
    return null;
  }
}

/**
 * Whether the authenticator comes without attestation, as was asked for. Certificates would be checked against lists at
 * addresses that they name themselves, and this server fetches no such lists.
 */
async function isUnattested(attestationObject: string): Promise<boolean> {
  const { decodeAttestationObject, isoBase64URL } = await import("@simplewebauthn/server/helpers");
  const decoded = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject));
  const format = decoded.get("fmt");
  return format === "none" || (format === "packed" && decoded.get("attStmt").get("x5c") === undefined);
}
