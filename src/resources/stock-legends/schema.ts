// Stock legends on the wire (DECISIONS section 12).
import { Type } from "@sinclair/typebox";
import { body, freeText, optional, patchOf, requiredFreeText, text } from "../../kernel/fields.ts";
import { RECORD_HEAD, RECORD_TAIL, shown } from "../present.ts";

const fields = {
  name: text(200),
  text: requiredFreeText(2000, { description: "What is printed on the certificate." }),
  comments: optional(freeText()),
};

/** The body of `POST /stock-legends`. */
export const StockLegendCreate = body(fields);
/** The body of `PATCH /stock-legends/{id}`. */
export const StockLegendPatch = patchOf(StockLegendCreate);
/** A stock legend as answers show it. */
export const StockLegend = Type.Object({ ...RECORD_HEAD, ...shown(fields), ...RECORD_TAIL });

export const STOCK_LEGEND_EXAMPLE = {
  name: "Securities Act legend",
  text: "The securities represented hereby have not been registered under the Securities Act of 1933.",
};
