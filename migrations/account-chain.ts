// The log of accounts begins: an event for each account, factor and link that is here, so that all of them are explained.
import type { AccountEvent } from "../src/database/account-events.ts";
import { commitTo, type EventMaker, hashEvent, toldColumns } from "../src/database/account-log.ts";
import { canonicalJson, FIRST_HASH } from "../src/database/log-hash.ts";
import { systemRuntime, toTimestamp } from "../src/kernel/runtime.ts";
import { type Db, run } from "./log-chain.ts";

const JOB: EventMaker = { actor: "job", accountId: null, apiKeyId: null };

interface Account {
  readonly id: string;
  readonly createdAt: string;
  readonly email: string;
  readonly name: string;
  readonly isOperator: number;
  readonly suspendedAt: string | null;
  readonly salt: string;
  readonly passwordHash: string | null;
  readonly totpSecret: string | null;
}

/** Begins the log, where there is anything that it must explain. */
export async function beginAccountLog(db: Db): Promise<void> {
  const sizes = await run<{ id: string; size: number }>(
    db,
    `SELECT organizations.id, coalesce(max(sequence), 0) AS size FROM organizations
      LEFT JOIN audit_log ON audit_log.orgId = organizations.id GROUP BY organizations.id ORDER BY organizations.seq`,
  );
  const chain = new AccountChain(db);
  if (sizes.length > 0) {
    const logs = Object.fromEntries(sizes.map(({ id, size }) => [id, size]));
    await chain.append(null, "log-started", { logs });
  }
  for (const account of await run<Account>(db, "SELECT * FROM accounts ORDER BY seq"))
    await explain(db, chain, account);
  // Their place in the table is that of their making: links are told of in that order.
  for (const link of await run<{ seq: number; tokenHash: string; accountId: string | null }>(
    db,
    "SELECT * FROM links ORDER BY seq",
  )) {
    await chain.append(link.accountId, "link-made", toldColumns(link));
  }
}

async function explain(db: Db, chain: AccountChain, account: Account): Promise<void> {
  const { id, createdAt, email, name, isOperator, suspendedAt, salt, passwordHash, totpSecret } = account;
  const password = passwordHash && commitTo(salt, passwordHash);
  await chain.append(id, "account-made", { email, name, isOperator, suspendedAt, salt, password, createdAt });
  if (totpSecret !== null) await chain.append(id, "totp-added", { totp: commitTo(salt, totpSecret) });
  const codes = await run<{ id: string; codeHash: string; createdAt: string }>(
    db,
    "SELECT * FROM recovery_codes WHERE accountId = ? ORDER BY seq",
    [id],
  );
  const [first] = codes;
  if (first !== undefined) {
    await chain.append(id, "recovery-codes-made", {
      codes: codes.map(({ codeHash }) => commitTo(salt, codeHash)),
      ids: codes.map((code) => code.id),
      createdAt: first.createdAt,
    });
  }
  for (const [table, event, columns] of FACTORS) {
    const text = `SELECT id, createdAt, ${columns} FROM ${table} WHERE accountId = ? ORDER BY seq`;
    for (const factor of await run<object>(db, text, [id])) await chain.append(id, event, factor);
  }
}

const FACTORS = [
  ["passkeys", "passkey-added", "credentialId, publicKey"],
  ["identities", "identity-added", "issuer, subject"],
] as const;

/** Appends events, from the first on. */
class AccountChain {
  #sequence = 0;
  #hash = FIRST_HASH;
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  async append(accountId: string | null, event: AccountEvent, data: object): Promise<void> {
    const row = {
      ...{ id: systemRuntime.newId(), sequence: ++this.#sequence, at: toTimestamp(systemRuntime.nowMs()), accountId },
      ...{ event, sessionId: null, address: null, userAgent: null, by: JOB, data, previousHash: this.#hash },
    };
    this.#hash = hashEvent(row);
    const columns = { ...row, by: canonicalJson(JOB), data: canonicalJson(data), hash: this.#hash };
    const names = Object.keys(columns);
    const text = `INSERT INTO account_log (${names.map((name) => `"${name}"`).join(", ")})
      VALUES (${names.map(() => "?").join(", ")})`;
    await run(this.#db, text, Object.values(columns));
  }
}
