// SQL of replays: the ledger's entries from the first one, and the classes and plans that they move. Deleted classes
// and plans are included, because entries name them.
import { sql } from "kysely";
import type { CalendarDate } from "../../kernel/date.ts";
import type { Timestamp } from "../../kernel/runtime.ts";
import {
  all,
  build,
  first,
  iterate,
  ofOrganization,
  type Params,
  type Reader,
  type Row,
  remembered,
  statement,
} from "../../storage/database/sql.ts";
import { typesThat } from "./event.ts";

/** The corrections recorded after an instant, the latest first. */
export const listLaterCorrections = all((param: Params<{ orgId: string; knownAt: Timestamp }>) =>
  ofOrganization("transactions", param)
    .select(["securityId", "metadata"])
    .where("createdAt", ">", param("knownAt"))
    .where("recordOnly", "=", 0)
    .where(sql<boolean>`metadata ->> '$.correction' = 1`)
    .orderBy("sequence", "desc"),
);

/** The class and plan adjustments of the ledger, oldest first. */
export const listAdjustments = all((param: Params<{ orgId: string }>) =>
  ofOrganization("transactions", param)
    .selectAll()
    .where("type", "in", ["STOCK_CLASS_ADJUSTMENT", "STOCK_PLAN_ADJUSTMENT"])
    .where("type", "<>", "STOCK_ISSUANCE")
    // Sorted by an expression, as entries on a security are: the whole ledger is not walked.
    .orderBy(sql`+"sequence"`),
);

const entriesOn = statement((param: Params<{ orgId: string; securityId: string }>) =>
  ofOrganization("transactions", param)
    .selectAll()
    .where("securityId", "=", param("securityId"))
    .where("recordOnly", "=", 0)
    // The sort expression keeps SQLite from walking the whole ledger in order instead of looking up a few entries.
    .orderBy(sql`+"sequence"`),
);

/** The entries that name a security, oldest first, without record-only ones. */
export function listEntriesOn(db: Reader, orgId: string, securityId: string): Row<"transactions">[] {
  return entriesOn.all(db, { orgId, securityId });
}

/** The cancellations of options under a plan, oldest first. */
export const listCancelledUnder = all((param: Params<{ orgId: string; equityPlanId: string }>) =>
  ofOrganization("transactions", param)
    .selectAll()
    .where(
      "securityId",
      "in",
      ofOrganization("securities", param).select("id").where("equityPlanId", "=", param("equityPlanId")),
    )
    .where("type", "=", "STOCK_OPTION_CANCELLATION")
    .where("recordOnly", "=", 0)
    .orderBy(sql`+"sequence"`),
);

const splits = statement((param: Params<{ orgId: string; after: string }>) =>
  ofOrganization("transactions", param)
    .selectAll()
    .where("type", "=", "STOCK_SPLIT")
    .where("type", "<>", "STOCK_ISSUANCE")
    .where("recordOnly", "=", 0)
    .where("effectiveDate", ">", param("after"))
    .orderBy("sequence"),
);

/** The organization's splits, or those dated after a day; in the order of recording. */
export function listSplits(db: Reader, orgId: string, after: CalendarDate | "" = ""): Row<"transactions">[] {
  return remembered(db, "transactions", `splits ${orgId} ${after}`, () => splits.allStored(db, { orgId, after }));
}

/** The entries that may set terms of classes (ledger/replay/terms-then.ts), oldest first. */
export const listTermsEntries = all((param: Params<{ orgId: string }>) =>
  ofOrganization("transactions", param)
    .select(["type", "sequence", "effectiveDate", "createdAt", "metadata"])
    .where("type", "in", ["STOCK_SPLIT", "STOCK_CLASS_ADJUSTMENT"])
    .where("type", "<>", "STOCK_ISSUANCE")
    .where("recordOnly", "=", 0)
    // Sorted by an expression, as entries on a security are: the whole ledger is not walked.
    .orderBy(sql`+"sequence"`),
);

const ahead = statement((param: Params<{ orgId: string; today: CalendarDate }>) =>
  ofOrganization("transactions", param)
    .selectAll()
    .where("effectiveDate", ">", param("today"))
    .where("recordOnly", "=", 0)
    .where(sql<boolean>`"effectiveDate" > substr("createdAt", 1, 10)`)
    .orderBy("sequence"),
);

/**
 * The entries dated later than today. Each was dated later than the day of its recording: the index has those alone,
 * and none of them waits for the end of a batch.
 */
export function listAhead(db: Reader, args: { readonly orgId: string; readonly today: CalendarDate }) {
  return remembered(db, "transactions", `ahead ${args.orgId} ${args.today}`, () => ahead.allStored(db, args));
}

interface Latest {
  readonly latest: CalendarDate | null;
}

/** The latest day of the entries on a security, and the place of the first of them in the ledger. */
interface Span extends Latest {
  readonly first: number | null;
}

const spanOf = first((param: Params<{ orgId: string; securityId: string }>) => ({
  compile: () =>
    sql<Span>`select max("effectiveDate") as latest, min(sequence) as first from (
      select "effectiveDate", sequence from transactions
        where "orgId" = ${param("orgId")} and "securityId" = ${param("securityId")} and "recordOnly" = 0
      union all
      select t."effectiveDate", t.sequence from securities s join transactions t
        on t."orgId" = s."orgId" and t."securityId" = s."originSecurityId" and t."recordOnly" = 0
        where s."orgId" = ${param("orgId")} and s.id = ${param("securityId")}
          and json_extract(t.metadata, '$.newSecurityId') = s.id)`.compile(build),
}));

/** Of the entries that name or created a security; nulls if there is no entry. Splits name no security. */
export function spanOnSecurity(db: Reader, orgId: string, securityId: string): Span {
  return spanOf(db, { orgId, securityId }) ?? { latest: null, first: null };
}

/** The entry that created a security, by its day: its issuance, or the entry that made it from another one. */
export const findDayOnLedger = first((param: Params<{ orgId: string; securityId: string }>) => ({
  compile: () =>
    sql<Pick<Row<"transactions">, "effectiveDate">>`select "effectiveDate" from (
      select "effectiveDate", sequence from transactions
        where "orgId" = ${param("orgId")} and "securityId" = ${param("securityId")} and "recordOnly" = 0
          and type like '%_ISSUANCE'
      union all
      select t."effectiveDate", t.sequence from securities s join transactions t
        on t."orgId" = s."orgId" and t."securityId" = s."originSecurityId" and t."recordOnly" = 0
        where s."orgId" = ${param("orgId")} and s.id = ${param("securityId")}
          and json_extract(t.metadata, '$.newSecurityId') = s.id) order by sequence limit 1`.compile(build),
}));

/** Entries that created a security of the class count, also if its source was of another class. */
const latestOnClass = statement((param: Params<{ orgId: string; stockClassId: string }>) => ({
  compile: () =>
    sql<Latest>`select max("effectiveDate") as latest from (
      select t."effectiveDate" from securities s join transactions t
        on t."orgId" = s."orgId" and t."securityId" = s.id and t."recordOnly" = 0
        where s."orgId" = ${param("orgId")} and s."stockClassId" = ${param("stockClassId")}
      union all
      select t."effectiveDate" from transactions t cross join securities s
        on s."orgId" = t."orgId" and s.id = json_extract(t.metadata, '$.newSecurityId')
        where t."orgId" = ${param("orgId")} and t."recordOnly" = 0
          and s."stockClassId" = ${param("stockClassId")})`.compile(build),
}));

/** The same of any security of a class. */
export function latestOnSecuritiesOf(db: Reader, orgId: string, stockClassId: string): CalendarDate | null {
  return latestOnClass.first(db, { orgId, stockClassId })?.latest ?? null;
}

/** Worded like the index of adjustments, so that SQLite uses it. */
const latestAdjusted = statement((param: Params<{ orgId: string; id: string }>) => ({
  compile: () =>
    sql<Latest>`select max("effectiveDate") as latest from transactions
      where "orgId" = ${param("orgId")} and "recordOnly" = 0
        and type in ('STOCK_CLASS_ADJUSTMENT', 'STOCK_PLAN_ADJUSTMENT')
        and coalesce(json_extract(metadata, '$.equityPlanId'), json_extract(metadata, '$.stockClassId'))
          = ${param("id")}
        and coalesce(json_extract(metadata, '$.newSharesAuthorized'), json_extract(metadata, '$.newSharesReserved'))
          is not null`.compile(build),
}));

/** The latest effective date of the adjustments to a figure of a class or plan; null without an adjustment. */
export function latestAdjustment(db: Reader, orgId: string, id: string): CalendarDate | null {
  return latestAdjusted.first(db, { orgId, id })?.latest ?? null;
}

const latestTold = statement((param: Params<{ orgId: string; stockClassId: string }>) => ({
  compile: () =>
    sql<Latest>`select max("effectiveDate") as latest from transactions
      where "orgId" = ${param("orgId")} and type in ('STOCK_CLASS_ADJUSTMENT', 'STOCK_SPLIT')
        and type <> 'STOCK_ISSUANCE' and "recordOnly" = 0
        and (type = 'STOCK_SPLIT' and json_extract(metadata, '$.stockClassId') = ${param("stockClassId")}
          or exists (select 1 from json_each(transactions.metadata, '$.classTerms') told
            where json_extract(told.value, '$.stockClassId') = ${param("stockClassId")}))`.compile(build),
}));

/** The latest effective date of the entries that changed a class's price or conversion; null without such an entry. */
export function latestTerms(db: Reader, orgId: string, stockClassId: string): CalendarDate | null {
  return latestTold.first(db, { orgId, stockClassId })?.latest ?? null;
}

const latestSplitDay = statement((param: Params<{ orgId: string; stockClassId: string }>) => ({
  compile: () =>
    sql<Latest>`select max("effectiveDate") as latest from transactions
      where "orgId" = ${param("orgId")} and type = 'STOCK_SPLIT' and type <> 'STOCK_ISSUANCE' and "recordOnly" = 0
        and json_extract(metadata, '$.stockClassId') = ${param("stockClassId")}`.compile(build),
}));

/** The latest effective date of a class's splits; null without a split. */
export function latestSplit(db: Reader, orgId: string, stockClassId: string): CalendarDate | null {
  return latestSplitDay.first(db, { orgId, stockClassId })?.latest ?? null;
}

const ISSUANCES = typesThat("issued");

/**
 * Walks the entries after the place `after` that were recorded at or before `knownAt`, in the order of recording.
 * Issuances dated later than `asOf` are skipped: no earlier entry depends on them. A correction is not an issuance.
 */
export const iterateKnownEntries = iterate(
  (param: Params<{ orgId: string; knownAt: Timestamp; asOf: CalendarDate; after: number }>) =>
    ofOrganization("transactions", param)
      .select([
        "sequence",
        "type",
        "securityId",
        "stakeholderId",
        "quantity",
        "effectiveDate",
        "metadata",
        "recordOnly",
      ])
      .where("createdAt", "<=", param("knownAt"))
      .where("recordOnly", "=", 0)
      .where("sequence", ">", param("after"))
      .where(({ or, eb }) =>
        or([
          eb("effectiveDate", "<=", param("asOf")),
          eb("type", "not in", ISSUANCES),
          sql<boolean>`sequence in (select sequence from transactions edits
              where edits."orgId" = ${param("orgId")} and json_extract(edits.metadata, '$.directEdit') = 1)`,
        ]),
      )
      .orderBy("sequence"),
);

const lastKnown = statement((param: Params<{ orgId: string; knownAt: Timestamp }>) =>
  ofOrganization("transactions", param)
    .select("sequence")
    .where("createdAt", "<=", param("knownAt"))
    .orderBy("sequence", "desc")
    .limit(1),
);

/** The place of the last entry recorded at or before `knownAt`; 0 if there is no entry. */
export function lastKnownSequence(db: Reader, orgId: string, knownAt: Timestamp): number {
  return lastKnown.first(db, { orgId, knownAt })?.sequence ?? 0;
}
