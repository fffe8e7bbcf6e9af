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

/** The `previousHash` of the first entry. */
export const FIRST_HASH = "0".repeat(64);

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

/** What is wrong with an entry. */
export interface ChainDifference {
  readonly sequence: number;
  /** HASH: it does not hold what its hash says. LINK: it does not follow the one before. MISSING: one before is not there. */
  readonly what: "HASH" | "LINK" | "MISSING";
}

/** Every entry in any order: what differs, from the first entry to the last. */
export async function checkChain(entries: readonly HashedEntry[]): Promise<readonly ChainDifference[]> {
  const ordered = entries.toSorted((a, b) => a.sequence - b.sequence);
  const differences: ChainDifference[] = [];
  let [expected, before] = [1, FIRST_HASH];
  for (const entry of ordered) {
    const { sequence, previousHash, hash } = entry;
    if (sequence !== expected) differences.push({ sequence, what: "MISSING" });
    else if (previousHash !== before) differences.push({ sequence, what: "LINK" });
    if ((await hashOf(entry)) !== hash) differences.push({ sequence, what: "HASH" });
    [expected, before] = [sequence + 1, hash];
  }
  return differences;
}
