// Who may come in, as one database says it: read as plain statements, for the data that is replaced may be of an older
// version, and lack what came later.
import type { Reader } from "../../storage/database/sql.ts";

/** A person, and by what it comes in. */
export interface PersonState {
  readonly email: string;
  /** The role in each organization, by its name. */
  readonly roles: Readonly<Record<string, string>>;
  /** What the account has, by what it is called; null where it has none. */
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
/** Each thing that an account may have several of, as one text. */
const SEVERAL: Readonly<Record<string, string>> = {
  passkeys: "SELECT accountId, group_concat(credentialId, ' ') AS value FROM passkeys GROUP BY accountId",
  identities:
    "SELECT accountId, group_concat(issuer || ' ' || subject, ' ') AS value FROM identities GROUP BY accountId",
};

/** The people of a database by account; empty where it is older than accounts. */
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
          "the right to run the instance": isOperator === 1 ? "yes" : null,
          suspension: suspendedAt === null ? null : "yes",
          password: passwordHash,
          "one-time codes": totpSecret,
          ...Object.fromEntries(several.map(([what, of]) => [what, of.get(id) ?? null])),
        },
      },
    ]),
  );
}
