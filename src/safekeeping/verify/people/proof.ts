// Checks proofs of identity: whether the key, password or factor of a sign-in existed at that moment, by the events
// before. Pure.
import { commitTo, digestColumns } from "../../../storage/database/log/account-log.ts";
import type { Said } from "./event.ts";
import type { KnownAccount, PeopleState } from "./state.ts";

/** An API key as the table has it. */
export interface StoredKey {
  readonly role: string;
  readonly keyHash: string;
  readonly revokedAt: string | null;
}

/** What a proof is checked against besides its account. */
export interface ProofPlace {
  readonly state: PeopleState;
  /** When it was given. */
  readonly at: string;
  findKey(id: string): StoredKey | null;
}

/** The kinds of proof that hold; null if one does not, or is not a proof. */
export function heldProofs(account: KnownAccount, proof: unknown, place: ProofPlace): ReadonlySet<string> | null {
  if (typeof proof !== "object" || proof === null || Array.isArray(proof)) return null;
  const given = proof as Said;
  const held = new Set<string>();
  for (const name of Object.keys(given)) {
    const holds = CHECKS[name];
    if (holds === undefined) continue;
    if (!holds(account, given, place)) return null;
    held.add(name);
  }
  return held.size === 0 ? null : held;
}

type Check = (account: KnownAccount, given: Said, place: ProofPlace) => boolean;

const CHECKS: Readonly<Record<string, Check>> = {
  password: ({ columns }, { password }) => columns.passwordHash !== null && password === columns.passwordHash,
  totp: ({ columns }, { totp }) => columns.totpSecret !== null && totp === columns.totpSecret,
  code: ({ codes }, { code }, { at }) => codes.get(String(code))?.columns.usedAt === at,
  passkeyId({ passkeys, salt }, { passkeyId, passkey }) {
    const key = passkeys.get(String(passkeyId))?.columns.publicKey;
    return typeof key === "string" && passkey === commitTo(salt, key);
  },
  identityId({ identities, salt }, { identityId, identity }) {
    const columns = identities.get(String(identityId))?.columns;
    return columns !== undefined && identity === commitTo(salt, `${columns.issuer} ${columns.subject}`);
  },
  linkId({ id }, { linkId, link }, { state, at }) {
    const used = state.links.get(String(linkId))?.used;
    return used !== null && used !== undefined && used.at === at && used.accountId === id && used.digest === link;
  },
  apiKeyId({ salt }, { apiKeyId, apiKey }, { at, findKey }) {
    const key = findKey(String(apiKeyId));
    if (key === null || key.role !== "ADMIN" || (key.revokedAt !== null && key.revokedAt < at)) return false;
    return apiKey === commitTo(salt, key.keyHash);
  },
};

/** The kinds of proof that each method of sign-in needs. */
const NEEDED: Readonly<Record<string, string>> = {
  SETUP: "apiKeyId",
  PASSWORD: "password",
  PASSKEY: "passkeyId",
  OIDC: "identityId",
  LINK: "linkId",
};
/** The kinds that are a second factor. */
const FACTORS = ["totp", "code", "passkeyId"];

/** Why a sign-in's proofs do not suffice; null if they do. */
export function faultOfSignIn(account: KnownAccount, data: Said, place: ProofPlace): string | null {
  const held = heldProofs(account, data.proof, place);
  if (held === null || !held.has(NEEDED[String(data.method)] ?? "")) return "its proof of identity did not hold";
  if (account.columns.suspendedAt !== null) return "the account was suspended";
  const isWithFactor = givesFactor(held);
  const hasFactor = account.columns.totpSecret !== null || account.passkeys.size > 0;
  if (data.method === "PASSWORD" && hasFactor && !isWithFactor) {
    return "the second factor that the account had was not given";
  }
  // A provider may count as two factors by itself.
  if (data.method !== "OIDC" && (data.hasSecondFactor === 1) !== isWithFactor) {
    return "its second factor does not follow from what was given";
  }
  return null;
}

/** Whether one of these is a second factor. */
export function givesFactor(held: ReadonlySet<string>): boolean {
  return FACTORS.some((factor) => held.has(factor));
}

/** The digest of a link as the events have it. */
export function digestOf(columns: object): string {
  return digestColumns(columns);
}
