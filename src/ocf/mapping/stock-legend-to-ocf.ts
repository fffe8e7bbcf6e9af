// Stock legends as OCF's STOCK_LEGEND_TEMPLATE. Pure.
import type { Row } from "../../database/sql.ts";
import type { JsonObject } from "../json.ts";
import { commentsOf, compact } from "./values-to-ocf.ts";

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
