// Classes and plans that an import leaves over their limits: told, as every import tells them, and not refused.
import { isDecimalText, parseDecimal, ZERO } from "../../../kernel/numbers/decimal.ts";
import { listClasses, listPlans } from "../store.ts";
import type { Importing } from "./importing.ts";

/** Tells of each class that is over-issued, and of each plan that is overdrawn. */
export function tellLimits({ tx, found }: Importing, orgId: string): void {
  for (const { name, issued, currentSharesAuthorized: authorized } of listClasses(tx, { orgId })) {
    if (!isDecimalText(authorized) || parseDecimal(issued) <= parseDecimal(authorized)) continue;
    const detail = `${name} would have ${issued} issued of ${authorized} authorized`;
    found.warning(
      "over-issued",
      { sheet: "Share classes", value: name },
      detail,
      "Look at the class's authorized shares.",
    );
  }
  for (const { planName, currentSharesReserved: available } of listPlans(tx, { orgId })) {
    if (parseDecimal(available) >= ZERO) continue;
    const detail = `${planName} would have ${available} available`;
    found.warning("overdrawn", { sheet: "Equity plans", value: planName }, detail, "Look at the plan's reserve.");
  }
}
