// Schemas of stock legends: request bodies and answers.
import { Type } from "@sinclair/typebox";
import { body, patchOf } from "../../kernel/fields.ts";
import { STOCK_LEGEND_FIELDS } from "../../storage/records/stock-legend.ts";
import { RECORD_HEAD, RECORD_TAIL, shown } from "../present.ts";

/** The body of `POST /stock-legends`. */
export const StockLegendCreate = body(STOCK_LEGEND_FIELDS);
/** The body of `PATCH /stock-legends/{id}`. */
export const StockLegendPatch = patchOf(StockLegendCreate);
/** A stock legend as answers show it. */
export const StockLegend = Type.Object({ ...RECORD_HEAD, ...shown(STOCK_LEGEND_FIELDS), ...RECORD_TAIL });

export const STOCK_LEGEND_EXAMPLE = {
  name: "Securities Act legend",
  text: "The securities represented hereby have not been registered under the Securities Act of 1933.",
};
