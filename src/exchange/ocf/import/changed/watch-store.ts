// Store of an import's watch: SQL of the ledger's entries that no import brought, and of splits.
import { sql } from "kysely";
import type { CalendarDate } from "../../../../kernel/date.ts";
import type { Timestamp } from "../../../../kernel/runtime.ts";
import { build, type Params, type Reader, type Row, statement } from "../../../../storage/database/sql.ts";

type SecurityKind = Row<"securities">["type"];

/** An entry of the ledger that no import brought, or a split, with what it is about. */
export interface WatchedEntry {
  readonly id: string;
  readonly sequence: number;
  readonly type: string;
  readonly securityId: string | null;
  readonly effectiveDate: CalendarDate;
  readonly metadata: string | null;
  readonly createdAt: Timestamp;
  /** Of the security that it names, and of the one that it makes: type and class. */
  readonly securityType: SecurityKind | null;
  readonly stockClassId: string | null;
  readonly madeType: SecurityKind | null;
  readonly madeClassId: string | null;
}

const watched = statement((param: Params<{ orgId: string; after: number; upTo: number }>) => ({
  compile: () =>
    sql<WatchedEntry>`select t.id, t.sequence, t.type, t."securityId", t."effectiveDate", t.metadata, t."createdAt",
        s.type as "securityType", s."stockClassId", m.type as "madeType", m."stockClassId" as "madeClassId"
      from transactions t
        left join securities s on s."orgId" = t."orgId" and s.id = t."securityId"
        left join securities m on m."orgId" = t."orgId" and m.id = json_extract(t.metadata, '$.newSecurityId')
      where t."orgId" = ${param("orgId")} and t.sequence > ${param("after")} and t.sequence <= ${param("upTo")}
        and t."recordOnly" = 0
        and (t.type = 'STOCK_SPLIT' or json_extract(t.metadata, '$.ocfObjectType') is null)
      order by t.sequence`.compile(build),
}));

/** The entries after one place in the ledger up to another that no import brought, and all splits. */
export function listWatched(db: Reader, orgId: string, after: number, upTo: number): WatchedEntry[] {
  return watched.all(db, { orgId, after, upTo });
}

const ofClass = statement((param: Params<{ orgId: string; stockClassId: string }>) =>
  build
    .selectFrom("securities")
    .select("id")
    .where("orgId", "=", param("orgId"))
    .where("stockClassId", "=", param("stockClassId"))
    .orderBy("seq"),
);

/** The ids of all securities of a class, closed and deleted ones included. */
export function listIdsOfClass(db: Reader, orgId: string, stockClassId: string): string[] {
  return ofClass.all(db, { orgId, stockClassId }).map(({ id }) => id);
}

const deleted = statement((param: Params<{ orgId: string }>) => ({
  compile: () =>
    sql<{ id: string }>`select id from share_classes where "orgId" = ${param("orgId")} and "deletedAt" is not null
      union all select id from equity_plans where "orgId" = ${param("orgId")} and "deletedAt" is not null
      limit 1`.compile(build),
}));

/** Whether any class or plan was deleted. */
export function hasDeleted(db: Reader, orgId: string): boolean {
  return deleted.first(db, { orgId }) !== null;
}
