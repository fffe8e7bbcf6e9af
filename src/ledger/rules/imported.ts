// What an imported OCF transaction does. OCF ends a security even where part of it stays, and issues the rest and the
// results as securities of their own: so a transaction takes from its security what its entry names and makes nothing.
import { type Decimal, parseDecimal } from "../../kernel/numbers/decimal.ts";
import { membersOf } from "../members.ts";
import { type ApplyEntry, reduceSecurity } from "./effects.ts";

/** Takes, returns or reprices what the entry says. */
export const applyImported: ApplyEntry = (state, entry) => {
  const { securityId } = entry;
  const { imported, equityPlanId } = membersOf(entry);
  const { status, exercisePrice } = imported;
  const [taken, returned] = [quantity(imported.taken), quantity(imported.returned)];
  if (securityId !== null && taken !== null) reduceSecurity(state, securityId, taken, status);
  if (returned !== null) state.addAvailable(equityPlanId, returned);
  if (securityId !== null && exercisePrice !== null) state.changeSecurity(securityId, { exercisePrice });
};

function quantity(text: string | null): Decimal | null {
  return text === null ? null : parseDecimal(text);
}
