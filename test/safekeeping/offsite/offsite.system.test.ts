// Copies elsewhere as commands and the server make them, and a machine that has nothing but the bucket and the keys.
import { afterAll, beforeAll, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { generateX25519Identity, identityToRecipient } from "age-encryption";
import Database from "better-sqlite3";
import { newDataDir, PROGRAM, programEnvironment, runProgram, serveProgram } from "../../kit/program.ts";
import { type S3Server, s3Refusal, startS3Server } from "../../kit/s3-server.ts";
import { call } from "../backup/support.ts";

setDefaultTimeout(120_000);
const NAME = "Hidden Harbour Holdings";

let server: S3Server;
let folder: string;
let dataDir: string;
let recipient: string;
let keyFile: string;
let identityFile: string;

beforeAll(async () => {
  server = startS3Server();
  dataDir = newDataDir();
  folder = dirname(dataDir);
  expect((await runProgram(["org", "create", "--name", NAME, "--data-dir", dataDir])).status).toBe(0);
  const identity = await generateX25519Identity();
  recipient = await identityToRecipient(identity);
  identityFile = privateFile("identity.txt", identity);
  keyFile = privateFile("bucket.key", `${server.id}\n${server.secret}\n`);
});
afterAll(() => {
  server.stop();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => {
  server.rule = () => null;
});

function privateFile(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text, { mode: 0o600 });
  return path;
}

const settings = (more: Record<string, string> = {}): Record<string, string> => ({
  CAPTABLE_OFFSITE_BUCKET: server.settings.bucket,
  CAPTABLE_OFFSITE_ENDPOINT: server.url,
  CAPTABLE_OFFSITE_REGION: server.settings.region,
  CAPTABLE_OFFSITE_KEY_FILE: keyFile,
  ...more,
});
const offsite = (...args: string[]) => runProgram(["offsite", ...args, "--data-dir", dataDir], settings());

async function backUp(name: string): Promise<string> {
  const out = join(folder, name);
  const made = await runProgram(["backup", "--data-dir", dataDir, "--out", out, "--recipient", recipient]);
  expect([made.status, made.stderr]).toEqual([0, ""]);
  return out;
}

test("a file is pushed, listed, verified, fetched, and restored on a machine that has the bucket alone", async () => {
  const file = await backUp("by-hand.captable.age");
  const pushed = await offsite("push", file, "--json");
  expect([pushed.status, pushed.stderr]).toEqual([0, ""]);
  const { mark } = JSON.parse(pushed.stdout);
  expect(mark.sha256).toBe(createHash("sha256").update(readFileSync(file)).digest("hex"));
  expect(mark.heads).toEqual([{ orgId: expect.any(String), sequence: 0, hash: expect.any(String) }]);
  const listed = await offsite("list");
  expect(listed.stdout).toContain(mark.sha256);
  const verified = await offsite("verify", "by-hand.captable.age");
  expect([verified.status, verified.stdout.includes(mark.sha256)]).toEqual([0, true]);
  const out = join(folder, "fetched.age");
  expect((await offsite("fetch", "by-hand.captable.age", "--out", out)).status).toBe(0);
  expect(readFileSync(out).equals(readFileSync(file))).toBe(true);
  const bare = newDataDir();
  const args = ["restore", "s3:by-hand.captable.age", "--data-dir", bare, "--identity-file", identityFile];
  const restored = await runProgram(args, settings());
  expect([restored.status, restored.stderr, restored.stdout.includes(NAME)]).toEqual([0, "", true]);
  expect((await runProgram(["verify", "--data-dir", bare])).status).toBe(0);
  expect(readdirSync(bare).filter((name) => /restoring|age|tar/.test(name))).toEqual([]);
  expect((await runProgram([...args, "--force", "--sha256", "0".repeat(64)], settings())).status).toBe(4);
});

test("the server copies each scheduled backup, and /metrics tells when", async () => {
  server.objects.clear();
  const backups = join(folder, "scheduled");
  const all = settings({ CAPTABLE_BACKUP_DIR: backups, CAPTABLE_BACKUP_RECIPIENTS: recipient });
  const here = newDataDir();
  const served = await serveProgram(here, all);
  expect((await call(served, "PATCH", "/organization", { legalName: NAME })).status).toBe(200);
  const metric = async () => {
    const text = await (await fetch(`${served.url}/metrics`)).text();
    return /^captable_offsite_last_success_timestamp_seconds (\d+)/m.exec(text)?.[1];
  };
  while (eventsIn(here).length < 2) await Bun.sleep(50);
  expect(Number(await metric())).toBeGreaterThan(Date.now() / 1000 - 120);
  expect(await served.end("SIGTERM")).toBe(0);
  const [name = ""] = readdirSync(backups);
  expect(eventsIn(here)).toEqual([
    ["backup.completed", name],
    ["offsite.completed", name],
  ]);
  expect([...server.objects.keys()].sort()).toEqual([`captable/${name}`, `captable/${name}.sha256`]);
  // No name in the clear, nor any text of the database or its manifest.
  for (const bytes of server.objects.values()) {
    for (const text of [NAME, "Hidden", "SQLite format", "manifest"]) expect(bytes.includes(text)).toBe(false);
  }
  const bare = newDataDir();
  const restored = await runProgram(
    ["restore", "s3:latest", "--data-dir", bare, "--identity-file", identityFile],
    settings(),
  );
  expect(restored.status).toBe(0);
  expect((await runProgram(["verify", "--data-dir", bare])).status).toBe(0);
});

/** The events of the instance in a data directory, each with the file that it names. */
function eventsIn(folderOfData: string): [type: string, name: string | undefined][] {
  const db = new Database(join(folderOfData, "captable.db"), { readonly: true });
  const rows = db
    .prepare<[], { type: string; data: string }>("select type, data from instance_events order by seq")
    .all();
  db.close();
  return rows.map(({ type, data }) => [type, JSON.parse(data).name]);
}

test("the server says the bucket's refusal, and serves on", async () => {
  server.rule = () => s3Refusal(403, "AccountSuspended");
  const all = { CAPTABLE_BACKUP_DIR: join(folder, "refused"), CAPTABLE_BACKUP_RECIPIENTS: recipient };
  const here = newDataDir();
  const child = Bun.spawn([...PROGRAM, "serve", "--data-dir", here, "--port", "0"], {
    env: programEnvironment({ ...settings(all), CAPTABLE_LOG: "off" }),
    stdout: "ignore",
    stderr: "pipe",
  });
  let said = "";
  for await (const text of child.stderr.pipeThrough(new TextDecoderStream())) {
    said += text;
    if (said.includes("AccountSuspended")) break;
  }
  expect(said).toContain("no copy was made in the bucket copies");
  while (eventsIn(here).length < 2) await Bun.sleep(50);
  child.kill();
  expect(await child.exited).toBe(0);
  expect(eventsIn(here).map(([type]) => type)).toEqual(["backup.completed", "offsite.failed"]);
});

test("settings that copying needs stop the server where one is missing", async () => {
  const whole = settings({ CAPTABLE_BACKUP_DIR: join(folder, "half"), CAPTABLE_BACKUP_RECIPIENTS: recipient });
  for (const name of ["CAPTABLE_BACKUP_DIR", "CAPTABLE_BACKUP_RECIPIENTS", "CAPTABLE_OFFSITE_KEY_FILE"]) {
    const { [name]: _, ...half } = whole;
    const ended = await runProgram(["serve", "--data-dir", newDataDir()], half);
    expect([name, ended.status, ended.stderr.includes(`${name} is not set`)]).toEqual([name, 2, true]);
  }
  const wrong = {
    CAPTABLE_OFFSITE_ENDPOINT: ["http://example.com", "s3.example.com", "https://example.com?x=1", "ftp://127.0.0.1"],
    CAPTABLE_OFFSITE_BUCKET: ["a", "a/b", "-ab"],
    CAPTABLE_OFFSITE_PREFIX: ["/x", "a//b", "../x", "a b"],
    CAPTABLE_OFFSITE_STYLE: ["virtual"],
    CAPTABLE_OFFSITE_KEEP: ["0"],
    CAPTABLE_OFFSITE_KEY_FILE: [join(folder, "none"), privateFile("one.key", "id")],
  };
  for (const [name, values] of Object.entries(wrong)) {
    for (const value of values) {
      const ended = await runProgram(["offsite", "list", "--data-dir", dataDir], { ...whole, [name]: value });
      expect([name, value, ended.status]).toEqual([name, value, 2]);
    }
  }
  expect((await runProgram(["offsite", "list", "--data-dir", dataDir])).status).toBe(2);
});

test("statuses: 1 refused or not there, 2 not encrypted, 4 other bytes", async () => {
  server.objects.clear();
  const file = await backUp("status.captable.age");
  expect((await offsite("push", file)).status).toBe(0);
  expect((await offsite("verify", "none")).status).toBe(1);
  expect((await offsite("verify")).status).toBe(1);
  const plain = join(folder, "plain.captable");
  expect((await runProgram(["backup", "--data-dir", dataDir, "--out", plain])).status).toBe(0);
  const refused = await offsite("push", plain);
  expect([refused.status, refused.stderr.includes("not encrypted")]).toEqual([2, true]);
  expect((await offsite("push", join(folder, "none"))).status).toBe(2);
  const key = "captable/status.captable.age";
  const changed = Buffer.from(server.objects.get(key) ?? "");
  changed[1000] = (changed[1000] ?? 0) ^ 1;
  server.objects.set(key, changed);
  const args = ["--data-dir", newDataDir(), "--identity-file", identityFile];
  expect((await offsite("verify", "status.captable.age")).status).toBe(4);
  expect((await offsite("fetch", "status.captable.age", "--out", join(folder, "x"))).status).toBe(4);
  expect((await runProgram(["restore", "s3:status.captable.age", ...args], settings())).status).toBe(4);
  // Who changes the mark too meets the encryption.
  const mark = JSON.parse(server.objects.get(`${key}.sha256`)?.toString() ?? "");
  mark.sha256 = createHash("sha256").update(changed).digest("hex");
  server.objects.set(`${key}.sha256`, Buffer.from(JSON.stringify(mark)));
  expect((await offsite("verify", "status.captable.age")).status).toBe(0);
  expect((await runProgram(["restore", "s3:status.captable.age", ...args], settings())).status).toBe(4);
  server.rule = () => s3Refusal(403, "AccessDenied");
  const denied = await offsite("list");
  expect([denied.status, denied.stderr.includes("AccessDenied")]).toEqual([1, true]);
  const nowhere = await runProgram(["offsite", "list", "--data-dir", dataDir], {
    ...settings(),
    CAPTABLE_OFFSITE_ENDPOINT: "http://127.0.0.1:1",
  });
  expect(nowhere.status).toBe(1);
});

test("credentials and addresses of other programs are not used", async () => {
  server.objects.clear();
  const file = await backUp("foreign.captable.age");
  const tokens: (string | null)[] = [];
  const foreign = Bun.serve({
    port: 0,
    fetch(request) {
      tokens.push(request.headers.get("x-amz-security-token"));
      return s3Refusal(403, "Foreign");
    },
  });
  const more = {
    AWS_SESSION_TOKEN: "theirs",
    AWS_ACCESS_KEY_ID: "theirs",
    S3_ENDPOINT: `http://127.0.0.1:${foreign.port}`,
    S3_SESSION_TOKEN: "theirs",
  };
  const pushed = await runProgram(["offsite", "push", file, "--data-dir", dataDir], { ...settings(), ...more });
  expect([pushed.status, pushed.stderr]).toEqual([0, ""]);
  const bare = ["--data-dir", newDataDir(), "--identity-file", identityFile];
  const restored = await runProgram(["restore", "s3:foreign.captable.age", ...bare], { ...settings(), ...more });
  expect([restored.status, restored.stderr]).toEqual([0, ""]);
  const refused = await runProgram(["offsite", "verify", "none", "--data-dir", dataDir], { ...settings(), ...more });
  expect([refused.status, tokens]).toEqual([1, []]);
  foreign.stop(true);
});

const hasOpenssl = Bun.which("openssl") !== null;
test.skipIf(!hasOpenssl)("a certificate that is not of the server is refused", async () => {
  const folderOfKeys = join(folder, "tls");
  mkdirSync(folderOfKeys);
  const [key, cert] = [join(folderOfKeys, "key.pem"), join(folderOfKeys, "cert.pem")];
  const words = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", cert, "-days", "2"];
  Bun.spawnSync(["openssl", ...words, "-subj", "/CN=localhost"], { stderr: "ignore" });
  let asked = 0;
  const tls = Bun.serve({
    port: 0,
    tls: { key: readFileSync(key), cert: readFileSync(cert) },
    fetch: () => {
      asked++;
      return s3Refusal(403, "Reached");
    },
  });
  const ended = await runProgram(["offsite", "list", "--data-dir", dataDir], {
    ...settings(),
    CAPTABLE_OFFSITE_ENDPOINT: `https://localhost:${tls.port}`,
  });
  expect([ended.status, asked, ended.stderr.includes("Reached")]).toEqual([1, 0, false]);
  tls.stop(true);
  expect(existsSync(cert)).toBe(true);
});
