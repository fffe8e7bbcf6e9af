// The SQL of splits that an import carries out piece by piece.
import { sql } from "kysely";
import { build, first, ofOrganization, type Params, type Reader, type Row, statement } from "../database/sql.ts";
import type { CalendarDate } from "../kernel/date.ts";

interface Piece {
  readonly effectiveDate: CalendarDate;
  readonly metadata: string;
}

/** The newest piece of an imported split of the class, or null. */
export const findNewestPiece = first((param: Params<{ orgId: string; stockClassId: string }>) => ({
  compile: () =>
    sql<Piece>`select "effectiveDate", metadata from transactions
      where "orgId" = ${param("orgId")} and json_extract(metadata, '$.stockClassId') = ${param("stockClassId")}
        and type = 'STOCK_SPLIT' and json_extract(metadata, '$.ocfUpTo') is not null
      order by sequence desc limit 1`.compile(build),
}));

const apart = statement((param: Params<{ orgId: string; stockClassId: string; objectId: string }>) => ({
  compile: () =>
    sql<{ id: string }>`select json_each.value as id from transactions, json_each(metadata, '$.securityIds')
      where "orgId" = ${param("orgId")} and json_extract(metadata, '$.stockClassId') = ${param("stockClassId")}
        and transactions.type = 'STOCK_SPLIT' and json_extract(metadata, '$.ocfUpTo') is not null
        and json_extract(metadata, '$.ocfApart') = 1
        and json_extract(metadata, '$.ocfId') = ${param("objectId")}`.compile(build),
}));

/** The securities that a split under way took apart from the others. */
export function listSplitApart(db: Reader, orgId: string, stockClassId: string, objectId: string): string[] {
  return apart.all(db, { orgId, stockClassId, objectId }).map(({ id }) => id);
}

/** What bounds a piece: the class, the day of the split, and the rows from one on (not with it) up to another. */
interface Bounds {
  readonly orgId: string;
  readonly stockClassId: string;
  readonly date: CalendarDate;
  readonly afterSeq: number;
  readonly upTo: number;
  readonly limit: number;
}

const openStock = statement((param: Params<Bounds>) =>
  ofOrganization("securities", param)
    .select(["seq", "id"])
    .where("stockClassId", "=", param("stockClassId"))
    .where("seq", ">", param("afterSeq"))
    .where("seq", "<=", param("upTo"))
    .where("grantDate", "<=", param("date"))
    .where("type", "=", "STOCK")
    .where("status", "=", "ACTIVE")
    .where("deletedAt", "is", null)
    .orderBy("seq")
    .limit(param("limit")),
);

/** The open stock of a class within bounds, oldest first. */
export function listOpenStock(db: Reader, bounds: Bounds): Pick<Row<"securities">, "seq" | "id">[] {
  return openStock.all(db, bounds);
}

const newestSecurity = statement((param: Params<{ orgId: string }>) =>
  ofOrganization("securities", param).select("seq").orderBy("seq", "desc").limit(1),
);

/** The row number of the organization's newest security; 0 where there is none. */
export function newestSecuritySeq(db: Reader, orgId: string): number {
  return newestSecurity.first(db, { orgId })?.seq ?? 0;
}
