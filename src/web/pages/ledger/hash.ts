// The hash of an entry, computed anew: lowercase hex SHA-256 of the canonical JSON (RFC 8785) of these members. So anybody
// can check the ledger from outside, and so it is checked here, by the browser and not by the server.
import canonicalize from "canonicalize";

/** An entry as the API shows it. */
export interface HashedEntry {
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
  readonly hash: string;
}

/** Whether this browser can compute hashes here: it does so on HTTPS and on the machine itself only. */
export function canHash(): boolean {
  return globalThis.crypto.subtle !== undefined;
}

/** The hash that an entry must have. */
export async function hashOf(entry: HashedEntry): Promise<string> {
  const { createdAt, effectiveDate, id, metadata, orgId, previousHash, quantity } = entry;
  const { recordOnly, securityId, sequence, stakeholderId, type } = entry;
  const first = { createdAt, effectiveDate, id, metadata, orgId, previousHash, quantity };
  const text = canonicalize({ ...first, recordOnly, securityId, sequence, stakeholderId, type }) ?? "";
  const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
