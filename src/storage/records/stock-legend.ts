// The fields of a stock legend.
import { freeText, optional, requiredFreeText, text } from "../../kernel/fields.ts";

/** What anybody may say of a stock legend. */
export const STOCK_LEGEND_FIELDS = {
  name: text(200),
  text: requiredFreeText(2000, { description: "What is printed on the certificate." }),
  comments: optional(freeText()),
};
