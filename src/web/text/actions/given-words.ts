// Notes below fields that a form fills in: the valuation in force, the terms, exercisable quantities.
import { dayText, quantityText } from "../../locale.ts";

export const GIVEN = {
  noValuation: "No 409A valuation is in force on this date.",
  below: (price: string, day: string) => `Below the 409A valuation in force: ${quantityText(price)}, ${dayText(day)}.`,
  valuation: (price: string, day: string) => `409A valuation in force: ${quantityText(price)}, ${dayText(day)}.`,
  noTerms: "Fully vested at issuance if there are no terms.",
  byRight: "Leave empty for the number by the conversion right of the class.",
  net: "The number on the signed paper. Leave empty to compute it from the value per share.",
  exercisable: (quantity: string) => `${quantityText(quantity)} can be exercised now.`,
} as const;
