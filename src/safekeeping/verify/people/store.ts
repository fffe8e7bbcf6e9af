// Store of the verification of people: SQL of the log of accounts from its first event, the tables that it explains,
// and the authors of an organization's log.
import { sql } from "kysely";
import { fallbackOf } from "../../../storage/database/log/logged-columns.ts";
import {
  acrossOrganizations,
  all,
  build,
  type Columns,
  exists,
  first,
  iterate,
  ofOrganization,
  type Params,
  type Reader,
  variants,
} from "../../../storage/database/sql.ts";
import type { PeopleTable, StoredPeople } from "./compare.ts";
import type { PeoplePort } from "./fold-people.ts";
import type { WriterRows } from "./writers.ts";

/** Every event, oldest first. */
export const iterateEvents = iterate(() =>
  acrossOrganizations.selectFrom("account_log").selectAll().orderBy("sequence"),
);

const keyById = first((param: Params<{ id: string }>) =>
  acrossOrganizations.selectFrom("api_keys").select(["role", "keyHash", "revokedAt"]).where("id", "=", param("id")),
);

const sessionById = exists((param: Params<{ id: string }>) =>
  acrossOrganizations.selectFrom("sessions").select("seq").where("id", "=", param("id")),
);

/** The fold's queries of a database. */
export function peoplePort(db: Reader): PeoplePort {
  return { findKey: (id) => keyById(db, { id }), hasSession: (id) => sessionById(db, { id }) };
}

const rows = variants<object, Columns, [table: PeopleTable]>((_param, table) => ({
  compile: () => sql<Columns>`select * from ${sql.table(table)} order by seq`.compile(build),
}));

/** The rows of the tables of people. */
export function storedPeople(db: Reader): StoredPeople {
  return {
    rows: (table) => rows(table).iterate(db, {}),
    fallback: (table, column) => fallbackOf(db, table, column),
  };
}

/** The organization whose members and former members are named. */
export const listMemberAccounts = all((param: Params<{ orgId: string }>) =>
  ofOrganization("memberships", param).select("accountId").distinct(),
);

/** The rows of an organization's log by people after a sequence, by person. */
export const listWriters = all((param: Params<{ orgId: string; after: number }>) => ({
  compile: () =>
    sql<WriterRows>`select "accountId", "sessionId", "actorName", min(sequence) as first, count(*) as rows
      from audit_log where "orgId" = ${param("orgId")} and actor = 'person' and sequence > ${param("after")}
      group by "accountId", "sessionId", "actorName" order by first`.compile(build),
}));

/** How many rows of an organization's log by people stand up to a sequence. */
export const countWriters = first((param: Params<{ orgId: string; upTo: number }>) =>
  ofOrganization("audit_log", param)
    .select((row) => row.fn.countAll<number>().as("rows"))
    .where("actor", "=", "person")
    .where("sequence", "<=", param("upTo")),
);

/** The row by which an organization arrived from another instance; null if it was made here. */
export const findArrival = first((param: Params<{ orgId: string }>) =>
  ofOrganization("audit_log", param)
    .select("sequence")
    .where("resourceType", "=", "log")
    .where("method", "=", "arrived")
    .orderBy("sequence", "desc")
    .limit(1),
);
