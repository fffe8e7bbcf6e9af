// Codec of STOCK_LEGEND_TEMPLATE ↔ stock legend. Pure.
import type { Row } from "../../../storage/database/sql.ts";
import { type JsonObject, textOf } from "../json.ts";
import type { RecordCodec } from "./record-codec.ts";
import { commentsText, requiredText } from "./values.ts";
import { commentsOf, compact } from "./values-to-ocf.ts";

/** Stock legends in OCF. */
export const STOCK_LEGEND: RecordCodec<"stock_legends"> = {
  objectType: "STOCK_LEGEND_TEMPLATE",
  table: "stock_legends",
  noun: "stock legend",
  counted: "stockLegends",
  columns: ["name", "text", "comments"],
  references: [],
  fromOcf: stockLegendFromOcf,
  toOcf: stockLegendToOcf,
};

/** What an OCF legend becomes. Throws `Refusal` without a name. */
function stockLegendFromOcf(value: JsonObject) {
  return {
    name: requiredText(value, "name"),
    text: textOf(value, "text") ?? "",
    comments: commentsText(value),
  };
}

/** A legend as OCF writes one. */
function stockLegendToOcf(row: Row<"stock_legends">): JsonObject {
  return compact({
    object_type: "STOCK_LEGEND_TEMPLATE",
    id: row.id,
    name: row.name,
    text: row.text,
    comments: commentsOf(row.comments),
  });
}
