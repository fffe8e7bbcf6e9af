// Store of the accounts and credentials of any schema version: read as plain statements, for the replaced data may be
// of an older version, without later tables.
import type { Reader } from "../../storage/database/sql.ts";

/** A person and its credentials. */
export interface PersonState {
  readonly email: string;
  /** The role in each organization, by its name. */
  readonly roles: Readonly<Record<string, string>>;
  /** The account's credentials, by name; null if it has no such credential. */
  readonly has: Readonly<Record<string, string | null>>;
}

interface AccountRow {
  readonly id: string;
  readonly email: string;
  readonly passwordHash: string | null;
  readonly totpSecret: string | null;
  readonly isOperator: number;
  readonly suspendedAt: string | null;
}

const ACCOUNTS = "SELECT id, email, passwordHash, totpSecret, isOperator, suspendedAt FROM accounts ORDER BY seq";
const ROLES = `SELECT accountId, legalName || ' (' || orgId || ')' AS name, role FROM memberships
  JOIN organizations ON organizations.id = orgId WHERE removedAt IS NULL ORDER BY memberships.seq`;
/** Several credentials of one kind of an account, as one text. */
const SEVERAL: Readonly<Record<string, string>> = {
  passkeys: "SELECT accountId, group_concat(credentialId, ' ') AS value FROM passkeys GROUP BY accountId",
  identities:
    "SELECT accountId, group_concat(issuer || ' ' || subject, ' ') AS value FROM identities GROUP BY accountId",
};

/** The people of a database by account; empty if it is older than accounts. */
export function readPeople({ sqlite }: Reader): ReadonlyMap<string, PersonState> {
  const hasAccounts = sqlite.prepare("SELECT 1 FROM sqlite_master WHERE name = 'accounts'").get();
  if (!hasAccounts) return new Map();
  const roles = sqlite.prepare<[], { accountId: string; name: string; role: string }>(ROLES).all();
  const several = Object.entries(SEVERAL).map(([what, text]) => {
    const rows = sqlite.prepare<[], { accountId: string; value: string }>(text).all();
    return [what, new Map(rows.map(({ accountId, value }) => [accountId, value]))] as const;
  });
  const people = sqlite.prepare<[], AccountRow>(ACCOUNTS).all();
  return new Map(
    people.map(({ id, email, passwordHash, totpSecret, isOperator, suspendedAt }) => [
      id,
      {
        email,
        roles: Object.fromEntries(roles.filter((row) => row.accountId === id).map((row) => [row.name, row.role])),
        has: {
          "the operator's right": isOperator === 1 ? "yes" : null,
          suspension: suspendedAt === null ? null : "yes",
          password: passwordHash,
          "one-time codes": totpSecret,
          ...Object.fromEntries(several.map(([what, of]) => [what, of.get(id) ?? null])),
        },
      },
    ]),
  );
}
