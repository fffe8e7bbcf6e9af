// Routes of valuations: the worth of a class's share on a day. Any status may follow any other.

import { listDatedSplits, priceInSharesOn } from "../../ledger/splits/dated-splits.ts";
import { recordEntries } from "../../ledger/writes/execute.ts";
import type { Row } from "../../storage/database/sql.ts";
import { crudRoutes, type Resource, showRecord } from "../crud.ts";
import { toColumns } from "../present.ts";
import type { Route } from "../route.ts";
import { inForceRoute } from "./in-force.ts";
import { VALUATION_EXAMPLE, Valuation, ValuationCreate, ValuationFilters, ValuationPatch } from "./schema.ts";
import { forgetValuation } from "./store.ts";

const valuations: Resource<Row<"valuations">, typeof ValuationCreate, typeof ValuationPatch> = {
  segment: "valuations",
  table: "valuations",
  name: "Valuation",
  plural: "Valuations",
  tag: "Valuations",
  about: "The worth of a class's share on a day. Prefer the status `EXPIRED` to deleting.",
  deleteNote: "References to it become null. Prefer the status `EXPIRED`.",
  listKey: "items",
  isWrapped: false,
  create: ValuationCreate,
  patch: ValuationPatch,
  record: Valuation,
  example: VALUATION_EXAMPLE,
  filters: ValuationFilters,
  derive(db, { orgId, today }) {
    const splits = listDatedSplits(db, orgId);
    return (row) => ({ pricePerShareToday: priceInSharesOn(today, row, splits) });
  },
  prepare(_tx, _call, given) {
    return toColumns(given);
  },
  alter(_tx, _call, _before, patch) {
    return toColumns(patch);
  },
  afterChange(tx, call, before, after) {
    recordEntries(tx, call, [
      {
        type: "VALUATION_UPDATE",
        securityId: null,
        stakeholderId: null,
        quantity: null,
        effectiveDate: call.today,
        metadata: { valuationId: after.id, ...describeChange(before, after) },
      },
    ]);
  },
  afterDelete: (tx, call, row) => forgetValuation(tx, call, row.id),
};

const [list, create, ...single] = crudRoutes(valuations) as [Route, Route, ...Route[]];

/** The routes of valuations. */
export const valuationRoutes: readonly Route[] = [list, create, inForceRoute(showRecord(valuations)), ...single];

const NOT_REPORTED = new Set(["seq", "updatedAt"]);

/**
 * The changed members with old and new values; free text is only named, because the ledger keeps its content for ever.
 */
function describeChange(before: Row<"valuations">, after: Row<"valuations">) {
  const names = Object.keys(after) as (keyof Row<"valuations">)[];
  const changed = names.filter((name) => !NOT_REPORTED.has(name) && before[name] !== after[name]);
  const figures = (row: Row<"valuations">) =>
    Object.fromEntries(changed.filter((name) => name !== "comments").map((name) => [name, row[name]]));
  return { changed, before: figures(before), after: figures(after) };
}
