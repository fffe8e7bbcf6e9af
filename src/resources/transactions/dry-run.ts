// Effects of a dry run: each member of a record that would change. Pure.
import { type Decimal, formatDecimal } from "../../kernel/numbers/decimal.ts";
import type { Described } from "../../ledger/operation.ts";
import type { LedgerState } from "../../ledger/replay/state.ts";
import type { ClassState, PlanState, SecurityState } from "../../ledger/types.ts";
import type { Effect } from "../route.ts";

type Members = Readonly<Record<string, unknown>>;

/** Lists every member in which `after` differs from `before`, named as the API names it. */
export function describeEffects(
  before: LedgerState,
  after: LedgerState,
  described: readonly Described[] = [],
): Effect[] {
  return [
    ...described,
    ...differences("security", before.securities, after.securities, securityMembers),
    ...differences("share-class", before.classes, after.classes, classMembers),
    ...differences("equity-plan", before.plans, after.plans, planMembers),
  ];
}

function differences<S>(
  resourceType: Effect["resourceType"],
  before: ReadonlyMap<string, S>,
  after: ReadonlyMap<string, S>,
  members: (state: S) => Members,
): Effect[] {
  const effects: Effect[] = [];
  for (const [id, now] of after) {
    const was = before.get(id);
    if (was === now) continue;
    const old = was === undefined ? null : members(was);
    for (const [field, value] of Object.entries(members(now))) {
      const previous = old?.[field] ?? null;
      if (previous === value) continue;
      effects.push({ resourceType, id: was === undefined ? null : id, field, before: previous, after: value });
    }
  }
  return effects;
}

function securityMembers(state: SecurityState): Members {
  const { type, status, stakeholderId, stockClassId, equityPlanId, pricePerShare, exercisePrice } = state;
  const quantity = formatDecimal(state.quantity);
  const planCharge = figure(state.charge);
  const holding = { type, status, quantity, stakeholderId, stockClassId, equityPlanId, planCharge };
  return { ...holding, pricePerShare, exercisePrice };
}

function classMembers(state: ClassState): Members {
  return { currentSharesAuthorized: figure(state.authorized), issued: figure(state.issued) };
}

function planMembers(state: PlanState): Members {
  return { totalSharesReserved: figure(state.reserved), currentSharesReserved: figure(state.available) };
}

function figure(value: Decimal | null): string | null {
  return value === null ? null : formatDecimal(value);
}
