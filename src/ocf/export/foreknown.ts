// What has to be known of the whole ledger before its first entry can be written as OCF: direct edits are corrections
// (DECISIONS section 15), so an issuance already shows the quantity that a later edit gave the security. Pure.
import type { Row } from "../../database/sql.ts";
import { type Decimal, parseDecimal, sum } from "../../kernel/decimal.ts";
import { toDraft } from "../../ledger/replay.ts";
import { readSplit } from "../../ledger/split.ts";

type Entry = Row<"transactions">;

/** A split, as far as it keeps later corrections from reaching back over it. */
interface Barrier {
  readonly sequence: number;
  readonly createdAt: string;
  readonly stockClassId: string;
  readonly inferred: ReadonlySet<string>;
}

/** A security of which an edit says something. */
export type EditedSecurity = Pick<Row<"securities">, "id" | "createdAt" | "stockClassId" | "originSecurityId">;

/** What later entries say about earlier ones. */
export class Foreknown {
  readonly #barriers: Barrier[] = [];
  readonly #corrections = new Map<string, { readonly sequence: number; readonly difference: Decimal }[]>();
  readonly #restatements = new Set<string>();
  readonly #lastStatus = new Map<string, { readonly entryId: string; readonly isActive: boolean }>();
  readonly #restarted = new Set<string>();

  /** `splits` and `edits` are the organization's, both oldest first. */
  constructor(splits: Iterable<Entry>, edits: Iterable<Entry>, findSecurity: (id: string) => EditedSecurity | null) {
    for (const entry of splits) this.#learnSplit(entry);
    for (const entry of edits) this.#learnEdit(entry, findSecurity);
  }

  /** Notes a start of vesting. */
  learnStart({ securityId }: Pick<Entry, "securityId">): void {
    if (securityId !== null) this.#restarted.add(securityId);
  }

  /** Whether any split changed prices on the way. */
  get hasSplits(): boolean {
    return this.#barriers.length > 0;
  }

  /** By how much edits after `sequence` correct what the security held then; edits after a later split do not. */
  correction(securityId: string, sequence: number): Decimal {
    const corrections = this.#corrections.get(securityId) ?? [];
    return sum(corrections.filter((each) => each.sequence > sequence).map(({ difference }) => difference));
  }

  /**
   * Whether this edit cannot reach back to the issuance: a split lies between, or another operation made the security,
   * whose quantity the issuance must match.
   */
  isRestatement(entryId: string): boolean {
    return this.#restatements.has(entryId);
  }

  /** Whether this edit closes its security for good: the last to set its status, and not to ACTIVE. */
  isClosing(securityId: string, entryId: string): boolean {
    const last = this.#lastStatus.get(securityId);
    return last !== undefined && last.entryId === entryId && !last.isActive;
  }

  /** Whether an entry of its own moves the start of the security's vesting. */
  isRestarted(securityId: string): boolean {
    return this.#restarted.has(securityId);
  }

  #learnSplit(entry: Entry): void {
    const draft = toDraft(entry);
    if (draft === null) return;
    const { stockClassId, inferredSecurityIds } = readSplit(draft.metadata);
    const { sequence, createdAt } = entry;
    this.#barriers.push({ sequence, createdAt, stockClassId, inferred: new Set(inferredSecurityIds) });
  }

  #learnEdit(entry: Entry, findSecurity: (id: string) => EditedSecurity | null): void {
    const { before, after } = editOf(entry);
    const { securityId, sequence, id } = entry;
    if (securityId === null) return;
    if (after.status !== undefined) {
      this.#lastStatus.set(securityId, { entryId: id, isActive: after.status === "ACTIVE" });
    }
    if (typeof after.quantity !== "string" || typeof before.quantity !== "string") return;
    const difference = parseDecimal(after.quantity) - parseDecimal(before.quantity);
    if (difference === 0n) return;
    const security = findSecurity(securityId);
    if (security?.originSecurityId || this.#isBehindSplit(security, sequence)) {
      this.#restatements.add(id);
      return;
    }
    const list = this.#corrections.get(securityId) ?? [];
    list.push({ sequence, difference });
    this.#corrections.set(securityId, list);
  }

  #isBehindSplit(security: EditedSecurity | null, sequence: number): boolean {
    if (security === null) return false;
    return this.#barriers.some(
      (split) =>
        split.sequence < sequence &&
        split.createdAt >= security.createdAt &&
        (split.stockClassId === security.stockClassId || split.inferred.has(security.id)),
    );
  }
}

/** The members that a direct edit changed, before and after it. */
export function editOf(entry: Pick<Entry, "metadata">): {
  readonly before: Readonly<Record<string, unknown>>;
  readonly after: Readonly<Record<string, unknown>>;
} {
  const metadata = entry.metadata === null ? {} : JSON.parse(entry.metadata);
  return { before: metadata.before ?? {}, after: metadata.after ?? {} };
}
