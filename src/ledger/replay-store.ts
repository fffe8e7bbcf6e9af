// The SQL of replaying: the ledger's entries from the first one, and the classes and plans that they move. Deleted
// classes and plans are included, because entries name them.
import { build, type Params, type Reader, type Row, statement } from "../database/sql.ts";
import type { CalendarDate } from "../kernel/date.ts";
import type { Timestamp } from "../kernel/runtime.ts";
import type { StoredEntry } from "./replay.ts";

const classes = statement((param: Params<{ orgId: string }>) =>
  build.selectFrom("share_classes").selectAll().where("orgId", "=", param("orgId")).orderBy("seq"),
);

/** Every share class, deleted ones included, oldest first. */
export function listClassRows(db: Reader, orgId: string): Row<"share_classes">[] {
  return classes.all(db, { orgId });
}

const plans = statement((param: Params<{ orgId: string }>) =>
  build.selectFrom("equity_plans").selectAll().where("orgId", "=", param("orgId")).orderBy("seq"),
);

/** Every equity plan, deleted ones included, oldest first. */
export function listPlanRows(db: Reader, orgId: string): Row<"equity_plans">[] {
  return plans.all(db, { orgId });
}

const adjustments = statement((param: Params<{ orgId: string }>) =>
  build
    .selectFrom("transactions")
    .selectAll()
    .where("orgId", "=", param("orgId"))
    .where("type", "in", ["STOCK_CLASS_ADJUSTMENT", "STOCK_PLAN_ADJUSTMENT"])
    .orderBy("sequence"),
);

/** The class and plan adjustments of the ledger, oldest first. */
export function listAdjustments(db: Reader, orgId: string): Row<"transactions">[] {
  return adjustments.all(db, { orgId });
}

const countedEntries = statement((param: Params<{ orgId: string; asOf: CalendarDate; knownAt: Timestamp }>) =>
  build
    .selectFrom("transactions")
    .select(["type", "securityId", "stakeholderId", "quantity", "effectiveDate", "metadata", "recordOnly"])
    .where("orgId", "=", param("orgId"))
    .where("effectiveDate", "<=", param("asOf"))
    .where("createdAt", "<=", param("knownAt"))
    .where("recordOnly", "=", 0)
    .orderBy("sequence"),
);

/** Walks the entries dated on or before `asOf` and recorded at or before `knownAt`, in the order of recording. */
export function iterateCountedEntries(
  db: Reader,
  orgId: string,
  asOf: CalendarDate,
  knownAt: Timestamp,
): IterableIterator<StoredEntry> {
  return countedEntries.iterate(db, { orgId, asOf, knownAt });
}
