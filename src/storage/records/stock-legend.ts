// The fields of a stock legend.
import { freeText, optional, requiredFreeText, text } from "../../kernel/fields.ts";

/** The body of a stock legend. */
export const STOCK_LEGEND_FIELDS = {
  name: text(200, { description: "The legend's name." }),
  text: requiredFreeText(2000, { description: "The text printed on the certificate." }),
  comments: optional(freeText(2000, { description: "Free text, for people." })),
};
