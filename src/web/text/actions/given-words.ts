// Words about what forms put in by themselves.
import { dayText, quantityText } from "../../locale.ts";

export const GIVEN = {
  noValuation: "No 409A valuation is in force on this day.",
  below: (price: string, day: string) => `Below the 409A in force, ${quantityText(price)} of ${dayText(day)}.`,
  valuation: (price: string, day: string) => `The 409A in force is ${quantityText(price)} of ${dayText(day)}.`,
  noTerms: "Without terms all of it is vested at once.",
  byRight: "Left empty, the number that the right of its class gives.",
  net: "The number on the paper; left empty, by the value of a share.",
  exercisable: (quantity: string) => `${quantityText(quantity)} can be exercised now.`,
} as const;
