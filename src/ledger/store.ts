// The ledger's SQL: its head, its entries, and the rows that a write loads and changes.
import { sql } from "kysely";
import { utcDayOf } from "../kernel/runtime.ts";
import { DEFAULT_CURRENCY } from "../kernel/text/currency.ts";
import type { ListQuery } from "../storage/database/records.ts";
import {
  all,
  build,
  type ChainHead,
  exists,
  ofOrganization,
  type Params,
  type Reader,
  type Row,
  remembered,
  type SqlValue,
  statement,
  type Tx,
  variants,
} from "../storage/database/sql.ts";
import { adding } from "../storage/database/waiting-rows.ts";
import { GENESIS_HASH, hashEntry } from "./hash.ts";
import type { Metadata } from "./types.ts";

const NO_HEAD: ChainHead = { sequence: 0, hash: GENESIS_HASH };

const head = statement((param: Params<{ orgId: string }>) =>
  ofOrganization("transactions", param).select(["sequence", "hash"]).orderBy("sequence", "desc").limit(1),
);

/** The place and hash of the organization's last entry; sequence 0 and the genesis hash for an empty ledger. */
export function findHead(db: Reader, orgId: string): ChainHead {
  return head.first(db, { orgId }) ?? NO_HEAD;
}

/** Whether the organization's ledger has this entry at this place. */
export const isEntry = exists((param: Params<{ orgId: string; sequence: number; hash: string }>) =>
  ofOrganization("transactions", param)
    .select("seq")
    .where("sequence", "=", param("sequence"))
    .where("hash", "=", param("hash")),
);

/** An entry's row without its place in the chain; its metadata are JSON values that are not text yet. */
export type UnchainedEntry = Omit<Row<"transactions">, "seq" | "sequence" | "previousHash" | "hash" | "metadata"> & {
  readonly metadata: Metadata | null;
};

const addEntry = adding("transactions", [
  ...(["orgId", "id", "sequence", "type", "securityId", "stakeholderId", "quantity", "effectiveDate"] as const),
  ...(["metadata", "recordOnly", "createdAt", "previousHash", "hash"] as const),
]);

/** Appends entries after the head, numbering and chaining them, and returns them as stored. */
export function appendEntries(tx: Tx, orgId: string, entries: readonly UnchainedEntry[]): Row<"transactions">[] {
  const chain = `transactions ${orgId}`;
  let { sequence, hash } = tx.waiting?.heads.get(chain) ?? head.firstStored(tx, { orgId }) ?? NO_HEAD;
  const rows = entries.map((entry) => {
    const previousHash = hash;
    hash = hashEntry({ ...entry, sequence: ++sequence, previousHash, recordOnly: entry.recordOnly === 1 });
    const metadata = entry.metadata && JSON.stringify(entry.metadata);
    const row = { ...entry, metadata, sequence, previousHash, hash };
    addEntry(tx, row);
    tx.waiting?.note(nameOf(row));
    // Of splits and entries dated ahead each write asks, so they are stored at once.
    if (tx.waiting && (isAhead(row) || row.type === "STOCK_SPLIT")) {
      tx.waiting.settle(["transactions"]);
      tx.waiting.forget("transactions");
    }
    return { ...row, seq: 0 };
  });
  tx.waiting?.heads.set(chain, { sequence, hash });
  return rows;
}

/** Whether an entry is dated later than the day of its recording. */
function isAhead({ effectiveDate, createdAt }: Pick<UnchainedEntry, "effectiveDate" | "createdAt">): boolean {
  return effectiveDate > utcDayOf(createdAt);
}

/** Whether an entry waits for the end of its batch. */
export function isEntryWaiting(db: Reader, entry: { readonly orgId: string; readonly id: string }): boolean {
  return db.waiting?.has(nameOf(entry)) === true;
}

function nameOf({ orgId, id }: { readonly orgId: string; readonly id: string }): string {
  return `entry ${orgId} ${id}`;
}

const entryById = statement((param: Params<{ orgId: string; id: string }>) =>
  ofOrganization("transactions", param).selectAll().where("id", "=", param("id")),
);

/** One entry, or null. */
export function findEntry(db: Reader, orgId: string, id: string): Row<"transactions"> | null {
  return entryById.first(db, { orgId, id });
}

const entries = statement((param: Params<{ orgId: string }>) =>
  ofOrganization("transactions", param).selectAll().orderBy("sequence"),
);

/** Walks the whole ledger of an organization from its first entry. */
export function iterateEntries(db: Reader, orgId: string): IterableIterator<Row<"transactions">> {
  return entries.iterate(db, { orgId });
}

const certificate = statement((param: Params<{ orgId: string; certificateId: string }>) =>
  ofOrganization("securities", param)
    .select("id")
    .where("certificateId", "=", param("certificateId"))
    .where("deletedAt", "is", null)
    .limit(1),
);

/** The id of the security that bears this certificate number, or null. */
export function findCertificateHolder(db: Reader, orgId: string, certificateId: string): string | null {
  return certificate.first(db, { orgId, certificateId })?.id ?? null;
}

const namedHolder = statement((param: Params<{ orgId: string; id: string }>) =>
  ofOrganization("stakeholders", param)
    .select(["displayName", "status", "relationships"])
    .where("id", "=", param("id"))
    .where("deletedAt", "is", null),
);

/** Name, status and relationships of a stakeholder of the register, or null. */
export function findNamedHolder(db: Reader, { orgId, id }: { readonly orgId: string; readonly id: string }) {
  return remembered(db, "stakeholders", `${orgId} ${id}`, () => namedHolder.first(db, { orgId, id }));
}

/** The plans whose shares are of this class alone. */
export const listPlansOf = all((param: Params<{ orgId: string; stockClassId: string }>) =>
  ofOrganization("equity_plans", param)
    .select("id")
    .where("deletedAt", "is", null)
    .where(sql`json_array_length("stockClassIds")`, "=", 1)
    .where(sql`json_extract("stockClassIds", '$[0]')`, "=", param("stockClassId")),
);

const openOfClass = statement((param: Params<{ orgId: string; stockClassId: string }>) =>
  ofOrganization("securities", param)
    .selectAll()
    .where("stockClassId", "=", param("stockClassId"))
    .where("status", "=", "ACTIVE")
    .where("deletedAt", "is", null)
    .orderBy("seq"),
);

const openOfPlan = statement((param: Params<{ orgId: string; equityPlanId: string }>) =>
  ofOrganization("securities", param)
    .selectAll()
    .where("equityPlanId", "=", param("equityPlanId"))
    .where("stockClassId", "is", null)
    .where("status", "=", "ACTIVE")
    .where("deletedAt", "is", null)
    .orderBy("seq"),
);

/** The ACTIVE securities of a class, and those that name no class but are under a plan for this class alone. */
export function listOpenSecurities(db: Reader, orgId: string, stockClassId: string): Row<"securities">[] {
  const byPlan = listPlansOf(db, { orgId, stockClassId }).flatMap(({ id }) =>
    openOfPlan.all(db, { orgId, equityPlanId: id }),
  );
  return [...openOfClass.all(db, { orgId, stockClassId }), ...byPlan];
}

/** Every security that charges a plan, closed and deleted ones included. */
export const listCharged = all((param: Params<{ orgId: string; equityPlanId: string }>) =>
  ofOrganization("securities", param)
    .selectAll()
    .where("equityPlanId", "=", param("equityPlanId"))
    .where("planCharge", "is not", null)
    .orderBy("seq"),
);

/** Filters by effective date; both days count. */
const DAYS: Readonly<Record<string, "<=" | ">=">> = { from: ">=", to: "<=" };

/** A filter by a type that the index of types has. */
const OTHER_TYPE = "otherType";

const page = variants<Record<string, SqlValue>, Row<"transactions">, [names: string, isOldestFirst: boolean]>(
  (param, names, isOldestFirst) => {
    const filters = (names ? names.split(",") : []).map((name) => {
      const compares = DAYS[name];
      if (compares) return sql`"effectiveDate" ${sql.raw(compares)} ${param(name)}`;
      if (name === OTHER_TYPE) return sql`type = ${param(name)} and type <> 'STOCK_ISSUANCE'`;
      return sql`${sql.ref(name)} = ${param(name)}`;
    });
    const beyond = isOldestFirst ? sql`"sequence" > ${param("$after")}` : sql`"sequence" < ${param("$before")}`;
    const where = [sql`"orgId" = ${param("$orgId")}`, beyond, ...filters];
    // Looks up a security's few entries and then sorts them: else SQLite walks the whole ledger in its order.
    const order = names.split(",").includes("securityId") ? sql`+"sequence"` : sql`"sequence"`;
    return {
      compile: () =>
        sql<Row<"transactions">>`select * from transactions where ${sql.join(where, sql` and `)}
        order by ${order} ${sql.raw(isOldestFirst ? "asc" : "desc")} limit ${param("$limit")} + 0`.compile(build),
    };
  },
);

/** The entries of a list; `seq` is the sequence. */
export function listEntries(
  db: Reader,
  { orgId, filters, before, after = null, limit }: ListQuery,
): Row<"transactions">[] {
  const { type, ...others } = filters;
  const byType = type === undefined ? {} : { [type === "STOCK_ISSUANCE" ? "type" : OTHER_TYPE]: type };
  const range = { $before: before ?? Number.MAX_SAFE_INTEGER, $after: after, $limit: limit };
  const args = { ...others, ...byType, $orgId: orgId, ...range };
  return page(Object.keys({ ...others, ...byType }).join(","), after !== null)
    .all(db, args)
    .map((row) => ({ ...row, seq: row.sequence }));
}

/** The ACTIVE securities of a stakeholder, oldest first. */
export const listHeldBy = all((param: Params<{ orgId: string; stakeholderId: string }>) =>
  ofOrganization("securities", param)
    .selectAll()
    .where("stakeholderId", "=", param("stakeholderId"))
    .where("status", "=", "ACTIVE")
    .where("deletedAt", "is", null)
    .orderBy("seq"),
);

const currency = statement((param: Params<{ orgId: string }>) =>
  build.selectFrom("organizations").select("currency").where("id", "=", param("orgId")),
);

/** The currency of an organization's amounts: its own, else the default. */
export function organizationCurrency(db: Reader, orgId: string): string {
  return remembered(
    db,
    "organizations",
    `currency ${orgId}`,
    () => currency.first(db, { orgId })?.currency ?? DEFAULT_CURRENCY,
  );
}

const asking = statement((param: Params<{ orgId: string }>) =>
  build.selectFrom("organizations").select("asksAcceptance").where("id", "=", param("orgId")),
);

/** Whether an organization asks holders to accept what is issued to them. */
export function organizationAsksAcceptance(db: Reader, orgId: string): boolean {
  return remembered(
    db,
    "organizations",
    `asksAcceptance ${orgId}`,
    () => asking.first(db, { orgId })?.asksAcceptance === 1,
  );
}

/** How every class converts, oldest first. */
export const listClassTerms = all((param: Params<{ orgId: string }>) =>
  ofOrganization("share_classes", param)
    .select(["id", "classType", "pricePerShare", "conversionRights"])
    .where("deletedAt", "is", null)
    .orderBy("seq"),
);

/** The terms of open convertibles, oldest first. */
export const listOpenConvertibles = all((param: Params<{ orgId: string }>) =>
  ofOrganization("securities", param)
    .select(["id", "convertibleTerms"])
    .where("type", "=", "CONVERTIBLE")
    .where("type", "<>", "STOCK")
    .where("status", "=", "ACTIVE")
    .where("deletedAt", "is", null)
    .orderBy("seq"),
);
