// SQL of imported splits carried out piece by piece.
import { sql } from "kysely";
import type { CalendarDate } from "../../kernel/date.ts";
import {
  build,
  exists,
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

/** The securities that a split under way processed out of turn. */
export function listSplitApart(db: Reader, orgId: string, stockClassId: string, objectId: string): string[] {
  return apart.all(db, { orgId, stockClassId, objectId }).map(({ id }) => id);
}

/** The bounds of a piece: the class, the day of the split, and the rows from one (exclusive) up to another. */
interface Bounds {
  readonly orgId: string;
  readonly stockClassId: string;
  readonly date: CalendarDate;
  readonly afterSeq: number;
  readonly upTo: number;
  readonly limit: number;
}

/** The securities of a split: open stock of its class, and all that charge a plan for that class alone. */
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

/** The securities of a class's split within bounds, oldest first. */
export function listConcerned(db: Reader, bounds: Bounds): readonly Concerned[] {
  return concerned.all(db, { ...bounds, classes: JSON.stringify([bounds.stockClassId]) });
}

/**
 * A security that charges a plan, and the place of the entry by which a split multiplied the charge; null if none did.
 */
type Charged = Pick<Row<"securities">, "id" | "planCharge"> & { readonly sequence: number | null };

const chargedBy = statement(
  (param: Params<{ orgId: string; stockClassId: string; objectId: string; classes: string }>) => ({
    compile: () =>
      sql<Charged>`with multiplied as (
        select each.value as id, min(sequence) as sequence
        from transactions, json_each(json_extract(metadata, '$.chargedSecurityIds')) as each
        where "orgId" = ${param("orgId")} and transactions.type = 'STOCK_SPLIT'
          and transactions.type <> 'STOCK_ISSUANCE'
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

/** Securities that charge the plans for the split's class alone, or did when an imported split came; oldest first. */
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

/** Whether a plan whose shares are of this class alone was deleted. */
export const hasDeletedPlanOf = exists((param: Params<{ orgId: string; stockClassId: string }>) =>
  ofOrganization("equity_plans", param)
    .select("seq")
    .where("deletedAt", "is not", null)
    .where(sql`json_array_length("stockClassIds")`, "=", 1)
    .where(sql`json_extract("stockClassIds", '$[0]')`, "=", param("stockClassId")),
);

const newestSecurity = statement((param: Params<{ orgId: string }>) =>
  ofOrganization("securities", param).select("seq").orderBy("seq", "desc").limit(1),
);

/** The row number of the organization's newest security; 0 if it has none. */
export function newestSecuritySeq(db: Reader, orgId: string): number {
  return newestSecurity.first(db, { orgId })?.seq ?? 0;
}
