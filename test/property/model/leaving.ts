// Somebody leaves: what has not vested of each option goes, what has may be exercised until the window ends.
import { isTooEarly, latestThrough, TOMORROW } from "./dates.ts";
import { held, vestedBy } from "./parcels.ts";
import { record } from "./record.ts";
import { refuseIf } from "./refusal.ts";
import { isOpen, type Model, securityOf, vestingOf } from "./state.ts";
import type { Leaving } from "./step.ts";
import { standing } from "./vesting.ts";

/** Ends a holder's service. */
export function leave(model: Model, { holder, days, date }: Leaving): void {
  refuseIf(date > TOMORROW, "validation-failed");
  const isTheirs = (index: number) => {
    const security = model.securities[index];
    return security?.kind === "STOCK_OPTION" && security.holder === holder && !security.isDeleted;
  };
  const isLateExercise = ({ date: day, effect }: Model["log"][number]) =>
    effect.does === "move" && effect.closed === "EXERCISED" && isTheirs(effect.security) && day > date;
  refuseIf(model.log.some(isLateExercise), "invalid-state");
  for (const [index, each] of model.securities.entries()) {
    if (!isTheirs(index) || !isOpen(each)) continue;
    const parcels = standing(model, index);
    const quantity = held(parcels) - vestedBy(parcels, date);
    if (quantity > 0n) {
      refuseIf(isTooEarly(date, latestThrough(model, index)), "invalid-state");
      vestingOf(model, index).facts.push({ is: "cut", entry: model.log.length, date, quantity, vested: null });
      const effect = { does: "take", security: index, quantity, closed: "CANCELLED", returns: true } as const;
      record(model, { date, on: [index], effect });
    }
    const option = securityOf(model, index);
    if (days === null || option.quantity === 0n) continue;
    const end = Temporal.PlainDate.from(date).add({ days }).toString();
    if (option.expires !== null && end >= option.expires) continue;
    refuseIf(isMadeAfter(model, index, date), "invalid-state");
    option.expires = end;
  }
}

function isMadeAfter({ log }: Model, security: number, day: string): boolean {
  return log.some(({ date, effect }) => "made" in effect && effect.made === security && date > day);
}
