// What a verification says. Codes are for programs, the rest is for the person who has to act on it. Pure.

/** What kind of difference it is. */
export type DifferenceCode =
  | "entry-altered"
  | "entry-unreadable"
  | "entry-inapplicable"
  | "chain-broken"
  | "sequence-gap"
  | "shares-not-conserved"
  | "reference-missing"
  | "security-differs"
  | "security-unexplained"
  | "security-missing"
  | "class-differs"
  | "class-total"
  | "plan-differs"
  | "pool-exceeded"
  | "stakeholder-count"
  | "document-altered"
  | "foreign-key"
  | "trigger-missing"
  | "damaged";

/** One thing that is not as the ledger, or SQLite, says it must be. */
export interface Difference {
  readonly code: DifferenceCode;
  /** The organization concerned; null for the database as a whole. */
  readonly orgId: string | null;
  /** What it is about, for instance `entry 17` or `security 0190…`. */
  readonly subject: string;
  /** What was found and what was expected. */
  readonly detail: string;
  /** What a person can do about it, where there is something general to say. */
  readonly fix?: string;
}

/** What was checked of one organization. */
export interface VerifiedOrganization {
  readonly orgId: string;
  readonly legalName: string;
  /** How many ledger entries were read. */
  readonly entries: number;
  /** The last entry's sequence and hash; sequence 0 and the genesis hash where there is none. Note it elsewhere. */
  readonly head: { readonly sequence: number; readonly hash: string };
}

/** The outcome of a verification; the data is sound when `differences` is empty. */
export interface VerifyReport {
  readonly organizations: readonly VerifiedOrganization[];
  readonly differences: readonly Difference[];
  /** What is odd and allowed: what an import, or entries of the former rules, left outside an invariant. */
  readonly notes: readonly Difference[];
}

/** Takes a difference; the organization is known to whoever made the function. */
export type Tell = (difference: Omit<Difference, "orgId">) => void;

export const RESTORE = "Restore a backup made before the change.";
