// What the program does when its disk is full, fails or lies: refuse writes and go on reading, or end with one clear
// line (DECISIONS sections 4 and 19). Real limits, real faults; what a machine cannot do is skipped and said so.
import { afterAll, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { newDataDir, PROGRAM, runProgram } from "../support/program.ts";

const hasStrace = Bun.which("strace") !== null && canTrace();
const tmpfs = mountSmallDisk();
afterAll(() => {
  if (tmpfs !== null) Bun.spawnSync(["umount", "-l", tmpfs]);
});

/** A server started by a shell line, in which `"$@"` is the program's command. */
async function serveBy(line: string, dataDir: string) {
  const child = Bun.spawn(["bash", "-c", line, "bash", ...PROGRAM, "serve", "--data-dir", dataDir, "--port", "0"], {
    env: { ...process.env, CAPTABLE_RATE_LIMIT: "0", CAPTABLE_LOG: "off" },
    stdout: "ignore",
    stderr: "pipe",
  });
  const said: string[] = [];
  const started = Promise.withResolvers<string>();
  const ended = (async () => {
    for await (const text of child.stderr.pipeThrough(new TextDecoderStream())) {
      said.push(text);
      const url = /serving (http:\/\/\S+?),/.exec(said.join(""))?.[1];
      if (url !== undefined) started.resolve(url);
    }
    const status = await child.exited;
    started.reject(new Error(`ended with ${status}: ${said.join("")}`));
    return { status, stderr: said.join("") };
  })();
  ended.catch(() => undefined);
  const url = await started.promise;
  const key = (await Bun.file(join(dataDir, "admin.key")).text()).trim();
  const call = (method: string, path: string, body?: unknown) => {
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    const init: RequestInit = { method, headers };
    if (body !== undefined) init.body = JSON.stringify(body);
    return fetch(`${url}/api/v1${path}`, init);
  };
  const end = () => {
    child.kill("SIGTERM");
    return ended;
  };
  return { url, call, ended, end };
}

type Running = Awaited<ReturnType<typeof serveBy>>;

const legend = (text: string) => ({ name: "Legend", text });

/** Writes until a write is refused; returns the ids of those that were acknowledged, and the refusal. */
async function fill({ call }: Running, size: number, most: number) {
  const acknowledged: string[] = [];
  for (let count = 0; count < most; count++) {
    const answer = await call("POST", "/stock-legends", legend("x".repeat(size)));
    if (answer.status === 201) acknowledged.push(((await answer.json()) as { id: string }).id);
    else return { acknowledged, refusal: answer };
  }
  throw new Error(`${most} writes of ${size} characters did not fill the disk`);
}

async function expectFullDisk(server: Running, dataDir: string) {
  const { acknowledged, refusal } = await fill(server, 1900, 20_000);
  expect(refusal.status).toBe(503);
  expect(refusal.headers.get("retry-after")).toMatch(/^\d+$/);
  expect(refusal.headers.get("content-type")).toBe("application/problem+json");
  expect((await refusal.json()) as object).toMatchObject({ title: "Service Unavailable", status: 503 });
  for (const id of acknowledged.slice(-20)) expect((await server.call("GET", `/stock-legends/${id}`)).status).toBe(200);
  expect((await server.call("GET", "/stock-legends?limit=5")).status).toBe(200);
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  expect(readdirSync(dataDir).filter((name) => name.endsWith("-probe"))).toEqual([]);
  return acknowledged;
}

describe("a full disk", () => {
  test("refuses writes with 503 beyond a file-size limit, and goes on reading", async () => {
    const dataDir = newDataDir();
    await (await serveBy('exec "$@"', dataDir)).end();
    const server = await serveBy('ulimit -f 2048; exec "$@"', dataDir);
    const acknowledged = await expectFullDisk(server, dataDir);
    expect((await server.end()).status).toBeLessThanOrEqual(1);
    const again = await serveBy('exec "$@"', dataDir);
    for (const id of acknowledged.slice(-5)) expect((await again.call("GET", `/stock-legends/${id}`)).status).toBe(200);
    expect((await again.call("POST", "/stock-legends", legend("room again"))).status).toBe(201);
    expect((await again.end()).status).toBe(0);
    expect((await runProgram(["verify", "--data-dir", dataDir])).status).toBe(0);
  }, 60_000);

  test.skipIf(tmpfs === null)(
    "of its own recovers by itself once there is room",
    async () => {
      const disk = tmpfs ?? "";
      const dataDir = join(disk, "data");
      const ballast = join(disk, "ballast");
      await Bun.write(ballast, new Uint8Array(4 * 1024 * 1024));
      const server = await serveBy('exec "$@"', dataDir);
      const acknowledged = await expectFullDisk(server, dataDir);
      rmSync(ballast);
      await Bun.sleep(1100);
      expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
      expect((await server.call("POST", "/stock-legends", legend("room again"))).status).toBe(201);
      for (const id of acknowledged) expect((await server.call("GET", `/stock-legends/${id}`)).status).toBe(200);
      const out = join(disk, "b.captable");
      await Bun.write(ballast, new Uint8Array(3 * 1024 * 1024)).catch(() => undefined);
      const backup = await runProgram(["backup", "--data-dir", dataDir, "--out", out]);
      expect([backup.status, backup.stdout]).toEqual([1, ""]);
      expect(readdirSync(disk).sort()).toEqual(["ballast", "data"]);
      rmSync(ballast);
      expect((await server.end()).status).toBe(0);
      expect((await runProgram(["verify", "--data-dir", dataDir])).status).toBe(0);
    },
    60_000,
  );
});

describe("an I/O error", () => {
  test.skipIf(!hasStrace).each([
    ["fsync,fdatasync", 12],
    ["pwrite64", 150],
  ])(
    "in %s answers no 2xx, and ends the process with status 1 after one line",
    async (calls, nth) => {
      const dataDir = newDataDir();
      const before = await serveBy('exec "$@"', dataDir);
      await before.end();
      const trace = `exec strace -f -qqq -e trace=${calls} -e inject=${calls}:error=EIO:when=${nth}+ -o /dev/null "$@"`;
      const server = await serveBy(trace, dataDir);
      const statuses: number[] = [];
      const acknowledged: string[] = [];
      for (let count = 0; count < 300; count++) {
        const answer = await server.call("POST", "/stock-legends", legend(`${count}`)).catch(() => null);
        if (answer === null) break;
        statuses.push(answer.status);
        if (answer.status === 201) acknowledged.push(((await answer.json()) as { id: string }).id);
      }
      const { status, stderr } = await server.ended;
      expect(status).toBe(1);
      expect(stderr).toContain("cannot be relied on");
      expect(
        stderr
          .trim()
          .split("\n")
          .filter((line) => line.includes("relied on")),
      ).toHaveLength(1);
      expect(statuses.filter((answered) => answered !== 201 && answered !== 503)).toEqual([]);
      const again = await serveBy('exec "$@"', dataDir);
      for (const id of acknowledged) expect((await again.call("GET", `/stock-legends/${id}`)).status).toBe(200);
      expect((await again.end()).status).toBe(0);
    },
    60_000,
  );
});

function canTrace(): boolean {
  return Bun.spawnSync(["strace", "-o", "/dev/null", "true"]).exitCode === 0;
}

/** A disk of 8 MB in memory, or null where this user may not mount one. */
function mountSmallDisk(): string | null {
  const folder = mkdtempSync(join(tmpdir(), "captable-disk-"));
  mkdirSync(folder, { recursive: true });
  const mounted = Bun.spawnSync(["mount", "-t", "tmpfs", "-o", "size=8m", "none", folder]).exitCode === 0;
  if (!mounted) return null;
  return folder;
}
