// The expected accounts, factors, links and sessions by the events taken so far. Values stand in the log's form:
// secrets as commitments, tokens' hashes as digests.
import type { SqlValue } from "../../../storage/database/sql.ts";

/** Columns by name; mutable, for a later event may change one. */
export type Expected = Record<string, SqlValue>;

/** A row that an event made, and its place in the order in which rows of its table were made. */
export interface Made {
  readonly place: number;
  readonly columns: Expected;
}

/** An expected account with its credentials. */
export interface KnownAccount extends Made {
  readonly id: string;
  readonly salt: string;
  /** Whether it came with an organization from another instance. */
  readonly hasArrived: boolean;
  readonly passkeys: Map<string, Made>;
  readonly identities: Map<string, Made>;
  readonly calendars: Map<string, Made>;
  /** By the commitment to the code's hash. */
  codes: Map<string, Made>;
  /** Its names, each with the event that set it. */
  readonly names: { readonly from: number; readonly name: string }[];
}

/** An expected link. */
export interface KnownLink extends Made {
  /** The event that used it, and the digest of its row at that moment. */
  used: { readonly at: string; readonly accountId: string | null; readonly digest: string } | null;
}

/** A session: its account, and the events that began and ended it. */
export interface KnownSession {
  readonly accountId: string;
  readonly from: number;
  /** The event that ended it. */
  to: number | null;
  readonly expiresAt: string;
  /** The expected row; null if the table has none any more. */
  readonly row: Made | null;
}

/** The whole state. */
export class PeopleState {
  readonly accounts = new Map<string, KnownAccount>();
  readonly links = new Map<string, KnownLink>();
  readonly sessions = new Map<string, KnownSession>();
  #places = 0;

  /** The place of the next row that is made. */
  nextPlace(): number {
    return ++this.#places;
  }

  /**
   * Whether no one ever signed in here: there are only accounts that came with an organization, as in the file of one
   * that moves.
   */
  hasOnlyArrived(): boolean {
    if (this.accounts.size === 0 || this.sessions.size > 0 || this.links.size > 0) return false;
    return [...this.accounts.values()].every(
      ({ hasArrived, columns }) => hasArrived && columns.suspendedAt !== null && columns.passwordHash === null,
    );
  }

  /** The sessions of an account that no event has ended. */
  *openSessions(accountId: string): Generator<KnownSession> {
    for (const session of this.#ofAccount.get(accountId) ?? []) if (session.to === null) yield session;
  }

  readonly #ofAccount = new Map<string, KnownSession[]>();

  /** Adds a session. */
  addSession(id: string, session: KnownSession): void {
    this.sessions.set(id, session);
    const others = this.#ofAccount.get(session.accountId) ?? [];
    this.#ofAccount.set(session.accountId, others);
    others.push(session);
  }
}

/** The names of an account while a session lasted. */
export function namesWithin({ names }: KnownAccount, { from, to }: Pick<KnownSession, "from" | "to">): Set<string> {
  const borne = new Set<string>();
  for (const [at, { from: since, name }] of names.entries()) {
    const until = names[at + 1]?.from ?? Number.POSITIVE_INFINITY;
    if (since <= (to ?? Number.POSITIVE_INFINITY) && until > from) borne.add(name);
  }
  return borne;
}
