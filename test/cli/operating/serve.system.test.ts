// What `captable serve` says when it starts, and that a first start which cannot listen makes nothing.
import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runCommand } from "../../kit/command.ts";
import { PROGRAM, programEnvironment, runProgram } from "../../kit/program.ts";

setDefaultTimeout(120_000);

const SMALL = join(import.meta.dir, "../../fixtures/ocf/small");
const base = mkdtempSync(join(tmpdir(), "captable-serve-"));
afterAll(() => rmSync(base, { recursive: true, force: true }));

let count = 0;
/** A path with nothing at it. */
function nowhere(): string {
  return join(base, `new-${++count}`);
}

describe("serve", () => {
  const FIRST_KEY = /the first ADMIN key was never used: it is in (\S+)/;
  const NO_KEY = /no ADMIN key works; this makes one: (captable keys create .*)/;

  /** All that it said until it was stopped. */
  async function saidOf(
    dataDir: string,
    whileServing: (url: string) => unknown = () => undefined,
    more: readonly string[] = [],
  ): Promise<string> {
    const child = Bun.spawn([...PROGRAM, "serve", "--data-dir", dataDir, "--port", "0", ...more], {
      env: programEnvironment({ CAPTABLE_LOG: "off" }),
      stdout: "ignore",
      stderr: "pipe",
    });
    let said = "";
    for await (const text of child.stderr.pipeThrough(new TextDecoderStream())) {
      said += text;
      const url = /described at (\S+)\/docs\n/.exec(said)?.[1];
      if (url === undefined || child.killed) continue;
      await whileServing(url);
      child.kill("SIGTERM");
    }
    expect(await child.exited).toBe(0);
    return said;
  }

  test("says at each start where it serves and where /docs is, and where the first key lies until that is used", async () => {
    const dataDir = nowhere();
    const keyFile = join(dataDir, "admin.key");
    const first = await saidOf(dataDir, async (url) => expect((await fetch(`${url}/docs`)).status).toBe(200));
    expect(first).toContain(`made a new data directory in ${dataDir}\n`);
    expect(first).toContain(`the key is in ${keyFile}\n`);
    expect(first).toMatch(/serving http:\/\/127\.0\.0\.1:\d+, data in /);
    expect(first).not.toMatch(NO_KEY);
    expect(first).toMatch(/open http:\/\/127\.0\.0\.1:\d+ in a browser/);
    const headers = { authorization: `Bearer ${readFileSync(keyFile, "utf8").trim()}` };
    const second = await saidOf(dataDir, async (url) => {
      const given = { name: "Ada", email: "ada@example.com", password: "correct horse battery staple" };
      const key = readFileSync(keyFile, "utf8").trim();
      const told = { method: "POST", headers: { "content-type": "application/json", origin: url } };
      const made = await fetch(`${url}/api/v1/auth/setup`, { ...told, body: JSON.stringify({ key, ...given }) });
      expect(made.status).toBe(201);
      await fetch(`${url}/api/v1/organization`, { headers });
    });
    expect(FIRST_KEY.exec(second)?.[1]).toBe(keyFile);
    expect(second).not.toContain("made a");
    const third = await saidOf(dataDir);
    expect(third).not.toMatch(FIRST_KEY);
    expect(third).not.toContain("in a browser");
    expect(third).not.toMatch(NO_KEY);
  });

  test("that listens on every address says one that a browser can open", async () => {
    const said = await saidOf(nowhere(), undefined, ["--host", "0.0.0.0"]);
    expect(said).toMatch(/serving http:\/\/0\.0\.0\.0:\d+, data in /);
    expect(said).toMatch(/open http:\/\/127\.0\.0\.1:\d+ in a browser/);
  });

  test("says how a key is made where the last one was revoked; that command makes one that works", async () => {
    const dataDir = nowhere();
    await saidOf(dataDir);
    const { id } = JSON.parse((await runCommand(["keys", "list", "--json", "--data-dir", dataDir])).stdout).items[0];
    expect((await runCommand(["keys", "revoke", id, "--data-dir", dataDir])).status).toBe(0);
    const said = await saidOf(dataDir, async (url) => {
      const served = await runCommand(["keys", "list", "--json", "--data-dir", dataDir]);
      expect(served.status).toBe(0);
      expect((await fetch(`${url}/api/v1/organization`)).status).toBe(401);
    });
    expect(said).not.toMatch(FIRST_KEY);
    const [, command = ""] = NO_KEY.exec(said) ?? [];
    const made = await runProgram(command.split(" ").slice(1));
    expect([made.status, made.stdout.startsWith("pg_live_")]).toEqual([0, true]);
    expect(await saidOf(dataDir)).not.toMatch(NO_KEY);
  });

  test("says the same where a package came in before the first start, with several organizations too", async () => {
    const dataDir = nowhere();
    expect((await runCommand(["ocf", "import", SMALL, "--data-dir", dataDir])).status).toBe(0);
    expect(await saidOf(dataDir)).toMatch(NO_KEY);
    expect((await runCommand(["org", "create", "--name", "Second", "--data-dir", dataDir])).status).toBe(0);
    const [, command = ""] = NO_KEY.exec(await saidOf(dataDir)) ?? [];
    expect((await runProgram(command.split(" ").slice(1))).status).toBe(0);
  });

  test("has made nothing when a first start cannot listen", async () => {
    const taken = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response() });
    try {
      const dataDir = nowhere();
      const ended = await runCommand(["serve", "--data-dir", dataDir, "--port", String(taken.port)]);
      expect([ended.status, ended.stdout]).toEqual([1, ""]);
      expect(ended.stderr).toContain(`cannot listen on 127.0.0.1 port ${taken.port}`);
      expect(existsSync(dataDir)).toBe(false);
    } finally {
      await taken.stop(true);
    }
  });
});
