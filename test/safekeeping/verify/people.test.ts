// Who is proven as what, falsified by another program beside a running service: what was planted, used once and put
// back is reported by what the log of accounts kept of it; and each table of people, column by column, while the
// service runs.

import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import Database from "better-sqlite3";
import { present } from "../../../src/kernel/assert.ts";
import { systemRuntime, toTimestamp } from "../../../src/kernel/runtime.ts";
import { suspend } from "../../../src/people/accounts.ts";
import { COMMANDS } from "../../../src/people/commands.ts";
import { PasswordHasher } from "../../../src/people/sign-in/hasher.ts";
import { hashToken, newToken } from "../../../src/people/sign-in/token.ts";
import { readCheckpoints } from "../../../src/safekeeping/checkpoint/checkpoint.ts";
import { PEOPLE_TABLES } from "../../../src/safekeeping/verify/people/compare.ts";
import type { Difference } from "../../../src/safekeeping/verify/report.ts";
import { UNVERIFIED } from "../../../src/safekeeping/verify/report.ts";
import { verifyWhole } from "../../../src/safekeeping/verify/whole.ts";
import { commitTo, findAccountLogHead } from "../../../src/storage/database/log/account-log.ts";
import { DATABASE_FILE, openReadOnly } from "../../../src/storage/database/open.ts";
import { checkedColumns } from "../../faults/support/checked.ts";
import { Browser, beginSession, makeMember, PASSWORD, signedIn } from "../../kit/people.ts";
import { startTestServer, type TestServer } from "../../kit/service.ts";
import { walksHere } from "../../kit/threads-here.ts";
import { makeWholePeople, visitorCall, type WholePerson } from "../../kit/whole-people.ts";

setDefaultTimeout(120_000);

/** The hash of another password than {@link PASSWORD}. */
const PLANTED = await new PasswordHasher().hash("the password of another person", "");

let server: TestServer;
let people: readonly WholePerson[];
/** The other program's connection. */
let other: Database.Database;

beforeAll(async () => {
  server = await startTestServer({ CAPTABLE_LOG: "off" });
  people = await makeWholePeople(server.app.writer, server.orgId);
  other = new Database(join(server.dataDir, DATABASE_FILE), { timeout: 10_000 });
  other.pragma("foreign_keys = OFF");
});
afterAll(async () => {
  other.close();
  await server.stop();
});

async function differences(orgId?: string): Promise<readonly Difference[]> {
  const db = openReadOnly(join(server.dataDir, DATABASE_FILE));
  try {
    const report = await verifyWhole(db, orgId);
    expect(await verifyWhole(db, orgId, { start: walksHere, fromBytes: 0 })).toEqual(report);
    return report.differences;
  } finally {
    db.sqlite.close();
  }
}

/** What is reported that was not before. */
async function reportedSince(before: readonly Difference[]): Promise<string[]> {
  const known = new Set(before.map(({ subject, detail }) => `${subject}: ${detail}`));
  return (await differences()).map(({ subject, detail }) => `${subject}: ${detail}`).filter((each) => !known.has(each));
}

const person = () => people[0] as WholePerson;

/** Plants a value, does something, and puts the value of before back. */
async function planted(table: string, column: string, id: string, value: unknown, use: () => unknown): Promise<void> {
  const at = `${table} where id = ?`;
  const before = other.prepare(`select "${column}" from ${at}`).pluck().get(id);
  const set = other.prepare(`update ${table} set "${column}" = ? where id = ?`);
  set.run(value, id);
  await use();
  set.run(before, id);
}

const newSession = () => ({
  tokenHash: hashToken(newToken()),
  expiresAt: toTimestamp(systemRuntime.nowMs() + 3_600_000),
  replaces: null,
});

const firstId = (table: string, where = "accountId = ?") =>
  String(other.prepare(`select id from ${table} where ${where} order by seq limit 1`).pluck().get(person().accountId));

const execute = (name: string, data: unknown) =>
  server.app.writer.submit((tx) => present(COMMANDS[name], name)(tx, visitorCall(), data as never));

const signIn = (email: string, password: string) =>
  new Browser(server).api("POST", "/auth/sign-in", { email, password });

test("the service as it runs verifies", async () => expect(await differences()).toEqual([]));

describe("planted, used once and put back", () => {
  test("a password, over HTTP; unused, it leaves nothing", async () => {
    const { accountId, email } = await makeMember(server.app.writer, server.orgId);
    const before = await differences();
    await planted("accounts", "passwordHash", accountId, PLANTED, () => undefined);
    expect(await reportedSince(before)).toEqual([]);
    await planted("accounts", "passwordHash", accountId, PLANTED, async () => {
      expect((await signIn(email, "the password of another person")).status).toBe(200);
    });
    expect(await reportedSince(before)).toEqual([
      expect.stringMatching(/^account event \d+ .*: it says signed-in, and its proof of identity did not hold$/),
    ]);
    // Who signs in rightly leaves nothing more.
    const after = await differences();
    expect((await signIn(email, PASSWORD)).status).toBe(200);
    expect(await reportedSince(after)).toEqual([]);
  });

  const accountOf = () => ({ sessionId: person().sessionId, accountId: person().accountId });
  const USED: readonly (readonly [what: string, table: string, column: string, value: unknown, use: () => unknown])[] =
    [
      [
        "a secret of one-time codes",
        "accounts",
        "totpSecret",
        "sealed-mine",
        () => {
          const factor = { totpStep: 2_000_000_000, sealed: "sealed-mine" };
          return execute("confirm", { ...accountOf(), tokenHash: hashToken(newToken()), factor });
        },
      ],
      [
        "a passkey's public key",
        "passkeys",
        "publicKey",
        "my-key",
        () => execute("signInByPasskey", { passkeyId: firstId("passkeys"), counter: 100, session: newSession() }),
      ],
      [
        "an identity's subject",
        "identities",
        "subject",
        "me",
        () => {
          const word = { issuer: "https://id.example.com", subject: "me", hasSecondFactor: false };
          return execute("signInByIdentity", { word, session: newSession() });
        },
      ],
      [
        "a link's role",
        "links",
        "role",
        "ADMIN",
        () => {
          const { tokenHash: linkHash } = openLink();
          const account = { name: "Mallory", passwordHash: "$argon2id$mine" };
          return execute("acceptInvitation", { linkHash, asking: null, account, session: newSession() });
        },
      ],
    ];

  function openLink(): { id: string; tokenHash: string } {
    const text = "select id, tokenHash from links where usedAt is null and revokedAt is null order by seq limit 1";
    return other.prepare<[], { id: string; tokenHash: string }>(text).get() ?? { id: "", tokenHash: "" };
  }

  test.each(USED)("%s", async (_what, table, column, value, use) => {
    const before = await differences();
    const id = { accounts: person().accountId, links: openLink().id }[table] ?? firstId(table);
    await planted(table, column, id, value, use);
    const found = await reportedSince(before);
    expect(found.join("\n")).toMatch(/account event \d+ .*: it says (signed-in|confirmed|link-used), and/);
  });

  test("a suspension that was lifted for one sign-in", async () => {
    const { accountId, email } = await makeMember(server.app.writer, server.orgId);
    await server.app.writer.submit((tx) => suspend(tx, visitorCall(), accountId, true));
    const before = await differences();
    expect((await signIn(email, PASSWORD)).status).toBe(401);
    expect(await reportedSince(before)).toEqual([]);
    await planted("accounts", "suspendedAt", accountId, null, async () => {
      expect((await signIn(email, PASSWORD)).status).toBe(200);
    });
    expect((await reportedSince(before)).join("\n")).toMatch(/it says signed-in, and the account was suspended/);
  });

  test("an operator's right, for one reset link", async () => {
    const { accountId } = await makeMember(server.app.writer, server.orgId);
    const { id: sessionId } = await beginSession(server.app.writer, accountId, { hasSecondFactor: true });
    const before = await differences();
    const reset = () => execute("resetByOperator", { sessionId, accountId, email: person().email });
    await planted("accounts", "isOperator", accountId, 1, reset);
    expect((await reportedSince(before)).join("\n")).toMatch(
      /it says link-made, and its maker was not an operator then/,
    );
  });

  test("a session's row, with which something was written", async () => {
    const { accountId } = await makeMember(server.app.writer, server.orgId);
    const [token, id] = [newToken(), systemRuntime.newId()];
    const before = await differences();
    const [now, later] = [0, 3_600_000].map((ms) => toTimestamp(systemRuntime.nowMs() + ms));
    other
      .prepare(
        `insert into sessions (id, createdAt, accountId, tokenHash, method, hasSecondFactor, confirmedAt, lastSeenAt, expiresAt)
          values (?, ?, ?, ?, 'PASSWORD', 0, ?, ?, ?)`,
      )
      .run(id, now, accountId, hashToken(token), now, now, later);
    const made = await new Browser(server, token).api("POST", "/stock-legends", { name: "Mine", text: "Mine" });
    expect(made.status).toBe(201);
    other.prepare("delete from sessions where id = ?").run(id);
    expect(await reportedSince(before)).toEqual([
      expect.stringMatching(/^log row \d+: it was written by a person, and no sign-in of that account explains/),
    ]);
  });

  test("a name, under which something was written", async () => {
    const browser = await signedIn(server, { name: "Mallory" });
    const write = async () => {
      const body = { name: `Legend of ${systemRuntime.newId()}`, text: "Words" };
      expect((await browser.api("POST", "/stock-legends", body)).status).toBe(201);
    };
    const before = await differences();
    await write();
    expect(await reportedSince(before)).toEqual([]);
    await planted("accounts", "name", browser.accountId, "Ada Lovelace", write);
    expect(await reportedSince(before)).toEqual([
      expect.stringMatching(/^log row \d+: .* the account did not have that name while the session lasted$/),
    ]);
  });
});

describe("changed beside a running service", () => {
  const tables = new Set<string>([...PEOPLE_TABLES, "account_log"]);

  /** Changes each column of one row, looks, and puts it back; returns the columns whose change is not reported. */
  async function unseenColumns(look: () => Promise<readonly string[]>): Promise<{ unseen: string[]; count: number }> {
    other.exec("drop trigger account_log_no_update");
    const unseen: string[] = [];
    const columns = checkedColumns(other).filter(([table]) => tables.has(table));
    for (const [table, column] of columns) {
      const row = other.prepare(`select rowid as row, "${column}" as value from ${table} order by rowid limit 1`);
      const { row: rowid, value } = row.get() as { row: number; value: string | number | null };
      const set = other.prepare(`update ${table} set "${column}" = ? where rowid = ?`);
      const changed = alteredValue(column, value);
      try {
        set.run(changed, rowid);
      } catch {
        continue;
      }
      const found = (await look()).filter((each) => !each.startsWith("trigger"));
      if (found.length === 0) unseen.push(`${table}.${column}`);
      set.run(value, column === "seq" ? (changed as number) : rowid);
    }
    other.exec(`create trigger account_log_no_update BEFORE UPDATE ON account_log
      BEGIN SELECT RAISE(ABORT, 'account_log is append-only'); END`);
    return { unseen, count: columns.length };
  }

  test("no column of any table of people goes unseen, but for those that are listed", async () => {
    const before = await differences();
    const { unseen, count } = await unseenColumns(() => reportedSince(before));
    expect([unseen, count > 50]).toEqual([[], true]);
    expect(await reportedSince(before)).toEqual([]);
  });

  test("a verification that sees nothing would be reported", async () => {
    expect((await unseenColumns(async () => [])).unseen.length).toBeGreaterThan(50);
  });

  test("what is listed of them is what notes their use, and nothing else", () => {
    const listed = UNVERIFIED.filter((name) => tables.has(name.split(".")[0] ?? ""));
    expect(listed).toEqual([
      ...["accounts.lastSignInAt", "accounts.totpLastStep"],
      ...["passkeys.counter", "passkeys.lastUsedAt", "passkeys.name", "passkeys.transports"],
      ...["sessions.lastSeenAt", "sessions.address", "sessions.userAgent"],
    ]);
  });

  function alteredValue(column: string, value: string | number | null): string | number {
    if (column === "seq") return 1_000_000;
    if (typeof value === "number") return value === 0 ? 1 : 0;
    return value === null ? "2026-01-01T00:00:00.000Z" : `${value}x`;
  }
});

test("an organization's report names its members and former members, and counts others", async () => {
  const elsewhere = await server.newOrganization("Elsewhere, Inc.");
  const there = await makeMember(server.app.writer, elsewhere);
  const before = await differences(elsewhere);
  const at = other.prepare("update accounts set email = email || 'x' where id = ?");
  at.run(person().accountId);
  at.run(there.accountId);
  const found = (await differences(elsewhere)).slice(before.length - 1);
  const text = JSON.stringify(found);
  expect(text).toContain(there.accountId);
  expect(text).toContain("accounts that never were members here");
  expect(text).not.toContain(person().accountId);
  expect(JSON.stringify(await differences())).toContain(person().accountId);
});

test("an operator is given a checkpoint of the instance, and no one else is", async () => {
  const [operator, admin] = [await signedIn(server, { isOperator: true }), await signedIn(server)];
  expect((await admin.api("GET", "/instance/checkpoint")).status).toBe(403);
  const answer = await operator.api("GET", "/instance/checkpoint");
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "text/plain; charset=utf-8"]);
  const { sequence: size, hash: head } = findAccountLogHead(server.app.reader);
  expect(readCheckpoints(answer.text)).toMatchObject([{ orgId: null, ledger: null, log: { size, head } }]);
  expect(answer.text).toMatch(/^captable\/instance\nlog \d+ [0-9a-f]{64}\ntime \S+\nkey captable\/instance\+/);
});

test("a commitment is SHA-256 of salt, colon and value", () => {
  const hash = new Bun.CryptoHasher("sha256").update("00ff:secret").digest("hex");
  expect(commitTo("00ff", "secret")).toBe(hash);
});
