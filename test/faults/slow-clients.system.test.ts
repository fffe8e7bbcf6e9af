// Clients that do not behave: hundreds that send or take a byte a second, and ones that ask too often. Others must not notice,
// and what they hold must come back. All on loopback, with a small client of our own.
import { describe, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { dirname } from "node:path";
import { systemRuntime } from "../../src/kernel/runtime.ts";
import { generateKey } from "../../src/resources/api-keys/key.ts";
import { runCommand } from "../kit/command.ts";
import { newDataDir } from "../kit/program.ts";
import { proved } from "../kit/proof.ts";
import { RELEASE } from "../kit/release.ts";
import { startTestServer } from "../kit/service.ts";
import { serveWatched } from "./support/watched.ts";

const [HEADS, BODIES, READERS, SECONDS] = RELEASE ? [500, 500, 200, 60] : [50, 50, 20, 2];
const FILE_BYTES = 8 * 2 ** 20;
/** Bun closes a connection that was idle for 30 s, looking every 4 s. */
const RECLAIMED_MS_MAX = 45_000;

/** Opens a connection that sends `start`, then a byte a second, and takes nothing if it `isDeaf`. */
function slowClient(port: number, start: string, isDeaf: boolean): Socket {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => undefined);
  socket.write(start);
  if (isDeaf) socket.pause();
  else socket.resume();
  const timer = setInterval(() => socket.writable && !isDeaf && socket.write("a"), 1000);
  socket.on("close", () => clearInterval(timer));
  return socket;
}

/** How long each of some ordinary requests takes, one every 20 ms, for `seconds`. */
async function ordinaryTimes(url: string, key: string, seconds: number): Promise<number[]> {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const body = JSON.stringify({ name: "Ordinary", text: "client" });
  const times: number[] = [];
  const until = performance.now() + seconds * 1000;
  for (let n = 0; performance.now() < until; n++) {
    const started = performance.now();
    const init: RequestInit = n % 2 ? { headers } : { method: "POST", headers, body };
    const { status } = await fetch(`${url}/api/v1/stock-legends`, init);
    times.push(performance.now() - started);
    expect(status).toBe(n % 2 ? 200 : 201);
    await Bun.sleep(20);
  }
  return times.sort((a, b) => a - b);
}

const p99 = (times: readonly number[]) => times[Math.floor(times.length * 0.99)] ?? 0;
/** Waits until `isSo`; returns after how many milliseconds, or null when it never was. */
async function waitUntil(isSo: () => boolean, mostMs: number): Promise<number | null> {
  const started = performance.now();
  while (!isSo()) {
    if (performance.now() - started > mostMs) return null;
    await Bun.sleep(50);
  }
  return performance.now() - started;
}

test(`${HEADS} slow heads, ${BODIES} slow bodies and ${READERS} slow readers for ${SECONDS} s: no other client notices`, async () => {
  const dataDir = newDataDir();
  const served = await serveWatched(dataDir);
  const { url, key } = served;
  const authorization = { authorization: `Bearer ${key}` };
  const document = { method: "POST", body: JSON.stringify({ title: "Large", uri: "https://example.com/large" }) };
  const json = { ...authorization, "content-type": "application/json" };
  const made = await fetch(`${url}/api/v1/documents`, { ...document, headers: json });
  const { id } = (await made.json()) as { id: string };
  const upload = { method: "PUT", headers: authorization, body: new Uint8Array(FILE_BYTES) };
  expect((await fetch(`${url}/api/v1/documents/${id}/content`, upload)).status).toBe(200);

  const port = Number(new URL(url).port);
  const usual = p99(await ordinaryTimes(url, key, 2));
  const before = { memoryMb: served.memoryMb(), files: served.files() };
  const head = (line: string) => `${line} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${key}\r\n`;
  const body = `${head("POST /api/v1/stock-legends")}content-type: application/json\r\ncontent-length: 100000\r\n\r\n{`;
  const slow = [
    ...Array.from({ length: HEADS }, () => slowClient(port, `${head("GET /api/v1/stock-legends")}x-slow: `, false)),
    ...Array.from({ length: BODIES }, () => slowClient(port, body, false)),
    ...Array.from({ length: READERS }, () =>
      slowClient(port, `${head(`GET /api/v1/documents/${id}/content`)}\r\n`, true),
    ),
  ];
  await waitUntil(() => served.files() >= before.files + slow.length, 45_000);
  const most = served.files();
  const meanwhile = p99(await ordinaryTimes(url, key, SECONDS));
  const memory = served.memoryMb();
  // Slow heads and bodies are closed by the server; readers that take nothing may hold on longer, and go when they go.
  const open = () => slow.slice(0, HEADS + BODIES).filter((socket) => !socket.destroyed && !socket.closed).length;
  const reclaimedMs = RELEASE ? await waitUntil(() => open() === 0, RECLAIMED_MS_MAX) : 0;
  for (const socket of slow) socket.destroy();
  const returned = await waitUntil(() => served.files() <= before.files + 5, 10_000);

  const figures = `p99 ${meanwhile.toFixed(1)} ms (${usual.toFixed(1)} without), memory ${before.memoryMb} to ${memory} MB`;
  if (RELEASE) process.stdout.write(`${figures}, ${most - before.files} connections, reclaimed ${reclaimedMs} ms\n`);
  expect(most).toBeGreaterThanOrEqual(before.files + slow.length);
  // A client that waited for a slow client would wait for all of its two seconds; on a busy machine everything is slow.
  expect(meanwhile).toBeLessThan(Math.max(1000, usual * 3));
  expect(memory - before.memoryMb).toBeLessThan(400);
  expect(reclaimedMs).not.toBeNull();
  expect(returned).not.toBeNull();
  expect(await served.end()).toBe(0);
  expect((await runCommand(["verify", "--data-dir", dataDir])).status).toBe(0);
  rmSync(dirname(dataDir), { recursive: true, force: true });
  const what = `slow heads, bodies and readers at once for ${SECONDS} s`;
  proved({ fault: "S9", what, count: slow.length, seed: "-", result: `${figures}; all connections came back` });
}, 300_000);

test("a large document comes whole to a client that takes it slowly, and breaks off when it is replaced meanwhile", async () => {
  const server = await startTestServer();
  const made = await server.api("POST", "/documents", { title: "Large", uri: "https://example.com/large" });
  const path = `/documents/${made.json.id}/content`;
  const bytes = new Uint8Array(FILE_BYTES + 1).map((_, n) => n % 251);
  await server.api("PUT", path, bytes, { headers: { "content-type": "application/pdf" } });
  const headers = { authorization: `Bearer ${await server.key("VIEWER")}` };
  const whole = await fetch(`${server.url}/api/v1${path}`, { headers });
  expect(Buffer.compare(await whole.bytes(), bytes)).toBe(0);
  const broken = await new Promise<{ length: number; isWhole: boolean }>((resolve) => {
    const socket = connect(Number(new URL(server.url).port), "127.0.0.1");
    const got: Buffer[] = [];
    const request = `GET /api/v1${path} HTTP/1.1\r\nhost: x\r\nauthorization: ${headers.authorization}\r\n\r\n`;
    socket.on("data", (chunk) => got.push(Buffer.from(chunk))).on("error", () => undefined);
    socket.on("close", () => {
      const text = Buffer.concat(got);
      resolve({ length: text.length, isWhole: text.subarray(-5).toString() === "0\r\n\r\n" });
    });
    socket.write(request);
    socket.once("data", async () => {
      socket.pause();
      await server.api("PUT", path, bytes.reverse(), { headers: { "content-type": "application/pdf" } });
      socket.resume();
    });
  });
  expect(broken.isWhole).toBe(false);
  expect(broken.length).toBeLessThan(FILE_BYTES);
  await server.stop();
}, 120_000);

const SECOND_MS = 1000;
const [ROUNDS, KEYS] = RELEASE ? [20, 10_000] : [3, 2000];

describe("the rate limit", () => {
  /** A service whose clock stands still unless it is moved. */
  async function limited(perMinute: number) {
    let nowMs = Date.parse("2026-03-01T12:00:00Z");
    const runtime = { ...systemRuntime, nowMs: () => nowMs };
    const server = await startTestServer({ CAPTABLE_RATE_LIMIT: String(perMinute) }, { runtime });
    const ask = async (key: string, headers: Record<string, string> = {}) => {
      const { status, headers: answered } = await server.api("GET", "/stock-legends", undefined, { key, headers });
      return { status, retryAfter: Number(answered.get("retry-after")) };
    };
    const allowed = async (key: string, asked: number) => {
      const answers = await Promise.all(Array.from({ length: asked }, () => ask(key)));
      return answers.filter(({ status }) => status === 200).length;
    };
    const pass = (ms: number) => {
      nowMs += ms;
    };
    return { server, ask, allowed, pass };
  }

  test(`is exact at its boundary when all ask at once, for each key alone, and refills exactly, ${ROUNDS} rounds`, async () => {
    const { server, allowed, pass } = await limited(600);
    const [one, other] = [await server.key("ADMIN"), await server.key("VIEWER")];
    for (let round = 0; round < ROUNDS; round++) {
      expect(await Promise.all([allowed(one, 150), allowed(other, 150)])).toEqual([100, 100]);
      expect(await allowed(one, 20)).toBe(0);
      pass(SECOND_MS);
      expect(await allowed(one, 20)).toBe(10);
      pass(60 * SECOND_MS);
    }
    await server.stop();
    const what = "rounds of 300 requests at once for 200 that the limit allows";
    proved({ fault: "S10", what, count: ROUNDS, seed: "-", result: "exactly 100 for each key" });
  }, 60_000);

  test.each([1, 7, 59, 60, 61, 599, 6000])(
    "of %i a minute: waiting as Retry-After says helps, and less does not",
    async (rate) => {
      const burst = Math.max(1, Math.floor(rate / 6));
      const { server, ask, allowed, pass } = await limited(rate);
      const key = await server.key("ADMIN");
      await allowed(key, burst);
      for (let round = 0; round < 3; round++) {
        const { status, retryAfter } = await ask(key);
        expect([status, retryAfter >= 1]).toEqual([429, true]);
        if (retryAfter > 1) {
          pass((retryAfter - 1) * SECOND_MS);
          expect((await ask(key)).status).toBe(429);
          pass(SECOND_MS);
        } else pass(retryAfter * SECOND_MS);
        expect((await ask(key)).status).toBe(200);
        await allowed(key, burst);
      }
      await server.stop();
    },
    60_000,
  );

  test("of failed sign-ins goes by the connection's address, whatever a header says", async () => {
    const { server, ask } = await limited(6000);
    const statuses = new Map<number, number>();
    for (let n = 0; n < 100; n++) {
      const headers = { "x-forwarded-for": `10.0.0.${n}`, "x-real-ip": `10.0.1.${n}`, forwarded: `for=10.0.2.${n}` };
      const { status } = await ask(generateKey("production"), headers);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    expect([statuses.get(401), statuses.get(429)]).toEqual([60, 40]);
    await server.stop();
  }, 60_000);

  test(`remembers no key that does not exist: ${KEYS} of them cost no memory`, async () => {
    const dataDir = newDataDir();
    for (const rateLimit of ["6000", "0"]) {
      const served = await serveWatched(dataDir, { CAPTABLE_RATE_LIMIT: rateLimit });
      const ask = async () => {
        const headers = { authorization: `Bearer ${generateKey("production")}` };
        return (await fetch(`${served.url}/api/v1/stock-legends`, { headers })).status;
      };
      const many = async () => {
        for (let n = 0; n < KEYS; n += 100) await Promise.all(Array.from({ length: 100 }, ask));
        return served.memoryMb();
      };
      const warm = await many();
      expect((await many()) - warm).toBeLessThan(25);
      expect(await served.end()).toBe(0);
    }
    rmSync(dirname(dataDir), { recursive: true, force: true });
  }, 300_000);
});
