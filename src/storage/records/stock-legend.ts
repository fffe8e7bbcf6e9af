// The fields of a stock legend.
import { freeText, optional, requiredFreeText, text } from "../../kernel/fields.ts";
import type { Register } from "./register.ts";

/** The body of a stock legend. */
export const STOCK_LEGEND_FIELDS = {
  name: text(200, { description: "The legend's name." }),
  text: requiredFreeText(2000, { description: "The text printed on the certificate." }),
  comments: optional(freeText(2000, { description: "Free text, for people." })),
};

/** How stock legends are listed. */
export const STOCK_LEGEND_REGISTER = {
  title: "Stock legends",
  none: "No stock legends yet. Add them through the API, or import them with an Open Cap Format package.",
  hasOwnPage: true,
  list: { name: "Name", text: "Text on the certificate", comments: "Note" },
  filters: { q: "Name or text" },
} as const satisfies Register;
