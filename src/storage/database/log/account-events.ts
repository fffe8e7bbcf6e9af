// What can happen to an account, its factors, links and sessions, and what the instance's log keeps of each event. Secrets
// stand in it as commitments alone: see account-log.ts.
import type { Row } from "../sql.ts";

/**
 * What let someone in. Besides the ids, each names by a digest what the row held at that moment, so that a row that was
 * exchanged, used once and put back does not hold.
 */
export interface Proof {
  /** The commitment to the password's hash. */
  readonly password?: string;
  /** The commitment to the sealed secret of one-time codes. */
  readonly totp?: string;
  /** The commitment to the recovery code's hash. */
  readonly code?: string;
  /** A passkey, and the commitment to its public key. */
  readonly passkeyId?: string;
  readonly passkey?: string;
  /** An identity, and the commitment to its issuer and subject. */
  readonly identityId?: string;
  readonly identity?: string;
  /** A link, and the digest of its row. */
  readonly linkId?: string;
  readonly link?: string;
  /** The API key that made the first account, and the commitment to its hash. */
  readonly apiKeyId?: string;
  readonly apiKey?: string;
}

/** A session's next token, where an event gives one: the session is the event's. */
export interface NextToken {
  /** SHA-256 of the token's hash. */
  readonly tokenHash: string;
  readonly hasSecondFactor: 0 | 1;
  /** What was proved with it; null where nothing was. */
  readonly proof: Proof | null;
}

/** The sessions that an event ended, and what ended them. */
export interface Ended {
  readonly ids: readonly string[];
  readonly endedBy: string;
}

/** An account as it was made. */
export interface AccountMade {
  readonly email: string;
  readonly name: string;
  readonly isOperator: 0 | 1;
  readonly suspendedAt: string | null;
  readonly salt: string;
  /** The commitment to the password's hash; null without a password. */
  readonly password: string | null;
  /** Where the account is older than the event. */
  readonly createdAt?: string;
}

/** Recovery codes in place of all of before: commitments to their hashes, and the ids of their rows. */
export interface CodesMade {
  readonly codes: readonly string[];
  readonly ids: readonly string[];
}

/** A link as it was used: its id, and the digest of its row. */
export interface LinkUsed {
  readonly id: string;
  readonly link: string;
}

/** Why a proof was refused. */
export type FailureReason = "PASSWORD" | "CODE" | "PASSKEY" | "PROVIDER" | "SUSPENDED";

interface Failed {
  readonly reason: FailureReason;
}

interface Named {
  readonly id: string;
}

type Nothing = Readonly<Record<string, never>>;
/** A change that gives the session of the event its next token, where there is one. */
type Renewing = NextToken | object;
/** Where what was added is older than the event. */
interface Dated {
  readonly createdAt?: string;
}

/** What is kept of each event. */
export interface EventData {
  readonly "account-made": AccountMade;
  /** An account that came with an organization from another instance. */
  readonly "account-arrived": AccountMade;
  readonly "name-changed": { readonly name: string };
  readonly "email-asked": { readonly email: string };
  readonly "email-changed": { readonly email: string };
  readonly "made-operator": Nothing;
  readonly suspended: Nothing;
  readonly "suspension-lifted": Nothing;
  readonly "password-changed": { readonly password: string | null } & Renewing;
  readonly "password-reset": { readonly password: string; readonly proof: Proof };
  readonly "password-rehashed": { readonly password: string };
  readonly "totp-added": { readonly totp: string } & Renewing;
  readonly "totp-removed": Renewing;
  readonly "recovery-codes-made": CodesMade & Dated & Renewing;
  readonly "recovery-code-used": { readonly code: string };
  readonly "passkey-added": Named & Dated & { readonly credentialId: string; readonly publicKey: string } & Renewing;
  readonly "passkey-removed": Named & Renewing;
  readonly "passkey-counter-went-back": Named;
  readonly "identity-added": Named & Dated & { readonly issuer: string; readonly subject: string } & Renewing;
  readonly "identity-removed": Named & Renewing;
  readonly "second-factors-removed": Nothing;
  /** Every column of the link; `tokenHash` as its SHA-256. */
  readonly "link-made": Omit<Row<"links">, "seq">;
  readonly "link-used": LinkUsed;
  readonly "link-revoked": Named;
  readonly "link-agreed": Named;
  /** Every column of the session; `tokenHash` as its SHA-256. */
  readonly "signed-in": Omit<Row<"sessions">, "seq"> & { readonly proof: Proof };
  readonly confirmed: NextToken;
  /** A new token for a session in which nothing else changed. */
  readonly "token-renewed": NextToken;
  readonly "signed-out": Ended;
  readonly "session-ended": Ended;
  readonly "sessions-ended": Ended;
  /** A restore ends every session and revokes every open link. */
  readonly restored: Ended & { readonly links: readonly string[] };
  readonly "sign-in-failed": Failed;
  readonly "second-factor-failed": Failed;
  readonly "confirmation-failed": Failed;
  /** Data that contradicts a checkpoint was accepted: what the checkpoint said, and where the log stood. */
  readonly "rollback-accepted": Readonly<Record<string, string | number | null>>;
}

/** What can happen. */
export type AccountEvent = keyof EventData;

/** The names of all events, in the order in which the documentation lists them. */
export const ACCOUNT_EVENTS = [
  "account-made",
  "account-arrived",
  "signed-in",
  "sign-in-failed",
  "second-factor-failed",
  "signed-out",
  "session-ended",
  "sessions-ended",
  "confirmed",
  "confirmation-failed",
  "token-renewed",
  "name-changed",
  "email-asked",
  "email-changed",
  "password-changed",
  "password-reset",
  "password-rehashed",
  "link-made",
  "link-used",
  "link-revoked",
  "link-agreed",
  "totp-added",
  "totp-removed",
  "recovery-codes-made",
  "recovery-code-used",
  "passkey-added",
  "passkey-removed",
  "passkey-counter-went-back",
  "identity-added",
  "identity-removed",
  "second-factors-removed",
  "made-operator",
  "suspended",
  "suspension-lifted",
  "restored",
  "rollback-accepted",
] as const satisfies readonly AccountEvent[];
