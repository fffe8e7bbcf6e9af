// What an independent reader makes of an organization's export, in terms of what the API shows.
import type { Fields } from "../exchange/ocf/objects.ts";
import { type ReadTotals, readTotals } from "../exchange/ocf/reader.ts";
import { type Exported, objectsOf } from "./cut.ts";
import { show, units } from "./model/units.ts";

/**
 * What an export adds up to, in terms of what the API shows: without the classes and plans that were deleted, which go
 * out for old entries, and with the API's reserve where the export says that it had to write another.
 */
export function comparable(exported: Exported, shown: ReadTotals): ReadTotals {
  const read = readTotals(objectsOf(exported));
  const isAnyClass = Object.keys(read.authorized).length > 0;
  const known = <T>(from: Readonly<Record<string, T>>, there: object) =>
    Object.entries(from).filter(([id]) => id in there);
  const settled = settledIn(exported);
  // A plan cannot be exported where there is no class at all (the format wants one).
  const plans = known({ ...(isAnyClass ? {} : shown.plans), ...read.plans }, shown.plans).map(
    ([id, { reserved, available }]) => {
      return [id, { reserved: settled.has(id) ? shown.plans[id]?.reserved : reserved, available }];
    },
  );
  const authorized = Object.fromEntries(
    known(read.authorized, shown.authorized).map(([id, figure]) => [id, show(units(figure))]),
  );
  return { ...read, authorized, plans: Object.fromEntries(plans) };
}

/** The plans of which an export says that it had to write another reserve than theirs. */
export function settledIn({ transactions }: Exported): ReadonlySet<unknown> {
  return new Set(transactions.filter(isReserveSettled).map(({ stock_plan_id: id }) => id));
}

function isReserveSettled({ object_type: type, comments }: Fields): boolean {
  const says = Array.isArray(comments) ? String(comments[0]) : "";
  return type === "TX_STOCK_PLAN_POOL_ADJUSTMENT" && says.startsWith("Sets OCF's sum of reserve, grants and returns");
}
