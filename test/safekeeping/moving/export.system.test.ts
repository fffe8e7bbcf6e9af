// One organization in a file: all of its rows, nothing of any other, checked, private, and of one moment.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { generateX25519Identity, identityToRecipient } from "age-encryption";
import Database from "better-sqlite3";
import { unzipSync } from "fflate";
import { readFiles } from "../../../src/safekeeping/backup/format.ts";
import { signerOfManifest } from "../../../src/safekeeping/backup/signature.ts";
import { decryptFile } from "../../../src/safekeeping/encryption/decrypt.ts";
import {
  knownMovedManifest,
  type MovedManifest,
  ORGANIZATION_FILE,
} from "../../../src/safekeeping/moving/moved-manifest.ts";
import { INSTANCE_TABLES, LEFT_TABLES, MOVED_TABLES } from "../../../src/safekeeping/moving/moved-tables.ts";
import { insertRow } from "../../../src/storage/database/row-writes.ts";
import type { Tx } from "../../../src/storage/database/sql.ts";
import { runCommand } from "../../kit/command.ts";
import { asking, makeWholeCompany } from "../../kit/company.ts";
import { joinOrganization, makeMember, signedIn } from "../../kit/people.ts";
import { newDataDir, PROGRAM, programEnvironment } from "../../kit/program.ts";
import { makeStakeholder } from "../../kit/records.ts";
import { RELEASE } from "../../kit/release.ts";
import { startTestServer, type TestServer } from "../../kit/service.ts";
import { makeWholePeople } from "../../kit/whole-people.ts";

setDefaultTimeout(300_000);

const KILLS = RELEASE ? 200 : 3;
const CHANGES = RELEASE ? 500 : 20;
const MADE_AT = /"generated_at": "[^"]+"/;
/** What only the other organization has. */
const OTHERS = ["Zyzzyva Holdings", "Quagga", "quagga@zyzzyva.example", "Zyzzyva Preferred", "Zyzzyva Person"];

let server: TestServer;
let folder: string;
let otherId: string;

beforeAll(async () => {
  server = await startTestServer({ CAPTABLE_LOG: "off", CAPTABLE_CHAIN: "on" });
  folder = dirname(newDataDir());
  const ask = asking(server.url, await server.key("ADMIN"));
  const { stock } = await makeWholeCompany(ask);
  await ask("POST", `/securities/${stock}/acceptances`, { acceptedOn: "2026-06-01" });
  const { writer } = server.app;
  await writer.submit((tx) => insertRest(tx, server.orgId));
  const stakeholderIds = [await makeStakeholder(server)];
  await makeMember(writer, server.orgId, { role: "STAKEHOLDER", stakeholderIds });
  const both = await signedIn(server, { name: "Grace Hopper" });
  await makeWholePeople(writer, server.orgId);
  otherId = await server.newOrganization("Zyzzyva Holdings");
  const other = asking(server.url, await server.key("ADMIN", otherId));
  const name = { legalName: "Quagga Equus" };
  await other("POST", "/stakeholders", { displayName: "Quagga", name, type: "INDIVIDUAL", email: OTHERS[2] });
  const stockClass = { name: "Zyzzyva Preferred", classType: "COMMON", defaultIdPrefix: "ZZ-" };
  await other("POST", "/share-classes", {
    ...stockClass,
    ...{ votesPerShare: "1", seniority: 1, initialSharesAuthorized: "1000" },
  });
  await joinOrganization(writer, otherId, both.accountId);
  await makeMember(writer, otherId, { name: "Zyzzyva Person" });
  // A row of the log by a person, in each organization.
  for (const orgId of [server.orgId, otherId]) {
    const answer = await both.api("POST", "/stock-legends", { name: "By Grace", text: "x" }, { orgId });
    expect(answer.status).toBe(201);
  }
});

/** A kept checkpoint, and an import that was read. */
function insertRest(tx: Tx, orgId: string): void {
  const at = "2026-06-01T12:00:00.000Z";
  const documentId = String(tx.sqlite.prepare("select id from documents where orgId = ?").pluck().get(orgId));
  const hashes = { ledgerHead: "0".repeat(64), logHead: "0".repeat(64), note: "-", ledgerNote: "-", logNote: "-" };
  insertRow(tx, "checkpoints", { orgId, id: "kept", time: at, ledgerSize: 0, logSize: 0, ...hashes });
  const none = { problems: "[]", warnings: "[]", totals: "[]", counts: "{}", schedules: "[]" } as const;
  const sums = { rows: 0, problemCount: 0, warningCount: 0, closed: 0, attempts: 0 } as const;
  const read = { state: "PREVIEWED", documentId, sha256: "0".repeat(64), format: "CSV", options: "{}" } as const;
  insertRow(tx, "imports", { orgId, id: "read", createdAt: at, updatedAt: at, ...read, ...none, ...sums });
  const content = new TextEncoder().encode("[]");
  insertRow(tx, "import_pieces", { orgId, importId: "read", file: "preview", number: 0, content });
  const asked = { key: "once", method: "POST", path: "/x", bodyHash: "0".repeat(64), status: 201, body: "{}" };
  insertRow(tx, "idempotency_keys", { orgId, createdAt: at, ...asked });
}

afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

/** Exports the organization while the server serves. */
async function exported(name: string, args: readonly string[] = []) {
  const out = join(folder, name);
  const ended = await runCommand([
    ...["org", "export", server.orgId, "--out", out, "--data-dir", server.dataDir, "--json", ...args],
  ]);
  expect([ended.status, ended.stderr]).toEqual([0, ""]);
  return { out, report: JSON.parse(ended.stdout) };
}

/** Unpacks it to a data directory of its own. */
function unpacked(out: string): { readonly dataDir: string; readonly manifest: MovedManifest } {
  const dataDir = newDataDir();
  mkdirSync(dataDir, { mode: 0o700 });
  const manifest = readFiles(out, { into: dataDir, onProgress: () => undefined, known: knownMovedManifest });
  renameSync(join(dataDir, ORGANIZATION_FILE), join(dataDir, "captable.db"));
  return { dataDir, manifest };
}

function rowsOf<T>(dataDir: string, query: string): T[] {
  const db = new Database(join(dataDir, "captable.db"), { readonly: true });
  try {
    return db.prepare<[], T>(query).all();
  } finally {
    db.close();
  }
}

const own = (table: string) => `"${table === "organizations" ? "id" : "orgId"}" = '${server.orgId}'`;

test("each table of the schema goes along, stays, or is the instance's", () => {
  const tables = rowsOf<{ name: string }>(
    server.dataDir,
    "select name from sqlite_schema where type = 'table' and name not like 'sqlite_%' and name not like 'kysely_%'",
  );
  const known: string[] = [...MOVED_TABLES, ...LEFT_TABLES, ...INSTANCE_TABLES];
  expect(known.sort()).toEqual(tables.map(({ name }) => name).sort());
});

test("the file is private, signed, and its manifest says what is in it", async () => {
  const { out, report } = await exported("whole.organization");
  expect(statSync(out).mode & 0o777).toBe(0o600);
  expect(report.sha256).toBe(createHash("sha256").update(readFileSync(out)).digest("hex"));
  const listed = Bun.spawnSync(["tar", "tf", out]).stdout.toString().trim().split("\n");
  expect(listed).toEqual(["manifest.json", "organization.db"]);
  const { dataDir, manifest } = unpacked(out);
  expect(signerOfManifest(manifest)).not.toBeNull();
  expect(() => signerOfManifest({ ...manifest, closed: true } as MovedManifest)).toThrow("signature");
  expect(manifest).toMatchObject({ format: "captable-organization", closed: false, environment: "production" });
  for (const table of MOVED_TABLES) {
    const [all, order] = [`select * from "${table}"`, "order by 1, 2"];
    const there = rowsOf(dataDir, `${all} ${order}`);
    const here = rowsOf(server.dataDir, `${all} where ${own(table)} ${order}`);
    expect({ table, rows: there }).toEqual({ table, rows: here });
    expect({ table, count: manifest.counts[table] }).toEqual({ table, count: there.length });
  }
  const filled = MOVED_TABLES.filter((table) => (manifest.counts[table] ?? 0) > 0);
  expect(MOVED_TABLES.filter((table) => !filled.includes(table))).toEqual([
    ...(["long_writes", "splits_under_way", "splits_apart"] as const),
  ]);
  for (const table of [...LEFT_TABLES, ...INSTANCE_TABLES]) {
    if (table === "accounts" || table === "account_log") continue;
    expect({ table, rows: rowsOf(dataDir, `select * from ${table}`) }).toEqual({ table, rows: [] });
  }
  expect(manifest.tokensLeftBehind.length).toBeGreaterThan(0);
  expect(manifest.people.map(({ name }) => name)).toContain("Grace Hopper");
});

test("accounts are stubs, and no secret of people or keys of the instance is in it", async () => {
  const { out } = await exported("stubs.organization");
  const { dataDir } = unpacked(out);
  const accounts = rowsOf<Record<string, unknown>>(dataDir, "select * from accounts");
  expect(accounts.length).toBeGreaterThan(2);
  for (const account of accounts) {
    const { id, email, passwordHash, totpSecret, isOperator, suspendedAt } = account;
    expect([email, passwordHash, totpSecret, isOperator]).toEqual([`${id}@moved.invalid`, null, null, 0]);
    expect(suspendedAt).toBeString();
  }
  const bytes = readFileSync(out);
  const secrets = rowsOf<Record<string, string | null>>(
    server.dataDir,
    `select passwordHash as a, totpSecret as b, salt as c, null as d from accounts
      union all select tokenHash, null, null, null from sessions union all select tokenHash, null, null, null from links
      union all select credentialId, publicKey, null, null from passkeys
      union all select tokenHash, null, null, null from calendars
      union all select codeHash, null, null, null from recovery_codes union all select subject, null, null, null from identities`,
  ).flatMap((row) => Object.values(row).filter((value): value is string => value !== null && value !== ""));
  expect(secrets.length).toBeGreaterThan(20);
  expect(secrets.filter((secret) => bytes.includes(secret))).toEqual([]);
});

test("nothing of another organization is in it", async () => {
  const { out } = await exported("alone.organization");
  const bytes = readFileSync(out);
  const whole = readFileSync(join(server.dataDir, "captable.db"));
  const wal = readFileSync(join(server.dataDir, "captable.db-wal"));
  const others = [...OTHERS, otherId];
  for (const name of others) expect([name, whole.includes(name) || wal.includes(name)]).toEqual([name, true]);
  expect(others.filter((name) => bytes.includes(name))).toEqual([]);
  expect(bytes.includes("Whole, Inc.") && bytes.includes("Grace Hopper")).toBe(true);
});

test("it verifies, but for one note on rows by people, and exports the same OCF", async () => {
  const { out, report } = await exported("verified.organization");
  const { dataDir } = unpacked(out);
  const verified = await runCommand(["verify", "--data-dir", dataDir, "--json"]);
  const { differences, notes, organizations } = JSON.parse(verified.stdout);
  expect([verified.status, differences]).toEqual([0, []]);
  const people = notes.filter(({ code }: { code: string }) => code === "writer-unexplained");
  expect(people).toHaveLength(1);
  expect(people[0].detail).toMatch(/^\d+ rows? by people of another instance/);
  expect(organizations).toEqual([report.organization]);
  const here = await runCommand(["verify", "--data-dir", server.dataDir, "--org", server.orgId, "--json"]);
  expect(JSON.parse(here.stdout).organizations).toEqual(organizations);
  const [source, copy] = await Promise.all(
    [server.dataDir, dataDir].map(async (each, at) => {
      const zip = join(folder, `${at}.ocf.zip`);
      const args = ["ocf", "export", "--data-dir", each, "--org", server.orgId, "--out", zip];
      expect((await runCommand(args)).status).toBe(0);
      const files = unzipSync(readFileSync(zip));
      return Object.entries(files)
        .filter(([name]) => !name.startsWith("Manifest"))
        .map(([name, content]) => [name, Buffer.from(content).toString("utf8").replace(MADE_AT, "")] as const);
    }),
  );
  expect(source?.length).toBeGreaterThan(5);
  expect(copy).toEqual(source ?? []);
});

test("rows by a person whom no session explains are still a difference where there is an account besides stubs", async () => {
  const { out } = await exported("forged.organization");
  const { dataDir } = unpacked(out);
  const db = new Database(join(dataDir, "captable.db"));
  // A stub that is no stub any more: its suspension is lifted from outside.
  db.exec("update accounts set suspendedAt = null where seq = 1");
  db.close();
  expect((await runCommand(["verify", "--data-dir", dataDir])).status).toBe(4);
});

test("damaged data are not exported, and an older file stays", async () => {
  const { out } = await exported("kept.organization");
  const { dataDir } = unpacked(out);
  const db = new Database(join(dataDir, "captable.db"));
  db.exec("update stakeholders set displayName = 'Eve' where seq = (select min(seq) from stakeholders)");
  db.close();
  const kept = join(folder, "older.organization");
  writeFileSync(kept, "older");
  const args = ["org", "export", server.orgId, "--out", kept, "--data-dir", dataDir];
  const ended = await runCommand(args);
  expect([ended.status, ended.stdout]).toEqual([4, ""]);
  expect(ended.stderr).toContain("so it was not exported");
  expect(readFileSync(kept, "utf8")).toBe("older");
  expect(readdirSync(folder).filter((name) => name.startsWith("."))).toEqual([]);
});

test("encrypted, it is readable with the key alone", async () => {
  const identity = await generateX25519Identity();
  const recipient = ["--recipient", await identityToRecipient(identity)];
  const { out, report } = await exported("locked.organization", [...recipient, "--with-keys"]);
  expect(report).toMatchObject({ isEncrypted: true, withKeys: true });
  const bytes = readFileSync(out);
  expect(bytes.subarray(0, 21).toString()).toBe("age-encryption.org/v1");
  expect(bytes.includes("Whole, Inc.")).toBe(false);
  const plain = join(folder, "opened.tar");
  await decryptFile(out, plain, { identities: [identity] }, () => undefined);
  expect(unpacked(plain).manifest).toMatchObject({ withKeys: true, organization: report.organization });
});

test("a byte changed in the database or the manifest is told, and it is no backup to restore", async () => {
  const { out } = await exported("changed.organization");
  const whole = readFileSync(out);
  const known = { into: null, onProgress: () => undefined, known: knownMovedManifest };
  const read = () => signerOfManifest(readFiles(out, known));
  expect(read).not.toThrow();
  const [head, end] = [BLOCK, whole.indexOf("\n}\n")];
  const [start, length] = [whole.indexOf("SQLite format 3"), lengthOf(whole)];
  const places = [...pick(head, end, CHANGES), ...pick(start, start + length, CHANGES)];
  for (const at of places) {
    const changed = Buffer.from(whole);
    changed.writeUInt8((whole[at] ?? 0) ^ 1, at);
    // White space between members of the manifest is not signed: it says nothing.
    if (/\s/.test(String.fromCharCode(whole[at] ?? 0)) && at < end) continue;
    writeFileSync(out, changed);
    expect([at, thrown(read)]).toEqual([at, true]);
  }
  writeFileSync(out, whole);
  const restored = await runCommand(["restore", out, "--data-dir", newDataDir()]);
  expect([restored.status, restored.stderr]).toEqual([4, expect.stringContaining("captable org export wrote it")]);
});

const BLOCK = 512;
/** The length of the database, by the manifest. */
const lengthOf = (whole: Buffer) => Number(/"bytes": (\d+)/.exec(whole.toString("latin1"))?.[1]);

/** So many places, spread over a part of the file. */
function pick(from: number, to: number, count: number): number[] {
  return Array.from({ length: count }, (_, at) => from + Math.floor(((to - from - 1) * at) / (count - 1)));
}

function thrown(work: () => unknown): boolean {
  try {
    work();
    return false;
  } catch {
    return true;
  }
}

test.each([
  ["an organization that is not here", ["None, Inc."], 3],
  ["a folder that is not there", ["Whole, Inc."], 2],
])("%s is refused", async (what, [org = ""], status) => {
  const out = what.includes("folder") ? "/nowhere/x.organization" : join(folder, "never.organization");
  const ended = await runCommand(["org", "export", org, "--out", out, "--data-dir", server.dataDir]);
  expect([ended.status, ended.stdout]).toEqual([status, ""]);
});

test("exports beside writes are each of one moment, and one that is killed leaves no file of that name", async () => {
  const ask = asking(server.url, await server.key("ADMIN"));
  let isWriting = true;
  let written = 0;
  const writing = (async () => {
    while (isWriting) {
      await ask("POST", "/stock-legends", { name: `L-${++written}`, text: "x" });
      await Bun.sleep(5);
    }
  })();
  const took = Date.now();
  const args = ["org", "export", server.orgId, "--data-dir", server.dataDir, "--json", "--out"];
  const start = (out: string) =>
    Bun.spawn([...PROGRAM, ...args, out], { env: programEnvironment(), stdout: "pipe", stderr: "pipe" });
  const whole = start(join(folder, "beside.organization"));
  expect(await whole.exited).toBe(0);
  const ms = Date.now() - took;
  for (let round = 0; round < KILLS; round++) {
    const out = join(folder, `killed-${round}.organization`);
    const child = start(out);
    await Bun.sleep((ms * (round + 1)) / (KILLS + 1));
    child.kill("SIGKILL");
    await child.exited;
    // Killed after the last step, it is there and whole.
    if (statSync(out, { throwIfNoEntry: false }) !== undefined) unpacked(out);
  }
  isWriting = false;
  await writing;
  const { dataDir } = unpacked(join(folder, "beside.organization"));
  const verified = await runCommand(["verify", "--data-dir", dataDir, "--json"]);
  expect([verified.status, JSON.parse(verified.stdout).differences]).toEqual([0, []]);
});
