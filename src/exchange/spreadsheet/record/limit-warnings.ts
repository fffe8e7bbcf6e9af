// Warns of classes and plans that exceed their limits after an import: like every import, it does not refuse them.
import { isDecimalText, parseDecimal, ZERO } from "../../../kernel/numbers/decimal.ts";
import { listClasses, listPlans } from "../store.ts";
import type { Importing } from "./importing.ts";

/** Warns of each class that is over-issued, and of each plan that is overdrawn. */
export function tellLimits({ tx, found }: Importing, orgId: string): void {
  for (const { name, issued, currentSharesAuthorized: authorized } of listClasses(tx, { orgId })) {
    if (!isDecimalText(authorized) || parseDecimal(issued) <= parseDecimal(authorized)) continue;
    const detail = `${name} would have ${issued} issued of ${authorized} authorized`;
    found.warning(
      "over-issued",
      { sheet: "Share classes", value: name },
      detail,
      "Check the class's authorized shares.",
    );
  }
  for (const { planName, currentSharesReserved: available } of listPlans(tx, { orgId })) {
    if (parseDecimal(available) >= ZERO) continue;
    const detail = `${planName} would have ${available} available`;
    found.warning("overdrawn", { sheet: "Equity plans", value: planName }, detail, "Check the plan's reserve.");
  }
}
