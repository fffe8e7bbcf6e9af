// STOCK_LEGEND_TEMPLATE ↔ stock legend (OCF.md section 7.7). Pure.
import type { Row } from "../../database/sql.ts";
import { type JsonObject, textOf } from "../json.ts";
import { commentsText, requiredText } from "./values.ts";
import { commentsOf, compact } from "./values-to-ocf.ts";

/** The columns that OCF carries. */
export const STOCK_LEGEND_COLUMNS = [
  "name",
  "text",
  "comments",
] as const satisfies readonly (keyof Row<"stock_legends">)[];

/** What an OCF legend becomes. Throws `Refusal` without a name. */
export function stockLegendFromOcf(value: JsonObject) {
  return {
    name: requiredText(value, "name"),
    text: textOf(value, "text") ?? "",
    comments: commentsText(value),
  } as const;
}

/** A legend as OCF writes one. */
export function stockLegendToOcf(row: Row<"stock_legends">): JsonObject {
  return compact({
    object_type: "STOCK_LEGEND_TEMPLATE",
    id: row.id,
    name: row.name,
    text: row.text,
    comments: commentsOf(row.comments),
  });
}
