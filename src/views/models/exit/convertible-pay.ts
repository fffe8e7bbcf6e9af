// Payment of a convertible at an exit, and the shares that it may convert into. Pure.
import type { CalendarDate } from "../../../kernel/date.ts";
import {
  add,
  compare,
  type Fraction,
  NOTHING,
  ofDecimal,
  ofPercent,
  over,
  reduced,
  subtract,
  times,
  WHOLE,
} from "../fraction.ts";
import { interestOn } from "../interest.ts";
import { type ConvertibleHeld, fixedShares, percentOf } from "../model-company.ts";
import { adoptable, isMfn } from "../round/converting.ts";
import type { Pay } from "./unit.ts";

type ExitMechanism = ConvertibleHeld["terms"]["mechanism"];

/**
 * The mechanism of a convertible at an exit: with `mfn` that of the later SAFE with the lowest cap, unless one is
 * elected. Its own cap stays where no later one is lower: no holder takes terms that are worse.
 */
export function exitMechanism(
  security: ConvertibleHeld,
  all: readonly ConvertibleHeld[],
  elected: ConvertibleHeld | null | undefined,
): ExitMechanism {
  const own = security.terms.mechanism;
  if (!isMfn(security) || elected === null) return own;
  if (elected) return elected.terms.mechanism;
  const capOf = (mechanism: ExitMechanism) => (mechanism.type === "SAFE" ? mechanism.cap : null);
  let best = own;
  for (const { terms } of adoptable(security, all)) {
    const [cap, lowest] = [capOf(terms.mechanism), capOf(best)];
    if (cap !== null && (lowest === null || cap < lowest)) best = terms.mechanism;
  }
  return best;
}

export function convertiblePay(
  security: ConvertibleHeld,
  mechanism: ExitMechanism,
  exitDate: CalendarDate,
  whole: Fraction,
): Pay {
  const interest = ofDecimal(interestOn(security.quantity, security.terms.interest, exitDate));
  const principal = ofDecimal(security.quantity);
  const amount = add(principal, interest);
  const priced = mechanism.type === "SAFE" || mechanism.type === "NOTE" ? mechanism : null;
  const multiple = priced?.exitMultiple ?? null;
  const cash = add(multiple === null ? principal : times(principal, ofDecimal(multiple)), interest);
  const discounted =
    priced?.type === "SAFE" ? over(amount, subtract(WHOLE, ofPercent(priced.discountPercent))) : NOTHING;
  const premium = compare(discounted, cash) > 0 ? subtract(discounted, cash) : NOTHING;
  const common = { kind: "CONVERTIBLE", security, cash, premium } as const;
  if (mechanism.type === "FIXED") return { ...common, shares: fixedShares(mechanism), part: null };
  if (mechanism.type === "PERCENT") return { ...common, shares: null, part: percentOf(mechanism) };
  if (!priced || priced.cap === null) return { ...common, shares: null, part: null };
  const part = reduced(over(amount, ofDecimal(priced.cap)));
  const isOfWhole = priced.rules.includeThisSecurity && priced.rules.includeOtherConvertingSecurities;
  return isOfWhole ? { ...common, shares: null, part } : { ...common, shares: times(part, whole), part: null };
}
