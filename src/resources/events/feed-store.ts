// SQL of the feed: the ledger and the log of an organization, each in its order from a place on.
import { sql } from "kysely";
import {
  acrossOrganizations,
  all,
  first,
  ofOrganization,
  type Params,
  type Reader,
  type Row,
} from "../../storage/database/sql.ts";

interface After {
  readonly orgId: string;
  readonly after: number;
  readonly limit: number;
}

/** The entries after a sequence, oldest first. */
export const listEntriesAfter = all((param: Params<After>) =>
  ofOrganization("transactions", param)
    .selectAll()
    .where("sequence", ">", param("after"))
    .orderBy("sequence")
    .limit(param("limit")),
);

/** The rows of the log after a sequence, oldest first. */
export const listLogAfter = all((param: Params<After>) =>
  ofOrganization("audit_log", param)
    .select(["sequence", "hash", "at", "actor", "requestId", "method", "resourceType", "resourceId", "before", "after"])
    .where("sequence", ">", param("after"))
    .orderBy("sequence")
    .limit(param("limit")),
);

/** A row of the log, as the feed reads it. */
export type LogRow = Pick<
  Row<"audit_log">,
  "sequence" | "hash" | "at" | "actor" | "requestId" | "method" | "resourceType" | "resourceId" | "before" | "after"
>;

interface At {
  readonly orgId: string;
  readonly sequence: number;
}

const entryAt = first((param: Params<At>) =>
  ofOrganization("transactions", param).select(["createdAt as at", "hash"]).where("sequence", "=", param("sequence")),
);

const logAt = first((param: Params<At>) =>
  ofOrganization("audit_log", param).select(["at", "hash"]).where("sequence", "=", param("sequence")),
);

/** One of the two lists. */
export type FeedList = "ledger" | "log";

/** When the row at this place was recorded, and its hash; null for no such row. */
export function rowAt(db: Reader, list: FeedList, orgId: string, sequence: number) {
  return (list === "ledger" ? entryAt : logAt)(db, { orgId, sequence });
}

/** The sizes of both lists before each restore, oldest first: canonical JSON. */
export const listRestores = all((param: Params<{ orgId: string }>) =>
  ofOrganization("audit_log", param)
    .select("after")
    .where("method", "=", sql.lit("restored"))
    .where("resourceType", "=", sql.lit("log"))
    .orderBy("sequence"),
);

interface Since {
  readonly after: number;
  readonly limit: number;
}

const entriesSince = all((param: Params<Since>) =>
  acrossOrganizations
    .selectFrom("transactions")
    .select(["seq", "orgId"])
    .where("seq", ">", param("after"))
    .orderBy("seq")
    .limit(param("limit")),
);

const logSince = all((param: Params<Since>) =>
  acrossOrganizations
    .selectFrom("audit_log")
    .select(["seq", "orgId"])
    .where("seq", ">", param("after"))
    .orderBy("seq")
    .limit(param("limit")),
);

const ROWS_AT_ONCE = 1000;

/** How far both tables were looked at, of all organizations: the numbers of their last rows. */
export interface Looked {
  readonly ledger: number;
  readonly log: number;
}

/** The organizations with rows behind these numbers, and how far was looked. */
export function organizationsSince(db: Reader, since: Looked): Looked & { readonly orgIds: ReadonlySet<string> } {
  const orgIds = new Set<string>();
  const lookOn = (list: typeof entriesSince, from: number) => {
    let after = from;
    for (;;) {
      const rows = list(db, { after, limit: ROWS_AT_ONCE });
      for (const { orgId } of rows) orgIds.add(orgId);
      after = rows.at(-1)?.seq ?? after;
      if (rows.length < ROWS_AT_ONCE) return after;
    }
  };
  return { orgIds, ledger: lookOn(entriesSince, since.ledger), log: lookOn(logSince, since.log) };
}

const lastEntry = first((_param: Params<object>) =>
  acrossOrganizations.selectFrom("transactions").select("seq").where("seq", ">", 0).orderBy("seq", "desc").limit(1),
);

const lastRow = first((_param: Params<object>) =>
  acrossOrganizations.selectFrom("audit_log").select("seq").where("seq", ">", 0).orderBy("seq", "desc").limit(1),
);

/** The end of both tables. */
export function lookedToEnd(db: Reader): Looked {
  return { ledger: lastEntry(db)?.seq ?? 0, log: lastRow(db)?.seq ?? 0 };
}
