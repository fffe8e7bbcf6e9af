// The ledger's hash chain. It covers members as the API shows them, so that any client can verify it.
import { canonicalJson, inNameOrder } from "../storage/database/log/log-hash.ts";

/** The `previousHash` of an organization's first entry. */
export const GENESIS_HASH = "0".repeat(64);

/** The members of a transaction, as the API shows them, under its hash. */
export interface HashedMembers {
  readonly id: string;
  readonly orgId: string;
  readonly sequence: number;
  readonly type: string;
  readonly securityId: string | null;
  readonly stakeholderId: string | null;
  readonly quantity: string | null;
  readonly effectiveDate: string;
  readonly metadata: unknown;
  readonly recordOnly: boolean;
  readonly createdAt: string;
  readonly previousHash: string;
}

/** Lowercase hex SHA-256 of the canonical JSON (RFC 8785) of the members. */
export function hashEntry(entry: HashedMembers): string {
  return sha256(canonicalEntry(entry));
}

/** What {@link hashEntry} hashes. */
export function canonicalEntry(entry: HashedMembers): string {
  // The members have fixed names, listed here in canonical order, so only the metadata needs sorting.
  const { createdAt, effectiveDate, id, orgId, previousHash, quantity } = entry;
  const { recordOnly, securityId, sequence, stakeholderId, type } = entry;
  const metadata = entry.metadata === null ? "null" : canonicalJson(entry.metadata);
  const first = JSON.stringify({ createdAt, effectiveDate, id });
  const rest = { orgId, previousHash, quantity, recordOnly, securityId, sequence, stakeholderId, type };
  return `${first.slice(0, -1)},"metadata":${metadata},${JSON.stringify(rest).slice(1)}`;
}

/**
 * Lowercase hex SHA-256 of any JSON value in canonical form: equal values have equal digests, whatever their key order.
 */
export function digestJson(value: unknown): string {
  return sha256(canonicalJson(value));
}

/**
 * The same for a large value whose names are not numbers, in less than half the time: JSON written in the order of the
 * names is canonical.
 */
export function digestNamed(value: unknown): string {
  return sha256(JSON.stringify(inNameOrder(value)));
}

function sha256(text: string): string {
  return Bun.CryptoHasher.hash("sha256", text, "hex");
}
