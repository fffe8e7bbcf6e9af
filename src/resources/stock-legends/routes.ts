// Routes of stock legends: texts that share classes and securities carry on their certificates.

import { problem } from "../../kernel/problem.ts";
import type { Row } from "../../storage/database/sql.ts";
import { crudRoutes, type Resource } from "../crud.ts";
import { toColumns } from "../present.ts";
import { STOCK_LEGEND_EXAMPLE, StockLegend, StockLegendCreate, StockLegendPatch } from "./schema.ts";
import { isLegendNamed } from "./store.ts";

const stockLegends: Resource<Row<"stock_legends">, typeof StockLegendCreate, typeof StockLegendPatch> = {
  segment: "stock-legends",
  table: "stock_legends",
  name: "StockLegend",
  plural: "StockLegends",
  tag: "Stock legends",
  about: "Texts that share classes and securities carry on their certificates.",
  deleteNote: "Refused while a record names it.",
  listKey: "items",
  isWrapped: false,
  isExtension: true,
  create: StockLegendCreate,
  patch: StockLegendPatch,
  record: StockLegend,
  example: STOCK_LEGEND_EXAMPLE,
  prepare: (_tx, _call, given) => toColumns(given),
  alter: (_tx, _call, _before, patch) => toColumns(patch),
  checkDelete(tx, call, row) {
    if (isLegendNamed(tx, call.orgId, row.id)) {
      throw problem("in-use", "A share class or security names the stock legend.");
    }
  },
};

/** The five routes of stock legends. */
export const stockLegendRoutes = crudRoutes(stockLegends);
