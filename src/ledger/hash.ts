// The hash chain: DECISIONS section 8 says exactly which members are hashed, so that anybody can check it from outside.
import canonicalize from "canonicalize";
import { present } from "../kernel/assert.ts";

/** The `previousHash` of an organization's first entry. */
export const GENESIS_HASH = "0".repeat(64);

/** The members of a transaction, as the API shows them, that its hash covers. */
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
  return digestJson({
    id: entry.id,
    orgId: entry.orgId,
    sequence: entry.sequence,
    type: entry.type,
    securityId: entry.securityId,
    stakeholderId: entry.stakeholderId,
    quantity: entry.quantity,
    effectiveDate: entry.effectiveDate,
    metadata: entry.metadata,
    recordOnly: entry.recordOnly,
    createdAt: entry.createdAt,
    previousHash: entry.previousHash,
  });
}

/** Lowercase hex SHA-256 of any JSON value in canonical form: equal values, whatever their key order, digest equally. */
export function digestJson(value: unknown): string {
  return new Bun.CryptoHasher("sha256").update(present(canonicalize(value), "canonical JSON")).digest("hex");
}
