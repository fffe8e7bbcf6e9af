// Effects of imported OCF transactions. OCF ends a security even if part of it stays, and issues the rest and the
// results as separate securities: so a transaction takes from its security what its entry names and creates nothing.
import { type Decimal, parseDecimal } from "../../kernel/numbers/decimal.ts";
import type { LedgerEvent } from "../replay/event.ts";
import type { LedgerState } from "../replay/state.ts";
import { reduceSecurity } from "./effects.ts";

/** Takes, returns or reprices as the entry says. */
export function applyImported(state: LedgerState, { entry, said }: LedgerEvent): void {
  const { securityId } = entry;
  const { imported, equityPlanId } = said;
  const { status, exercisePrice } = imported;
  const [taken, returned] = [quantity(imported.taken), quantity(imported.returned)];
  if (securityId !== null && taken !== null) reduceSecurity(state, securityId, taken, status);
  if (returned !== null) state.addAvailable(equityPlanId, returned);
  if (securityId !== null && exercisePrice !== null) state.changeSecurity(securityId, { exercisePrice });
}

function quantity(text: string | null): Decimal | null {
  return text === null ? null : parseDecimal(text);
}
