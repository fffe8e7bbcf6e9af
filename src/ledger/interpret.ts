// Works out the charges of a ledger that was written before they were known, and says what of it had to be interpreted
// (TRUTH, "Entries that exist"). For the migration alone. Pure.
import { InvariantError } from "../kernel/assert.ts";
import { type Decimal, formatDecimal, ZERO } from "../kernel/decimal.ts";
import { formatBasis } from "./charges.ts";
import { membersOf } from "./members.ts";
import { applyEntry } from "./registry.ts";
import { type StoredEntry, toDraft } from "./replay.ts";
import type { LedgerState } from "./state.ts";
import type { EntryDraft } from "./types.ts";

/** What a security charges, as its columns hold it. */
export interface WorkedOutCharge {
  readonly id: string;
  readonly planCharge: string | null;
  readonly chargeBasis: string | null;
}

/** Replays a ledger, entry by entry. */
export class ChargeReplay {
  readonly #state: LedgerState;
  #inherited = 0;
  #unreadable = 0;

  /** `state` is the cap table before the first entry. */
  constructor(state: LedgerState) {
    this.#state = state;
  }

  /** Replays the next entry. One that cannot follow from those before it is left out: `verify` names it. */
  apply(row: StoredEntry): void {
    const entry = toDraft(row);
    try {
      if (entry !== null) applyEntry(this.#state, entry);
      if (entry !== null && makesByInheriting(entry)) this.#inherited++;
    } catch (error) {
      if (!(error instanceof InvariantError)) throw error;
      this.#unreadable++;
    }
  }

  /** Every security that charges something, or would again if its quantity were corrected. */
  *charges(): Generator<WorkedOutCharge> {
    for (const { id, charge, chargeBasis } of this.#state.securities.values()) {
      if (charge === null && chargeBasis === null) continue;
      yield { id, planCharge: charge === null ? null : formatDecimal(charge), chargeBasis: formatBasis(chargeBasis) };
    }
  }

  /** What is to be told, in sentences; `nameOf` gives a plan's name. */
  *notes(nameOf: (planId: string) => string): Generator<string> {
    const used = this.#chargedOpen();
    for (const { id, reserved, available } of this.#state.plans.values()) {
      const charged = used.get(id) ?? ZERO;
      if (available >= ZERO && available + charged <= reserved) continue;
      const figures = `${formatDecimal(available)} available and ${formatDecimal(charged)} in use`;
      yield `The plan ${nameOf(id)} has ${figures} of ${formatDecimal(reserved)} reserved; it stays so.`;
    }
    if (this.#inherited > 0) {
      yield `${this.#inherited} transfers and exercises go on vesting by the terms that what they made inherited.`;
    }
    if (this.#unreadable > 0) {
      yield `${this.#unreadable} entries cannot follow from those before them and were left out; run captable verify.`;
    }
  }

  #chargedOpen(): Map<string, Decimal> {
    const used = new Map<string, Decimal>();
    for (const { status, charge, equityPlanId } of this.#state.securities.values()) {
      if (status !== "ACTIVE" || charge === null || equityPlanId === null) continue;
      used.set(equityPlanId, (used.get(equityPlanId) ?? ZERO) + charge);
    }
    return used;
  }
}

function makesByInheriting(entry: EntryDraft): boolean {
  const { type } = entry;
  return (type.endsWith("_TRANSFER") || type.endsWith("_EXERCISE")) && membersOf(entry).newSecurityId !== null;
}
