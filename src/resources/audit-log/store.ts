// SQL of audit log reads. storage/database/log/audit.ts writes it.
import { sql } from "kysely";
import type { ListQuery } from "../../storage/database/records.ts";
import { build, type Reader, type Row, type SqlValue, variants } from "../../storage/database/sql.ts";

/** The list's filters: equal members, and the first and last day on which a row was written, in UTC. */
export type LogFilters = Readonly<Record<string, string>>;

const DAYS: Readonly<Record<string, "<" | ">=">> = { from: ">=", to: "<" };

const page = variants<Record<string, SqlValue>, Row<"audit_log">, [names: string]>((param, names) => {
  const filters = (names ? names.split(",") : []).map((name) => {
    const compares = DAYS[name];
    return compares ? sql`"at" ${sql.raw(compares)} ${param(name)}` : sql`${sql.ref(name)} = ${param(name)}`;
  });
  const where = sql.join(
    [sql`"orgId" = ${param("$orgId")} and "sequence" < ${param("$before")}`, ...filters],
    sql` and `,
  );
  return {
    compile: () =>
      sql<Row<"audit_log">>`select * from audit_log where ${where}
        order by "sequence" desc limit ${param("$limit")} + 0`.compile(build),
  };
});

/** The rows of a list; `seq` is the sequence. */
export function listAuditEntries(
  db: Reader,
  { orgId, filters, before, limit }: ListQuery<LogFilters>,
): Row<"audit_log">[] {
  // Sorts after every time of a day.
  const days = filters.to === undefined ? {} : { to: `${filters.to}T24` };
  const args = { ...filters, ...days, $orgId: orgId, $before: before ?? Number.MAX_SAFE_INTEGER, $limit: limit };
  return page(Object.keys(filters).join(","))
    .all(db, args)
    .map((row) => ({ ...row, seq: row.sequence }));
}
