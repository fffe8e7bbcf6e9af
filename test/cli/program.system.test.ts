// The program as its operator meets it: commands, exit codes, what is printed where.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, lstatSync, readFileSync, statSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import Database from "better-sqlite3";
import type { Command } from "commander";
import { makeProgram } from "../../cli/program.ts";
import { newDataDir, PROGRAM, programEnvironment, runProgram, type Served, serveProgram } from "../kit/program.ts";

const dataDir = newDataDir();
let served: Served;

async function run(...args: string[]) {
  return await runProgram([...args, "--data-dir", dataDir]);
}

async function api(method: string, path: string, body?: unknown, key = served.key) {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const init: RequestInit = { method, headers };
  if (body !== undefined) init.body = JSON.stringify(body);
  const response = await fetch(`${served.url}/api/v1${path}`, init);
  return { status: response.status, json: (await response.json()) as Record<string, string> };
}

beforeAll(async () => {
  served = await serveProgram(dataDir);
});
afterAll(() => served.end("SIGTERM"));

describe("serve", () => {
  test("prints with --json where it serves, and its log elsewhere", async () => {
    const folder = newDataDir();
    const child = Bun.spawn([...PROGRAM, "serve", "--data-dir", folder, "--port", "0", "--json"], {
      env: programEnvironment({ CAPTABLE_LOG: "json" }),
      stdout: "pipe",
      stderr: "pipe",
    });
    let printed = "";
    for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) {
      printed += text;
      if (printed.trimEnd().endsWith("}")) break;
    }
    const { url, dataDir, adminKeyFile } = JSON.parse(printed);
    expect({ dataDir, adminKeyFile }).toEqual({ dataDir: folder, adminKeyFile: join(folder, "admin.key") });
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    child.kill("SIGTERM");
    expect(await child.exited).toBe(0);
    expect(await new Response(child.stderr).text()).toContain("/readyz");
  });

  test("makes an organization without a name and a first ADMIN key that only its owner can read", async () => {
    expect((await api("GET", "/organization")).json.legalName).toBe("Unnamed organization");
    expect(served.key).toMatch(/^pg_live_[0-9A-Za-z]{43}$/);
    expect(statSync(join(dataDir, "admin.key")).mode & 0o777).toBe(0o600);
    expect(statSync(join(dataDir, "captable.db")).mode & 0o777).toBe(0o600);
    expect(statSync(dataDir).mode & 0o777).toBe(0o700);
  });

  test("is refused a second time on one data directory, with exit status 3", async () => {
    const second = await runProgram(["serve", "--data-dir", dataDir, "--port", "0"]);
    expect([second.status, second.stdout]).toEqual([3, ""]);
    expect(second.stderr).toContain("another captable serves");
  });

  test("is refused with the other environment than the data directory's, with exit status 3", async () => {
    const refused = await runProgram(["serve", "--data-dir", dataDir, "--port", "0"], { CAPTABLE_ENV: "test" });
    expect(refused.status).toBe(3);
  });

  test("does not share another program's port: it ends with exit status 1 and says which port", async () => {
    const { port } = new URL(served.url);
    const other = await runProgram(["serve", "--data-dir", newDataDir(), "--port", port]);
    expect([other.status, other.stdout]).toEqual([1, ""]);
    expect(other.stderr).toContain(`cannot listen on 127.0.0.1 port ${port}`);
  });

  test.each([
    [{ CAPTABLE_PORT: "http" }, "CAPTABLE_PORT"],
    [{ CAPTABLE_RATE_LIMIT: "-1" }, "CAPTABLE_RATE_LIMIT"],
    [{ CAPTABLE_ENV: "staging" }, "CAPTABLE_ENV"],
    [{ CAPTABLE_BODY_LIMIT_MB: "0" }, "CAPTABLE_BODY_LIMIT_MB"],
    [{ CAPTABLE_HOST: "a b" }, "CAPTABLE_HOST"],
    [{ CAPTABLE_HOST: "203.0.113.7" }, "CAPTABLE_HOST"],
    [{ CAPTABLE_PUBLIC_URL: "http://x/y?z" }, "CAPTABLE_PUBLIC_URL"],
    [{ CAPTABLE_BACKUP_DIR: import.meta.path }, "CAPTABLE_BACKUP_DIR"],
    [{ CAPTABLE_CHAIN_KEY_FILE: "/nowhere" }, "CAPTABLE_CHAIN_KEY_FILE"],
    [{ CAPTABLE_CHAIN_KEY_PASSWORD_FILE: "/" }, "CAPTABLE_CHAIN_KEY_PASSWORD_FILE"],
    [
      { CAPTABLE_CHAIN_RPC_URL: "http://127.0.0.1:9", CAPTABLE_CHAIN_KEY_FILE: import.meta.path },
      "CAPTABLE_CHAIN_KEY_FILE",
    ],
  ])("with the wrong setting %p says which and what is allowed, with exit status 2", async (environment, name) => {
    const refused = await runProgram(["serve", "--data-dir", newDataDir()], environment);
    expect([refused.status, refused.stdout]).toEqual([2, ""]);
    expect(refused.stderr).toContain(name);
    expect(refused.stderr).toContain("allowed is");
  });
});

describe("every command", () => {
  const leaves = (command: Command, path: readonly string[]): readonly (readonly [string, Command])[] =>
    command.commands.length === 0
      ? [[path.join(" "), command]]
      : command.commands.flatMap((child) => leaves(child, [...path, child.name()]));

  test("takes --data-dir and --json", async () => {
    const commands = leaves(await makeProgram(), []).filter(([name]) => name !== "help");
    expect(commands.length).toBeGreaterThan(20);
    for (const [name, command] of commands) {
      const options = command.options.map(({ long }) => long);
      expect([name, options.includes("--data-dir"), options.includes("--json")]).toEqual([name, true, true]);
    }
  });

  test.each([
    "version",
    "openapi",
    "licenses",
    "completion bash",
    "print systemd --template",
    "print dockerfile",
    "migrate --status",
    "org list",
    "keys list",
    "jobs list",
    "chain status",
    "verify",
  ])("prints one JSON document: %s", async (command) => {
    const { status, stdout } = await run(...command.split(" "), "--json");
    expect([status, typeof JSON.parse(stdout)]).toEqual([0, "object"]);
  });

  test("says with --json that the server is ready, and where", async () => {
    const { port } = new URL(served.url);
    const { status, stdout } = await run("healthcheck", "--port", port, "--json");
    expect([status, JSON.parse(stdout)]).toEqual([0, { status: "ready", url: `${served.url}/readyz` }]);
  });
});

describe("--out", () => {
  const commands = [["backup"], ["ocf", "export"]];

  test("never names one of the data directory's own files, by whatever path", async () => {
    const link = join(dirname(dataDir), "link");
    symlinkSync(join(dataDir, "captable.db"), link);
    const before = readFileSync(join(dataDir, "captable.db"));
    for (const command of commands) {
      for (const name of ["captable.db", "captable.db-wal", "chain.db", "wallet-seed", "serve.lock", "admin.key"]) {
        const ended = await run(...command, "--out", join(dataDir, "..", basename(dataDir), name));
        expect([name, ended.status, ended.stdout]).toEqual([name, 2, ""]);
        expect(ended.stderr).toContain("own files");
      }
      expect((await run(...command, "--out", link)).status).toBe(2);
    }
    expect(readFileSync(join(dataDir, "captable.db")).equals(before)).toBe(true);
    expect(existsSync(join(dataDir, "wallet-seed"))).toBe(false);
  });

  test("names an ordinary file: no folder, no device, not nothing", async () => {
    for (const command of commands) {
      for (const out of ["", dataDir, "/dev/null", join(dataDir, "none", "x")]) {
        const ended = await run(...command, "--out", out);
        expect([out, ended.status, ended.stdout]).toEqual([out, 2, ""]);
        expect(ended.stderr).toContain("--out");
      }
    }
    expect(statSync("/dev/null").isCharacterDevice()).toBe(true);
  });

  test("may be a link, whose target is then written", async () => {
    const [target, link] = [join(dirname(dataDir), "target"), join(dirname(dataDir), "to-target")];
    writeFileSync(target, "");
    symlinkSync(target, link);
    for (const command of commands) {
      expect((await run(...command, "--out", link)).status).toBe(0);
      expect(lstatSync(link).isSymbolicLink()).toBe(true);
      expect(statSync(target).size).toBeGreaterThan(1000);
      truncateSync(target);
    }
  });
});

describe("commands beside a running server", () => {
  test("org create names the organization that has no name yet, and the API shows it at once", async () => {
    const created = await run("org", "create", "--name", "Acme, Inc.", "--json");
    expect(created.status).toBe(0);
    const organization = (await api("GET", "/organization")).json;
    expect(JSON.parse(created.stdout)).toEqual(organization);
    expect(organization.legalName).toBe("Acme, Inc.");
  });

  test("a key made by the command line works at once, and is refused at once when revoked", async () => {
    const { key, id } = JSON.parse((await run("keys", "create", "--name", "ci", "--role", "VIEWER", "--json")).stdout);
    expect((await api("GET", "/organization", undefined, key)).status).toBe(200);
    expect((await api("POST", "/stakeholders", {}, key)).status).toBe(403);
    expect((await run("keys", "revoke", id)).status).toBe(0);
    expect((await api("GET", "/organization", undefined, key)).status).toBe(401);
  });

  test("so it is for a client that only writes", async () => {
    const { key, id } = JSON.parse((await run("keys", "create", "--name", "ci", "--role", "EDITOR", "--json")).stdout);
    const write = async () => (await api("POST", "/stakeholders", {}, key)).status;
    expect([await write(), await write()]).toEqual([422, 422]);
    expect((await run("keys", "revoke", id)).status).toBe(0);
    expect([await write(), await write()]).toEqual([401, 401]);
  });

  test("a key is printed alone, so that it can be piped, and is stored nowhere", async () => {
    const made = await run("keys", "create", "--name", "ci", "--role", "EDITOR");
    expect(made.stdout).toMatch(/^pg_live_[0-9A-Za-z]{43}\n$/);
    for (const file of ["captable.db", "captable.db-wal"]) {
      expect(readFileSync(join(dataDir, file)).includes(made.stdout.trim())).toBe(false);
    }
  });

  test.each([
    ["an unknown command", ["frobnicate"], 2],
    ["a missing option", ["keys", "create", "--name", "x"], 2],
    ["an unknown role", ["keys", "create", "--name", "x", "--role", "OWNER"], 2],
    ["an unknown field", ["org", "update", "ORG", "--set", "colour=red"], 2],
    ["an unknown organization", ["org", "show", "unknown"], 3],
    ["an unknown key", ["keys", "revoke", "unknown"], 3],
  ])("%s ends with its status and prints nothing on standard output", async (_case, args, status) => {
    const { id } = (await api("GET", "/organization")).json;
    const ended = await run(...args.map((arg) => (arg === "ORG" ? (id ?? "") : arg)));
    expect([ended.status, ended.stdout]).toEqual([status, ""]);
    expect(ended.stderr).not.toBe("");
  });
});

describe("verify", () => {
  test("finds nothing on a sound ledger, and names the entry of which one byte was changed in the file", async () => {
    const dir = newDataDir();
    const own = await serveProgram(dir);
    const ids: Record<string, string> = {};
    const post = async (path: string, body: unknown) => {
      const headers = { authorization: `Bearer ${own.key}`, "content-type": "application/json" };
      const answer = await fetch(`${own.url}/api/v1${path}`, { method: "POST", headers, body: JSON.stringify(body) });
      return (await answer.json()) as { id: string };
    };
    ids.holder = (await post("/stakeholders", { displayName: "A", name: { legalName: "A" }, type: "INDIVIDUAL" })).id;
    const given = { name: "C", classType: "COMMON", defaultIdPrefix: "C-", votesPerShare: "1", seniority: 1 };
    ids.class = (await post("/share-classes", { ...given, initialSharesAuthorized: "1000" })).id;
    for (const certificateId of ["C-1", "C-2", "C-3"]) {
      const body = { stakeholderId: ids.holder, stockClassId: ids.class, quantity: "7", certificateId };
      await post("/transactions/issue-shares", { ...body, effectiveDate: "2026-01-15", description: "MARKER" });
    }
    await own.end("SIGTERM");
    const sound = await runProgram(["verify", "--data-dir", dir]);
    expect([sound.status, sound.stderr]).toEqual([0, ""]);

    const file = join(dir, "captable.db");
    const bytes = readFileSync(file);
    const marks = [...bytes.toString("latin1").matchAll(/MARKER/g)].map((match) => match.index);
    expect(marks.length).toBeGreaterThanOrEqual(3);
    const db = new Database(file, { readonly: true });
    const second = db.prepare<[], { id: string }>("select id from transactions where sequence = 2").get();
    db.close();
    const at = marks.find((mark) => bytes.subarray(mark - 300, mark).includes(second?.id ?? "none")) ?? 0;
    bytes[at] = "N".charCodeAt(0);
    writeFileSync(file, bytes);
    const damaged = await runProgram(["verify", "--data-dir", dir, "--json"]);
    expect(damaged.status).toBe(4);
    const { differences } = JSON.parse(damaged.stdout);
    expect(differences.map((found: { subject: string }) => found.subject)).toContainEqual(
      expect.stringMatching(/^entry 2\b/),
    );
  }, 60_000);
});
