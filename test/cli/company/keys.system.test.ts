// captable keys: of every organization, by a prefix, into a file, with an end, and limited to scopes.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { runCommand } from "../../kit/command.ts";
import { type Served, serveProgram } from "../../kit/program.ts";

setDefaultTimeout(120_000);

const DAY_MS = 86_400_000;
const base = mkdtempSync(join(tmpdir(), "captable-keys-"));
const dataDir = join(base, "data");
let served: Served;
beforeAll(async () => {
  served = await serveProgram(dataDir);
  for (const name of ["One", "Two"]) expect((await run("org", "create", "--name", name)).status).toBe(0);
});
afterAll(async () => {
  await served.end();
  rmSync(base, { recursive: true, force: true });
});

const run = (...args: string[]) => runCommand([...args, "--data-dir", dataDir]);
const create = (...more: string[]) =>
  run("keys", "create", "--name", "ci", "--role", "VIEWER", "--org", "One", ...more);

interface Key {
  readonly id: string;
  readonly prefix: string;
  readonly key: string;
  readonly scopes: readonly string[];
  readonly revokedAt: string | null;
  readonly expiresAt: string | null;
  readonly organizationId: string;
}

async function made(...more: string[]): Promise<Key> {
  const ended = await create("--json", ...more);
  expect(ended.status).toBe(0);
  return JSON.parse(ended.stdout);
}

async function listed(...more: string[]): Promise<readonly Key[]> {
  return JSON.parse((await run("keys", "list", "--json", ...more)).stdout).items;
}

async function statusWith(key: string): Promise<number> {
  const headers = { authorization: `Bearer ${key}` };
  return (await fetch(`${served.url}/api/v1/organization`, { headers })).status;
}

test("keys list --all shows those of every organization, each with its own", async () => {
  await made("--org", "Two");
  const all = await listed("--all");
  const [one, two] = [await listed("--org", "One"), await listed("--org", "Two")];
  expect(all.map(({ id }) => id)).toEqual([...one, ...two].map(({ id }) => id));
  expect(new Set(all.map(({ organizationId }) => organizationId)).size).toBe(2);
  const { stdout } = await run("keys", "list", "--all");
  expect(stdout).toMatch(/^ORGANIZATION +ID /);
  expect(stdout).toMatch(/^Two +\S+ +VIEWER /m);
  expect((await run("keys", "list", "--all", "--org", "One")).status).toBe(2);
});

describe("keys revoke", () => {
  test("takes the prefix that only one has", async () => {
    const { id, prefix, key } = await made();
    expect(await statusWith(key)).toBe(200);
    const ended = await run("keys", "revoke", prefix);
    expect([ended.status, ended.stdout.includes(id)]).toEqual([0, true]);
    expect(await statusWith(key)).toBe(401);
  });

  test("names the ids where two have it, and revokes neither", async () => {
    const [first, second] = [await made(), await made("--org", "Two")];
    const db = new Database(join(dataDir, "captable.db"));
    db.prepare("update api_keys set prefix = 'pg_live_Same' where id in (?, ?)").run(first.id, second.id);
    db.close();
    const ended = await run("keys", "revoke", "pg_live_Same");
    expect([ended.status, ended.stdout]).toEqual([2, ""]);
    for (const { id } of [first, second]) expect(ended.stderr).toContain(id);
    expect([await statusWith(first.key), await statusWith(second.key)]).toEqual([200, 200]);
  });

  test.each(["pg_live_", "pg_live_none", "%"])("knows no prefix but a whole one: %s", async (prefix) => {
    const ended = await run("keys", "revoke", prefix);
    expect([ended.status, ended.stdout]).toEqual([3, ""]);
  });
});

describe("keys create --out", () => {
  test("writes the key to a file for its owner alone, and shows it nowhere", async () => {
    const file = join(base, "new.key");
    const ended = await create("--out", file);
    const key = readFileSync(file, "utf8").trim();
    expect([ended.status, statSync(file).mode & 0o777, await statusWith(key)]).toEqual([0, 0o600, 200]);
    expect(ended.stdout + ended.stderr).not.toContain(key);
    const asJson = await create("--out", join(base, "json.key"), "--json");
    expect(JSON.parse(asJson.stdout)).toMatchObject({ file: join(base, "json.key"), role: "VIEWER" });
    expect(asJson.stdout).not.toContain(readFileSync(join(base, "json.key"), "utf8").trim());
  });

  test("is standard output for -, also on a terminal: a key is text", async () => {
    const { status, stdout } = await create("--out", "-");
    expect([status, existsSync("-")]).toEqual([0, false]);
    expect(stdout).toMatch(/^pg_live_\w+\n$/);
  });

  test("is refused with status 3 where the file is there: no key is made and the file stays", async () => {
    const file = join(base, "old.key");
    writeFileSync(file, "precious");
    const before = (await listed("--org", "One")).length;
    const ended = await create("--out", file);
    expect([ended.status, ended.stdout, readFileSync(file, "utf8")]).toEqual([3, "", "precious"]);
    expect((await listed("--org", "One")).length).toBe(before);
  });

  test("leaves no file behind where no key could be made", async () => {
    const file = join(base, "none.key");
    expect((await create("--out", file, "--org", "Unknown")).status).toBe(3);
    expect(existsSync(file)).toBe(false);
  });
});

describe("keys create --expires-in", () => {
  test.each([
    ["1d", 1, 1],
    ["90d", 90, 90],
    ["12w", 84, 84],
    ["1y", 365, 366],
    ["10y", 3652, 3653],
  ] as const)("%s", async (time, least, most) => {
    const before = Date.now();
    const { expiresAt, id } = await made("--expires-in", time);
    const days = (ms: number) => (Date.parse(expiresAt ?? "") - ms) / DAY_MS;
    expect(days(Date.now())).toBeLessThanOrEqual(most);
    expect(days(before)).toBeGreaterThanOrEqual(least);
    expect((await run("keys", "list", "--org", "One")).stdout).toMatch(RegExp(`^${id} .* ${expiresAt}$`, "m"));
  });

  test.each(["90", "d", "0d", "-1d", "1.5y", "3m", "90 d", "9999y", ""])(
    "%p is refused with status 2",
    async (time) => {
      const ended = await create("--expires-in", time);
      expect([ended.status, ended.stdout]).toEqual([2, ""]);
      expect(ended.stderr).toContain("90d, 12w or 1y");
    },
  );
});

describe("keys create --scope", () => {
  test.each([
    [[], ["read"]],
    [["--role", "ADMIN", "--scope", "read"], ["read"]],
    [
      ["--role", "ADMIN", "--scope", "import", "read"],
      ["read", "import"],
    ],
    [
      ["--role", "EDITOR", "--scope", "write", "--scope", "read"],
      ["read", "write"],
    ],
    [
      ["--role", "ADMIN"],
      ["read", "write", "import", "manage-keys"],
    ],
  ])("%p", async (args, scopes) => {
    const key = await made(...args);
    expect(key.scopes).toEqual(scopes);
    expect((await listed("--org", "One")).find(({ id }) => id === key.id)?.scopes).toEqual(scopes);
    const { stdout } = await run("keys", "list", "--org", "One");
    expect(stdout).toMatch(RegExp(`^${key.id} +\\w+ +${scopes.join(",")} +pg_live_`, "m"));
    expect(await statusWith(key.key)).toBe(200);
  });

  test.each([
    ["write", "the role VIEWER may read"],
    ["admin", "Allowed choices are read, write, import, manage-keys"],
  ])("%s is refused with status 2, and makes no key", async (scope, words) => {
    const before = (await listed("--org", "One")).length;
    const ended = await create("--scope", scope);
    expect([ended.status, ended.stdout]).toEqual([2, ""]);
    expect(ended.stderr).toContain(words);
    expect((await listed("--org", "One")).length).toBe(before);
  });
});
