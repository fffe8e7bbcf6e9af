// Which company a command means: never a second one by a command that was typed twice, and any by its name.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openWritable } from "../../src/storage/database/open.ts";
import { runCommand } from "../kit/command.ts";

setDefaultTimeout(120_000);

const base = mkdtempSync(join(tmpdir(), "captable-organizations-"));
const dataDir = join(base, "data");
afterAll(() => rmSync(base, { recursive: true, force: true }));

const run = (...args: string[]) => runCommand([...args, "--data-dir", dataDir]);

async function create(name: string, ...more: string[]): Promise<string> {
  const ended = await run("org", "create", "--name", name, "--json", ...more);
  expect(ended.status).toBe(0);
  return JSON.parse(ended.stdout).id;
}

const ids = { acme: "", twin: "", otherTwin: "" };
beforeAll(async () => {
  ids.acme = await create("Acme, Inc.");
  ids.twin = await create("Twin");
  ids.otherTwin = await create("Twin", "--another");
});

async function countOrganizations(): Promise<number> {
  return JSON.parse((await run("org", "list", "--json")).stdout).items.length;
}

test("org create with the name of one that is here is refused with status 3 and changes nothing", async () => {
  const ended = await run("org", "create", "--name", "Acme, Inc.");
  expect([ended.status, ended.stdout]).toEqual([3, ""]);
  expect(ended.stderr).toContain(ids.acme);
  expect(ended.stderr).toContain("--another");
  expect(await countOrganizations()).toBe(3);
});

test("--another makes a second one of that name", () => {
  expect(new Set(Object.values(ids)).size).toBe(3);
});

describe("--org", () => {
  const checkpoint = join(base, "all.checkpoint");
  beforeAll(async () => writeFileSync(checkpoint, (await run("checkpoint")).stdout));

  const COMMANDS: readonly (readonly string[])[] = [
    ["keys", "list"],
    ["keys", "create", "--name", "ci", "--role", "VIEWER"],
    ["health"],
    ["verify"],
    ["verify", "--against", checkpoint],
    ["checkpoint"],
    ["ocf", "export", "--out", join(base, "e.zip")],
    ["ocf", "import", join(import.meta.dir, "../fixtures/ocf/small"), "--dry-run"],
  ];

  test.each(COMMANDS.map((words) => [words]))("takes the name that only one has: %p", async (command) => {
    for (const named of ["Acme, Inc.", ids.acme]) expect((await run(...command, "--org", named)).status).toBe(0);
  });

  test.each(COMMANDS.map((words) => [words]))("names the ids where two have it: %p", async (command) => {
    const ended = await run(...command, "--org", "Twin");
    expect([ended.status, ended.stdout]).toEqual([2, ""]);
    expect(ended.stderr).toContain(ids.twin);
    expect(ended.stderr).toContain(ids.otherTwin);
    expect((await run(...command, "--org", ids.twin)).status).toBe(0);
  });

  test.each(COMMANDS.map((words) => [words]))(
    "that no organization has is refused with status 3: %p",
    async (command) => {
      const ended = await run(...command, "--org", "Acme");
      expect([ended.status, ended.stdout]).toEqual([3, ""]);
      expect(ended.stderr).toContain("captable org list");
    },
  );

  test("looks at that organization alone", async () => {
    const verified = JSON.parse((await run("verify", "--org", "Acme, Inc.", "--against", checkpoint, "--json")).stdout);
    expect(verified.organizations.map((each: { orgId: string }) => each.orgId)).toEqual([ids.acme]);
    expect(verified.checkpoints.map((each: { orgId: string }) => each.orgId)).toEqual([ids.acme]);
    expect(JSON.parse((await run("org", "show", "Acme, Inc.", "--json")).stdout).id).toBe(ids.acme);
    expect((await run("org", "update", "Acme, Inc.", "--set", "dba=Acme")).stdout).toContain(ids.acme);
  });
});

describe("the organization without a name", () => {
  /** A data directory with one, as `serve` makes it at its first start, and what an import or a person put into it. */
  async function unnamed(folder: string, sql: readonly string[] = []): Promise<string> {
    const dir = join(base, folder);
    await runCommand(["org", "create", "--name", "First", "--data-dir", dir]);
    const { sqlite } = openWritable(join(dir, "captable.db"));
    for (const statement of ["update organizations set isNamed = 0", ...sql]) sqlite.exec(statement);
    sqlite.close();
    return dir;
  }
  const named = async (dir: string, ...more: string[]) =>
    await runCommand(["org", "create", "--name", "Northwind, Inc.", "--json", "--data-dir", dir, ...more]);
  const names = async (dir: string) =>
    JSON.parse((await runCommand(["org", "list", "--json", "--data-dir", dir])).stdout).items.map(
      ({ legalName }: { readonly legalName: string }) => legalName,
    );

  test("is named while nothing is recorded in it", async () => {
    const dir = await unnamed("empty");
    expect((await named(dir)).status).toBe(0);
    expect(await names(dir)).toEqual(["Northwind, Inc."]);
  });

  test("keeps its records for itself: with one of them a name is refused with status 3 and both commands", async () => {
    const holder = `insert into stakeholders (orgId, id, displayName, name, type, status, relationships, searchText,
      createdAt, updatedAt) select id, 's', 'Ann', '{"legalName":"Ann"}', 'INDIVIDUAL', 'CURRENT', '[]', 'ann',
      createdAt, createdAt from organizations`;
    const dir = await unnamed("recorded", [holder]);
    const { status, stdout, stderr } = await named(dir);
    expect([status, stdout]).toEqual([3, ""]);
    expect(stderr).toMatch(/captable org update [\w-]+ --set 'legalName=Northwind, Inc\.'/);
    expect(stderr).toContain("captable org create --name 'Northwind, Inc.' --another");
    expect(await names(dir)).toEqual(["First"]);
    expect((await named(dir, "--another")).status).toBe(0);
    expect(await names(dir)).toEqual(["First", "Northwind, Inc."]);
  });
});
