// The table of acceptances, and what securities say of theirs.
import type { Generated } from "kysely";
import type { Bit, Json } from "../../records/columns.ts";

/** How far the acceptance of a security is. */
export type AcceptanceStatus = "NOT_ASKED" | "PENDING" | "ACCEPTED";

/** What a holder accepted, and how: append-only. Of one on paper, and of an imported one, much is null. */
export interface AcceptancesTable {
  readonly seq: Generated<number>;
  readonly orgId: string;
  readonly id: string;
  readonly securityId: string;
  readonly stakeholderId: string | null;
  readonly kind: "PORTAL" | "PAPER" | "IMPORTED";
  readonly acceptedAt: string;
  /** What the holder was shown, as canonical JSON, and its SHA-256. */
  readonly shown: Json | null;
  readonly digest: string | null;
  readonly accountId: string | null;
  readonly name: string | null;
  readonly email: string | null;
  readonly method: string | null;
  readonly hasSecondFactor: Bit | null;
  readonly sessionId: string | null;
  readonly address: string | null;
  readonly userAgent: string | null;
  /** The ledger's newest entry then: its place and hash. */
  readonly ledgerSequence: number;
  readonly ledgerHead: string;
  readonly documentId: string | null;
  readonly comments: string | null;
  readonly createdAt: string;
}

/** The table by name. */
export interface AcceptanceTables {
  readonly acceptances: AcceptancesTable;
}
