// The SQL of splits that an import carries out piece by piece.
import { sql } from "kysely";
import type { CalendarDate } from "../../kernel/date.ts";
import {
  build,
  first,
  ofOrganization,
  type Params,
  type Reader,
  type Row,
  statement,
} from "../../storage/database/sql.ts";

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
    sql<{ id: string }>`select each.value as id from transactions, json_each(json_array(
        json_extract(metadata, '$.securityIds'),
        json_extract(metadata, '$.chargedSecurityIds'))) as list, json_each(list.value) as each
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

/** What a split concerns: open stock of its class, and whatever charges a plan for that class alone. */
type Concerned = Pick<Row<"securities">, "seq" | "id"> & { readonly isOpenStock: number; readonly isCharged: number };

const concerned = statement((param: Params<Bounds & { classes: string }>) => ({
  compile: () =>
    sql<Concerned>`select * from (
      select seq, id,
        type = 'STOCK' and status = 'ACTIVE' and "deletedAt" is null
          and "stockClassId" is ${param("stockClassId")} as "isOpenStock",
        "planCharge" is not null and "equityPlanId" in (select id from equity_plans
          where "orgId" = ${param("orgId")} and "deletedAt" is null
            and "stockClassIds" = ${param("classes")}) as "isCharged"
      from securities
      where "orgId" = ${param("orgId")} and seq > ${param("afterSeq")} and seq <= ${param("upTo")}
        and "grantDate" <= ${param("date")}
    ) where "isOpenStock" or "isCharged" order by seq limit ${param("limit")}`.compile(build),
}));

/** What a split of a class concerns within bounds, oldest first. */
export function listConcerned(db: Reader, bounds: Bounds): readonly Concerned[] {
  return concerned.all(db, { ...bounds, classes: JSON.stringify([bounds.stockClassId]) });
}

/** A security that charges a plan, and the place of the entry by which a split multiplied that; null where none did. */
type Charged = Pick<Row<"securities">, "id" | "planCharge"> & { readonly sequence: number | null };

const chargedBy = statement(
  (param: Params<{ orgId: string; stockClassId: string; objectId: string; classes: string }>) => ({
    compile: () =>
      sql<Charged>`with multiplied as (
        select each.value as id, min(sequence) as sequence
        from transactions, json_each(json_extract(metadata, '$.chargedSecurityIds')) as each
        where "orgId" = ${param("orgId")} and transactions.type = 'STOCK_SPLIT'
          and json_extract(metadata, '$.stockClassId') = ${param("stockClassId")}
          and json_extract(metadata, '$.ocfId') = ${param("objectId")}
        group by each.value)
      select securities.id, "planCharge", multiplied.sequence from securities left join multiplied using (id)
      where "orgId" = ${param("orgId")} and ("planCharge" is not null or multiplied.sequence is not null)
        and "equityPlanId" in (select id from equity_plans
          where "orgId" = ${param("orgId")} and "deletedAt" is null and "stockClassIds" = ${param("classes")})
      order by seq`.compile(build),
  }),
);

/** What charges, or charged when an imported split came, the plans for the class of the split alone; oldest first. */
export function listCharged(
  db: Reader,
  {
    orgId,
    stockClassId,
    objectId,
  }: { readonly orgId: string; readonly stockClassId: string; readonly objectId: string },
): readonly Charged[] {
  return chargedBy.all(db, { orgId, stockClassId, objectId, classes: JSON.stringify([stockClassId]) });
}

const newestSecurity = statement((param: Params<{ orgId: string }>) =>
  ofOrganization("securities", param).select("seq").orderBy("seq", "desc").limit(1),
);

/** The row number of the organization's newest security; 0 where there is none. */
export function newestSecuritySeq(db: Reader, orgId: string): number {
  return newestSecurity.first(db, { orgId })?.seq ?? 0;
}
