// captable health: a line for each finding, the API's object, and exit statuses.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { rmSync } from "node:fs";
import { dirname, join } from "node:path";
import Database from "better-sqlite3";
import { Small } from "../../exchange/ocf/fixture.ts";
import { runCommand } from "../../kit/command.ts";
import { newDataDir, runProgram } from "../../kit/program.ts";

setDefaultTimeout(120_000);

const dataDir = newDataDir();
const beside = dirname(dataDir);
const SMALL = join(import.meta.dir, "../../fixtures/ocf/small");

const health = (args: readonly string[] = [], environment: Record<string, string> = {}) =>
  runProgram(["health", "--data-dir", dataDir, ...args], environment);

async function run(...args: string[]): Promise<string> {
  const ended = await runCommand([...args, "--data-dir", dataDir]);
  expect([args[0], ended.status, ended.stderr]).toEqual([args[0], 0, expect.any(String)]);
  return ended.stdout;
}

const ORDER = ["problem", "warning", "note"];
let orgId = "";
beforeAll(async () => {
  orgId = JSON.parse(await run("org", "create", "--name", "Lindenhof\u00a0Instruments, Inc.", "--json")).id;
});
afterAll(() => rmSync(beside, { recursive: true, force: true }));

test("says that nothing stands out, where nothing does", async () => {
  expect(await health(["--strict"])).toEqual({ status: 0, stdout: "Nothing stands out.\n", stderr: "" });
});

test("has a line for each finding, problems first, and no other status for it", async () => {
  await run("ocf", "import", SMALL);
  const { status, stdout, stderr } = await health();
  expect([status, stderr]).toEqual([0, ""]);
  const lines = stdout.trimEnd().split("\n");
  expect(lines.length).toBeGreaterThan(2);
  for (const line of lines) expect(line).toMatch(/^(problem|warning|note): [a-z0-9-]+: [A-Z0-9].*\.$/);
  const severities = lines.map((line) => line.split(":")[0]);
  expect(severities).toEqual(severities.toSorted((a, b) => ORDER.indexOf(a ?? "") - ORDER.indexOf(b ?? "")));
  expect(stdout).toContain("warning: preferred-without-preference: 1 preferred class has");
  expect(stdout).toContain("note: holder-without-email: 2 holders have");
});

test("prints the API's object with --json", async () => {
  const { status, stdout } = await health(["--json", "--org", orgId]);
  const { checkedAt, findings } = JSON.parse(stdout);
  expect(status).toBe(0);
  expect(checkedAt).toMatch(/^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/);
  const found = findings.find(({ code }: { code: string }) => code === "preferred-without-preference");
  expect(found).toEqual({
    code: "preferred-without-preference",
    severity: "warning",
    count: 1,
    subjects: [{ resourceType: "share-class", id: "seed", name: "Series Seed" }],
    detail: expect.any(String),
    action: "classes-and-plans",
  });
});

test("--strict fails for a problem alone", async () => {
  expect((await health(["--strict"])).status).toBe(0);
  const small = new Small();
  small.add("transactions", {
    ...{ object_type: "TX_STOCK_ISSUANCE", id: "t90", date: "2024-06-01", security_id: "s-more", custom_id: "CS-90" },
    ...{ stakeholder_id: "ada", stock_class_id: "common", quantity: "9000000", stock_legend_ids: [] },
    ...{ share_price: { amount: "1", currency: "USD" }, security_law_exemptions: [] },
  });
  const file = join(beside, "more.zip");
  await Bun.write(file, small.zip());
  await run("ocf", "import", file);
  const strict = await health(["--strict"]);
  expect(strict.status).toBe(1);
  expect(strict.stdout).toContain(
    "problem: class-over-authorized: 1 share class has more outstanding than is authorized",
  );
  expect(strict.stdout).toContain("was first over it on 2024-06-01");
  expect((await health()).status).toBe(0);
});

test("an old backup is told where the settings say how often the server takes one", async () => {
  await run("backup", "--out", join(beside, "small.captable"));
  const folder = { CAPTABLE_BACKUP_DIR: join(beside, "backups") };
  expect((await health([], folder)).stdout).not.toContain("backup-old");
  const db = new Database(join(dataDir, "captable.db"));
  const longAgo = String(Date.now() - 49 * 3_600_000);
  db.prepare("update settings set value = ? where name = 'lastBackupMs'").run(longAgo);
  db.close();
  expect((await health([], folder)).stdout).toContain(
    "warning: backup-old: The last backup of this service was made 49",
  );
  expect((await health()).stdout).not.toContain("backup-old");
});

test("is refused where there is nothing to look at, and where it is not clear at what", async () => {
  const nowhere = newDataDir();
  const missing = await runCommand(["health", "--data-dir", nowhere]);
  expect([missing.status, missing.stdout, await Bun.file(join(nowhere, "captable.db")).exists()]).toEqual([
    3,
    "",
    false,
  ]);
  expect((await health(["--org", "unknown"])).status).toBe(3);
  await run("org", "create", "--name", "Second, Inc.");
  const unclear = await health();
  expect([unclear.status, unclear.stdout]).toEqual([2, ""]);
  expect((await health(["--org", orgId])).status).toBe(0);
});
