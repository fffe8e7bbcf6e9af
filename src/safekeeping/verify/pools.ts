// Verifies plans' pools: each entry's charges follow from the entries before it, and no plan exceeds its reserve. Pure.
import { type Decimal, formatDecimal, ZERO } from "../../kernel/numbers/decimal.ts";
import { membersOf } from "../../ledger/members.ts";
import { readEntry } from "../../ledger/replay/event.ts";
import type { LedgerState } from "../../ledger/replay/state.ts";
import { type ChargeChange, chargesOf, readCharges } from "../../ledger/rules/charges.ts";
import type { EntryDraft } from "../../ledger/types.ts";
import type { Tell } from "./report.ts";

/** Plans without a promised lower bound: imported entries concern them. */
export class UnboundPlans {
  readonly #ids = new Set<string>();

  /** Notes an entry, by the cap table before it. */
  note(state: LedgerState, entry: EntryDraft): void {
    const { equityPlanId, imported, isFromSpreadsheet } = membersOf(entry);
    const isUnbound = imported.objectType !== null || isFromSpreadsheet;
    if (entry.recordOnly || !isUnbound) return;
    const ofSecurity = state.securities.get(entry.securityId ?? "")?.equityPlanId;
    for (const id of [equityPlanId, ofSecurity]) if (typeof id === "string") this.#ids.add(id);
  }

  has(planId: string): boolean {
    return this.#ids.has(planId);
  }
}

/** What is wrong with an entry's charges, or null: they follow from the cap table before it. */
export function chargesUnlike(state: LedgerState, entry: EntryDraft): string | null {
  if (entry.recordOnly || membersOf(entry).imported.objectType !== null) return null;
  const event = readEntry(entry);
  const [told, should] = [readCharges(event.said), chargesOf(state, event)].map((list) => list.map(inWords));
  if (told?.join() === should?.join()) return null;
  return `it says the charges ${told?.join(", ") || "none"}, and ${should?.join(", ") || "none"} follow from before it`;
}

function inWords({ securityId, equityPlanId, before, after }: ChargeChange): string {
  const figure = (value: Decimal | null) => (value === null ? "nothing" : formatDecimal(value));
  return `${figure(before)} to ${figure(after)} of ${securityId} on ${equityPlanId}`;
}

/** Reports each plan that exceeds its reserve: a difference, or a note if the plan was never bound. */
export function comparePools(state: LedgerState, unbound: UnboundPlans, tell: Tell, note: Tell): void {
  const charged = new Map<string, Decimal>();
  for (const { status, charge, equityPlanId } of state.securities.values()) {
    if (status !== "ACTIVE" || charge === null || equityPlanId === null) continue;
    charged.set(equityPlanId, (charged.get(equityPlanId) ?? ZERO) + charge);
  }
  for (const { id, reserved, available } of state.plans.values()) {
    const used = charged.get(id) ?? ZERO;
    if (available >= ZERO && available + used <= reserved) continue;
    const figures = `${formatDecimal(available)} available and ${formatDecimal(used)} in use`;
    const detail = `it has ${figures} of ${formatDecimal(reserved)} reserved`;
    const say = unbound.has(id) ? note : tell;
    say({ code: "pool-exceeded", subject: `equity plan ${id}`, detail });
  }
}
