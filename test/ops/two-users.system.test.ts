// Root's commands beside a service that another user runs, as an administrator types them without sudo -u: the service goes
// on, and after each nothing in its data directory is root's. As two users; needs root, who can become the other one.
import { afterAll, afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runCommand } from "../kit/command.ts";
import { asking } from "../kit/company.ts";
import { asNobody, HOMELESS, NOBODY, notOf, runAsNobody } from "../kit/other-user.ts";
import { NEXT_VERSION, runProgram, type Served, serveProgram } from "../kit/program.ts";

setDefaultTimeout(120_000);

if (asNobody === null) process.stdout.write("two users are not tested: that needs root, and setpriv\n");

const ROOT = join(import.meta.dir, "../..");
const PACKAGE = join(ROOT, "test/fixtures/ocf/small");
const CLASS = { name: "C", classType: "COMMON", defaultIdPrefix: "C-", votesPerShare: "1", seniority: 1 };

const base = mkdtempSync(join(tmpdir(), "captable-two-users-"));
chmodSync(base, 0o755);
afterAll(() => rmSync(base, { recursive: true, force: true }));

let count = 0;
let dataDir = "";
const services: Served[] = [];
beforeEach(() => {
  dataDir = join(base, String(++count), "data");
  mkdirSync(dataDir, { recursive: true, mode: 0o755 });
  chownSync(dataDir, NOBODY, NOBODY);
});
afterEach(async () => {
  for (const service of services.splice(0)) await service.end("SIGKILL");
});

/** The service, by its own user. */
async function serve(environment: Record<string, string> = {}) {
  const served = await serveProgram(dataDir, { ...HOMELESS, ...environment }, { program: asNobody ?? [] });
  services.push(served);
  return { ...served, ask: asking(served.url, served.key) };
}

async function stop(): Promise<void> {
  for (const service of services.splice(0)) expect(await service.end()).toBe(0);
}

const root = (...args: string[]) => runCommand([...args, "--data-dir", dataDir]);

/** Runs a command as root, which must succeed and leave nothing of root's. */
async function rootDoes(...args: string[]): Promise<void> {
  const ended = await root(...args);
  expect([args.join(" "), ended.status, ended.stderr.includes("WARNING"), ...notOf(NOBODY, dataDir)]).toEqual([
    args.join(" "),
    0,
    false,
  ]);
}

/** What the service must be able to do on its own files, root gone. */
async function expectAlive({ ask, url }: Awaited<ReturnType<typeof serve>>): Promise<void> {
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
  const { id } = await ask("POST", "/stock-legends", { name: "L", text: "T" });
  expect((await ask("GET", `/stock-legends/${id}`)).name).toBe("L");
  expect(notOf(NOBODY, dataDir)).toEqual([]);
}

const within = (...path: string[]) => readdirSync(join(dataDir, ...path));

describe.skipIf(asNobody === null)("root beside a running service of another user", () => {
  test("may type every command: the service goes on, and nothing becomes root's", async () => {
    const service = await serve();
    const { id } = await service.ask("POST", "/share-classes", { ...CLASS, initialSharesAuthorized: "10" });
    while ((await service.ask("GET", `/share-classes/${id}`)).tokenizationStatus !== "DEPLOYED") await Bun.sleep(50);
    // The first that opens these as the database's last user would be the one whose they are.
    for (const name of ["captable.db-wal", "captable.db-shm", "chain.db-wal"]) expect(within()).toContain(name);
    await rootDoes("ocf", "import", PACKAGE, "--into-other-issuer");
    await rootDoes("ocf", "import", PACKAGE, "--into-other-issuer");
    expect(within("backups").filter((name) => name.startsWith("before-import-"))).toHaveLength(1);
    await rootDoes("keys", "create", "--name", "K", "--role", "VIEWER", "--out", join(dataDir, "viewer.key"));
    await rootDoes("backup", "--out", join(dataDir, "mine.captable"));
    await rootDoes("ocf", "export", "--out", join(dataDir, "export.zip"));
    for (const command of [
      ["verify"],
      ["checkpoint"],
      ["cap-table"],
      ["health"],
      ["chain", "status"],
      ["jobs", "list"],
    ])
      await rootDoes(...command);
    await expectAlive(service);
    const refused = await root("restore", join(dataDir, "mine.captable"), "--force");
    expect([refused.status, notOf(NOBODY, dataDir)]).toEqual([3, []]);
    await stop();
    await expectAlive(await serve());
  });

  test("as the first who types a command of a new version: it is refused, and nothing is made or changed", async () => {
    const service = await serve();
    const before = within();
    for (const command of [["keys", "list"], ["org", "list"], ["ocf", "import", PACKAGE], ["migrate"]]) {
      const ended = await runProgram([...command, "--data-dir", dataDir], {}, NEXT_VERSION);
      expect([command[0], ended.status, ended.stdout]).toEqual([command[0], 3, ""]);
      expect([within(), notOf(NOBODY, dataDir)]).toEqual([before, []]);
    }
    await expectAlive(service);
  });
});

describe.skipIf(asNobody === null)("root, while the service is stopped", () => {
  test("migrates to the next version: database, backup and keys are the service's, which verifies and restores", async () => {
    await rootDoes("org", "create", "--name", "Kept");
    const migrated = await runProgram(["migrate", "--data-dir", dataDir], {}, NEXT_VERSION);
    expect([migrated.status, notOf(NOBODY, dataDir)]).toEqual([0, []]);
    expect(within("backups").filter((name) => name.startsWith("before-"))).toHaveLength(1);
    expect(within()).toContain("signing.key");
    const [name = ""] = within("backups");
    const copy = join(dataDir, "backups", name);
    const trial = join(dataDir, "trial");
    expect(await runAsNobody(["restore", copy, "--data-dir", trial], base)).toMatchObject({ status: 0, stderr: "" });
    expect((await runAsNobody(["verify", "--data-dir", trial], base)).status).toBe(0);
  });

  test.each([[[]], [["--new-keys"]]])(
    "restores a backup with a chain %j: the service serves it and writes on",
    async (more) => {
      const service = await serve();
      const { id } = await service.ask("POST", "/share-classes", { ...CLASS, initialSharesAuthorized: "10" });
      while ((await service.ask("GET", `/share-classes/${id}`)).tokenizationStatus !== "DEPLOYED") await Bun.sleep(50);
      const backup = join(dataDir, "mine.captable");
      await rootDoes("backup", "--out", backup);
      // Killed, so that there are -wal and -shm files to be put aside.
      for (const running of services.splice(0)) await running.end("SIGKILL");
      await rootDoes("restore", backup, "--force", ...more);
      const [aside = ""] = within().filter((name) => name.startsWith("before-restore-"));
      expect(within(aside)).toContain("captable.db-wal");
      for (const name of ["captable.db", "chain.db", "admin.key", "signing.key"]) expect(within()).toContain(name);
      const again = await serve();
      expect((await again.ask("GET", `/share-classes/${id}`)).tokenizationStatus).toBe("DEPLOYED");
      await expectAlive(again);
    },
  );

  test("makes the data from the beginning, and the service finds all of it its own", async () => {
    await rootDoes("org", "create", "--name", "Acme");
    await rootDoes("checkpoint");
    expect(within()).toContain("signing.key");
    const served = await serveProgram(dataDir, { CAPTABLE_BACKUP_DIR: join(dataDir, "own-backups") });
    services.push(served);
    for (let made: string[] = []; made.length === 0; await Bun.sleep(50)) {
      made = existsSync(join(dataDir, "own-backups"))
        ? within("own-backups").filter((name) => name.startsWith("captable-"))
        : [];
    }
    for (const running of services.splice(0)) await running.end("SIGKILL");
    expect(notOf(NOBODY, dataDir)).toEqual([]);
    const key = await runAsNobody(["keys", "create", "--name", "A", "--role", "ADMIN", "--data-dir", dataDir], base);
    writeFileSync(join(dataDir, "admin.key"), key.stdout, { mode: 0o600 });
    chownSync(join(dataDir, "admin.key"), NOBODY, NOBODY);
    await expectAlive(await serve());
  });
});

test.skipIf(asNobody === null)(
  "what is root's in it would be seen, and the service refuses it (the control)",
  async () => {
    expect((await root("org", "create", "--name", "Acme")).status).toBe(0);
    chownSync(join(dataDir, "captable.db"), 0, 0);
    expect(notOf(NOBODY, dataDir)).toEqual([`${join(dataDir, "captable.db")} 0:0`]);
    const ended = await runAsNobody(["serve", "--port", "0", "--data-dir", dataDir], base);
    expect(ended.status).toBe(3);
  },
);
