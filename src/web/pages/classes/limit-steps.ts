// The steps by which a limit became what it is, out of the entries of the ledger. Pure.

/** Which limit, and of what. */
export interface LimitOf {
  readonly kind: "class" | "plan";
  readonly id: string;
}

/** What is read of an entry. */
export interface LimitEntry {
  readonly id: string;
  readonly type: string;
  readonly sequence: number;
  readonly effectiveDate: string;
  readonly metadata: Readonly<Record<string, unknown>> | null;
}

/** A step: the new limit, or the ratio by which a split changed it. */
export interface LimitStep {
  readonly entry: LimitEntry;
  readonly limit: string | null;
  readonly ratio: { readonly numerator: string; readonly denominator: string } | null;
}

const MEMBERS = {
  class: { type: "STOCK_CLASS_ADJUSTMENT", id: "stockClassId", figure: "newSharesAuthorized" },
  plan: { type: "STOCK_PLAN_ADJUSTMENT", id: "equityPlanId", figure: "newSharesReserved" },
} as const;

/** Whether a split changed the limit; an imported one of stock alone changed none. */
function isSplitOf({ kind, id }: LimitOf, { metadata }: LimitEntry): boolean {
  if (metadata?.isStockOnly === true) return false;
  if (kind === "class") return metadata?.stockClassId === id;
  return Array.isArray(metadata?.equityPlanIds) && metadata.equityPlanIds.includes(id);
}

/** The steps in the order of the ledger; other entries are left out. */
export function limitSteps(of: LimitOf, entries: readonly LimitEntry[]): readonly LimitStep[] {
  const members = MEMBERS[of.kind];
  const steps = entries.flatMap((entry): LimitStep[] => {
    const { type, metadata } = entry;
    if (type === "STOCK_SPLIT" && isSplitOf(of, entry)) {
      const ratio = { numerator: String(metadata?.numerator), denominator: String(metadata?.denominator) };
      return [{ entry, limit: null, ratio }];
    }
    if (type !== members.type || metadata?.[members.id] !== of.id) return [];
    return [{ entry, limit: String(metadata[members.figure]), ratio: null }];
  });
  return steps.toSorted((a, b) => a.entry.sequence - b.entry.sequence);
}
