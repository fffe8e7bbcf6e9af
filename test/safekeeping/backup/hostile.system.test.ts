// A backup is untrusted input: a forged one, or a changed one with corrected checksums, is refused with
// the reason, and nothing of the data directory is changed.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { commandLineCall } from "../../../src/kernel/call.ts";
import { systemRuntime } from "../../../src/kernel/runtime.ts";
import { runLimited } from "../../../src/kernel/threads/limited-process.ts";
import { hashKey } from "../../../src/resources/api-keys/key.ts";
import { type Manifest, makeManifest, readArchive, writeArchive } from "../../../src/safekeeping/backup/format.ts";
import { signManifest } from "../../../src/safekeeping/backup/signature.ts";
import { makeCheckpoints } from "../../../src/safekeeping/checkpoint/make.ts";
import { passingSigner, verifierOf } from "../../../src/safekeeping/checkpoint/signing-key.ts";
import { hashFile } from "../../../src/storage/data-dir/durable-files.ts";
import { changeLogged } from "../../../src/storage/database/log/logged.ts";
import { DATABASE_FILE, openReadOnly, openWritable } from "../../../src/storage/database/open.ts";
import { Writer } from "../../../src/storage/database/writer.ts";
import { runCommand } from "../../kit/command.ts";
import { newDataDir, type Served, serveProgram } from "../../kit/program.ts";
import { call, issue, makeHolder } from "./support.ts";

setDefaultTimeout(60_000);

const folder = mkdtempSync(join(tmpdir(), "captable-hostile-"));
const good = join(folder, "good.captable");
const attacker = passingSigner();
let dataDir: string;
let orgId: string;
let adminKey: string;

beforeAll(async () => {
  dataDir = newDataDir();
  const served = await serveProgram(dataDir);
  const ids = await makeHolder(served);
  await issue(served, ids, 1);
  await minted(served, ids.shareClass);
  orgId = (await call(served, "GET", "/organization")).json.id;
  adminKey = served.key;
  await served.end();
  expect((await runCommand(["backup", "--data-dir", dataDir, "--out", good])).status).toBe(0);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Waits until the embedded chain has its file, and the shares in it. */
async function minted(served: Served, shareClass: string): Promise<void> {
  for (let tries = 0; tries < 300; tries++) {
    const token = (await call(served, "GET", `/share-classes/${shareClass}/token`)).json;
    if (token.totalSupply === "10" && token.pendingOperations === 0) return;
    await Bun.sleep(50);
  }
  throw new Error("the shares did not get their tokens");
}

interface Forgery {
  /** Changes the unpacked database, with nothing to stop it. */
  readonly change?: (db: Database.Database) => void;
  readonly chain?: (db: Database.Database) => void;
  /** Changes what the manifest says, before it is signed again by the forger. */
  readonly say?: (manifest: Manifest) => Manifest;
  /** Changes the manifest afterwards. */
  readonly alter?: (manifest: Manifest) => Manifest;
}

/** Makes a backup of the good one: changed, with checksums that are right and a signature that is the forger's. */
function forge({ change, chain, say = (manifest) => manifest, alter = (manifest) => manifest }: Forgery): string {
  const place = mkdtempSync(join(folder, "forged-"));
  const { signature: _signature, ...manifest } = readArchive(good, place, () => undefined);
  for (const [name, work] of [
    [DATABASE_FILE, change],
    ["chain.db", chain],
  ] as const) {
    if (work === undefined) continue;
    const db = new Database(join(place, name));
    db.pragma("foreign_keys = OFF");
    work(db);
    db.close();
  }
  const db = openReadOnly(join(place, DATABASE_FILE));
  const notes = makeNotes(db);
  db.sqlite.close();
  const names = readdirSync(place).filter((name) => name.endsWith(".db"));
  const files = names.sort().map((name) => ({
    name,
    bytes: statSync(join(place, name)).size,
    sha256: hashFile(join(place, name)),
  }));
  const said = say(makeManifest({ ...manifest, files, notes }));
  const file = join(place, "forged.captable");
  const forged = alter(signManifest(said, attacker));
  writeArchive(file, { manifest: forged, folder: place, nowMs: 0, onProgress: () => undefined });
  return file;
}

/** The forger's own notes, where what was changed lets any be made. */
function makeNotes(db: ReturnType<typeof openReadOnly>): string[] {
  try {
    return makeCheckpoints(db, "2026-11-22T00:00:00.000Z", attacker).map(({ note }) => note);
  } catch {
    return [];
  }
}

const ENDLESS = "with recursive endless(n) as (select 1 union all select n + 1 from endless)";

/** Puts a view in a table's place. */
function putView(table: string, columns: string): (db: Database.Database) => void {
  return (db) => {
    db.exec(`drop table ${table}`);
    db.exec(`create view ${table} as ${ENDLESS} select ${columns} from endless`);
  };
}

const KEY = "pg_live_0123456789012345678901234567890123456789012";

function addKey(db: Database.Database): void {
  const put = "insert into api_keys (orgId, id, name, role, prefix, keyHash, createdAt)";
  db.prepare(`${put} values (?, 'mine', 'mine', 'ADMIN', 'pg_live_0123', ?, '2026-01-01T00:00:00.000Z')`).run(
    orgId,
    hashKey(KEY),
  );
}

const FORGERIES: readonly (readonly [name: string, forgery: Forgery, told: RegExp])[] = [
  [
    "a trigger added",
    { change: (db) => db.exec("create trigger t after insert on securities begin delete from idempotency_keys; end") },
    /trigger t: it is not part of the schema/,
  ],
  [
    "a trigger that lets the ledger be changed",
    { change: (db) => db.exec("drop trigger transactions_no_update") },
    /trigger transactions_no_update: it is missing/,
  ],
  ["a key added", { change: addKey }, /api key mine: the log does not have its creation/],
  ["a view in a table's place", { change: putView("outbox", "n as seq, 'x' as orgId") }, /view outbox|table outbox/],
  [
    "an endless view in a table's place",
    { change: putView("securities", "n as id") },
    /view securities|table securities/,
  ],
  ["an endless view of migrations", { change: putView("kysely_migration", "n as name") }, /kysely_migration/],
  [
    "an index dropped",
    { change: (db) => db.exec("drop index securities_class") },
    /index securities_class: it is missing/,
  ],
  [
    "an index of another condition",
    {
      change: (db) =>
        db.exec("drop index stakeholders_wallet; create index stakeholders_wallet on stakeholders (orgId)"),
    },
    /index stakeholders_wallet: its definition differs/,
  ],
  ["a table added", { change: (db) => db.exec("create table more (x)") }, /table more: it is not part of the schema/],
  [
    "a column added",
    { change: (db) => db.exec("alter table settings add column x text") },
    /table settings: its definition differs/,
  ],
  [
    "a holder's name changed",
    { change: (db) => db.exec("update stakeholders set displayName = 'Eve'") },
    /its displayName is "Eve"/,
  ],
  [
    "no organization named",
    { say: (manifest) => ({ ...manifest, organizations: [] }) },
    /does not name the organization/,
  ],
  [
    "another organization named as well",
    {
      say: (manifest) => ({
        ...manifest,
        organizations: manifest.organizations.flatMap((each) => [each, { ...each, orgId: "another" }]),
      }),
    },
    /names the organization another, which is not in it/,
  ],
  [
    "another head named",
    {
      say: (manifest) => ({
        ...manifest,
        organizations: manifest.organizations.map((each) => ({ ...each, head: { sequence: 1, hash: "0".repeat(64) } })),
      }),
    },
    /does not end as its manifest says/,
  ],
  [
    "its notes left out",
    { say: (manifest) => ({ ...manifest, notes: [] }) },
    /notes are not one for each organization/,
  ],
  [
    "a note changed",
    {
      say: (manifest) => ({ ...manifest, notes: (manifest.notes ?? []).map((note) => note.replace("log ", "log 1")) }),
    },
    /signature of the checkpoint .* is wrong/,
  ],
  [
    "its manifest changed",
    { alter: (manifest) => ({ ...manifest, createdAt: "2020" }) },
    /signature of the backup's manifest/,
  ],
  [
    "a trigger in the chain's file",
    { chain: (db) => db.exec("create trigger t after insert on block begin delete from account; end") },
    /trigger t: it is not part of the schema/,
  ],
];

describe("a forged backup is refused with status 4 and its reason:", () => {
  test.each(FORGERIES)("%s", async (_name, forgery, told) => {
    const dir = newDataDir();
    const ended = await runCommand(["restore", forge(forgery), "--data-dir", dir]);
    expect([ended.status, ended.stdout]).toEqual([4, ""]);
    expect(ended.stderr).toMatch(told);
    expect(readdirSync(dir).filter((name) => name !== "serve.lock")).toEqual([]);
  });

  test("one of a build before 1.0, with status 3 and before anything of it is read", async () => {
    const dir = newDataDir();
    const change = (db: Database.Database) => {
      db.exec("pragma user_version = 0; drop table securities");
      putView("organizations", "n as id")(db);
    };
    const ended = await runCommand(["restore", forge({ change }), "--data-dir", dir]);
    const why = "captable: This file was made by a build before 1.0. Export it with that build as OCF.\n";
    expect([ended.status, ended.stdout, ended.stderr]).toEqual([3, "", why]);
    expect(readdirSync(dir).filter((name) => name !== "serve.lock")).toEqual([]);
  });

  test("another file beside the two", async () => {
    const place = mkdtempSync(join(folder, "more-"));
    const { signature: _signature, ...manifest } = readArchive(good, place, () => undefined);
    writeFileSync(join(place, "evil.db"), "evil");
    const evil = { name: "evil.db", bytes: 4, sha256: hashFile(join(place, "evil.db")) };
    const file = join(place, "more.captable");
    const holding = { ...manifest, files: [...manifest.files, evil] };
    writeArchive(file, { manifest: holding, folder: place, nowMs: 0, onProgress: () => undefined });
    const ended = await runCommand(["restore", file, "--data-dir", newDataDir()]);
    expect([ended.status, ended.stderr]).toEqual([4, expect.stringContaining("evil.db")]);
  });

  test("the control: the same way, with nothing changed, it restores, signed by another key", async () => {
    const dir = newDataDir();
    const ended = await runCommand(["restore", forge({}), "--data-dir", dir, "--json"]);
    expect([ended.status, ended.stderr]).toEqual([0, ""]);
    expect(JSON.parse(ended.stdout).signedBy).toEqual({ key: verifierOf(attacker), isOwn: false });
  });
});

describe("restore holds a backup to what is known of it from elsewhere:", () => {
  const restore = async (...more: string[]) => {
    const dir = newDataDir();
    return { dir, ...(await runCommand(["restore", good, "--data-dir", dir, "--json", ...more])) };
  };
  const ownKey = async () =>
    JSON.parse((await runCommand(["version", "--json", "--data-dir", dataDir])).stdout).signingKey;

  test("--sha256, --head and --signed-by let the right one in", async () => {
    const [head] = JSON.parse((await runCommand(["verify", "--json", "--data-dir", dataDir])).stdout).organizations;
    const known = `${orgId}=${head.head.sequence}:${head.head.hash}`;
    const more = ["--sha256", hashFile(good), "--head", known, "--signed-by", await ownKey()];
    const { status, stdout, stderr } = await restore(...more);
    expect([status, stderr]).toEqual([0, ""]);
    expect(JSON.parse(stdout)).toMatchObject({ signedBy: { isOwn: false }, keys: { ADMIN: 1, EDITOR: 0, VIEWER: 0 } });
  });

  test.each([
    ["another file", () => ["--sha256", "0".repeat(64)], 4, /another SHA-256/],
    [
      "another head",
      () => ["--head", `${orgId}=3:${"0".repeat(64)}`],
      4,
      /ends at \d+:[0-9a-f]{64}, not at the expected entry/,
    ],
    [
      "another organization's head",
      () => ["--head", `other=0:${"0".repeat(64)}`],
      4,
      /does not hold the organization other/,
    ],
    ["another key", () => ["--signed-by", verifierOf(attacker)], 4, /signed by another key/],
    ["what is no checksum", () => ["--sha256", "abc"], 2, /64 hexadecimal digits/],
    ["what is no head", () => ["--head", "abc"], 2, /ORGANIZATION=SIZE:HASH/],
    ["what is no key", () => ["--signed-by", "abc"], 2, /--signed-by takes/],
  ] as const)("%s is refused", async (_case, more, status, told) => {
    const ended = await restore(...more());
    expect([ended.status, ended.stdout]).toEqual([status, ""]);
    expect(ended.stderr).toMatch(told);
  });

  test("the data directory's own key is known again where it lies there already", async () => {
    const dir = newDataDir();
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    writeFileSync(join(dir, "signing.key"), readFileSync(join(dataDir, "signing.key")), { mode: 0o600 });
    const ended = await runCommand(["restore", good, "--data-dir", dir]);
    expect(ended.stdout).toContain("signed by this data directory's own key");
  });

  test("keys work again as they did, unless --new-keys takes them all out of use", async () => {
    const kept = await restore();
    const served = await serveProgram(kept.dir);
    expect((await call({ ...served, key: adminKey }, "GET", "/organization")).status).toBe(200);
    await served.end();
    const anew = await restore("--new-keys");
    const report = JSON.parse(anew.stdout);
    expect(report).toMatchObject({ keys: { ADMIN: 1 }, adminKeyFile: join(anew.dir, "admin.key") });
    const again = await serveProgram(anew.dir);
    expect((await call({ ...again, key: adminKey }, "GET", "/organization")).status).toBe(401);
    expect((await call(again, "GET", "/organization")).status).toBe(200);
    const rows = (await call(again, "GET", "/audit-log?resourceType=api key&actor=cli")).json.items;
    expect(rows[1].after).toEqual({ revokedAt: rows[1].at });
    await again.end();
    expect((await runCommand(["verify", "--data-dir", anew.dir])).status).toBe(0);
  });
});

test("what a backup says cannot lead a terminal astray", async () => {
  const dir = newDataDir();
  await (await serveProgram(dir)).end();
  const db = openWritable(join(dir, DATABASE_FILE));
  const id = String(db.sqlite.prepare("select id from organizations").pluck().get());
  const legalName = "Good\u001b[2K\u202eliE\u0085\r\nledger of Good: head 9";
  const set = { legalName, isNamed: 1 } as const;
  await new Writer(db, () => undefined).submit((tx) =>
    changeLogged(tx, commandLineCall(systemRuntime, id), "organizations", id, set),
  );
  db.sqlite.close();
  const out = join(folder, "astray.captable");
  const said = [
    await runCommand(["backup", "--data-dir", dir, "--out", out]),
    await runCommand(["restore", out, "--data-dir", newDataDir()]),
    await runCommand(["restore", out, "--data-dir", newDataDir(), "--json"]),
    await runCommand(["verify", "--data-dir", dir]),
    await runCommand(["org", "list", "--data-dir", dir]),
    await runCommand(["org", "show", "--data-dir", dir, "--json"]),
  ];
  for (const { status, stdout } of said) {
    expect(status).toBe(0);
    expect(stdout).toContain("\\u202eliE\\u0085");
    for (const raw of ["\u001b", "\u202e", "\u0085", "\r", "\nledger of Good: head 9"])
      expect(stdout).not.toContain(raw);
  }
  expect(JSON.parse(said[5]?.stdout ?? "").legalName).toBe(legalName);
});

describe("a process that checks a backup is ended", () => {
  const program = (code: string) => [process.execPath, "-e", code];

  test("when it takes too long", async () => {
    const ended = await runLimited(program("for (;;) {}"), { ms: 300, bytes: 2 ** 31 });
    expect(ended.exceeded).toBe("time");
  });

  test("when it takes too much memory", async () => {
    const hoard = "const all = []; for (;;) all.push(new Uint8Array(1e7).fill(1));";
    const ended = await runLimited(program(hoard), { ms: 60_000, bytes: 3 * 10 ** 8 });
    expect([ended.exceeded === "time", ended.exceeded === "memory" || ended.status !== 0]).toEqual([false, true]);
  });

  test("and not otherwise", async () => {
    const ended = await runLimited(program("console.log('done')"), { ms: 60_000, bytes: 3 * 10 ** 8 });
    expect(ended).toEqual({ status: 0, stdout: "done\n", stderr: "", exceeded: null });
  });
});
