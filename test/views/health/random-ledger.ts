// Random ledgers in memory: entries that follow from each other in the order of recording, dated as chance has it.
import fc from "fast-check";
import { formatDecimal, parseDecimal, ZERO } from "../../../src/kernel/numbers/decimal.ts";
import { readEntry } from "../../../src/ledger/replay/event.ts";
import type { StoredEntry } from "../../../src/ledger/replay/replay.ts";
import { LedgerState } from "../../../src/ledger/replay/state.ts";
import { applyEntry } from "../../../src/ledger/rules/apply.ts";
import type { EntryDraft, Metadata, SecurityState } from "../../../src/ledger/types.ts";

const CLASSES = ["A", "B"];
/** One for class A alone, whose reserve follows its splits, and one for both. */
const PLANS = [
  { id: "P", classes: ["A"] },
  { id: "Q", classes: ["A", "B"] },
];
const AUTHORIZED = "1000";
const RESERVED = "300.5";
const RATIOS = [
  [2, 1],
  [1, 3],
  [7, 5],
] as const;

/** An entry as it is stored, with its place. */
export type RandomEntry = StoredEntry & { readonly sequence: number };

/** What a ledger starts from. */
export const BEGINNING = {
  classes: CLASSES.map((id) => ({ id, initialSharesAuthorized: AUTHORIZED })),
  plans: PLANS.map(({ id, classes }) => ({
    id,
    initialSharesReserved: RESERVED,
    stockClassIds: JSON.stringify(classes),
  })),
};

/** A raw choice: which operation, on which security, how much of it, on which day. */
const choices = fc.array(
  fc.record({
    kind: fc.nat(99),
    which: fc.nat(1000),
    amount: fc.integer({ min: 1, max: 400 }),
    day: fc.nat(11),
  }),
  { minLength: 5, maxLength: 40 },
);

type Choice = typeof choices extends fc.Arbitrary<readonly (infer C)[]> ? C : never;

/** Ledgers of up to 40 entries on up to 12 days. */
export const randomLedgers: fc.Arbitrary<readonly RandomEntry[]> = choices.map((given) => {
  const ledger = new RandomLedger();
  for (const choice of given) ledger.add(choice);
  return ledger.entries;
});

class RandomLedger {
  readonly entries: RandomEntry[] = [];
  readonly #state = new LedgerState();
  #made = 0;

  constructor() {
    for (const id of CLASSES) {
      this.#state.classes.set(id, { id, authorized: parseDecimal(AUTHORIZED), issued: ZERO });
    }
    for (const { id, classes } of PLANS) {
      const reserved = parseDecimal(RESERVED);
      this.#state.plans.set(id, { id, reserved, available: reserved, stockClassIds: classes });
    }
  }

  add(choice: Choice): void {
    const draft = this.#draft(choice);
    if (draft === null) return;
    applyEntry(this.#state, readEntry(draft));
    const { metadata, recordOnly: _none, id: _id, ...columns } = draft;
    this.entries.push({
      ...columns,
      metadata: JSON.stringify(metadata),
      recordOnly: 0,
      sequence: this.entries.length + 1,
    });
  }

  #draft({ kind, which, amount, day }: Choice): EntryDraft | null {
    const effectiveDate = `2024-01-${String(day + 1).padStart(2, "0")}`;
    const entry = (
      type: EntryDraft["type"],
      metadata: Metadata,
      securityId: string | null,
      quantity: string | null,
    ) => ({
      ...{ type, securityId, stakeholderId: "h", quantity, effectiveDate },
      metadata: { rules: 2, ...metadata },
    });
    const stockClassId = CLASSES[which % CLASSES.length];
    if (kind < 30) return entry("STOCK_ISSUANCE", { stockClassId }, this.#newId(), `${amount}`);
    if (kind < 50) {
      const equityPlanId = PLANS[which % PLANS.length]?.id;
      return entry("STOCK_OPTION_ISSUANCE", { stockClassId: "A", equityPlanId }, this.#newId(), `${amount}.25`);
    }
    if (kind < 58) {
      const [numerator, denominator] = RATIOS[which % RATIOS.length] ?? [2, 1];
      const rounding = amount % 2 === 0 ? "FRACTIONAL" : "DOWN";
      const split = {
        numerator,
        denominator,
        rounding,
        stockClassId,
        equityPlanIds: stockClassId === "A" ? ["P"] : [],
      };
      return entry("STOCK_SPLIT", split, null, null);
    }
    if (kind < 63) {
      return entry("STOCK_CLASS_ADJUSTMENT", { stockClassId, newSharesAuthorized: `${amount * 4}` }, null, null);
    }
    if (kind < 68) {
      const equityPlanId = PLANS[which % PLANS.length]?.id;
      return entry("STOCK_PLAN_ADJUSTMENT", { equityPlanId, newSharesReserved: `${amount}` }, null, null);
    }
    const open = [...this.#state.securities.values()].filter(({ status, quantity }) => {
      return status === "ACTIVE" && quantity > ZERO;
    });
    const source = open[which % open.length];
    return source ? this.#onSecurity(source, { kind, amount, entry }) : null;
  }

  #onSecurity(source: SecurityState, { kind, amount, entry }: OnSecurity): EntryDraft {
    const { id, type, quantity } = source;
    const part = formatDecimal((quantity * BigInt((amount % 4) + 1)) / 4n || quantity);
    if (kind < 78) return entry(`${type}_TRANSFER`, { newSecurityId: this.#newId() }, id, part);
    if (kind < 86 && type === "STOCK_OPTION") {
      return entry("STOCK_OPTION_EXERCISE", { newSecurityId: this.#newId(), stockClassId: "A" }, id, part);
    }
    if (kind < 92) return entry(`${type}_CANCELLATION`, { returnToPool: amount % 2 === 0 }, id, part);
    const after = formatDecimal(quantity + parseDecimal(`${amount}`));
    const edit = { directEdit: true, before: { quantity: formatDecimal(quantity) }, after: { quantity: after } };
    return entry(`${type}_ISSUANCE`, { ...edit, difference: `${amount}` }, id, after);
  }

  #newId(): string {
    return `s${++this.#made}`;
  }
}

interface OnSecurity {
  readonly kind: number;
  readonly amount: number;
  readonly entry: (type: EntryDraft["type"], metadata: Metadata, id: string, quantity: string) => EntryDraft;
}
