// Checkpoints end to end: over HTTP and by the command line; what was removed, written anew or put back is reported
// by `verify --against`, and by a server that keeps them, which then refuses to start.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import Database from "better-sqlite3";
import { hashEntry } from "../../../src/ledger/hash.ts";
import { readCheckpoints } from "../../../src/safekeeping/checkpoint/checkpoint.ts";
import { readVerifier } from "../../../src/safekeeping/checkpoint/note.ts";
import { hashEvent } from "../../../src/storage/database/log/account-log.ts";
import { canonicalJson, hashLogRow } from "../../../src/storage/database/log/log-hash.ts";
import { LOGGED } from "../../../src/storage/database/log/logged-tables.ts";
import { DATABASE_FILE } from "../../../src/storage/database/open.ts";
import { runCommand } from "../../kit/command.ts";
import { newDataDir, runProgram, serveProgram } from "../../kit/program.ts";
import { startTestServer, type TestServer } from "../../kit/service.ts";
import { call, issue, makeHolder } from "../backup/support.ts";

setDefaultTimeout(60_000);

const folder = dirname(newDataDir());
const dataDir = join(folder, "data");
const early = join(folder, "early");
const note = join(folder, "kept.checkpoint");
let orgId: string;

beforeAll(async () => {
  const served = await serveProgram(dataDir);
  const ids = await makeHolder(served);
  await issue(served, ids, 1);
  await served.end();
  cpSync(dataDir, early, { recursive: true });
  const again = await serveProgram(dataDir);
  await issue(again, ids, 2);
  await call(again, "PATCH", `/stakeholders/${ids.holder}`, { comments: "the newest change" });
  orgId = (await call(again, "GET", "/organization")).json.id;
  await again.end();
  const made = await runCommand(["checkpoint", "--data-dir", dataDir]);
  expect([made.status, made.stderr]).toEqual([0, ""]);
  writeFileSync(note, made.stdout);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A copy of a data directory, changed with nothing in SQLite to stop it. */
function changed(from: string, change: (db: Database.Database) => void): string {
  const copy = join(folder, `changed-${Bun.randomUUIDv7()}`);
  cpSync(from, copy, { recursive: true });
  const db = new Database(join(copy, DATABASE_FILE));
  db.pragma("foreign_keys = OFF");
  const triggers = db.prepare<[], { name: string; sql: string }>(
    "select name, sql from sqlite_schema where type = 'trigger'",
  );
  const all = triggers.all();
  for (const { name } of all) db.exec(`drop trigger ${name}`);
  change(db);
  for (const { sql } of all) db.exec(sql);
  db.close();
  return copy;
}

/** Takes back, by the log itself, all that was written since the newest security but one was made, the log included. */
function truncate(db: Database.Database): void {
  const cut = db
    .prepare("select max(sequence) from audit_log where resourceType = 'security' and before is null")
    .pluck();
  const first = Number(cut.get());
  const { at } = db.prepare("select at from audit_log where sequence = ?").get(first) as { at: string };
  const tables = new Map(Object.entries(LOGGED).map(([table, noun]) => [String(noun), table]));
  db.exec("delete from chain_operations; delete from outbox");
  type Told = { resourceType: string; resourceId: string; before: string | null };
  const rows = db
    .prepare<[number], Told>("select * from audit_log where sequence >= ? order by sequence desc")
    .all(first);
  for (const { resourceType, resourceId, before } of rows) {
    const table = tables.get(resourceType);
    if (table === undefined) continue;
    if (before === null) db.prepare(`delete from ${table} where id = ?`).run(resourceId);
    for (const [column, value] of Object.entries(JSON.parse(before ?? "{}"))) {
      db.prepare(`update ${table} set "${column}" = ? where id = ?`).run(value, resourceId);
    }
  }
  db.exec(`delete from transactions where createdAt >= '${at}'; delete from audit_log where sequence >= ${first}`);
  db.exec("update share_classes set issued = (select sum(quantity) from securities)");
}

type Members = Record<string, never>;

/** Changes a note in the past and chains everything after it anew, as only the owner of the file can. */
function rewrite(db: Database.Database): void {
  db.exec("update transactions set effectiveDate = '2020-02-02' where sequence = 1");
  const entries = db.prepare<[], Members>("select * from transactions order by orgId, sequence").all();
  let previousHash = "0".repeat(64);
  for (const { seq, metadata, recordOnly, ...entry } of entries) {
    const hash = hashEntry({
      ...(entry as unknown as Parameters<typeof hashEntry>[0]),
      metadata: metadata && JSON.parse(metadata),
      recordOnly: recordOnly === 1,
      previousHash,
    });
    db.prepare("update transactions set previousHash = ?, hash = ? where seq = ?").run(previousHash, hash, seq);
    previousHash = hash;
  }
}

/** Changes a row of the log that only tells of an entry, and chains it anew. */
function rewriteLog(db: Database.Database): void {
  db.exec("update audit_log set requestId = 'another' where sequence = 2");
  const rows = db.prepare<[], Members>("select * from audit_log order by sequence").all();
  let previousHash = "0".repeat(64);
  for (const { seq, hash: _hash, ...row } of rows) {
    const hash = hashLogRow({ ...(row as unknown as Parameters<typeof hashLogRow>[0]), previousHash });
    db.prepare("update audit_log set previousHash = ?, hash = ? where seq = ?").run(previousHash, hash, seq);
    previousHash = hash;
  }
}

/** A copy of the data with an invitation and its event, and the checkpoints of that. */
async function withInvitation(): Promise<{ readonly dir: string; readonly file: string }> {
  const dir = changed(dataDir, () => undefined);
  const inviting = ["members", "invite", "--email", "ada@example.com", "--role", "ADMIN", "--data-dir", dir];
  expect((await runCommand(inviting)).status).toBe(0);
  const file = join(folder, "outside.checkpoint");
  writeFileSync(file, (await runCommand(["checkpoint", "--data-dir", dir])).stdout);
  return { dir, file };
}

/** Puts another event in the first one's place, rightly chained. */
function rewriteEvents(db: Database.Database): void {
  const by = { actor: "cli", accountId: null, apiKeyId: null };
  const event = { id: "other", sequence: 1, at: "2026-01-01T00:00:00.000Z", accountId: null, event: "restored" };
  const rest = { sessionId: null, address: null, userAgent: null, previousHash: "0".repeat(64) };
  const data = { endedBy: "restore", ids: [], links: [] };
  const hash = hashEvent({ ...event, ...rest, by, data });
  db.exec("delete from account_log");
  db.prepare(
    `insert into account_log (id, sequence, at, event, by, data, previousHash, hash)
      values (:id, :sequence, :at, :event, :by, :data, :previousHash, :hash)`,
  ).run({ ...event, ...rest, by: canonicalJson(by), data: canonicalJson(data), hash });
}

const against = (dir: string, ...more: string[]) =>
  runCommand(["verify", "--data-dir", dir, "--against", note, "--json", ...more]);

async function publicKey(dir: string): Promise<string> {
  return JSON.parse((await runCommand(["version", "--json", "--data-dir", dir])).stdout).signingKey;
}

describe("a checkpoint", () => {
  test("over HTTP is that of the command line, for every role, and plain text", async () => {
    const served = await serveProgram(dataDir);
    const { json } = await call(served, "POST", "/api-keys", { name: "look", role: "VIEWER" });
    const answer = await fetch(`${served.url}/api/v1/checkpoint`, { headers: { authorization: `Bearer ${json.key}` } });
    expect(answer.headers.get("content-type")).toBe("text/plain; charset=utf-8");
    const [over] = readCheckpoints(await answer.text());
    const [by] = readCheckpoints((await runCommand(["checkpoint", "--org", orgId, "--data-dir", dataDir])).stdout);
    expect([over?.orgId, over?.ledger, over?.log]).toEqual([orgId, by?.ledger, by?.log] as never);
    const newest = (await call(served, "GET", "/transactions?limit=1")).json.data[0];
    expect(over?.ledger).toEqual({ size: newest.sequence, head: newest.hash });
    const row = (await call(served, "GET", "/audit-log?limit=1")).json.items[0];
    expect(over?.log).toEqual({ size: row.sequence, head: row.hash });
    await served.end();
  });

  test("is signed by a key that only its owner can read, and that no backup holds", async () => {
    const file = join(dataDir, "signing.key");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const [{ signedBy } = {}] = readCheckpoints(readFileSync(note, "utf8"));
    const shown = readVerifier(await publicKey(dataDir));
    expect([shown?.name, shown?.publicKey]).toEqual(["captable", signedBy?.publicKey as Uint8Array]);
    const out = join(folder, "b.captable");
    expect((await runCommand(["backup", "--out", out, "--data-dir", dataDir])).status).toBe(0);
    const secret = readFileSync(file, "utf8").trim().slice("PRIVATE+KEY+captable+00000000+".length);
    expect([secret.length > 40, readFileSync(out).includes(secret)]).toEqual([true, false]);
  });
});

describe("verify --against", () => {
  test("finds all of then where nothing was taken away, and says whose key it was", async () => {
    const ended = await against(dataDir);
    expect(ended.status).toBe(0);
    expect(JSON.parse(ended.stdout).checkpoints).toEqual([
      expect.objectContaining({ orgId, isOwnKey: true, contradiction: null }),
      expect.objectContaining({ orgId: null, isOwnKey: true, contradiction: null }),
    ]);
    const text = (await runCommand(["verify", "--data-dir", dataDir, "--against", note])).stdout;
    expect(text).toContain("signed by this data directory's key: all of then is there as it was");
  });

  test.each([
    [
      "the newest entry dropped with its security",
      dataDir,
      truncate,
      /the ledger .* has \d entr.*, and had \d: .* removed/,
    ],
    ["the ledger's chain written anew", dataDir, rewrite, /the ledger .* was written anew: its entry \d+ is not/],
    ["the log's chain written anew", dataDir, rewriteLog, /the log .* was written anew: its row \d+ is not/],
    ["an older copy put back", early, () => undefined, /the ledger .* has \d entr.*, and had \d: .* removed/],
  ] as const)("sees %s, which verify alone cannot", async (_case, from, change, told) => {
    const dir = changed(from, change);
    const alone = await runCommand(["verify", "--data-dir", dir, "--json"]);
    expect([alone.status, JSON.parse(alone.stdout).differences]).toEqual([0, []]);
    const ended = await against(dir);
    expect(ended.status).toBe(4);
    expect(JSON.parse(ended.stdout).checkpoints[0].contradiction).toMatch(told);
    const { stdout } = await runCommand(["verify", "--data-dir", dir, "--against", note]);
    expect(stdout).toMatch(told);
    expect(stdout.split("\n")).not.toContain("No difference.");
  });

  test.each([
    ["events taken out", (db: Database.Database) => db.exec("delete from account_log where sequence >= 1"), /removed/],
    ["an event written anew", rewriteEvents, /the log of accounts was written anew: its event \d+ is not/],
  ] as const)("sees the instance's log of accounts: %s, which verify alone cannot", async (_case, change, told) => {
    const { dir, file } = await withInvitation();
    const alone = changed(dir, (db) => {
      db.exec("delete from links");
      change(db);
    });
    const report = await runCommand(["verify", "--data-dir", alone, "--json", "--against", file]);
    const { differences, checkpoints } = JSON.parse(report.stdout);
    expect([report.status, differences]).toEqual([4, []]);
    expect(checkpoints.at(-1)).toMatchObject({ orgId: null, contradiction: expect.stringMatching(told) });
    const serving = ["serve", "--data-dir", alone, "--port", "0"];
    const refused = await runProgram(serving, { CAPTABLE_CHECKPOINT_FILE: file });
    expect([refused.status, refused.stderr]).toEqual([3, expect.stringMatching(told)]);
    const served = await serveProgram(alone, { CAPTABLE_CHECKPOINT_FILE: file }, { more: ["--accept-rollback"] });
    await served.end();
    const db = new Database(join(alone, DATABASE_FILE), { readonly: true });
    const events = db.prepare("select event from account_log order by sequence desc").pluck().all();
    db.close();
    expect(events[0]).toBe("rollback-accepted");
    expect((await runCommand(["verify", "--data-dir", alone])).status).toBe(0);
  });

  test("an organization that is not there any more is told", async () => {
    const dir = join(folder, "empty");
    await runCommand(["org", "create", "--name", "Another", "--data-dir", dir]);
    const ended = await against(dir);
    expect([ended.status, JSON.parse(ended.stdout).checkpoints[0].isOwnKey]).toEqual([4, false]);
    expect(ended.stdout).toContain("no longer exists");
  });

  test("a wrong signature is exit 4, also where all is well", async () => {
    const file = join(folder, "forged.checkpoint");
    writeFileSync(file, readFileSync(note, "utf8").replace(/time 20../, "time 1999"));
    const ended = await runCommand(["verify", "--data-dir", dataDir, "--against", file]);
    expect([ended.status, ended.stdout]).toEqual([4, ""]);
    expect(ended.stderr).toContain("signature");
  });

  test("--signed-by takes the directory's own key, and no other", async () => {
    const own = await publicKey(dataDir);
    expect((await against(dataDir, "--signed-by", own)).status).toBe(0);
    await runCommand(["checkpoint", "--data-dir", join(folder, "empty")]);
    const other = await publicKey(join(folder, "empty"));
    const ended = await against(dataDir, "--signed-by", other);
    expect([ended.status, ended.stdout]).toEqual([4, ""]);
    expect((await against(dataDir, "--signed-by", "no key")).status).toBe(2);
    expect((await runCommand(["verify", "--signed-by", own, "--data-dir", dataDir])).status).toBe(2);
  });
});

async function newestRow(server: TestServer): Promise<number> {
  return (await server.api("GET", "/audit-log?limit=1")).json.items[0].sequence;
}

describe("CAPTABLE_CHECKPOINT_FILE", () => {
  const file = join(folder, "outside", "acme.checkpoint");
  const environment = { CAPTABLE_CHECKPOINT_FILE: file };
  const live = join(folder, "live");
  const serving = ["serve", "--data-dir", live, "--port", "0"];

  beforeAll(() => {
    cpSync(dataDir, live, { recursive: true });
    mkdirSync(dirname(file));
  });

  test("is written at start and at a clean stop, each with what is new", async () => {
    const served = await serveProgram(live, environment);
    const [first] = readCheckpoints(readFileSync(file, "utf8"));
    await call(served, "PATCH", "/organization", { dba: "New" });
    await served.end();
    const [last] = readCheckpoints(readFileSync(file, "utf8"));
    expect(last?.log.size ?? 0).toBeGreaterThan(first?.log.size ?? 0);
    const ended = await runCommand(["verify", "--data-dir", live, "--against", file]);
    expect(ended.status).toBe(0);
  });

  test("is written again after a change, and left alone without one", async () => {
    const kept = join(folder, "outside", "often.checkpoint");
    const server = await startTestServer({ CAPTABLE_CHECKPOINT_FILE: kept }, { checkpointEveryMs: 5 });
    const size = () => readCheckpoints(readFileSync(kept, "utf8"))[0]?.log.size ?? 0;
    await server.api("PATCH", "/organization", { dba: "First" });
    while (size() < (await newestRow(server))) await Bun.sleep(5);
    const { ino, mtimeMs } = statSync(kept);
    await Bun.sleep(100);
    expect([statSync(kept).ino, statSync(kept).mtimeMs]).toEqual([ino, mtimeMs]);
    await server.api("PATCH", "/organization", { dba: "Second" });
    while (size() < (await newestRow(server))) await Bun.sleep(5);
    await server.stop();
  });

  test("an older copy put back is refused with exit 3, and accepted once it is said to be meant", async () => {
    rmSync(live, { recursive: true });
    cpSync(early, live, { recursive: true });
    const before = readFileSync(file, "utf8");
    const refused = await runProgram(serving, environment);
    expect([refused.status, refused.stdout]).toEqual([3, ""]);
    expect(refused.stderr).toContain("--accept-rollback");
    expect(readFileSync(file, "utf8")).toBe(before);
    const served = await serveProgram(live, environment, { more: ["--accept-rollback"] });
    const [row] = (await call(served, "GET", "/audit-log?resourceType=log")).json.items;
    const [said] = readCheckpoints(before);
    expect(row).toMatchObject({ actor: "cli", method: "accept-rollback", path: null, resourceId: null });
    expect(row.before).toMatchObject({ logSize: said?.log.size, ledgerHead: said?.ledger?.head, time: said?.time });
    expect(row.after.logSize).toBe(row.sequence - 1);
    await served.end();
    expect((await runCommand(["verify", "--data-dir", live])).status).toBe(0);
    const again = await serveProgram(live, environment);
    await again.end();
  });

  test("an organization that is gone is accepted with a row in the log of each that is there", async () => {
    const [dir, kept] = [join(folder, "without"), join(folder, "outside", "gone.checkpoint")];
    writeFileSync(kept, readFileSync(note));
    const starting = ["serve", "--data-dir", dir, "--port", "0"];
    expect((await runProgram(starting, { CAPTABLE_CHECKPOINT_FILE: kept })).status).toBe(3);
    const served = await serveProgram(dir, { CAPTABLE_CHECKPOINT_FILE: kept }, { more: ["--accept-rollback"] });
    const rows = (await call(served, "GET", "/audit-log")).json.items;
    const [said] = readCheckpoints(readFileSync(note, "utf8"));
    expect(rows[0]).toMatchObject({ actor: "cli", method: "accept-rollback", before: { time: said?.time } });
    expect([rows[0].after.logSize, Object.keys(rows[0].before)]).toEqual([rows.length - 1, ["time"]]);
    await served.end();
    expect((await runCommand(["verify", "--data-dir", dir])).status).toBe(0);
  });

  test("a changed file is refused, and so is one inside the data directory", async () => {
    const text = readFileSync(file, "utf8");
    writeFileSync(file, text.replace(/ledger \d+/, "ledger 0"));
    const changedFile = await runProgram(serving, environment);
    expect([changedFile.status, changedFile.stderr]).toEqual([3, expect.stringContaining("signature")]);
    writeFileSync(file, text);
    for (const inside of [join(live, "x.checkpoint"), live, join(folder, "nowhere", "x")]) {
      const ended = await runProgram(serving, { CAPTABLE_CHECKPOINT_FILE: inside });
      expect([ended.status, ended.stderr]).toEqual([2, expect.stringContaining("CAPTABLE_CHECKPOINT_FILE")]);
    }
    expect(existsSync(join(live, "x.checkpoint"))).toBe(false);
  });
});
