// What surrounds the service: signals, folders that cannot be used, metrics, scheduled backups, printed files.
import { describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import Database from "better-sqlite3";
import type { Command } from "commander";
import { licensesText } from "../../.ci/licenses.ts";
import { makeProgram } from "../../cli/program.ts";
import { systemRuntime } from "../../src/kernel/runtime.ts";
import { restoreBackup } from "../../src/safekeeping/backup/restore.ts";
import { backUpIfDue } from "../../src/safekeeping/backup/schedule.ts";
import { newDataDir, PROGRAM, programEnvironment, runProgram, serveProgram, worsened } from "../kit/program.ts";

const isRoot = process.getuid?.() === 0;
/** A user without rights, where this one may become it. */
const asNobody =
  isRoot && Bun.which("setpriv") !== null ? ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] : null;

/** Runs the program as a user without rights. */
async function runAsNobody(args: readonly string[], environment: Record<string, string> = {}) {
  const child = Bun.spawn([...(asNobody ?? []), ...PROGRAM, ...args], {
    env: programEnvironment({ HOME: "/", ...environment }),
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  return { status: await child.exited, stdout, stderr };
}

describe("signals", () => {
  test.each(["SIGTERM", "SIGINT"] as const)(
    "%s lets requests under way finish, then ends with status 0",
    async (signal) => {
      const served = await serveProgram(newDataDir());
      const headers = { authorization: `Bearer ${served.key}`, "content-type": "application/json" };
      const begun = Promise.withResolvers<void>();
      const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
      const slow = fetch(`${served.url}/api/v1/stock-legends`, { method: "POST", headers, body: readable });
      const writer = writable.getWriter();
      await writer.write(Buffer.from('{"name":"slow",'));
      setTimeout(begun.resolve, 150);
      await begun.promise;
      const ended = served.end(signal);
      await Bun.sleep(100);
      await writer.write(Buffer.from('"text":"body"}'));
      await writer.close();
      expect((await slow).status).toBe(201);
      expect(await ended).toBe(0);
    },
  );

  test("a second one ends the program at once", async () => {
    const dataDir = newDataDir();
    const served = await serveProgram(dataDir);
    const headers = { authorization: `Bearer ${served.key}`, "content-type": "application/json" };
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const never = fetch(`${served.url}/api/v1/stock-legends`, { method: "POST", headers, body: readable });
    never.catch(() => undefined);
    await writable.getWriter().write(Buffer.from("{"));
    await Bun.sleep(150);
    void served.end("SIGTERM");
    await Bun.sleep(150);
    const started = performance.now();
    expect(await served.end("SIGTERM")).toBe(1);
    expect(performance.now() - started).toBeLessThan(2000);
    expect((await runProgram(["verify", "--data-dir", dataDir])).status).toBe(0);
  });
});

describe("a data directory that cannot be used", () => {
  test("because it is a file is refused with status 3 and a sentence", async () => {
    const file = newDataDir();
    writeFileSync(file, "");
    for (const command of [["serve", "--port", "0"], ["verify"], ["org", "list"], ["backup", "--out", `${file}.b`]]) {
      const ended = await runProgram([...command, "--data-dir", file]);
      expect([command, ended.status, ended.stdout]).toEqual([command, 3, ""]);
      expect(ended.stderr).toContain("cannot be used");
    }
  });

  test.skipIf(asNobody === null).each([
    ["belongs to another user", 0o700, false],
    ["is read-only", 0o555, true],
  ])(
    "because it %s is refused with status 3 and a sentence",
    async (_case, mode, isFull) => {
      const dir = newDataDir();
      chmodSync(dirname(dir), 0o755);
      mkdirSync(dir, { mode: 0o700 });
      if (isFull) expect((await runProgram(["org", "create", "--name", "A", "--data-dir", dir])).status).toBe(0);
      for (const name of readdirSync(dir)) chmodSync(join(dir, name), 0o644);
      chmodSync(dir, mode);
      for (const command of [
        ["serve", "--port", "0"],
        ["org", "list"],
      ]) {
        const ended = await runAsNobody([...command, "--data-dir", dir]);
        expect([ended.status, ended.stdout]).toEqual([3, ""]);
        expect(ended.stderr).toMatch(/^captable: the data directory .* cannot be used: .*user 65534/);
      }
    },
    60_000,
  );

  test("because its database is damaged is refused with status 4 and what to do", async () => {
    const dir = newDataDir();
    expect((await runProgram(["org", "create", "--name", "A", "--data-dir", dir])).status).toBe(0);
    const file = join(dir, "captable.db");
    const sound = readFileSync(file);
    const damages: [string, Buffer][] = [
      ["header", Buffer.concat([Buffer.alloc(100), sound.subarray(100)])],
      ["truncated", sound.subarray(0, sound.length / 2)],
      ["zeroed pages", Buffer.concat([sound.subarray(0, 8192), Buffer.alloc(sound.length - 8192)])],
      ["foreign", Buffer.from("not a database at all".repeat(500))],
    ];
    for (const [, bytes] of damages) {
      writeFileSync(file, bytes);
      const ended = await runProgram(["serve", "--data-dir", dir, "--port", "0"]);
      expect([ended.status, ended.stdout]).toEqual([4, ""]);
      expect(ended.stderr).toContain("captable restore FILE");
    }
  }, 60_000);

  test("because a newer program wrote it is refused with status 3", async () => {
    const dir = newDataDir();
    expect((await runProgram(["org", "create", "--name", "A", "--data-dir", dir])).status).toBe(0);
    const db = new Database(join(dir, "captable.db"));
    db.exec("insert into kysely_migration (name, timestamp) values ('9999_future', '2030-01-01')");
    db.close();
    for (const command of [
      ["serve", "--port", "0"],
      ["org", "list"],
      ["verify"],
      ["backup", "--out", join(dir, "b")],
    ]) {
      const ended = await runProgram([...command, "--data-dir", dir]);
      expect([ended.status, ended.stdout]).toEqual([3, ""]);
      expect(ended.stderr).toContain("9999_future");
    }
  }, 60_000);

  test.skipIf(process.env.CAPTABLE_BINARY === undefined)("a missing TMPDIR is told with status 2", async () => {
    const ended = await runProgram(["org", "list", "--data-dir", newDataDir()], { TMPDIR: "/nowhere" });
    expect([ended.status, ended.stdout]).toEqual([2, ""]);
    expect(ended.stderr).toContain("TMPDIR");
  });
});

describe("before a migration", () => {
  test("an existing database is backed up, and the backup restores", async () => {
    const dir = newDataDir();
    expect((await runProgram(["org", "create", "--name", "Kept", "--data-dir", dir])).status).toBe(0);
    expect(readdirSync(dir)).not.toContain("backups");
    // That the migration fails halfway must not lose anything.
    const failed = await runProgram(["migrate", "--data-dir", dir], {}, worsened("failing-migration.ts"));
    expect([failed.status, failed.stderr]).toEqual([1, "captable: the migration failed\n"]);
    expect((await runProgram(["verify", "--data-dir", dir])).status).toBe(0);
    const [made] = readdirSync(join(dir, "backups"));
    expect(made).toStartWith("before-0002_failing-");
    const copy = Bun.spawnSync(["tar", "xOf", join(dir, "backups", made ?? ""), "captable.db"]).stdout;
    expect(Buffer.from(copy).includes("Kept")).toBe(true);
  });
});

describe("scheduled backups", () => {
  test("are taken when the newest is too old; the oldest go, and nothing else does", async () => {
    const folder = join(dirname(newDataDir()), "scheduled");
    let nowMs = systemRuntime.nowMs();
    const runtime = { ...systemRuntime, nowMs: () => nowMs };
    const take = async (file: string) => writeFileSync(file, "");
    const plan = {
      dataDir: dirname(folder),
      folder,
      everyHours: 24,
      keep: 2,
      runtime,
      take,
      onTrouble: () => undefined,
    };
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "mine.txt"), "");
    const taken: boolean[] = [];
    for (const hours of [0, 1, 25, 25, 25]) {
      nowMs += hours * 3_600_000;
      taken.push(await backUpIfDue(plan));
    }
    expect(taken).toEqual([true, false, true, true, true]);
    expect(readdirSync(folder)).toHaveLength(3);
    expect(readdirSync(folder)).toContain("mine.txt");
  });

  test("are taken by a running server, and /metrics says when", async () => {
    const folder = join(dirname(newDataDir()), "backups");
    const served = await serveProgram(newDataDir(), { CAPTABLE_BACKUP_DIR: folder });
    const last = async () => /^captable_last_backup_timestamp_seconds (\d+)/m.exec(await metrics(served.url))?.[1];
    for (let tries = 0; tries < 100 && (await last()) === undefined; tries++) await Bun.sleep(100);
    expect(Number(await last())).toBeGreaterThan(systemRuntime.nowMs() / 1000 - 60);
    const [name = ""] = readdirSync(folder);
    expect((await restoreBackup(join(folder, name), newDataDir(), options)).organizations).toHaveLength(1);
    expect(await served.end("SIGTERM")).toBe(0);
  }, 60_000);
});

const options = { isForced: false, nowMs: 1_800_000_000_000, onStage: () => undefined };

async function metrics(url: string): Promise<string> {
  return await (await fetch(`${url}/metrics`)).text();
}

describe("/metrics", () => {
  test("counts requests and commits in the Prometheus text format", async () => {
    const served = await serveProgram(newDataDir());
    const headers = { authorization: `Bearer ${served.key}`, "content-type": "application/json" };
    const body = JSON.stringify({ name: "L", text: "T" });
    for (let count = 0; count < 3; count++) {
      await fetch(`${served.url}/api/v1/stock-legends`, { method: "POST", headers, body });
    }
    await fetch(`${served.url}/api/v1/stock-legends`, { headers });
    await fetch(`${served.url}/api/v1/stock-legends`);
    const text = await metrics(served.url);
    expect(text).toContain('captable_requests_total{route="/api/v1/stock-legends",method="POST",status="201"} 3');
    expect(text).toContain('captable_requests_total{route="/api/v1/stock-legends",method="GET",status="401"} 1');
    expect(text).toContain('captable_request_seconds_count{kind="write"} 3');
    expect(Number(/^captable_commit_writes_total (\d+)$/m.exec(text)?.[1])).toBeGreaterThanOrEqual(3);
    for (const name of ["outbox_jobs", "chain_lag_seconds", "ledger_head", "commit_seconds_total", "commit_batch"]) {
      expect(text).toContain(`# TYPE captable_${name} `);
    }
    const line = /^(# (HELP|TYPE) [a-z_]+ .+|[a-z_]+(\{[a-z]+="[^"]*"(,[a-z]+="[^"]*")*\})? [0-9.e+-]+)$/;
    expect(
      text
        .trimEnd()
        .split("\n")
        .filter((found) => !line.test(found)),
    ).toEqual([]);
    const cumulative = [...text.matchAll(/_bucket\{kind="write",le="[^"]+"\} (\d+)/g)].map(([, count]) =>
      Number(count),
    );
    expect(cumulative).toEqual([...cumulative].sort((a, b) => a - b));
    expect(await served.end("SIGTERM")).toBe(0);
  });

  test.each([
    ["loopback", {}, 200],
    ["loopback", { "x-forwarded-for": "203.0.113.9" }, 404],
    ["loopback", { forwarded: "for=203.0.113.9" }, 404],
    ["public", { "x-forwarded-for": "203.0.113.9" }, 200],
  ])("with CAPTABLE_METRICS=%s answers a request with %p by %i", async (setting, headers, status) => {
    const served = await serveProgram(newDataDir(), { CAPTABLE_METRICS: setting });
    expect((await fetch(`${served.url}/metrics`, { headers: headers as Record<string, string> })).status).toBe(status);
    expect(await served.end("SIGTERM")).toBe(0);
  });
});

describe("what the program prints", () => {
  test("of licences is what the installed packages say", async () => {
    expect((await runProgram(["licenses"])).stdout).toBe(licensesText());
    expect(licensesText()).toContain("@ethereumjs/evm");
    expect(licensesText()).toContain("Mozilla Public License Version 2.0");
  });

  test("for bash completes commands, their subcommands and options", async () => {
    const script = (await runProgram(["completion", "bash"])).stdout;
    const complete = (...typed: string[]) => {
      const line = `${script}\nCOMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _captable; echo "\${COMPREPLY[*]}"`;
      return Bun.spawnSync(["bash", "-c", line, "bash", "captable", ...typed])
        .stdout.toString()
        .trim();
    };
    expect(complete("ba")).toBe("backup");
    expect(complete("keys", "")).toStartWith("create list revoke");
    expect(complete("keys", "create", "--na")).toBe("--name");
    expect(complete("--data-dir", "x", "org", "li")).toBe("list");
  });

  test.each(["zsh", "fish"])("for %s names every command", async (shell) => {
    const script = (await runProgram(["completion", shell])).stdout;
    for (const name of ["serve", "backup", "restore", "verify", "health", "keys"]) expect(script).toContain(name);
  });

  test.skipIf(Bun.which("systemd-analyze") === null)("for systemd is a unit that systemd takes", async () => {
    const folder = dirname(newDataDir());
    const place = async (name: string, ...more: string[]) => {
      const unit = (await runProgram(["print", "systemd", ...more])).stdout;
      writeFileSync(join(folder, name), unit.replace("ExecStart=/usr/local/bin/captable", "ExecStart=/bin/true"));
    };
    await place("captable.service");
    await place("captable@.service", "--template");
    const litestream = (await runProgram(["print", "litestream", "--unit"])).stdout;
    writeFileSync(join(folder, "copy.service"), litestream.replace(/ExecStart=\S+/, "ExecStart=/bin/true"));
    for (const name of ["captable.service", "captable@client.service", "copy.service"]) {
      const found = Bun.spawnSync(["systemd-analyze", "verify", "--man=no", join(folder, name)], { stderr: "pipe" });
      expect([name, found.exitCode, found.stderr.toString()]).toEqual([name, 0, ""]);
    }
  });

  const UNITS = [[], ["--template"]];
  test.each(UNITS)(
    "for systemd is hardened, has a user of its own, and names the settings for a proxy %p",
    async (...more) => {
      const lines = (await runProgram(["print", "systemd", ...more])).stdout.split("\n");
      const of = more.length === 0 ? "captable" : "captable-%i";
      for (const line of [
        ...[`User=${of}`, `Group=${of}`, `StateDirectory=${of} ${of}-backups`, "WorkingDirectory=/", "LimitCORE=0"],
        ...["LimitNOFILE=65536", "PrivateUsers=yes", "ProcSubset=pid", "KeyringMode=private"],
        ...["SystemCallFilter=~@privileged @resources", "UnsetEnvironment=BUN_OPTIONS BUN_BE_BUN"],
      ]) {
        expect(lines).toContain(line);
      }
      expect(lines.filter((line) => /^MemoryMax=\d+G$/.test(line))).toHaveLength(1);
      expect(lines.filter((line) => line.startsWith("DynamicUser"))).toEqual([]);
      const dockerfile = (await runProgram(["print", "dockerfile"])).stdout;
      for (const text of [lines.join("\n"), dockerfile]) {
        for (const named of ["CAPTABLE_PUBLIC_URL=https://", "CAPTABLE_METRICS=public"]) expect(text).toContain(named);
        // Beside the public URL, or limits would take all people behind the proxy for one.
        expect(text).toMatch(/CAPTABLE_PUBLIC_URL=https:\S+(?:\n# {2})? +(?:-e )?CAPTABLE_TRUSTED_PROXY=\S/);
      }
    },
  );

  test("of users is what systemd-sysusers takes, and no folder of a client is another's", async () => {
    const print = (...args: string[]) => runProgram(["print", "sysusers", ...args]);
    expect((await print()).stdout).toBe('u captable - "The cap table" /var/lib/captable\n');
    const acme = (await print("--client", "acme-2")).stdout;
    expect(acme).toBe('u captable-acme-2 - "The cap table" /var/lib/captable-acme-2\n');
    for (const client of ["backups", "acme-backups", "-x", "Acme", "a b", "a%i", "a".repeat(23), ""]) {
      expect([client, (await print("--client", client)).status]).toEqual([client, 2]);
    }
    if (Bun.which("systemd-sysusers") === null) return;
    const root = dirname(newDataDir());
    mkdirSync(join(root, "etc"));
    writeFileSync(join(root, "line"), acme);
    Bun.spawnSync(["systemd-sysusers", `--root=${root}`, join(root, "line")]);
    expect(readFileSync(join(root, "etc/passwd"), "utf8")).toMatch(
      /^captable-acme-2:x:\d+:\d+:The cap table:\/var\/lib\/captable-acme-2:\S+nologin$/m,
    );
  });

  test("as help fits 80 columns, and every command that does something shows an example", async () => {
    const places = listCommands(await makeProgram());
    expect(places.length).toBeGreaterThan(25);
    for (const command of places) {
      const help = helpOf(command);
      const name = `${command.parent?.name()} ${command.name()}`;
      if (command.commands.length === 0) expect([name, help.includes("Examples:")]).toEqual([name, true]);
      expect(help.split("\n").filter((line) => line.length > 80)).toEqual([]);
    }
  });
});

function listCommands(command: Command): Command[] {
  return command.commands.flatMap((child) => [child, ...listCommands(child)]);
}

/** The help as a terminal of 80 columns shows it, examples included. */
function helpOf(command: Command): string {
  const shown: string[] = [];
  command.configureOutput({ writeOut: (text) => void shown.push(text), getOutHelpWidth: () => 80 });
  command.outputHelp();
  return shown.join("");
}
