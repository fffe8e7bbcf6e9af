// The embedded chain's file: accounts, code, storage slots, blocks and receipts, as flat tables. It knows SQL and
// bytes, nothing of how transactions run. Used by the worker only.
import Database from "better-sqlite3";
import { assert } from "../../../kernel/assert.ts";
import { makePrivateFile } from "../../../kernel/files/ownership.ts";
import { CHAIN_FILE_VERSION, defineChainFile } from "../../../storage/data-dir/chain-tables.ts";

/** A row of the accounts. `balance` in wei, as decimal digits. */
export interface AccountRow {
  readonly nonce: number;
  readonly balance: string;
  readonly code_hash: Uint8Array;
}

/** A block's head. `timestamp` in seconds since the epoch. */
export interface BlockRow {
  readonly number: number;
  readonly hash: Uint8Array;
  readonly parent_hash: Uint8Array;
  readonly timestamp: number;
}

/** The receipt of a block's one transaction. `logs` is JSON: `[{address, topics, data}]`. */
export interface ReceiptRow {
  readonly hash: Uint8Array;
  readonly block_number: number;
  readonly succeeded: number;
  readonly gas_used: number;
  readonly contract_address: Uint8Array | null;
  readonly logs: string;
}

/** All changes of a block. Null: the account is deleted; an empty value: the slot is zero. */
export interface StateChange {
  readonly wipedStorage: Iterable<Uint8Array>;
  readonly accounts: Iterable<readonly [Uint8Array, AccountRow | null]>;
  readonly codes: Iterable<readonly [Uint8Array, Uint8Array]>;
  readonly slots: Iterable<readonly [address: Uint8Array, slot: Uint8Array, value: Uint8Array]>;
}

/** The file holds a chain with another id, or a newer program made it. */
class ChainFileError extends Error {
  override readonly name = "ChainFileError";
}

/** The open file. */
export type ChainStore = ReturnType<typeof openChainStore>;

/** Opens `path`, or creates it with `genesisHash` and `nowMs` in its first block. Throws {@link ChainFileError}. */
export function openChainStore(path: string, chainId: number, genesisHash: Uint8Array, nowMs: number) {
  makePrivateFile(path);
  const db = new Database(path, { timeout: 5000 });
  db.pragma("journal_mode = WAL");
  db.pragma("synchronous = FULL");
  assert(db.pragma("synchronous", { simple: true }) === 2, "the embedded chain must be written with synchronous=FULL");
  db.transaction(() => createOrCheck(db, chainId, genesisHash, nowMs)).immediate();
  const statements = prepare(db);

  return {
    account: (address: Uint8Array) => statements.account.get(address) ?? null,
    code: (hash: Uint8Array) => statements.code.get(hash)?.code ?? null,
    slot: (address: Uint8Array, slot: Uint8Array) => statements.slot.get(address, slot)?.value ?? null,
    block: (number: number) => statements.block.get(number) ?? null,
    receipt: (hash: Uint8Array) => statements.receipt.get(hash) ?? null,
    head(): BlockRow {
      const head = statements.head.get();
      assert(head, "the embedded chain has no first block");
      return head;
    },
    /** Runs `work` on an exclusive state, and keeps its writes only if it resolves. */
    async exclusively<T>(work: () => Promise<T>): Promise<T> {
      db.exec("BEGIN IMMEDIATE");
      try {
        const result = await work();
        db.exec("COMMIT");
        return result;
      } finally {
        if (db.inTransaction) db.exec("ROLLBACK");
      }
    },
    /** Runs `work` on one snapshot of the state. */
    async reading<T>(work: () => Promise<T>): Promise<T> {
      db.exec("BEGIN");
      try {
        return await work();
      } finally {
        if (db.inTransaction) db.exec("ROLLBACK");
      }
    },
    write(change: StateChange, block: BlockRow, receipt: ReceiptRow): void {
      assert(db.inTransaction, "a block is written inside one transaction");
      for (const address of change.wipedStorage) statements.wipe.run(address);
      for (const [address, row] of change.accounts) {
        if (row) statements.putAccount.run(address, row.nonce, row.balance, row.code_hash);
        else statements.dropAccount.run(address);
      }
      for (const [hash, code] of change.codes) statements.putCode.run(hash, code);
      for (const [address, slot, value] of change.slots) {
        if (value.length > 0) statements.putSlot.run(address, slot, value);
        else statements.dropSlot.run(address, slot);
      }
      statements.putBlock.run({ ...block });
      statements.putReceipt.run({ ...receipt });
    },
    close(): void {
      db.pragma("wal_checkpoint(TRUNCATE)");
      db.close();
    },
  };
}

function createOrCheck(db: Database.Database, chainId: number, genesisHash: Uint8Array, nowMs: number): void {
  const version = db.pragma("user_version", { simple: true });
  if (version === 0) {
    defineChainFile(db);
    db.pragma(`user_version = ${CHAIN_FILE_VERSION}`);
    db.prepare("INSERT INTO meta (chain_id) VALUES (?)").run(chainId);
    db.prepare("INSERT INTO block (number, hash, parent_hash, timestamp) VALUES (0, ?, ?, ?)").run(
      genesisHash,
      new Uint8Array(32),
      Math.floor(nowMs / 1000),
    );
    return;
  }
  if (version !== CHAIN_FILE_VERSION) throw new ChainFileError(`a newer program made it (version ${version})`);
  const meta = db.prepare<[], { chain_id: number }>("SELECT chain_id FROM meta").get();
  if (meta?.chain_id !== chainId) throw new ChainFileError(`it holds chain ${meta?.chain_id}`);
}

function prepare(db: Database.Database) {
  return {
    account: db.prepare<[Uint8Array], AccountRow>("SELECT nonce, balance, code_hash FROM account WHERE address = ?"),
    code: db.prepare<[Uint8Array], { code: Uint8Array }>("SELECT code FROM code WHERE hash = ?"),
    slot: db.prepare<[Uint8Array, Uint8Array], { value: Uint8Array }>(
      "SELECT value FROM slot WHERE address = ? AND slot = ?",
    ),
    head: db.prepare<[], BlockRow>("SELECT * FROM block ORDER BY number DESC LIMIT 1"),
    block: db.prepare<[number], BlockRow>("SELECT * FROM block WHERE number = ?"),
    receipt: db.prepare<[Uint8Array], ReceiptRow>("SELECT * FROM receipt WHERE hash = ?"),
    wipe: db.prepare<[Uint8Array]>("DELETE FROM slot WHERE address = ?"),
    putAccount: db.prepare<[Uint8Array, number, string, Uint8Array]>(
      "INSERT INTO account (address, nonce, balance, code_hash) VALUES (?, ?, ?, ?) ON CONFLICT (address) " +
        "DO UPDATE SET nonce = excluded.nonce, balance = excluded.balance, code_hash = excluded.code_hash",
    ),
    dropAccount: db.prepare<[Uint8Array]>("DELETE FROM account WHERE address = ?"),
    putCode: db.prepare<[Uint8Array, Uint8Array]>("INSERT INTO code (hash, code) VALUES (?, ?) ON CONFLICT DO NOTHING"),
    putSlot: db.prepare<[Uint8Array, Uint8Array, Uint8Array]>(
      "INSERT INTO slot (address, slot, value) VALUES (?, ?, ?) ON CONFLICT (address, slot) " +
        "DO UPDATE SET value = excluded.value",
    ),
    dropSlot: db.prepare<[Uint8Array, Uint8Array]>("DELETE FROM slot WHERE address = ? AND slot = ?"),
    putBlock: db.prepare<BlockRow>("INSERT INTO block VALUES (:number, :hash, :parent_hash, :timestamp)"),
    putReceipt: db.prepare<ReceiptRow>(
      "INSERT INTO receipt VALUES (:hash, :block_number, :succeeded, :gas_used, :contract_address, :logs)",
    ),
  };
}
