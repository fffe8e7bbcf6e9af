// Account events: everything that happens to an account, its factors, links and sessions, as the instance's log records
// it. Secrets appear only as commitments: see account-log.ts.
import type { Row } from "../sql.ts";

/**
 * Proofs of a sign-in. Besides the ids, each has a digest of the row at that moment, so that verification fails for a
 * row that was exchanged, used once and put back.
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
  /** A link, and its row's digest. */
  readonly linkId?: string;
  readonly link?: string;
  /** The API key that made the first account, and the commitment to its hash. */
  readonly apiKeyId?: string;
  readonly apiKey?: string;
}

/** A session's next token, if the event issues one; the session is the event's. */
export interface NextToken {
  /** SHA-256 of the token's hash. */
  readonly tokenHash: string;
  readonly hasSecondFactor: 0 | 1;
  /** The factor proved with it; null if the event proved no factor. */
  readonly proof: Proof | null;
}

/** The sessions or calendars that an event ended, and the reason. */
export interface Ended {
  readonly ids: readonly string[];
  readonly endedBy: string;
}

/** A new account. */
export interface AccountMade {
  readonly email: string;
  readonly name: string;
  readonly isOperator: 0 | 1;
  readonly suspendedAt: string | null;
  readonly salt: string;
  /** The commitment to the password's hash; null without a password. */
  readonly password: string | null;
  /** The account's creation, if it precedes the event. */
  readonly createdAt?: string;
}

/** Recovery codes that replace all earlier ones: commitments to their hashes, and the ids of their rows. */
export interface CodesMade {
  readonly codes: readonly string[];
  readonly ids: readonly string[];
}

/** A used link: its id, and its row's digest. */
export interface LinkUsed {
  readonly id: string;
  readonly link: string;
}

/** Reasons for which a proof is refused. */
export type FailureReason = "PASSWORD" | "CODE" | "PASSKEY" | "PROVIDER" | "SUSPENDED";

interface Failed {
  readonly reason: FailureReason;
}

interface Named {
  readonly id: string;
}

type Nothing = Readonly<Record<string, never>>;
/** A change that gives the event's session its next token, if it has one. */
type Renewing = NextToken | object;
/** The creation of what was added, if it precedes the event. */
interface Dated {
  readonly createdAt?: string;
}

/** The data of each event. */
export interface EventData {
  readonly "account-made": AccountMade;
  /** An account imported with an organization from another instance. */
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
  /** Every column of the calendar; `tokenHash` as its SHA-256. */
  readonly "calendar-made": Omit<Row<"calendars">, "seq">;
  readonly "calendar-ended": Ended;
  /** A restore ends every session and calendar, and revokes every open link. */
  readonly restored: Ended & { readonly links: readonly string[]; readonly calendars: readonly string[] };
  readonly "sign-in-failed": Failed;
  readonly "second-factor-failed": Failed;
  readonly "confirmation-failed": Failed;
  /** Data that contradicts a checkpoint was accepted: the checkpoint's content, and the log's head then. */
  readonly "rollback-accepted": Readonly<Record<string, string | number | null>>;
}

/** The types of events. */
export type AccountEvent = keyof EventData;

/** The names of all events, in the documentation's order. */
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
  "calendar-made",
  "calendar-ended",
  "restored",
  "rollback-accepted",
] as const satisfies readonly AccountEvent[];
