// The tables of the embedded chain's file. The chain creates them; a backup compares a file's schema with them.

/** The version of the tables, which the file carries as its `user_version`. */
export const CHAIN_FILE_VERSION = 1;
const SCHEMA = `
CREATE TABLE meta (chain_id INTEGER NOT NULL) STRICT;
CREATE TABLE account (
  address BLOB PRIMARY KEY, nonce INTEGER NOT NULL, balance TEXT NOT NULL, code_hash BLOB NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE code (hash BLOB PRIMARY KEY, code BLOB NOT NULL) STRICT;
CREATE TABLE slot (
  address BLOB NOT NULL, slot BLOB NOT NULL, value BLOB NOT NULL, PRIMARY KEY (address, slot)
) STRICT, WITHOUT ROWID;
CREATE TABLE block (
  number INTEGER PRIMARY KEY, hash BLOB NOT NULL UNIQUE, parent_hash BLOB NOT NULL, timestamp INTEGER NOT NULL
) STRICT;
CREATE TABLE receipt (
  hash BLOB PRIMARY KEY, block_number INTEGER NOT NULL UNIQUE REFERENCES block (number), succeeded INTEGER NOT NULL,
  gas_used INTEGER NOT NULL, contract_address BLOB, logs TEXT NOT NULL
) STRICT, WITHOUT ROWID;
`;

/** Defines the tables of a new chain. */
export function defineChainFile(db: { exec(sql: string): unknown }): void {
  db.exec(SCHEMA);
}
