// Store of imports: SQL of the originals of imported objects, and of an import's other queries.
import { sql } from "kysely";
import type { Call } from "../../../kernel/call.ts";
import type { CalendarDate } from "../../../kernel/date.ts";
import { isEntryWaiting } from "../../../ledger/store.ts";
import { changeLogged, insertLogged } from "../../../storage/database/log/logged.ts";
import type { RecordTable } from "../../../storage/database/log/logged-tables.ts";
import {
  build,
  ofOrganization,
  type Params,
  type Reader,
  type Row,
  statement,
  type Tx,
  variants,
} from "../../../storage/database/sql.ts";

const original = statement((param: Params<{ orgId: string; objectType: string; id: string }>) =>
  build
    .selectFrom("ocf_objects")
    .selectAll()
    .where("orgId", "=", param("orgId"))
    .where("objectType", "=", param("objectType"))
    .where("id", "=", param("id")),
);

/** The original of an imported object, or null. */
export function findOriginal(db: Reader, orgId: string, objectType: string, id: string): Row<"ocf_objects"> | null {
  return original.first(db, { orgId, objectType, id });
}

/** What a transaction brings: itself, an entry with its id, and the security that it issues, `""` where it issues nothing. */
type Brought = { orgId: string; objectType: string; id: string; securityId: string };

const anyOf = statement((param: Params<Brought>) => ({
  compile: () =>
    sql<{ isAny: 0 | 1 }>`select exists (select 1 from ocf_objects
        where "orgId" = ${param("orgId")} and "objectType" = ${param("objectType")} and id = ${param("id")})
      or exists (select 1 from transactions where "orgId" = ${param("orgId")} and id = ${param("id")})
      or exists (select 1 from securities where "orgId" = ${param("orgId")} and id = ${param("securityId")})
      as "isAny"`.compile(build),
}));

/** Whether the organization has any of what a transaction brings: one query for a new one, as most of a package are. */
export function hasAnyOf(db: Reader, brought: Brought): boolean {
  return isEntryWaiting(db, brought) || anyOf.firstStored(db, brought)?.isAny === 1;
}

const anything = statement((param: Params<{ orgId: string }>) => ({
  compile: () =>
    sql<{ isAny: 0 | 1 }>`select exists (select 1 from ocf_objects where "orgId" = ${param("orgId")})
      or exists (select 1 from transactions where "orgId" = ${param("orgId")})
      or exists (select 1 from securities where "orgId" = ${param("orgId")}) as "isAny"`.compile(build),
}));

/** Whether the organization has no original, no entry and no security, nor ever had one. */
export function isBare(db: Reader, orgId: string): boolean {
  return anything.first(db, { orgId })?.isAny === 0;
}

/** A transaction and its author. */
interface Writing {
  readonly tx: Tx;
  readonly call: Call;
}

/** Keeps an original. */
export function insertOriginal({ tx, call }: Writing, row: Omit<Row<"ocf_objects">, "seq" | "orgId">): void {
  insertLogged(tx, call, "ocf_objects", { ...row, orgId: call.orgId });
}

const ofRecord = statement((param: Params<{ orgId: string; objectType: string; recordId: string }>) =>
  build
    .selectFrom("ocf_objects")
    .select("id")
    .where("orgId", "=", param("orgId"))
    .where("objectType", "=", param("objectType"))
    .where("recordId", "=", param("recordId")),
);

const mappedAfter = statement((param: Params<{ orgId: string; after: number; limit: number }>) =>
  build
    .selectFrom("ocf_objects")
    .selectAll()
    .where("orgId", "=", param("orgId"))
    .where("seq", ">", param("after"))
    .where("mapped", "is not", null)
    .orderBy("seq")
    .limit(param("limit")),
);

/** The next originals that have a record with mapped columns, in the order in which they came in. */
export function listMapped(db: Reader, orgId: string, after: number, limit: number): Row<"ocf_objects">[] {
  return mappedAfter.all(db, { orgId, after, limit });
}

/** Notes anew what a record's mapped columns are, after a later object of the import changed them. */
export function updateMapped({ tx, call }: Writing, objectType: string, recordId: string, mapped: string | null): void {
  for (const { id } of ofRecord.all(tx, { orgId: call.orgId, objectType, recordId })) {
    changeLogged(tx, call, "ocf_objects", { objectType, id }, { mapped });
  }
}

const anyWithId = variants<{ orgId: string; id: string }, { id: string }, [table: RecordTable]>((param, table) => ({
  compile: () =>
    sql<{
      id: string;
    }>`select id from ${sql.table(table)} where "orgId" = ${param("orgId")} and "id" = ${param("id")}`.compile(build),
}));

/** Whether the organization has, or had, a record with this id: ids of deleted ones are not used again. */
export function isIdUsed(db: Reader, table: RecordTable, orgId: string, id: string): boolean {
  return anyWithId(table).first(db, { orgId, id }) !== null;
}

const acceptance = statement((param: Params<{ orgId: string; id: string }>) =>
  ofOrganization("acceptances", param).select("seq").where("id", "=", param("id")),
);

/** Whether the organization has an acceptance with this id. */
export function hasAcceptance(db: Reader, of: { readonly orgId: string; readonly id: string }): boolean {
  return acceptance.first(db, of) !== null;
}

const splitPieces = statement((param: Params<{ orgId: string; objectId: string }>) =>
  build
    .selectFrom("transactions")
    .select(["metadata", "effectiveDate"])
    .where("orgId", "=", param("orgId"))
    .where("type", "=", "STOCK_SPLIT")
    .where("type", "<>", "STOCK_ISSUANCE")
    .where(sql<string>`json_extract("metadata", '$.ocfId')`, "=", param("objectId"))
    .where(sql<number>`json_extract("metadata", '$.ocfLastSeq')`, "is not", null)
    .orderBy("sequence", "desc")
    .limit(1),
);

/** The last entry of an imported split that an earlier transaction began, or null. */
export function findLastSplitPiece(db: Reader, orgId: string, objectId: string) {
  return splitPieces.first(db, { orgId, objectId });
}

const issuedBy = statement((param: Params<{ orgId: string; stockClassId: string; date: CalendarDate }>) =>
  ofOrganization("securities", param)
    .select("id")
    .where("stockClassId", "=", param("stockClassId"))
    .where("type", "=", "STOCK")
    .where("grantDate", "<=", param("date"))
    .limit(1),
);

/** Whether stock of a class was issued on a day or before it, in any later state. */
export function isIssuedBy(db: Reader, orgId: string, stockClassId: string, date: CalendarDate): boolean {
  return issuedBy.first(db, { orgId, stockClassId, date }) !== null;
}
