// A database whose accounts are older than their log: the migration explains each account, factor and link, ends the
// sessions, and leaves `verify` clean; a control has one of them changed behind its back. Keys of before keep, as scopes, all
// that their role may.
import { expect, test } from "bun:test";
import Database from "better-sqlite3";
import { Kysely, SqliteDialect } from "kysely";
import { Migrator } from "kysely/migration";
import { migrations } from "../../migrations/index.ts";
import { hashLogRow } from "../../src/database/log-hash.ts";
import { ROLES, type Role, readScopes, scopesOfRole } from "../../src/records/api-key.ts";
import { verifyDatabase } from "../../src/verify/verify.ts";

const AT = "2026-01-01T00:00:00.000Z";
const ORG = "old-organization";

async function migrate(database: Database.Database, last: string): Promise<void> {
  const known = Object.fromEntries(Object.entries(migrations).filter(([name]) => name <= last));
  const db = new Kysely<unknown>({ dialect: new SqliteDialect({ database }) });
  const { error } = await new Migrator({ db, provider: { getMigrations: async () => known } }).migrateToLatest();
  if (error) throw error;
}

/** A person with everything that one could have, and a row of the log that it wrote. */
function insertPeople(db: Database.Database): void {
  db.exec(`
    insert into accounts (id, createdAt, email, emailFolded, name, passwordHash, totpSecret, isOperator)
      values ('ada', '${AT}', 'Ada@example.com', 'ada@example.com', 'Ada', '$argon2id$x', 'sealed', 1),
        ('bo', '${AT}', 'bo@example.com', 'bo@example.com', 'Bo', null, null, 0);
    insert into passkeys (id, createdAt, accountId, credentialId, publicKey, counter, name)
      values ('p', '${AT}', 'ada', 'c', 'k', 3, 'laptop');
    insert into identities (id, createdAt, accountId, issuer, subject)
      values ('i', '${AT}', 'bo', 'https://id.example.com', 'bo');
    insert into recovery_codes (id, createdAt, accountId, codeHash, usedAt)
      values ('r1', '${AT}', 'ada', 'h1', null), ('r2', '${AT}', 'ada', 'h2', '${AT}');
    insert into links (id, createdAt, kind, tokenHash, orgId, email, emailFolded, role, madeBy, expiresAt)
      values ('l', '${AT}', 'INVITATION', 't', '${ORG}', 'cy@example.com', 'cy@example.com', 'VIEWER', 'cli', '${AT}');
    insert into sessions (id, createdAt, accountId, tokenHash, method, hasSecondFactor, confirmedAt, lastSeenAt, expiresAt)
      values ('s', '${AT}', 'ada', 's', 'PASSWORD', 0, '${AT}', '${AT}', '2099-01-01T00:00:00.000Z');
    insert into account_log (id, at, accountId, event, sessionId) values ('e', '${AT}', 'ada', 'signed-in', 's');
    insert into long_writes (orgId, kind, subject, after, origin)
      values ('${ORG}', 'release', 'x', 0, '{"actor":"person","accountId":"ada","actorName":"Ada"}');
  `);
  const text = "select sequence, hash from audit_log order by sequence desc limit 1";
  const { sequence: last, hash: previousHash } = db.prepare(text).get() as { sequence: number; hash: string };
  const row = {
    ...{
      orgId: ORG,
      id: "row",
      sequence: last + 1,
      at: AT,
      actor: "person" as const,
      apiKeyId: null,
      accountId: "ada",
    },
    ...{ actorName: "Ada", requestId: null, method: "PATCH", path: null, resourceType: "account", resourceId: "ada" },
    ...{ before: null, after: '{"name":"Ada"}', previousHash },
  } as const;
  const columns = { ...row, hash: hashLogRow({ ...row, sessionId: null }) };
  const names = Object.keys(columns);
  db.prepare(`insert into audit_log (${names}) values (${names.map((name) => `:${name}`)})`).run(columns);
}

test("accounts that are older than their log are explained by it", async () => {
  const db = new Database(":memory:");
  await migrate(db, "0005_splits_under_way");
  db.prepare("insert into organizations (id, legalName, isNamed, createdAt, updatedAt) values (?, ?, 1, ?, ?)").run(
    ...[ORG, "Kept, Inc.", AT, AT],
  );
  await migrate(db, "0016_corrections");
  insertPeople(db);
  await migrate(db, "9999");
  const { differences, notes } = verifyDatabase({ sqlite: db });
  expect(differences).toEqual([]);
  expect(notes).toMatchObject([{ orgId: ORG, detail: expect.stringMatching(/^1 row by people from before/) }]);
  const column = (text: string) => db.prepare(text).pluck().all();
  expect(column("select count(*) from sessions")).toEqual([0]);
  expect(column("select event from account_log order by sequence")).toEqual([
    ...["log-started", "account-made", "totp-added", "recovery-codes-made", "passkey-added"],
    ...["account-made", "identity-added", "link-made"],
  ]);
  expect(column("select origin from long_writes")).toEqual([expect.stringContaining('"actor":"job"')]);
  const salts = column("select salt from accounts") as string[];
  expect([salts.every((salt) => /^[0-9a-f]{32}$/.test(salt)), new Set(salts).size]).toEqual([true, 2]);

  db.exec("update identities set subject = 'eve'");
  expect(verifyDatabase({ sqlite: db }).differences).toMatchObject([
    { code: "row-differs", subject: expect.stringContaining("identities row i (account bo)") },
  ]);
  db.close();
});

test("keys of before have the scopes of their role, told in the log, whether their maker is known or not", async () => {
  const db = new Database(":memory:");
  await migrate(db, "0005_splits_under_way");
  db.prepare("insert into organizations (id, legalName, isNamed, createdAt, updatedAt) values (?, ?, 1, ?, ?)").run(
    ...[ORG, "Kept, Inc.", AT, AT],
  );
  const insert = db.prepare(
    "insert into api_keys (orgId, id, name, role, prefix, keyHash, createdAt) values (?, ?, ?, ?, 'pg_live_abcd', ?, ?)",
  );
  for (const role of ROLES) insert.run(ORG, role, role, role, `hash of ${role}`, AT);
  await migrate(db, "9999");
  expect(verifyDatabase({ sqlite: db }).differences).toEqual([]);
  const stored = db.prepare<[], { id: Role; scopes: string }>("select id, scopes from api_keys").all();
  expect(stored.map(({ id, scopes }) => [id, readScopes(scopes)])).toEqual(
    ROLES.map((role) => [role, scopesOfRole(role)]),
  );

  // One that the log tells nothing of must hold nothing, and one that is widened behind its back is a difference.
  for (const scopes of ['["read","write"]', "[]"]) {
    db.prepare("update api_keys set scopes = ? where id = 'VIEWER'").run(scopes);
    expect(verifyDatabase({ sqlite: db }).differences).toMatchObject([{ code: "row-differs" }]);
  }
  db.close();
});
