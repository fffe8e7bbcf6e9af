// The fields of a vesting milestone.
import { date, EXTENSION, freeText, id, optional, positiveDecimal, text } from "../../kernel/fields.ts";

/** The body of a vesting milestone. */
export const VESTING_MILESTONE_FIELDS = {
  name: text(100, { description: "The milestone's name.", examples: ["First paying customer"] }),
  description: optional(freeText(500, { description: "Free text, for people." })),
  targetDate: optional(date({ description: "When it should be reached." })),
  securityId: optional(id({ description: "The security that vests; with `quantity` or not at all.", ...EXTENSION })),
  quantity: optional(positiveDecimal({ description: "The shares that vest on completion.", ...EXTENSION })),
};
