// Store of the export: SQL of the database at one moment. Deleted rows are read too if entries name them.
import { type RawBuilder, sql } from "kysely";
import type { TransactionType } from "../../../ledger/types.ts";
import type { Schema } from "../../../storage/database/schema.ts";
import { build, type Params, type Reader, type Row, statement, variants } from "../../../storage/database/sql.ts";
import { SECURITY_COLUMNS } from "../codec/issuance.ts";
import type { CodecTable } from "../codec/record-codec.ts";
import { CODECS } from "../codec/registry.ts";

type Org = { orgId: string };

/** Whether what is exported names the row `t`, so that it goes out although it was deleted. */
function isStillNamed(table: CodecTable): RawBuilder<unknown> {
  const bySecurity = (name: string) =>
    sql`exists (select 1 from securities s where s."orgId" = t."orgId" and s.${sql.ref(name)} = t.id)`;
  const byAdjustment = (name: string) => sql`exists (select 1 from transactions x where x."orgId" = t."orgId"
    and x.type in ('STOCK_CLASS_ADJUSTMENT', 'STOCK_PLAN_ADJUSTMENT', 'STOCK_SPLIT') and x.type <> 'STOCK_ISSUANCE'
    and x."recordOnly" = 0
    and json_extract(x.metadata, ${sql.lit(`$.${name}`)}) = t.id)`;
  switch (table) {
    case "stakeholders":
      return bySecurity("stakeholderId");
    case "share_classes":
      return sql`${bySecurity("stockClassId")} or ${byAdjustment("stockClassId")}`;
    case "equity_plans":
      return sql`${bySecurity("equityPlanId")} or ${byAdjustment("equityPlanId")}`;
    case "vesting_terms":
      return bySecurity("vestingTermsId");
    case "stock_legends":
      return sql`exists (select 1 from securities s, json_each(s."stockLegendIds") j
        where s."orgId" = t."orgId" and j.value = t.id)`;
    default:
      return sql`false`;
  }
}

const live = variants<Org & { id: string }, Record<string, unknown>, [CodecTable, one: boolean, made: boolean]>(
  (param, table, isOne, isMade) => {
    const one = isOne ? sql`and t.id = ${param("id")}` : sql``;
    const made = isMade
      ? sql`and not exists (select 1 from ocf_objects o where o."orgId" = t."orgId"
          and o."objectType" = ${sql.lit(CODECS[table].objectType)} and o.id = t.id)`
      : sql``;
    return {
      compile: () =>
        sql<
          Record<string, unknown>
        >`select t.* from ${sql.table(table)} t where t."orgId" = ${param("orgId")} ${one} ${made}
          and (t."deletedAt" is null or ${isStillNamed(table)}) order by t.seq`.compile(build),
    };
  },
);

/** The rows of a table that an export holds and that no import brought, in order of creation. */
export function walkMade<T extends CodecTable>(db: Reader, table: T, orgId: string): IterableIterator<Row<T>> {
  return live(table, false, true).iterate(db, { orgId, id: "" }) as IterableIterator<Row<T>>;
}

/** All rows of a table that an export holds. For tables of which an organization has few. */
export function listExported<T extends CodecTable>(db: Reader, table: T, orgId: string): Row<T>[] {
  return live(table, false, false).all(db, { orgId, id: "" }) as Row<T>[];
}

/** One row, where an export holds it; else null. */
export function findExported<T extends CodecTable>(db: Reader, table: T, orgId: string, id: string): Row<T> | null {
  return live(table, true, false).first(db, { orgId, id }) as Row<T> | null;
}

type Original = Row<"ocf_objects">;

const originals = statement((param: Params<Org & { fileKey: string }>) =>
  build
    .selectFrom("ocf_objects")
    .selectAll()
    .where("orgId", "=", param("orgId"))
    .where("fileKey", "=", param("fileKey"))
    .orderBy("seq"),
);

/** The originals of one file, in the order of their import; `fileKey` is its key in `include`. */
export function walkOriginals(db: Reader, orgId: string, fileKey: string): IterableIterator<Original> {
  return originals.iterate(db, { orgId, fileKey });
}

/** The columns of a security by their names, as imports keep them (`mappedColumns`). */
const MAPPED = sql`json_object(${sql.join(SECURITY_COLUMNS.map((name) => sql`${sql.lit(name)}, s.${sql.ref(name)}`))})`;

/** The original of a transaction; `isUnchanged` if it issued a security that is as it was imported. */
export type TransactionOriginal = Original & { readonly isUnchanged: 0 | 1 };

const transactions = statement((param: Params<Org>) => ({
  compile: () =>
    // The terms of convertibles follow splits of classes, so that their columns alone do not say what was changed.
    sql<TransactionOriginal>`select o.*, coalesce(s.type <> 'CONVERTIBLE' and s."correctedPrice" is null
        and o.mapped = ${MAPPED}, 0) as "isUnchanged"
      from ocf_objects o left join securities s on s."orgId" = o."orgId" and s.id = o."recordId"
      where o."orgId" = ${param("orgId")} and o."fileKey" = 'transactions'
      order by o.seq`.compile(build),
}));

/** The originals of transactions, in the order of their import. */
export function walkTransactions(db: Reader, orgId: string): IterableIterator<TransactionOriginal> {
  return transactions.iterate(db, { orgId });
}

const firstOriginal = statement((param: Params<Org & { objectType: string }>) =>
  build
    .selectFrom("ocf_objects")
    .selectAll()
    .where("orgId", "=", param("orgId"))
    .where("objectType", "=", param("objectType"))
    .orderBy("seq")
    .limit(1),
);

/** The first original of a type, or null. */
export function findFirstOriginal(db: Reader, orgId: string, objectType: string): Original | null {
  return firstOriginal.first(db, { orgId, objectType });
}

const original = statement((param: Params<Org & { objectType: string; id: string }>) =>
  build
    .selectFrom("ocf_objects")
    .selectAll()
    .where("orgId", "=", param("orgId"))
    .where("objectType", "=", param("objectType"))
    .where("id", "=", param("id")),
);

/** The original of that type and id, or null. */
export function findOriginal(db: Reader, orgId: string, objectType: string, id: string): Original | null {
  return original.first(db, { orgId, objectType, id });
}

/** Exercises of options, but for net ones, and vesting leave a security as it is in OCF; whatever else takes of it issues the rest anew. */
const reissue = statement((param: Params<Org & { id: string }>) => ({
  compile: () =>
    sql<{ sequence: number }>`select sequence from transactions
      where "orgId" = ${param("orgId")} and "securityId" = ${param("id")}
      and "recordOnly" = 0 and type not like 'VESTING%'
      and (type <> 'STOCK_OPTION_EXERCISE' or metadata ->> '$.withheld' is not null)
      and coalesce(json_extract(metadata, '$.directEdit'), 0) = 0`.compile(build),
}));

/** The places in the ledger of the entries after which the rest of a security is issued anew. */
export function listReissues(db: Reader, orgId: string, id: string): number[] {
  return reissue.all(db, { orgId, id }).map(({ sequence }) => sequence);
}

const importedMove = statement((param: Params<Org & { id: string }>) => ({
  compile: () =>
    sql<{ sequence: number }>`select sequence from transactions
      where "orgId" = ${param("orgId")} and "securityId" = ${param("id")}
      and json_extract(metadata, '$.ocfTaken') is not null`.compile(build),
}));

/** The places in the ledger of what an import took of a security. */
export function listImportedMoves(db: Reader, orgId: string, id: string): number[] {
  return importedMove.all(db, { orgId, id }).map(({ sequence }) => sequence);
}

const importedLast = statement((param: Params<Org & { id: string }>) => ({
  compile: () =>
    sql<{ sequence: number | null }>`select max(sequence) as sequence from transactions
      where "orgId" = ${param("orgId")} and "securityId" = ${param("id")}
      and json_extract(metadata, '$.ocfObjectType') is not null`.compile(build),
}));

/** The place in the ledger of the last entry on a security that an import brought; null for none. */
export function findLastImported(db: Reader, orgId: string, id: string): number | null {
  return importedLast.first(db, { orgId, id })?.sequence ?? null;
}

const milestone = statement((param: Params<Org>) =>
  build
    .selectFrom("vesting_milestones")
    .select("id")
    .where("orgId", "=", param("orgId"))
    .where("securityId", "is not", null)
    .where("deletedAt", "is", null)
    .limit(1),
);

/** Whether any shares wait for a milestone, or vested by one. */
export function hasMilestones(db: Reader, orgId: string): boolean {
  return milestone.first(db, { orgId }) !== null;
}

const loose = statement((param: Params<Org>) => ({
  compile: () =>
    sql<{ isLoose: number }>`select exists (select 1 from vesting_milestones where "orgId" = ${param("orgId")}
        and "securityId" is not null and "deletedAt" is null)
      or exists (select 1 from securities where "orgId" = ${param("orgId")} and vestings is not null)
      as "isLoose"`.compile(build),
}));

/** Whether any security vests by milestones, or by days that came with an import. */
export function hasLooseVesting(db: Reader, orgId: string): boolean {
  return loose.first(db, { orgId })?.isLoose === 1;
}

const security = statement((param: Params<Org & { id: string }>) =>
  build.selectFrom("securities").selectAll().where("orgId", "=", param("orgId")).where("id", "=", param("id")),
);

/** A security's row, deleted or not; null if it does not exist. */
export function findSecurity(db: Reader, orgId: string, id: string): Row<"securities"> | null {
  return security.first(db, { orgId, id });
}

const rowOf = variants<Org & { id: string }, Record<string, unknown>, [CodecTable]>((param, table) => ({
  compile: () =>
    sql<Record<string, unknown>>`select * from ${sql.table(table)} where "orgId" = ${param("orgId")}
      and id = ${param("id")}`.compile(build),
}));

/** A record's row, deleted or not; null if it does not exist. */
export function findRow<T extends CodecTable>(db: Reader, table: T, orgId: string, id: string): Row<T> | null {
  return rowOf(table).first(db, { orgId, id }) as Row<T> | null;
}

const ofType = statement((param: Params<Org & { type: string }>) =>
  build
    .selectFrom("transactions")
    .selectAll()
    .where("orgId", "=", param("orgId"))
    .where("type", "=", param("type"))
    .where("type", "<>", "STOCK_ISSUANCE")
    .where("recordOnly", "=", 0)
    .orderBy("sequence"),
);

/** Walks the entries of one type, oldest first; of no issuances of stock. */
export function walkOfType(db: Reader, orgId: string, type: TransactionType): IterableIterator<Row<"transactions">> {
  return ofType.iterate(db, { orgId, type });
}

const telling = statement((param: Params<Org>) =>
  build
    .selectFrom("transactions")
    .select(["sequence", "type", "metadata"])
    .where("orgId", "=", param("orgId"))
    .where("type", "in", ["STOCK_SPLIT", "STOCK_CLASS_ADJUSTMENT"])
    .where("recordOnly", "=", 0)
    .where(sql<boolean>`json_extract(metadata, '$.classTerms') is not null`)
    .orderBy("sequence", "desc"),
);

/** The entries that tell terms of classes and convertibles, the latest first. */
export function listTermsEntries(db: Reader, orgId: string) {
  return telling.all(db, { orgId });
}

const edit = statement((param: Params<Org>) =>
  build
    .selectFrom("transactions")
    .select("id")
    .where("orgId", "=", param("orgId"))
    .where(sql<boolean>`json_extract(metadata, '$.directEdit') = 1`)
    .limit(1),
);

/** Whether the acceptance `a` still holds, or held when its security ended: nothing has changed what was accepted. */
const HOLDS = sql<number>`not exists (select 1 from acceptances b where b."orgId" = a."orgId"
    and b."securityId" = a."securityId" and b.seq > a.seq and b.kind <> 'IMPORTED')
  and exists (select 1 from securities s where s."orgId" = a."orgId" and s.id = a."securityId"
    and s."acceptedAt" is not null)`;

const acceptances = statement((param: Params<Org>) =>
  build
    .selectFrom("acceptances as a")
    .select(["a.id", "a.securityId", "a.kind", "a.digest", "a.comments", "a.ledgerSequence"])
    .select([sql<string>`substr(a."acceptedAt", 1, 10)`.as("day"), HOLDS.as("holds")])
    .where("a.orgId", "=", param("orgId"))
    .orderBy("a.seq"),
);

/** An acceptance, its day in UTC, and whether its security still is what was accepted. */
export type KnownAcceptance = ReturnType<typeof listAcceptances>[number];

/** All acceptances, oldest first. */
export function listAcceptances(db: Reader, orgId: string) {
  return acceptances.all(db, { orgId });
}

/** Whether the ledger holds any direct edit. */
export function hasEdits(db: Reader, orgId: string): boolean {
  return edit.first(db, { orgId }) !== null;
}

const issuance = statement((param: Params<Org & { securityId: string }>) =>
  build
    .selectFrom("transactions")
    .select(["id", "type"])
    .where("orgId", "=", param("orgId"))
    .where("securityId", "=", param("securityId"))
    .where("type", "like", "%_ISSUANCE")
    .where("recordOnly", "=", 0)
    // Behind a plus, so that SQLite sorts a security's few entries and does not walk the ledger in its order.
    .orderBy(sql`+"sequence"`)
    .limit(1),
);

/** The entry that issued a security; null for one that another operation made. */
export function findIssuance(db: Reader, orgId: string, securityId: string): { id: string; type: string } | null {
  return issuance.first(db, { orgId, securityId });
}

const NAMING = {
  stakeholders: "stakeholders",
  share_classes: "share_classes",
  equity_plans: "equity_plans",
  valuations: "valuations",
  securities: "securities",
} as const satisfies Partial<Record<keyof Schema, string>>;

const naming = variants<Org & { documentId: string }, { id: string }, [keyof typeof NAMING]>((param, table) => ({
  compile: () =>
    sql<{ id: string }>`select id from ${sql.table(table)} where "orgId" = ${param("orgId")}
      and "sourceDocumentId" = ${param("documentId")} order by seq`.compile(build),
}));

/** The records of a table whose source document this is. */
export function listNaming(db: Reader, table: keyof typeof NAMING, orgId: string, documentId: string): string[] {
  return naming(table)
    .all(db, { orgId, documentId })
    .map(({ id }) => id);
}

const every = variants<Org, Record<string, unknown>, ["share_classes" | "equity_plans"]>((param, table) => ({
  compile: () =>
    sql<
      Record<string, unknown>
    >`select * from ${sql.table(table)} where "orgId" = ${param("orgId")} order by seq`.compile(build),
}));

/** Every class or plan that there ever was: the ledger's replay needs them all. */
export function listEver<T extends "share_classes" | "equity_plans">(db: Reader, table: T, orgId: string): Row<T>[] {
  return every(table).all(db, { orgId }) as Row<T>[];
}

const organization = statement((param: Params<Org>) =>
  build.selectFrom("organizations").selectAll().where("id", "=", param("orgId")),
);

/** The organization. */
export function findOrganization(db: Reader, orgId: string): Row<"organizations"> | null {
  return organization.first(db, { orgId });
}
