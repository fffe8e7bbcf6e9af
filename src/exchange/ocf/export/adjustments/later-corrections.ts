// Direct edits of the whole ledger, collected before its first entry is written as OCF: an edit is a correction, so an
// issuance already shows the quantity that a later edit gave the security. Pure.

import { type Decimal, sum, ZERO } from "../../../../kernel/numbers/decimal.ts";
import type { SplitEvent } from "../../../../ledger/replay/event.ts";
import { splitIn } from "../../../../ledger/replay/replay.ts";
import type { SecurityState } from "../../../../ledger/types.ts";
import type { Row } from "../../../../storage/database/sql.ts";

type Entry = Row<"transactions">;

/** A split, as far as it keeps later corrections from reaching back over it. */
interface Barrier {
  readonly sequence: number;
  readonly createdAt: string;
  readonly stockClassId: string;
  readonly inferred: ReadonlySet<string>;
  /** The securities that an imported split names; null for one that was made here. */
  readonly named: ReadonlySet<string> | null;
}

/** A security that an edit concerns. */
export type EditedSecurity = Pick<Row<"securities">, "id" | "createdAt" | "stockClassId" | "originSecurityId">;

/** A change of what a security holds. */
export interface Restatement {
  readonly from: Decimal;
  readonly to: Decimal;
}

/** What later entries change about earlier ones. */
export class LaterCorrections {
  readonly #barriers: Barrier[] = [];
  readonly #corrections = new Map<string, { readonly sequence: number; readonly difference: Decimal }[]>();
  /** By edit: from how much to how much it takes a security that its issuance cannot follow. */
  readonly #restatements = new Map<string, Restatement>();
  /** By security: the edit that closed it, and what it held; forgotten when a later one opens it again. */
  readonly #closings = new Map<string, { readonly entryId: string; readonly held: Decimal }>();
  /** Securities that an imported transaction ended: it goes out as it came, after which the issuance counts no more. */
  readonly #endedByImport = new Set<string>();
  /** Securities that a split has concerned. */
  readonly #split = new Set<string>();
  readonly #restarted = new Set<string>();
  readonly #reclassified = new Set<string>();
  readonly #takenBack = new Set<string>();

  /** `splits` are the organization's, oldest first; every place is one in the order of the export. */
  constructor(splits: Iterable<Entry>, placeOf: (sequence: number) => number) {
    for (const entry of splits) this.#learnSplit({ ...entry, sequence: placeOf(entry.sequence) });
  }

  /** Notes a start of vesting. */
  learnStart({ securityId }: Pick<Entry, "securityId">): void {
    if (securityId !== null) this.#restarted.add(securityId);
  }

  /** Notes what a split concerns, in the order of the ledger: a later edit may move it to another class. */
  learnConcerned({ concerns }: SplitEvent, securities: ReadonlyMap<string, SecurityState>): void {
    for (const security of securities.values()) if (concerns(security)) this.#split.add(security.id);
  }

  /** Whether an imported split concerns the security after a place in the ledger. */
  isSplitByImport(securityId: string, sequence: number): boolean {
    return this.#barriers.some((split) => split.sequence > sequence && split.named?.has(securityId) === true);
  }

  /** The place of the next split that concerns a security, behind a place; null for none. */
  nextSplit({ id, stockClassId }: Pick<EditedSecurity, "id" | "stockClassId">, sequence: number): number | null {
    const later = this.#barriers.filter(
      (split) =>
        split.sequence > sequence &&
        (split.named === null ? split.stockClassId === stockClassId || split.inferred.has(id) : split.named.has(id)),
    );
    return later.length === 0 ? null : Math.min(...later.map((split) => split.sequence));
  }

  /** Whether an import splits the class. */
  isClassSplitByImport(stockClassId: string | null): boolean {
    return this.#barriers.some((split) => split.named !== null && split.stockClassId === stockClassId);
  }

  /** Notes that an imported transaction ended a security, in the order of the ledger. */
  learnImportedEnd(securityId: string): void {
    this.#endedByImport.add(securityId);
  }

  /**
   * Notes a direct edit, in the order of the ledger, with the security before and after it. What it corrects is what
   * the security counts: a closed one counts nothing, and closing one by its status is no correction but its end.
   */
  learnEdit(entry: Entry, was: SecurityState, now: SecurityState, row: EditedSecurity): void {
    if (was.stockClassId !== now.stockClassId) this.#reclassified.add(was.id);
    const closing = this.#closings.get(was.id);
    const isCutOff =
      this.#split.has(was.id) || this.#endedByImport.has(was.id) || this.#isBehindSplit(row, entry.sequence);
    if (now.status !== "ACTIVE") {
      if (was.status === "ACTIVE") this.#closings.set(was.id, { entryId: entry.id, held: was.quantity });
      return;
    }
    let from = was.status === "ACTIVE" ? was.quantity : ZERO;
    if (closing && !isCutOff) {
      this.#closings.delete(was.id);
      from = closing.held;
    }
    if (from === now.quantity) return;
    if (row.originSecurityId !== null || isCutOff) {
      this.#restatements.set(entry.id, { from, to: now.quantity });
      return;
    }
    const list = this.#corrections.get(was.id) ?? [];
    list.push({ sequence: entry.sequence, difference: now.quantity - from });
    this.#corrections.set(was.id, list);
  }

  /** Whether any split changed prices on the way. */
  get hasSplits(): boolean {
    return this.#barriers.length > 0;
  }

  /** By how much each edit after `sequence` corrects what the security held then. */
  listAfter(securityId: string, sequence: number): readonly Decimal[] {
    const corrections = this.#corrections.get(securityId) ?? [];
    return corrections.filter((each) => each.sequence > sequence).map(({ difference }) => difference);
  }

  /** By how much edits after `sequence` correct what the security held then; edits after a later split do not. */
  sumAfter(securityId: string, sequence: number): Decimal {
    return sum(this.listAfter(securityId, sequence));
  }

  /**
   * What this edit does to a quantity where it cannot reach back to the issuance: a split or an imported end lies
   * between, or another operation made the security, whose quantity the issuance must match. Null for any other edit.
   */
  findRestatement(entryId: string): Restatement | null {
    return this.#restatements.get(entryId) ?? null;
  }

  /** Whether this edit closes its security for good. */
  isClosing(securityId: string, entryId: string): boolean {
    return this.#closings.get(securityId)?.entryId === entryId;
  }

  /** Notes an edit that a correction takes back. */
  learnTakenBack(entryId: string): void {
    this.#takenBack.add(entryId);
  }

  /** Whether a correction took the edit back. */
  isTakenBack(entryId: string): boolean {
    return this.#takenBack.has(entryId);
  }

  /** Whether an edit moved the security to another class. */
  isReclassified(securityId: string): boolean {
    return this.#reclassified.has(securityId);
  }

  /** The securities that an edit moved to another class. */
  get reclassified(): Iterable<string> {
    return this.#reclassified;
  }

  /** Whether an entry of its own moves the start of the security's vesting. */
  isRestarted(securityId: string): boolean {
    return this.#restarted.has(securityId);
  }

  #learnSplit(entry: Entry): void {
    const split = splitIn(entry);
    if (split === null) return;
    const { stockClassId, inferredSecurityIds, securityIds } = split;
    const { sequence, createdAt } = entry;
    const named = securityIds && new Set(securityIds);
    this.#barriers.push({ sequence, createdAt, stockClassId, inferred: new Set(inferredSecurityIds), named });
  }

  #isBehindSplit(security: EditedSecurity, sequence: number): boolean {
    return this.#barriers.some(
      (split) =>
        split.sequence < sequence &&
        split.createdAt >= security.createdAt &&
        (split.stockClassId === security.stockClassId || split.inferred.has(security.id)),
    );
  }
}
