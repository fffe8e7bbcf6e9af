// Falsifications by a person with the file in hand, each reported by its kind; and those that only a checkpoint
// could tell is named as such. That every column is seen is test/faults/changed-values.system.test.ts.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import type { Difference } from "../../../src/safekeeping/verify/report.ts";
import { verifyWhole } from "../../../src/safekeeping/verify/whole.ts";
import { DATABASE_FILE, openReadOnly } from "../../../src/storage/database/open.ts";
import { asking, makeWholeCompany, type WholeCompany } from "../../kit/company.ts";
import { startTestServer } from "../../kit/service.ts";
import { walksHere } from "../../kit/threads-here.ts";

setDefaultTimeout(60_000);

const folder = mkdtempSync(join(tmpdir(), "captable-falsified-"));
const sound = join(folder, "sound.db");
let ids: WholeCompany;

beforeAll(async () => {
  const server = await startTestServer({ CAPTABLE_LOG: "off", CAPTABLE_CHAIN: "on" });
  ids = await makeWholeCompany(asking(server.url, await server.key("ADMIN")));
  await server.app.stop();
  copyFileSync(join(server.dataDir, DATABASE_FILE), sound);
  rmSync(server.dataDir, { recursive: true });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What verify tells of a copy of the sound file after `falsify`, with nothing in SQLite to stop it. */
async function differences(falsify: (db: Database.Database) => void): Promise<readonly Difference[]> {
  const file = join(folder, "falsified.db");
  rmSync(file, { force: true });
  copyFileSync(sound, file);
  const sqlite = new Database(file);
  sqlite.pragma("foreign_keys = OFF");
  const triggers = sqlite.prepare<[], { name: string; sql: string }>(
    "select name, sql from sqlite_schema where type = 'trigger'",
  );
  const all = triggers.all();
  for (const { name } of all) sqlite.exec(`drop trigger ${name}`);
  falsify(sqlite);
  for (const { sql } of all) sqlite.exec(sql);
  sqlite.close();
  const db = openReadOnly(file);
  try {
    const report = await verifyWhole(db);
    // By three walks side by side, the same.
    expect(await verifyWhole(db, undefined, { start: walksHere, fromBytes: 0 })).toEqual(report);
    return report.differences;
  } finally {
    db.sqlite.close();
  }
}

const told = (found: readonly Difference[]) => found.map(({ subject, detail }) => `${subject}: ${detail}`).join("\n");

const run = (sql: string) => (db: Database.Database) =>
  db.exec(sql.replace(/:(\w+)/g, (_all, name) => `'${idOf(name)}'`));

function idOf(name: string): string {
  return String({ ...ids, ada: ids.holders[0], bo: ids.holders[1] }[name as keyof WholeCompany]);
}

/** A change of the file, and the finding that reports it, where `:name` is the id of a record. */
const FALSIFIED: readonly (readonly [what: string, falsify: (db: Database.Database) => void, told: RegExp])[] = [
  [
    "a holder's name",
    run("update stakeholders set displayName = 'Eve' where id = :ada"),
    /its displayName is "Eve", and the log says "Ada"/,
  ],
  [
    "a holder's name, with what is searched in",
    run("update stakeholders set displayName = 'Eve', searchText = 'EVE' where id = :ada"),
    /its displayName is "Eve"/,
  ],
  [
    "what is searched in alone",
    run("update stakeholders set searchText = 'EVE' where id = :ada"),
    /its searchText or nameKey does not follow/,
  ],
  [
    "what names are found by",
    run("update stakeholders set nameKey = 'eve' where id = :ada"),
    /its searchText or nameKey does not follow/,
  ],
  [
    "vesting terms",
    run("update vesting_terms set vestingConditions = replace(vestingConditions, '48', '12') where name = 'Monthly'"),
    /vesting terms .*: its vestingConditions is/,
  ],
  [
    "an option's expiration",
    run("update securities set expirationDate = '2099-01-01' where id = :option"),
    /its expirationDate is "2099-01-01"/,
  ],
  [
    "an option's terms",
    run("update securities set vestingTermsId = null where id = :option"),
    /its vestingTermsId is null/,
  ],
  [
    "a SAFE's cap",
    run(
      "update securities set convertibleTerms = replace(convertibleTerms, '5000000', '9000000') where id = :convertible",
    ),
    /its convertibleTerms is .*9000000/,
  ],
  [
    "who approved",
    run("update approval_steps set status = 'APPROVED' where status = 'PENDING'"),
    /approval step .*: its status is "APPROVED"/,
  ],
  [
    "what was approved",
    run("update approvals set state = 'Locked' where state = 'Draft'"),
    /approval .*: its state is "Locked", and the log says "Draft"/,
  ],
  [
    "a step taken out",
    run("delete from approval_steps where approvalId <> :approval"),
    /approval step .*: the log has it, and its row is missing/,
  ],
  [
    "a row of the log taken out",
    run("delete from audit_log where sequence = 7"),
    /log row 8 .*: row 7 is missing before it/,
  ],
  [
    "what the log says",
    run("update audit_log set after = replace(after, 'Ada', 'Eve')"),
    /log row .*: its hash does not match/,
  ],
  [
    "what the log says, by what is no record",
    run("update audit_log set after = '5' where sequence = 3; update audit_log set after = '[1]' where sequence = 4"),
    /log row 3 .*: what it says before or after cannot be read/,
  ],
  ["who wrote", run("update audit_log set actor = 'job' where actor = 'cli'"), /log row .*: its hash does not match/],
  [
    "the log's first rows",
    run("delete from audit_log where sequence <= 5"),
    /log row 6 .*: rows 1 to 5 are missing before it/,
  ],
  [
    "the newest entry, with the security that it made",
    (db) => {
      const newest =
        "(select securityId from transactions where type = 'CONVERTIBLE_ISSUANCE' order by sequence desc limit 1)";
      db.exec(`delete from securities where id = ${newest}; delete from transactions where securityId = ${newest}`);
    },
    /security .*: the log has it, and its row is missing/,
  ],
  [
    "an entry in the past",
    run("update transactions set effectiveDate = '2020-01-01' where sequence = 3"),
    /entry 3 .*: its hash does not match/,
  ],
  [
    "an api key's role",
    run("update api_keys set role = 'ADMIN' where id = :viewerKey"),
    /its role is "ADMIN", and the log says "VIEWER"/,
  ],
  [
    "where a webhook endpoint is",
    run("update webhook_endpoints set url = 'https://elsewhere.invalid/'"),
    /webhook endpoint .*: its url is "https:\/\/elsewhere/,
  ],
  [
    "a webhook endpoint that was disabled",
    run("update webhook_endpoints set status = 'ENABLED', disabledReason = null"),
    /its status is "ENABLED", and the log says "DISABLED"/,
  ],
  [
    "which key a webhook's secret follows from",
    run("update webhook_endpoints set keyFingerprint = '0000000000000000'"),
    /its keyFingerprint is "0000/,
  ],
  [
    "an api key's scopes",
    run(`update api_keys set scopes = '["read","write"]' where id = :viewerKey`),
    /its scopes is .*write/,
  ],
  [
    "a key that was revoked",
    run("update api_keys set revokedAt = null where revokedAt is not null"),
    /its revokedAt is null/,
  ],
  [
    "another key's hash",
    run(`update api_keys set keyHash = '${"0".repeat(64)}' where id = :viewerKey`),
    /its keyHash is "0000/,
  ],
  [
    "an original of OCF",
    run("update ocf_objects set raw = replace(raw, '4000000', '4000001') where id = 't01'"),
    /ocf object TX_STOCK_ISSUANCE t01: its raw is/,
  ],
  [
    "a document's byte",
    run("update document_contents set content = cast('the charteR' as blob) where documentId = :document"),
    /document .*: its bytes are not those/,
  ],
  [
    "a document's bytes with their checksum",
    (db) => {
      const content = Buffer.from("another charter");
      const sha256 = new Bun.CryptoHasher("sha256").update(content).digest("hex");
      db.prepare("update document_contents set content = ? where documentId = ?").run(content, ids.document);
      db.prepare("update documents set sha256 = ?, size = ? where id = ?").run(sha256, content.length, ids.document);
    },
    /document .*: its sha256 is/,
  ],
  [
    "bytes where none were",
    run("delete from audit_log where 0; update documents set sha256 = null where id = :document"),
    /it has stored bytes/,
  ],
  [
    "a class's votes",
    run("update share_classes set votesPerShare = '10' where id = :shareClass"),
    /its votesPerShare is "10", and the log says "1"/,
  ],
  [
    "the organization's name",
    run("update organizations set legalName = 'Hole, Inc.'"),
    /its legalName is "Hole, Inc."/,
  ],
  ["a milestone's evidence", run("update vesting_milestones set evidenceNote = 'none'"), /its evidenceNote is/],
  ["a valuation's price", run("update valuations set pricePerShare = '0.01'"), /valuation .*: its pricePerShare is/],
  ["a quantity", run("update securities set quantity = '1000000' where id = :stock"), /its quantity is "1000000"/],
  [
    "what of a class's options is open",
    run("update share_classes set openOptions = '7' where id = :shareClass"),
    /share class .*: its openOptions is 7, and its ACTIVE options add up to/,
  ],
  [
    "what of a class's warrants is open",
    run("update share_classes set openWarrants = '1' where id = :shareClass"),
    /share class .*: its openWarrants is 1, and its ACTIVE warrants add up to/,
  ],
  [
    "what of a plan's options is open",
    run("update equity_plans set openOptions = '7' where id = :plan"),
    /equity plan .*: its openOptions is 7, and its ACTIVE options add up to/,
  ],
  [
    "what of the organization's options is open",
    run("update organizations set openOptions = '7'"),
    /organization .*: its openOptions is 7, and its ACTIVE options add up to/,
  ],
  [
    "a pool",
    run("update equity_plans set currentSharesReserved = '9' where id = :plan"),
    /its currentSharesReserved is/,
  ],
  [
    "a deletion undone",
    run("update stakeholders set deletedAt = null where deletedAt is not null"),
    /its deletedAt is null/,
  ],
  [
    "a record that no entry made",
    run(`insert into stock_legends (orgId, id, createdAt, updatedAt, name, text)
      select orgId, 'mine', createdAt, updatedAt, 'Mine', 'All yours is mine' from stock_legends limit 1`),
    /stock legend mine: the log does not have its creation/,
  ],
  ["the order of records", run("update securities set seq = 100000 where id = :stock"), /its place in the table/],
  [
    "where a token is",
    run("update share_classes set tokenAddress = '0x0' where tokenAddress is not null"),
    /its tokenAddress is "0x0"/,
  ],
  ["a holder's wallet", run("update stakeholders set walletAddress = null"), /its walletAddress is null/],
];

test("the sound file has no difference", async () => {
  expect(await differences(() => undefined)).toEqual([]);
});

test.each(FALSIFIED)("told: %s", async (_what, falsify, expected) => {
  const found = await differences(falsify);
  expect(told(found)).toMatch(expected);
  for (const { fix, detail } of found) expect([typeof detail, (fix ?? "Restore").length > 6]).toEqual(["string", true]);
});

test("there are more than twenty of them", () => expect(FALSIFIED.length).toBeGreaterThan(20));

describe("the schema", () => {
  test.each([
    ["a trigger added", "create trigger t before insert on transactions begin select 1; end", "trigger t"],
    ["an index dropped", "drop index securities_plan", "index securities_plan"],
    ["a view added", "create view v as select 1", "view v"],
    ["a view in a table's place", "drop table outbox; create view outbox as select 1 as seq", "view outbox"],
    [
      "a unique index made loose",
      "drop index stakeholders_wallet; create index stakeholders_wallet on stakeholders (orgId, walletAddress)",
      "index stakeholders_wallet",
    ],
  ])("told: %s", async (_what, sql, subject) => {
    const found = await differences((db) => db.exec(sql));
    expect(found.map((difference) => [difference.code, difference.subject])).toContainEqual([
      "schema-differs",
      subject,
    ]);
  });

  test("an endless view is told before anything is asked of it", async () => {
    const endless = "with recursive e(n) as (select 1 union all select n + 1 from e) select n as id from e";
    const found = await differences((db) => db.exec(`drop table securities; create view securities as ${endless}`));
    expect(new Set(found.map(({ code }) => code))).toEqual(new Set(["schema-differs"]));
  });

  test("the connection that looks heeds no function that a schema brings along, and keeps SQLite's own tables closed", () => {
    const { sqlite } = openReadOnly(sound);
    expect(sqlite.pragma("trusted_schema", { simple: true })).toBe(0);
    sqlite.pragma("query_only = OFF");
    sqlite.pragma("writable_schema = ON");
    expect(() => sqlite.exec("update sqlite_schema set sql = sql")).toThrow("may not be modified");
    sqlite.close();
  });
});
