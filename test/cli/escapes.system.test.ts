// What a database, a package, a backup or a request says is shown, and never obeyed: no command prints what a terminal
// takes for an order, or turns text around, or makes a line of its own that the program did not say.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { commandLineCall } from "../../src/kernel/call.ts";
import { systemRuntime } from "../../src/kernel/runtime.ts";
import { makeManifest, writeArchive } from "../../src/safekeeping/backup/format.ts";
import { makeLog } from "../../src/server/http/log-line.ts";
import { hashFile } from "../../src/storage/data-dir/durable-files.ts";
import { changeLogged } from "../../src/storage/database/log/logged.ts";
import { DATABASE_FILE, openWritable } from "../../src/storage/database/open.ts";
import { Writer } from "../../src/storage/database/writer.ts";
import { ChainError } from "../../src/tokens/chain/port.ts";
import { chainSource } from "../../src/tokens/chain/source.ts";
import { Small } from "../exchange/ocf/fixture.ts";
import { runCommand } from "../kit/command.ts";
import type { Ended } from "../kit/program.ts";
import { makeShareClass } from "../kit/records.ts";
import { startTestServer } from "../kit/service.ts";
import { removeTemporaryFolders, temporaryFolder } from "../tokens/chain/support/people.ts";
import { QUICK, until } from "../tokens/jobs/support/tokens.ts";

setDefaultTimeout(120_000);

/** Colours, a cleared screen by one byte, a window's title, a line of one's own, a turned word, a bell. */
const EVIL = "A\u001b[31mB\u009b2JC\u001b]0;D\u0007E\nNo difference.\r\u202eF\u2066G\u200fH\u007fI\u2028J";
const OBEYED = /[^\P{Cc}\n]|[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u;

const folder = temporaryFolder();
const dataDir = join(folder, "data");
const backup = join(folder, "acme.captable");
const forged = join(folder, "forged.captable");

/** Writes names that no route lets in, and tells the log of them, so that the data verifies. */
async function writeNames(orgId: string): Promise<void> {
  const db = openWritable(join(dataDir, DATABASE_FILE));
  try {
    const writer = new Writer(db, (error) => {
      throw error;
    });
    await writer.submit((tx) => {
      const call = commandLineCall(systemRuntime, orgId);
      const ids = (table: string) => db.sqlite.prepare<[], string>(`select id from ${table}`).pluck().all();
      changeLogged(tx, call, "organizations", orgId, { legalName: EVIL, comments: EVIL });
      for (const id of ids("api_keys")) changeLogged(tx, call, "api_keys", id, { name: EVIL });
      for (const id of ids("share_classes")) {
        changeLogged(tx, call, "share_classes", id, { name: EVIL, tokenizationStatus: "FAILED", tokenError: EVIL });
      }
    });
    const job = "insert into outbox (orgId, id, kind, state, stockClassId, payload, error, createdAt)";
    const insertion = db.sqlite.prepare(`${job} values (?, ?, 'tokenize', 'FAILED', 'common', '{}', ?, '2026')`);
    insertion.run(orgId, `job ${EVIL}`, EVIL);
  } finally {
    db.sqlite.close();
  }
}

const run = (...args: string[]) => runCommand([...args, "--data-dir", dataDir]);

beforeAll(async () => {
  expect((await run("org", "create", "--name", "Acme")).status).toBe(0);
  const { id } = JSON.parse((await run("org", "list", "--json")).stdout).items[0];
  expect((await run("keys", "create", "--name", "K", "--role", "VIEWER")).status).toBe(0);
  expect((await run("ocf", "import", join(import.meta.dir, "../fixtures/ocf/small"))).status).toBe(0);
  await writeNames(id);
  expect((await run("backup", "--out", backup)).status).toBe(0);
  forge(id);
});
afterAll(removeTemporaryFolders);

/** A backup whose manifest names another ledger's head, in an organization with a name of the forger's choice. */
function forge(orgId: string): void {
  const unpacked = join(folder, "unpacked");
  mkdirSync(unpacked);
  Bun.spawnSync(["tar", "xf", backup, "-C", unpacked]);
  const file = join(unpacked, "captable.db");
  const files = [{ name: "captable.db", bytes: readFileSync(file).length, sha256: hashFile(file) }];
  const head = { sequence: 1, hash: EVIL };
  const organizations = [{ orgId, legalName: EVIL, entries: 1, head, log: head }];
  const rest = { createdAt: EVIL, program: EVIL, organizations, files, keyFiles: [EVIL] };
  writeArchive(forged, { manifest: makeManifest(rest), folder: unpacked, nowMs: 0, onProgress: () => undefined });
}

function expectTame(name: string, { stdout, stderr }: Pick<Ended, "stdout" | "stderr">): void {
  for (const said of [stdout, stderr]) {
    expect([name, OBEYED.exec(said)?.[0] ?? null]).toEqual([name, null]);
  }
}

describe("printed from a database:", () => {
  test.each([
    ["org list"],
    ["org show"],
    ["keys list"],
    ["jobs list"],
    ["chain status"],
    ["chain reconcile"],
    ["ocf export --out"],
    ["backup --out"],
  ])("%s escapes what is in it, for a person and as JSON", async (words) => {
    const args = words.split(" ");
    if (args.at(-1) === "--out") args.push(join(folder, "out"));
    const [shown, json] = [await run(...args), await run(...args, "--json")];
    expectTame(words, shown);
    expectTame(words, json);
    expect(JSON.parse(json.stdout)).toBeObject();
    if (!/^chain status|^chain reconcile/.test(words)) expect(shown.stdout).toContain("A\\u001b[31mB\\u009b2JC");
    expect(shown.stdout.split("\n")).not.toContain("No difference.");
  });

  test("verify, of names and of differences", async () => {
    const sound = await run("verify");
    expectTame("verify", sound);
    expect(sound.stdout).toContain("A\\u001b[31mB");
    expect(sound.stdout.split("\n").filter((line) => line === "No difference.")).toHaveLength(1);
    const copy = join(folder, "damaged");
    cpSync(dataDir, copy, { recursive: true });
    const db = new Database(join(copy, "captable.db"));
    db.prepare("update securities set quantity = ? where status = 'ACTIVE'").run(`1${EVIL}`);
    db.close();
    const damaged = await runCommand(["verify", "--data-dir", copy]);
    expect(damaged.status).toBe(4);
    expectTame("verify", damaged);
    expect(damaged.stdout.split("\n")).not.toContain("No difference.");
  });

  test("the name of a migration that a newer program made", async () => {
    const copy = join(folder, "newer");
    cpSync(dataDir, copy, { recursive: true });
    const db = new Database(join(copy, "captable.db"));
    db.prepare("insert into kysely_migration (name, timestamp) values (?, '2030')").run(`9999 ${EVIL}`);
    db.close();
    const ended = await runCommand(["migrate", "--data-dir", copy]);
    expect([ended.status, ended.stderr.includes("9999 A\\u001b")]).toEqual([3, true]);
    expectTame("migrate", ended);
  });
});

describe("printed from a backup:", () => {
  test("restore, of one that is good", async () => {
    const ended = await runCommand(["restore", backup, "--data-dir", join(folder, "restored")]);
    expect([ended.status, ended.stdout.includes("ledger of A\\u001b[31mB")]).toEqual([0, true]);
    expectTame("restore", ended);
  });

  test("restore, of a forged one", async () => {
    const ended = await runCommand(["restore", forged, "--data-dir", join(folder, "not-restored")]);
    expect([ended.status, ended.stdout, ended.stderr.includes("A\\u001b[31mB")]).toEqual([4, "", true]);
    expect(ended.stderr.split("\n")).toHaveLength(2);
    expectTame("restore", ended);
  });
});

describe("printed from a package:", () => {
  const small = new Small();
  Object.assign(small.get("bo"), { stakeholder_type: EVIL });
  Object.assign(small.get("common"), { [EVIL]: EVIL });
  Object.assign(small.get("t01"), { id: EVIL, security_id: `${EVIL}${EVIL}`, stakeholder_id: EVIL });
  small.raw.set(`${EVIL}.json`, Buffer.from(EVIL));
  const file = join(folder, "package.zip");
  writeFileSync(file, small.zip());

  test.each([[["validate"]], [["import", "--dry-run"]]])("ocf %p", async ([command = "", ...more]) => {
    const where = command === "validate" ? [] : ["--data-dir", join(folder, "imported")];
    if (command === "import") expect((await runCommand(["org", "create", "--name", "Acme", ...where])).status).toBe(0);
    const ended = await runCommand(["ocf", command, file, ...more, ...where]);
    expect([ended.status, ended.stdout.includes("\\u001b[31mB")]).toEqual([1, true]);
    expectTame(command, ended);
    expectTame(command, await runCommand(["ocf", command, file, ...more, ...where, "--json"]));
  });
});

test("what was typed is repeated without what a terminal obeys", async () => {
  for (const args of [
    ["org", EVIL],
    [`--${EVIL}`],
    ["org", "show", `${EVIL}2`],
    ["org", "update", "x", "--set", EVIL],
    ["restore", EVIL],
  ]) {
    const ended = await run(...args);
    expect([args[0], ended.status > 0, ended.stdout]).toEqual([args[0], true, ""]);
    expectTame(args.join(" "), ended);
  }
});

describe("printed of requests", () => {
  test("by the log, a line each, whatever failed", () => {
    const line = {
      time: "2026",
      level: "error",
      requestId: "r",
      apiKeyId: null,
      accountId: null,
      orgId: null,
      status: 500,
      ms: 1,
    } as const;
    for (const form of ["pretty", "json"] as const) {
      let text = "";
      const log = makeLog(form, (said) => {
        text += said;
      });
      log.write(() => ({ ...line, method: EVIL, route: EVIL, error: EVIL }));
      log.flush();
      expectTame(form, { stdout: text, stderr: "" });
      expect(text.split("\n")).toHaveLength(2);
      if (form === "json") expect(JSON.parse(text).error).toBe(EVIL);
    }
  });

  test.each(["pretty", "json"])("by background work, as %s, with what a node said", async (form) => {
    const parts = { dataDir: folder, rpcUrl: null, keyFile: null, passwordFile: null, confirmations: 1 };
    const chain = { ...chainSource(parts), openChain: () => Promise.reject(new ChainError("unreachable", EVIL)) };
    const server = await startTestServer({ CAPTABLE_LOG: form, CAPTABLE_CHAIN: "on" }, { chain, jobsTiming: QUICK });
    await makeShareClass(server);
    const said = await until("a word of it", async () => server.log.find((text) => text.includes("[31mB")));
    await server.stop();
    expectTame(form, { stdout: said, stderr: "" });
    expect(said.split("\n").filter((line) => line.includes("difference"))).toHaveLength(1);
  });
});
