// Every query that the program declares, by its plan: no scan of a table that grows, no walk of all of an organization's
// rows for each of other rows, none by a write, and no index without a use.
import { beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import Database from "better-sqlite3";
import { STATEMENTS } from "../../../../migrations/0001_foundation.ts";
import { addFunctions } from "../../../../src/storage/database/open.ts";
import type { Declared } from "./declared.ts";
import { grows, type Loop, loopsOf } from "./plans.ts";

setDefaultTimeout(60_000);

/** Scans of whole tables that are meant, with the reason. */
const SCANS: Readonly<Record<string, string>> = {
  "storage/database/log/account-log.ts head": "the last row of the index",
  "people/stores/session-store.ts listAllOpenSessions": "a restore ends all sessions",
  "people/stores/session-store.ts endAllSessions": "a restore ends all sessions",
  "people/stores/session-store.ts pruneSessions": "sessions are pruned, and few",
  "safekeeping/verify/people/store.ts iterateEvents": "a verification reads all",
  "safekeeping/verify/people/store.ts rows (sessions)": "a verification reads all",
  "storage/database/idempotency.ts prune": "the oldest rows, up to a limit",
  "tokens/jobs/operation-store.ts newest": "the last row",
  "tokens/jobs/operation-store.ts listSignedBetween": "a chain that was lost is sought once",
  "tokens/jobs/operation-store.ts abandonSubmissions": "a chain that was lost is given up once",
  "tokens/jobs/store.ts listing (true)": "the newest rows, up to a limit",
};

/** Walks for each row of another loop that are meant, with the reason. */
const INNER: Readonly<Record<string, string>> = {
  "exchange/ocf/export/store.ts live (stock_legends, true, false)": "deleted legends are few",
  "exchange/ocf/export/store.ts live (stock_legends, false, true)": "deleted legends are few",
  "exchange/ocf/export/store.ts live (share_classes, true, false)": "deleted classes are few, and so are adjustments",
  "exchange/ocf/export/store.ts live (share_classes, false, true)": "deleted classes are few, and so are adjustments",
  "exchange/ocf/export/store.ts live (equity_plans, true, false)": "deleted plans are few, and so are adjustments",
  "exchange/ocf/export/store.ts live (equity_plans, false, true)": "deleted plans are few, and so are adjustments",
  "resources/organization/store.ts stored": "a verification adds up what one organization stores",
  "people/stores/organization-store.ts findOverview": "the last entry",
  "server/http/answers/metrics-store.ts heads": "the last entry of each organization",
};

/** Walks of an organization by what is no view, report, export, import or verification, with the reason. */
const WALKS: Readonly<Record<string, string>> = {
  "storage/database/records.ts everyRow (documents)": "for views and verifications",
  "storage/database/records.ts everyRow (stakeholders)": "for views and verifications",
  "storage/database/records.ts everyRow (securities)": "for views and verifications",
  "storage/database/records.ts everyRow (vesting_milestones)": "for views and verifications",
  "ledger/replay/replay-store.ts listLaterCorrections": "for views, by the index of edits",
  "ledger/replay/replay-store.ts listAdjustments": "for views",
  "ledger/replay/replay-store.ts splits": "splits are few",
  "ledger/replay/replay-store.ts listTermsEntries": "splits and adjustments of classes are few",
  "ledger/replay/replay-store.ts latestOnClass": "a split is dated after all entries of its class",
  "ledger/replay/replay-store.ts latestTold": "splits and adjustments of classes are few",
  "ledger/replay/replay-store.ts latestSplitDay": "splits are few",
  "ledger/replay/replay-store.ts iterateKnownEntries": "for views",
  "ledger/replay/corrected-prices.ts corrected": "for views, by the index of corrected prices",
  "ledger/store.ts entries": "for views and verifications",
  "ledger/store.ts listOpenConvertibles": "a split concerns all convertibles",
  "ledger/vested/leaver-store.ts named": "once for a leaver",
  "ledger/vested/recorded-stops.ts stopped": "by the index of stops",
  "ledger/splits/split-store.ts chargedBy": "a split concerns all securities that charge a plan",
  "resources/securities/store.ts numbersOfType (true)": "the next number of a prefix is proposed by all numbers",
  "resources/securities/store.ts numbersOfType (false)": "the next number of a prefix is proposed by all numbers",
  "resources/events/feed-store.ts listRestores": "by the index of restores",
  "ledger/vested/vesting-view-store.ts securities (true)": "for views",
  "ledger/vested/vesting-view-store.ts securities (false)": "for views",
  "ledger/vested/vesting-view-store.ts milestones": "for views",
  "ledger/vested/vesting-view-store.ts earlierStarts": "for views",
  "ledger/past/store.ts marks": "for views",
  "ledger/past/store.ts entries": "for views",
  "ledger/past/store.ts grantedLater (false)": "for views",
};
/** Districts that read whole organizations by nature. */
const READS_ALL = /^(views|exchange|safekeeping)\//;

let db: Database.Database;
let queries: readonly Declared[];
beforeAll(async () => {
  db = new Database(":memory:");
  addFunctions(db);
  for (const statement of STATEMENTS) db.exec(statement);
  // As the migration library makes it.
  db.exec("create table kysely_migration (name text primary key, timestamp text)");
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "declared.ts")], { stdout: "pipe" });
  queries = JSON.parse(await new Response(child.stdout).text());
});

/** The names of queries with a loop over a growing table of which this is true. */
function namesOf(isFound: (loop: Loop, query: Declared) => boolean, of = queries): string[] {
  return [...new Set(of.filter((query) => loopsOf(db, query).some((loop) => grows(loop) && isFound(loop, query))))]
    .map(({ name }) => name)
    .sort();
}

const named = (reasons: Readonly<Record<string, string>>) => Object.keys(reasons).sort();
const isEndedByLimit = ({ sql }: Declared) => /\blimit\b/i.test(sql);

test("queries of all stores are looked at", () => {
  expect(queries.length).toBeGreaterThan(500);
  expect(queries.map(({ name }) => name)).toContain("ledger/vested/vesting-store.ts family");
});

test("no query scans a table that grows, but for those with a reason", () => {
  expect(namesOf(({ isScan }) => isScan)).toEqual(named(SCANS));
});

test("no query walks an organization for each of other rows, but for those with a reason", () => {
  expect(namesOf(({ isWalk, isScan, isInner }) => isWalk && !isScan && isInner)).toEqual(named(INNER));
});

test("no write walks an organization, but for those with a reason", () => {
  const isFound = ({ isWalk, isScan, isInner }: Loop, query: Declared) =>
    isWalk && !isScan && !isInner && !isEndedByLimit(query) && !READS_ALL.test(query.name);
  expect(namesOf(isFound)).toEqual(named(WALKS));
});

test("records that a list is asked for by their ids, certificate or valuation are looked up", () => {
  const asked = queries.filter(({ name }) => /\((?:\w+, )?(?:ids|certificateId|decidedValuationId), \w+\)$/.test(name));
  expect(asked.length).toBeGreaterThan(40);
  expect(namesOf(({ isWalk, isScan }) => isWalk || isScan, asked)).toEqual([]);
});

/** The indexes that no query uses, besides those that keep a table unique. */
function idleIndexes(of: readonly Declared[]): string[] {
  const used = new Set(of.flatMap((query) => loopsOf(db, query)).map(({ index }) => index));
  const sql = "select name from sqlite_schema where type = 'index' and sql like 'CREATE INDEX%'";
  const all = db.prepare<[], string>(sql).pluck().all();
  return all.filter((name) => !used.has(name));
}

test("each index serves a query, or keeps a table unique", () => {
  expect(idleIndexes(queries)).toEqual([]);
});

describe("controls", () => {
  const found = (sql: string, is: (loop: Loop) => boolean) => namesOf(is, [{ name: "planted", sql }]);

  test("a scan is found", () => {
    expect(found("select * from securities where quantity = ?", ({ isScan }) => isScan)).toEqual(["planted"]);
    expect(found("select s.id from securities as s where s.quantity = ?", ({ isScan }) => isScan)).toEqual(["planted"]);
  });

  test("a walk for each of other rows is found, as of a family that SQLite joins in its own order", () => {
    const family = (join: string) => `with recursive family (id) as (select +? union select securities.id from ${join}
      on securities.originSecurityId = family.id where securities.orgId = ?) select * from family`;
    const isWalked = ({ isWalk }: Loop) => isWalk;
    expect(found(family("securities join family"), isWalked)).toEqual(["planted"]);
    expect(found(family("family cross join securities"), isWalked)).toEqual([]);
    const entries = (plus: string) => `select b.id from securities a cross join transactions b
      on b.orgId = a.orgId and ${plus}b.securityId = a.id where a.orgId = +? and a.stakeholderId = +?`;
    const isInnerWalk = ({ isWalk, isInner }: Loop) => isWalk && isInner;
    expect(found(entries("+"), isInnerWalk)).toEqual(["planted"]);
    expect(found(entries(""), isInnerWalk)).toEqual([]);
  });

  test("an index that no query uses is found", () => {
    db.exec("create index idle on settings (value)");
    expect(db.prepare("select sql from sqlite_schema where name = 'idle'").pluck().get()).toStartWith("CREATE INDEX");
    expect(idleIndexes(queries)).toEqual(["idle"]);
    db.exec("drop index idle");
  });
});
