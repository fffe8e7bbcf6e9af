// Store of an export's ledger entries: SQL in the order of recording, and whether an import brought each.
import { sql } from "kysely";
import { build, type Params, type Reader, type Row, statement } from "../../../storage/database/sql.ts";

type Org = { orgId: string };

/** An entry of the ledger with whether an import brought it. */
export type ExportedEntry = Row<"transactions"> & { readonly isImported: 0 | 1 };

/** An entry of an original's, or one of several that an original became. */
const IS_IMPORTED = sql<0 | 1>`(json_extract(t.metadata, '$.ocfObjectType') is not null
  or exists (select 1 from ocf_objects o where o."orgId" = t."orgId"
  and o."recordId" = t.id and substr(o."objectType", 1, 3) in ('TX_', 'CE_')))`;

const entries = statement((param: Params<Org>) =>
  build
    .selectFrom("transactions as t")
    .selectAll("t")
    .select(IS_IMPORTED.as("isImported"))
    .where("t.orgId", "=", param("orgId"))
    .orderBy("t.sequence"),
);

/** Walks the ledger from its first entry. */
export function walkLedger(db: Reader, orgId: string): IterableIterator<ExportedEntry> {
  return entries.iterate(db, { orgId });
}

/** An entry's place, its day and that of its recording (UTC). */
export interface PlacedDay {
  readonly sequence: number;
  readonly effectiveDate: string;
  readonly recordedOn: string;
  readonly isFact: 0 | 1;
  readonly recordOnly: 0 | 1;
  readonly securityId: string | null;
  readonly isIssuance: 0 | 1;
  readonly isImported: 0 | 1;
}

const placedDays = statement((param: Params<Org>) => ({
  compile: () =>
    sql<PlacedDay>`select t.sequence, t."effectiveDate", substr(t."createdAt", 1, 10) as "recordedOn",
      t.type like 'VESTING%' as "isFact", t."recordOnly", t."securityId",
      t.type like '%ISSUANCE' as "isIssuance",
      ${IS_IMPORTED} as "isImported" from transactions t
      where t."orgId" = ${param("orgId")} order by t.sequence`.compile(build),
}));

/** The days of all entries, in the order of recording. */
export function walkDays(db: Reader, orgId: string): IterableIterator<PlacedDay> {
  return placedDays.iterate(db, { orgId });
}
