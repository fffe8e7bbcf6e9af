// The tables of people as Kysely sees them; see schema.ts.
import type { Generated } from "kysely";
import type { Bit, ColumnsOf, Json } from "../../records/columns.ts";
import type { MailKind, MailTopic } from "../../records/mail.ts";
import type { MEMBER_FIELDS } from "../../records/member.ts";

export interface AccountsTable {
  readonly seq: Generated<number>;
  readonly id: string;
  readonly createdAt: string;
  /** As the person typed it. */
  readonly email: string;
  /** The same in NFC and lower case, which distinguishes accounts. */
  readonly emailFolded: string;
  readonly name: string;
  /** argon2id; null if the person signs in otherwise. */
  readonly passwordHash: string | null;
  /** Sealed with `accounts.key`; null without one-time codes. */
  readonly totpSecret: string | null;
  /** The last time step whose code was used: no code works twice. */
  readonly totpLastStep: number | null;
  readonly isOperator: Generated<Bit>;
  readonly suspendedAt: string | null;
  /** The new e-mail address that the person requested, as typed, and the time of the request. */
  readonly pendingEmail: string | null;
  readonly pendingEmailAt: string | null;
  readonly lastSignInAt: string | null;
  /** 16 random bytes in hex, fixed: the salt of the log's commitments to secrets. */
  readonly salt: string;
}

export interface MembershipsTable extends ColumnsOf<typeof MEMBER_FIELDS> {
  readonly seq: Generated<number>;
  readonly orgId: string;
  readonly id: string;
  readonly accountId: string;
  readonly createdAt: string;
  readonly removedAt: string | null;
}

/** The stakeholders of open memberships, each once. */
export interface MembershipStakeholdersTable {
  readonly orgId: string;
  readonly stakeholderId: string;
  readonly membershipId: string;
}

export interface SessionsTable {
  readonly seq: Generated<number>;
  readonly id: string;
  readonly createdAt: string;
  readonly accountId: string;
  /** Lowercase hex SHA-256 of the token; the token itself is in the person's cookie only. */
  readonly tokenHash: string;
  readonly method: "SETUP" | "PASSWORD" | "PASSKEY" | "OIDC" | "LINK";
  readonly hasSecondFactor: Bit;
  /** The person's last proof of identity. */
  readonly confirmedAt: string;
  /** To the minute. */
  readonly lastSeenAt: string;
  readonly expiresAt: string;
  readonly endedAt: string | null;
  /** Why it ended. */
  readonly endedBy: string | null;
  readonly address: string | null;
  readonly userAgent: string | null;
}

export interface LinksTable {
  readonly seq: Generated<number>;
  readonly id: string;
  readonly createdAt: string;
  readonly kind: "INVITATION" | "RESET" | "EMAIL";
  /** Lowercase hex SHA-256 of the token, which is shown once. */
  readonly tokenHash: string;
  /** The organization that it invites to, or whose ADMIN made it; null for a reset by the command line. */
  readonly orgId: string | null;
  /** The account whose password it sets; null for an invitation. */
  readonly accountId: string | null;
  readonly email: string;
  readonly emailFolded: string;
  readonly role: "STAKEHOLDER" | "VIEWER" | "EDITOR" | "ADMIN" | null;
  /** Whether its account becomes an operator: only invitations of the command line. */
  readonly isOperator: Generated<Bit>;
  readonly stakeholderIds: Generated<Json>;
  /** Its author: `actor`, `accountId`, `apiKeyId` and the `name` then. */
  readonly madeBy: Json;
  readonly expiresAt: string;
  readonly usedAt: string | null;
  readonly revokedAt: string | null;
  /** The start of its validity; null: at once. */
  readonly validFrom: string | null;
  /** When an administrator approved a waiting link. */
  readonly agreedAt: string | null;
}

export interface PasskeysTable {
  readonly seq: Generated<number>;
  readonly id: string;
  readonly createdAt: string;
  readonly accountId: string;
  readonly credentialId: string;
  readonly publicKey: string;
  readonly counter: number;
  readonly transports: Generated<Json>;
  readonly name: string;
  readonly lastUsedAt: string | null;
}

export interface RecoveryCodesTable {
  readonly seq: Generated<number>;
  readonly id: string;
  readonly createdAt: string;
  readonly accountId: string;
  readonly codeHash: string;
  readonly usedAt: string | null;
}

export interface IdentitiesTable {
  readonly seq: Generated<number>;
  readonly id: string;
  readonly createdAt: string;
  readonly accountId: string;
  readonly issuer: string;
  readonly subject: string;
}

/** Calendars that work; one that ended has no row. */
export interface CalendarsTable {
  readonly seq: Generated<number>;
  readonly id: string;
  readonly createdAt: string;
  readonly accountId: string;
  readonly orgId: string;
  /** Lowercase hex SHA-256 of the token in its address, which is shown once. */
  readonly tokenHash: string;
  /** Whether it shows names and numbers. */
  readonly showsNames: Bit;
}

/** Mails, the sent ones for 90 days. */
export interface MailsTable {
  readonly seq: Generated<number>;
  readonly id: string;
  readonly createdAt: string;
  readonly kind: MailKind;
  /** The organization that it is about; null for what concerns an account or the instance. */
  readonly orgId: string | null;
  /** To whom it goes; null for an invitation, and until the account of a recovery is looked for. */
  readonly accountId: string | null;
  readonly to: string;
  /** What it is about: the id of a link, an event, a record, or a day. Of a kind once for each account. */
  readonly about: string;
  readonly state: "QUEUED" | "SENT" | "FAILED" | "DROPPED";
  readonly attempts: Generated<number>;
  /** When it is tried next; null once it is not. */
  readonly nextAttemptAt: string | null;
  /** When it is of no use any more: its link's end; null: three days after it was queued. */
  readonly expiresAt: string | null;
  /** What the mail server said last, cut. */
  readonly error: string | null;
  /** A link's token, sealed with `accounts.key`; null once the mail is at its end. */
  readonly sealed: string | null;
  readonly sentAt: string | null;
}

/** What a person has turned off: a row for each organization (empty for the instance) and topic. */
export interface MailChoicesTable {
  readonly accountId: string;
  readonly orgId: string;
  readonly topic: MailTopic;
}

export interface AccountLogTable {
  readonly seq: Generated<number>;
  readonly id: string;
  /** 1, 2, 3 … for the whole instance, without gaps. */
  readonly sequence: number;
  readonly at: string;
  /** Null for events without an account: an invitation before it is accepted, a restore. */
  readonly accountId: string | null;
  readonly event: string;
  readonly sessionId: string | null;
  readonly address: string | null;
  readonly userAgent: string | null;
  /** The author: canonical JSON of `actor`, `accountId`, `apiKeyId`. */
  readonly by: Json;
  /** The event's data: canonical JSON. */
  readonly data: Json;
  readonly previousHash: string;
  readonly hash: string;
}

/** Every table of people by name. */
export interface PeopleTables {
  readonly accounts: AccountsTable;
  readonly memberships: MembershipsTable;
  readonly membership_stakeholders: MembershipStakeholdersTable;
  readonly sessions: SessionsTable;
  readonly links: LinksTable;
  readonly passkeys: PasskeysTable;
  readonly recovery_codes: RecoveryCodesTable;
  readonly identities: IdentitiesTable;
  readonly calendars: CalendarsTable;
  readonly mails: MailsTable;
  readonly mail_choices: MailChoicesTable;
  readonly account_log: AccountLogTable;
}
