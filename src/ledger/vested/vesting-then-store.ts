// Earlier values of records that vesting and exercises depend on: the log has every change of them, so the first change
// after an instant shows the value at that instant.
import { sql } from "kysely";
import type { Timestamp } from "../../kernel/runtime.ts";
import { build, type Columns, type Params, type Reader, type Row, statement } from "../../storage/database/sql.ts";

type LogRow = Pick<Row<"audit_log">, "resourceType" | "resourceId" | "before">;

/** Worded like the index of such changes, so that SQLite uses it. */
const laterChanges = statement((param: Params<{ orgId: string; knownAt: Timestamp }>) => ({
  compile: () =>
    sql<LogRow>`select "resourceType", "resourceId", "before" from audit_log
      where "orgId" = ${param("orgId")} and at > ${param("knownAt")} and "before" is not null
        and (resourceType = 'vesting terms' or resourceType = 'vesting milestone'
          or instr("before", '"vesting') > 0 or instr("before", '"grantDate"') > 0
          or instr("before", '"expirationDate"') > 0)
      order by sequence`.compile(build),
}));

/** The earlier values of columns changed since, by a record's id. */
export type RecordsThen = ReadonlyMap<string, Columns>;

/** The differences from today. */
export interface VestingThen {
  readonly terms: RecordsThen;
  readonly milestones: RecordsThen;
  readonly securities: RecordsThen;
}

/** The earlier values, at an instant, of the records that vesting depends on, if they differ now. */
export function readVestingThen(db: Reader, orgId: string, knownAt: Timestamp): VestingThen {
  const then = { "vesting terms": new Map(), "vesting milestone": new Map(), security: new Map() };
  const of: Readonly<Record<string, Map<string, Columns>>> = then;
  for (const { resourceType, resourceId, before } of laterChanges.iterate(db, { orgId, knownAt })) {
    const records = of[resourceType];
    if (!records || resourceId === null || before === null) continue;
    // The first change after the instant wins: its old value is what was known then.
    records.set(resourceId, { ...columnsOf(before, resourceType), ...records.get(resourceId) });
  }
  return { terms: then["vesting terms"], milestones: then["vesting milestone"], securities: then.security };
}

/** The columns that decide vesting and exercise; other columns are shown as recorded now. */
const OF_SECURITY: ReadonlySet<string> = new Set([
  "grantDate",
  "vestingStartDate",
  "vestingTermsId",
  "vestings",
  "expirationDate",
]);

/** Columns as the table stores them: the log's oldest rows have lists in the form of answers, and are skipped. */
function columnsOf(before: string, resourceType: string): Columns {
  const told: Record<string, unknown> = JSON.parse(before);
  const isColumn = ([name, value]: [string, unknown]) =>
    (value === null || typeof value !== "object") && (resourceType !== "security" || OF_SECURITY.has(name));
  return Object.fromEntries(Object.entries(told).filter(isColumn)) as Columns;
}

/** A row as it was then. */
export function asThen<R extends { readonly id: string }>(row: R, before: RecordsThen): R {
  const columns = before.get(row.id);
  return columns === undefined ? row : { ...row, ...columns };
}
