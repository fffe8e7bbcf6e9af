// The export as a stream: one moment, bounded, and closed when its reader has gone.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { readdirSync, readlinkSync, statSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { unzipSync } from "fflate";
import { readInclude } from "../../../../src/exchange/ocf/export/include.ts";
import { openExport } from "../../../../src/exchange/ocf/export/open.ts";
import { type Pace, Taken } from "../../../../src/server/http/answers/pace.ts";
import type { Role } from "../../../../src/storage/records/api-key.ts";
import { makeStakeholder } from "../../../kit/records.ts";
import { RELEASE } from "../../../kit/release.ts";
import { startTestServer, type TestServer } from "../../../kit/service.ts";
import { exportOf } from "./support.ts";

setDefaultTimeout(60_000);

/** Where it shows which files a process holds open. */
const IS_LINUX = process.platform === "linux";
/** Their export is more than a connection buffers without a reader. */
const HOLDERS = 1_500;
const NAME_BYTES = 4_500;
const KEPT_MAX = 8;

let server: TestServer;

/** A large organization, written straight into the table: names that do not compress, so that its export is large. */
beforeAll(async () => {
  server = await startTestServer();
  const name = "json_object('legalName', ?)";
  const columns = "orgId, id, createdAt, updatedAt, displayName, name, type, status, relationships, searchText";
  const values = `?, ?, '2026-01-01', '2026-01-01', 'x', ${name}, 'INDIVIDUAL', 'CURRENT', '[]', 'x'`;
  await server.app.writer.submit((tx) => {
    const insertion = tx.sqlite.prepare(`INSERT INTO stakeholders (${columns}) VALUES (${values})`);
    for (let count = 0; count < HOLDERS; count++) {
      insertion.run(server.orgId, `holder-${count}`, randomBytes(NAME_BYTES).toString("base64"));
    }
  });
});
afterAll(() => server.stop());

const begin = () => openExport(server.app.reader.sqlite.name, server.orgId, readInclude(undefined), Date.now());

async function bytesOf(stream: ReadableStream<Uint8Array>): Promise<Uint8Array> {
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

test("shows the moment at which it began, whatever is written meanwhile", async () => {
  const { content } = begin();
  const late = await makeStakeholder(server);
  const file = unzipSync(await bytesOf(content))["stakeholders.json"] ?? new Uint8Array();
  const ids = JSON.parse(new TextDecoder().decode(file)).items.map((item: { id: string }) => item.id);
  expect(ids.length).toBe(HOLDERS);
  expect(ids).not.toContain(late);
});

test("lets other requests through while it runs", async () => {
  const exporting = exportOf(server);
  let count = 0;
  let isRunning = true;
  const done = exporting.finally(() => {
    isRunning = false;
  });
  while (isRunning) {
    await server.api("GET", "/stakeholders?limit=1");
    count++;
  }
  await done;
  expect(count).toBeGreaterThan(3);
});

/**
 * A client that asks for an export and takes nothing of it; resolves when its file is there. Nothing at all: what a system
 * keeps ready for a connection grows with what was read from it, until the whole export has room there.
 */
async function beginToTake(role: Role = "VIEWER"): Promise<Socket> {
  const { hostname, port } = new URL(server.url);
  const key = await server.key(role);
  const before = namelessFiles().length;
  const socket = connect(Number(port), hostname).on("error", () => undefined);
  await once(socket, "connect");
  socket.pause();
  socket.write(`GET /api/v1/cap-table/ocf-export HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${key}\r\n\r\n`);
  await until(() => namelessFiles().length > before);
  return socket;
}

/** The exports without a name that this process holds open; other tests in it may hold what they have deleted. */
function namelessFiles(): string[] {
  const folder = "/proc/self/fd";
  const target = (name: string) => {
    try {
      return readlinkSync(join(folder, name));
    } catch {
      return "";
    }
  };
  return readdirSync(folder)
    .map(target)
    .filter((path) => path.startsWith(tmpdir()) && /\/captable-[0-9a-f]{8}-[^/]* \(deleted\)$/.test(path));
}

/** Resolves when what they were taking is gone, too. */
async function hangUp(sockets: readonly Socket[]): Promise<void> {
  for (const socket of sockets) socket.destroy();
  await until(() => namelessFiles().length === 0);
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await Bun.sleep(5);
}

test.skipIf(!IS_LINUX)("holds no snapshot while it is taken, and its file has no name", async () => {
  const socket = await beginToTake();
  expect(readdirSync(tmpdir()).filter((name) => /^captable-[0-9a-f]{8}-/.test(name))).toEqual([]);
  await makeStakeholder(server);
  // A reader of an earlier moment would keep the log from being taken back to nothing; it is one until the file is
  // written.
  const isBusy = () => (server.app.writer.db.sqlite.pragma("wal_checkpoint(TRUNCATE)") as { busy: number }[])[0]?.busy;
  await until(() => isBusy() === 0);
  expect([statSync(`${server.app.reader.sqlite.name}-wal`).size, namelessFiles().length]).toEqual([0, 1]);
  await hangUp([socket]);
});

test("that is being read does keep the log: the test above would see it", async () => {
  const { content } = begin();
  await makeStakeholder(server);
  const [checkpoint] = server.app.writer.db.sqlite.pragma("wal_checkpoint(TRUNCATE)") as { busy: number }[];
  expect(checkpoint?.busy).toBe(1);
  await content.cancel();
});

test.skipIf(!IS_LINUX)("leaves its turn to others while it is taken", async () => {
  const sockets = [await beginToTake(), await beginToTake(), await beginToTake("EDITOR")];
  expect((await server.api("GET", "/cap-table?asOf=2026-01-15", undefined, { role: "VIEWER" })).status).toBe(200);
  await hangUp(sockets);
});

test.skipIf(!IS_LINUX)(
  "is refused with 429 while an organization takes too many, and not to another, and has room again",
  async () => {
    const sockets: Socket[] = [];
    for (let taken = 0; taken < KEPT_MAX; taken++) sockets.push(await beginToTake(taken % 2 ? "VIEWER" : "EDITOR"));
    const ask = (orgId = server.orgId) =>
      server.api("GET", "/cap-table/ocf-export?include=issuer", undefined, { orgId });
    const refused = await ask();
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "5"]);
    expect((await ask(await server.newOrganization())).status).toBe(200);
    await hangUp(sockets);
    while ((await ask()).status !== 200) await Bun.sleep(5);
  },
);

describe("a download", () => {
  const content = Buffer.alloc(24 * 2 ** 20, "abcdefg");

  /** A service with a large document, where files may be taken as slowly as `slowest` says. */
  async function serveDocument(slowest?: Pace): Promise<{ slow: TestServer; path: string }> {
    const slow = await startTestServer({}, slowest === undefined ? {} : { slowest });
    const made = await slow.api("POST", "/documents", { title: "Large", uri: "https://example.com/large" });
    const path = `/documents/${made.json.id}/content`;
    expect((await slow.api("PUT", path, content)).status).toBe(200);
    return { slow, path: `/api/v1${path}` };
  }

  test("is cut when next to nothing of it is taken", async () => {
    const { slow, path } = await serveDocument({ bytes: 60_000, ms: 100 });
    const { hostname, port } = new URL(slow.url);
    const socket = connect(Number(port), hostname).on("error", () => undefined);
    const closed = new Promise<void>((resolve) => socket.on("close", () => resolve()));
    const key = await slow.key("VIEWER");
    socket.write(`GET ${path} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${key}\r\n\r\n`);
    let taken = 0;
    // A piece now and then: the connection itself is in use.
    socket.on("data", (piece) => {
      taken += piece.length;
      socket.pause();
      setTimeout(() => socket.resume(), 300);
    });
    await closed;
    expect(taken).toBeLessThan(content.length);
    await slow.stop();
  });

  test("comes whole when it is taken", async () => {
    const { slow, path } = await serveDocument();
    const headers = { authorization: `Bearer ${await slow.key("VIEWER")}` };
    const answer = await fetch(`${slow.url}${path}`, { headers });
    expect(Buffer.compare(Buffer.from(await answer.arrayBuffer()), content)).toBe(0);
    await slow.stop();
  });

  test("is looked at from one minute to the next: a thousand bytes a second are enough", () => {
    const taken = new Taken(60_000);
    const minutes = [60_000, 28_000, 1_000_000, 0, 60_000, 25_000];
    const cut = minutes.map((bytes) => {
      for (let left = bytes; left > 0; left -= 5000) taken.add(Math.min(5000, left));
      return taken.isTooLittle();
    });
    expect(cut).toEqual([false, false, false, true, false, true]);
  });
});

test("is let go of when the client hangs up", async () => {
  const authorization = `Bearer ${await server.key("VIEWER")}`;
  // Where it shows that the file is gone, two are enough; elsewhere more than an organization may take at once.
  const isShown = IS_LINUX && !RELEASE;
  for (let i = 0; i < (isShown ? 2 : KEPT_MAX + 2); i++) {
    const hangUp = new AbortController();
    const response = await fetch(`${server.url}/api/v1/cap-table/ocf-export`, {
      headers: { authorization },
      signal: hangUp.signal,
    });
    expect(response.status).toBe(200);
    const reader = response.body?.getReader();
    await reader?.read();
    if (isShown) expect(namelessFiles()).toHaveLength(1);
    hangUp.abort();
    if (isShown) await until(() => namelessFiles().length === 0);
    else await Bun.sleep(20);
  }
});
