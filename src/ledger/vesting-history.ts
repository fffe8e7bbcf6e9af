// What the ledger says about one security, as the vesting engine reads it (DECISIONS section 9). Pure: the entries are
// loaded elsewhere.
import type { Row } from "../database/sql.ts";
import { type Decimal, parseDecimal, ZERO } from "../kernel/decimal.ts";
import type { VestingEntry, VestingHistory, VestingRules } from "../vesting/types.ts";
import { textOf } from "./effects.ts";
import { isImported } from "./imported.ts";
import { readSplit, splitFilter, splitQuantity } from "./split.ts";
import type { EntryDraft } from "./types.ts";

/** How a security vests: its terms (null where none apply), and what has happened to it. */
export interface SecurityVesting {
  readonly rules: VestingRules | null;
  readonly history: VestingHistory;
}

/** What the history of one security is made of. */
export interface VestingMaterial {
  readonly security: Pick<Row<"securities">, "id" | "type" | "stockClassId" | "grantDate" | "vestingStartDate">;
  /** The entry that made it, the entries that name it, and the organization's splits: in ledger order. */
  readonly entries: readonly EntryDraft[];
  /** Vesting entries of what it came from, from before it was made; oldest first. */
  readonly inherited: readonly EntryDraft[];
  readonly milestones: readonly Pick<Row<"vesting_milestones">, "quantity" | "completedAt">[];
}

const DATE_LENGTH = 10;

/** Puts a security's history together. Entries that only record something say nothing about vesting. */
export function assembleHistory({ security, entries, inherited, milestones }: VestingMaterial): VestingHistory {
  const { grantDate, vestingStartDate } = security;
  const reader = new HistoryReader(security, entries);
  return {
    grantDate,
    vestingStartDate,
    entries: [...inherited.flatMap(inheritedFact), ...entries.flatMap((entry) => reader.read(entry))],
    milestones: milestones.map(({ quantity, completedAt }) => ({
      quantity: quantity === null ? ZERO : parseDecimal(quantity),
      completedOn: completedAt?.slice(0, DATE_LENGTH) ?? null,
    })),
  };
}

/** Starts and events go along with the shares; accelerated quantities were the source's own. */
function inheritedFact(entry: EntryDraft): VestingEntry[] {
  return vestingFact(entry).filter(({ kind }) => kind === "STARTED" || kind === "HAPPENED");
}

function vestingFact({ type, effectiveDate: date, quantity, metadata, recordOnly }: EntryDraft): VestingEntry[] {
  const conditionId = textOf(metadata, "conditionId");
  if (recordOnly || textOf(metadata, "milestoneId") !== null) return [];
  if (type === "VESTING_START") return [{ kind: "STARTED", date, conditionId }];
  if (type === "VESTING_EVENT" && conditionId !== null) return [{ kind: "HAPPENED", date, conditionId }];
  return quantity === null ? [] : [{ kind: "ACCELERATED", date, quantity: parseDecimal(quantity) }];
}

/** Reads entries in order, keeping in mind what the security holds: a split changes what is there at that moment. */
class HistoryReader {
  readonly #security: VestingMaterial["security"];
  #held: Decimal = ZERO;
  #isActive = true;
  #stockClassId: string | null;

  constructor(security: VestingMaterial["security"], entries: readonly EntryDraft[]) {
    this.#security = security;
    this.#stockClassId = classAtFirst(security.stockClassId, entries);
  }

  read(entry: EntryDraft): VestingEntry[] {
    const { id } = this.#security;
    if (entry.recordOnly) return [];
    if (entry.type === "STOCK_SPLIT") return this.#split(entry);
    if (entry.metadata.directEdit === true && !entry.type.startsWith("VESTING")) return this.#edit(entry);
    if (textOf(entry.metadata, "newSecurityId") === id) return this.#made(entry);
    return entry.securityId === id ? this.#moved(entry) : [];
  }

  #split({ effectiveDate: date, metadata }: EntryDraft): VestingEntry[] {
    const split = readSplit(metadata);
    const [quantity, status] = [this.#held, this.#isActive ? "ACTIVE" : "CANCELLED"] as const;
    const { id, type } = this.#security;
    if (!splitFilter(split)({ id, type, status, quantity, stockClassId: this.#stockClassId })) return [];
    this.#hold(splitQuantity(quantity, split));
    const { numerator, denominator } = split;
    return [{ kind: "SPLIT", date, numerator, denominator, after: this.#held }];
  }

  #edit({ effectiveDate: date, metadata }: EntryDraft): VestingEntry[] {
    const after = (metadata.after ?? {}) as Readonly<Record<string, unknown>>;
    if (after.stockClassId !== undefined) this.#stockClassId = textOf(after, "stockClassId");
    if (after.status !== undefined) this.#isActive = after.status === "ACTIVE";
    const text = textOf(after, "quantity");
    if (text === null) return [];
    const difference = parseDecimal(text) - this.#held;
    this.#held += difference;
    if (difference === ZERO) return [];
    return difference > ZERO
      ? [{ kind: "ISSUED", date, quantity: difference }]
      : [{ kind: "CANCELLED", date, quantity: -difference }];
  }

  /** A conversion of stock issues what it makes by an entry of its own. */
  #made({ type, effectiveDate: date, quantity, metadata }: EntryDraft): VestingEntry[] {
    if (type === "STOCK_CANCELLATION") return [];
    const made = parseDecimal(textOf(metadata, "resultingQuantity") ?? quantity ?? "0");
    this.#hold(this.#held + made);
    return [{ kind: "ISSUED", date, quantity: made }];
  }

  #moved(entry: EntryDraft): VestingEntry[] {
    const { type, effectiveDate: date } = entry;
    if (type.startsWith("VESTING")) return vestingFact(entry);
    const moved = isImported(entry) ? textOf(entry.metadata, "ocfTaken") : entry.quantity;
    if (moved === null) return [];
    const quantity = parseDecimal(moved);
    const isIssue = type.endsWith("_ISSUANCE");
    this.#hold(this.#held + (isIssue ? quantity : -quantity));
    if (isIssue) return [{ kind: "ISSUED", date, quantity }];
    if (type.endsWith("_TRANSFER")) return [{ kind: "TRANSFERRED", date, quantity }];
    return [{ kind: type.endsWith("_EXERCISE") ? "EXERCISED" : "CANCELLED", date, quantity }];
  }

  #hold(quantity: Decimal): void {
    this.#held = quantity;
    if (quantity === ZERO) this.#isActive = false;
  }
}

/** The class before the first edit of it, which is the one of today where there was none. */
function classAtFirst(classNow: string | null, entries: readonly EntryDraft[]): string | null {
  for (const { metadata } of entries) {
    const before = (metadata.before ?? {}) as Readonly<Record<string, unknown>>;
    if (metadata.directEdit === true && before.stockClassId !== undefined) return textOf(before, "stockClassId");
  }
  return classNow;
}
