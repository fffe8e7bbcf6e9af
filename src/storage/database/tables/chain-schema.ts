// The tables of the background work as Kysely sees them; see schema.ts.
import type { Generated } from "kysely";

/** A class's token, in units of 10^-10 share. */
export interface TokensTable {
  readonly orgId: string;
  readonly stockClassId: string;
  /** The deadline of its deployment; null if no deployment is under way. */
  readonly deadlineMs: number | null;
  /** The cap that it has once its operations are done; the token's own `NO_LIMIT` if it has no cap. */
  readonly authorized: string | null;
  /** As last read from the chain. */
  readonly totalSupply: string | null;
  readonly lastReconciledAt: string | null;
}

/** The tokens of a security once every operation is done, in units of 10^-10 share. */
export interface TokenPositionsTable {
  readonly orgId: string;
  readonly stockClassId: string;
  readonly securityId: string;
  readonly address: string;
  readonly quantity: string;
}

/** Differences between chain and ledger, with their start. The address `total` is the total supply. */
export interface TokenDifferencesTable {
  readonly orgId: string;
  readonly stockClassId: string;
  readonly address: string;
  readonly expected: string;
  readonly found: string;
  readonly since: string;
}

/** A token operation, executed exactly once: all its transactions carry the same call. */
export interface ChainSubmissionsTable {
  readonly seq: Generated<number>;
  readonly kind: "factory" | "deploy" | "operations";
  readonly toAddress: string | null;
  readonly data: string;
  readonly state: Generated<"OPEN" | "DONE" | "FAILED" | "ABANDONED">;
  readonly createdAtMs: number;
}

/** A signed transaction, kept before it was sent. */
export interface ChainTransactionsTable {
  readonly seq: Generated<number>;
  readonly submission: number;
  readonly nonce: number;
  readonly gas: string;
  /** JSON text. */
  readonly fees: string;
  readonly raw: string;
  readonly hash: string;
  readonly createdAtMs: number;
  /** The receipt's block and status, once it is settled. */
  readonly blockNumber: string | null;
  readonly blockHash: string | null;
}

export type ChainOperationKind = "deploy" | "setAuthorized" | "cancel" | "transfer" | "issue";

/** One effect on a token, under a key that works once. `amount` counts 10^-10 shares. */
export interface ChainOperationsTable {
  readonly seq: Generated<number>;
  readonly orgId: string;
  readonly stockClassId: string;
  readonly jobId: string;
  readonly kind: ChainOperationKind;
  readonly key: string;
  readonly fromSecurityId: string | null;
  readonly fromAddress: string | null;
  readonly toSecurityId: string | null;
  readonly toAddress: string | null;
  readonly amount: string;
  readonly state: Generated<"QUEUED" | "SENT" | "DONE" | "FAILED" | "DROPPED">;
  readonly submission: number | null;
  readonly tries: Generated<number>;
  readonly hash: string | null;
  readonly error: string | null;
}

/** The tables of the background work by name. */
export interface ChainTables {
  readonly tokens: TokensTable;
  readonly token_positions: TokenPositionsTable;
  readonly token_differences: TokenDifferencesTable;
  readonly chain_submissions: ChainSubmissionsTable;
  readonly chain_transactions: ChainTransactionsTable;
  readonly chain_operations: ChainOperationsTable;
}
