// What the records that vesting and exercising follow from said at an earlier instant: the log tells every change of
// them, so the first change after the instant says what was there before it.
import { sql } from "kysely";
import type { Timestamp } from "../../kernel/runtime.ts";
import { build, type Columns, type Params, type Reader, type Row, statement } from "../../storage/database/sql.ts";

type LogRow = Pick<Row<"audit_log">, "resourceType" | "resourceId" | "before">;

/** By the words of the index of such changes. */
const laterChanges = statement((param: Params<{ orgId: string; knownAt: Timestamp }>) => ({
  compile: () =>
    sql<LogRow>`select "resourceType", "resourceId", "before" from audit_log
      where "orgId" = ${param("orgId")} and at > ${param("knownAt")} and "before" is not null
        and (resourceType = 'vesting terms' or resourceType = 'vesting milestone'
          or instr("before", '"vesting') > 0 or instr("before", '"grantDate"') > 0
          or instr("before", '"expirationDate"') > 0)
      order by sequence`.compile(build),
}));

/** The columns that changed since, as they were, by a record's id. */
export type RecordsThen = ReadonlyMap<string, Columns>;

/** What was otherwise then. */
export interface VestingThen {
  readonly terms: RecordsThen;
  readonly milestones: RecordsThen;
  readonly securities: RecordsThen;
}

/** What the records that vesting follows from said at an instant, where they say something else now. */
export function readVestingThen(db: Reader, orgId: string, knownAt: Timestamp): VestingThen {
  const then = { "vesting terms": new Map(), "vesting milestone": new Map(), security: new Map() };
  const of: Readonly<Record<string, Map<string, Columns>>> = then;
  for (const { resourceType, resourceId, before } of laterChanges.iterate(db, { orgId, knownAt })) {
    const records = of[resourceType];
    if (!records || resourceId === null || before === null) continue;
    // The first change after the instant wins: it is the one that found what was known then.
    records.set(resourceId, { ...columnsOf(before, resourceType), ...records.get(resourceId) });
  }
  return { terms: then["vesting terms"], milestones: then["vesting milestone"], securities: then.security };
}

/** What of a security says when it vests and can be exercised; what else describes it is shown as recorded now. */
const OF_SECURITY: ReadonlySet<string> = new Set([
  "grantDate",
  "vestingStartDate",
  "vestingTermsId",
  "vestings",
  "expirationDate",
]);

/** Columns as the table has them: rows of the log's first days show lists as answers do, and are passed over. */
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
