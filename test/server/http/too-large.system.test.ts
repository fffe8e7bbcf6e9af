// A body above its limit gets its 413 whatever client sends it: also one that reads nothing before all is sent, and one
// that wants the connection closed. What comes after is read and thrown away up to a bound; then the connection closes.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { connect, type Socket } from "node:net";
import { sayAndThrowAway } from "../../../src/server/http/rest.ts";
import { startTestServer, type TestServer } from "../../kit/service.ts";

setDefaultTimeout(120_000);

const MEBIBYTE = 2 ** 20;
let server: TestServer;
let key: string;
let documentId: string;

beforeAll(async () => {
  server = await startTestServer();
  key = await server.key("ADMIN");
  documentId = (await server.api("POST", "/documents", { title: "Large", uri: "https://example.com" })).json.id;
});
afterAll(() => server.stop());

interface Sender {
  readonly version?: "1.0" | "1.1";
  readonly isChunked?: boolean;
  readonly connection?: "close" | "keep-alive";
  readonly declared?: number;
  readonly mebibytes: number;
}

function begin(line: string, { version = "1.1", isChunked, connection, declared, mebibytes }: Sender): Socket {
  const length = isChunked ? "transfer-encoding: chunked" : `content-length: ${declared ?? mebibytes * MEBIBYTE}`;
  const more = connection ? [`connection: ${connection}`] : [];
  const head = ["host: localhost", `authorization: Bearer ${key}`, "content-type: application/json", length, ...more];
  const socket = connect(Number(new URL(server.url).port), "127.0.0.1");
  socket.write([`${line} HTTP/${version}`, ...head, "", ""].join("\r\n"));
  return socket;
}

/** Sends all of it before it reads anything; null where the connection breaks while it does. */
async function sendThenRead(line: string, sender: Sender): Promise<string | null> {
  const socket = begin(line, sender);
  socket.pause();
  const isBroken = new Promise<"broken">((resolve) => socket.on("error", () => resolve("broken")));
  const piece = Buffer.alloc(MEBIBYTE, "a");
  const chunk = Buffer.concat([Buffer.from("100000\r\n"), piece, Buffer.from("\r\n")]);
  const write = (bytes: Buffer) =>
    Promise.race([isBroken, new Promise<"written">((resolve) => socket.write(bytes, () => resolve("written")))]);
  for (let sent = 0; sent < sender.mebibytes; sent++) {
    if ((await write(sender.isChunked ? chunk : piece)) === "broken") return null;
  }
  if (sender.isChunked && (await write(Buffer.from("0\r\n\r\n"))) === "broken") return null;
  return await readProblem(socket);
}

/** The status line, and the problem's slug, of the answer; the connection is closed then. */
async function readProblem(socket: Socket): Promise<string> {
  let text = "";
  for await (const piece of socket) {
    text += piece;
    if (text.includes('"instance"')) break;
  }
  socket.destroy();
  return `${text.slice(0, 12)} ${/problems\/([a-z-]+)"/.exec(text)?.[1]}`;
}

const REFUSED = "HTTP/1.1 413 payload-too-large";

describe("a client that reads only when it has sent everything reads the 413", () => {
  const senders: readonly (readonly [string, Sender])[] = [
    ["3 MiB", { mebibytes: 3 }],
    ["40 MiB, to be closed then", { mebibytes: 40, connection: "close" }],
    ["40 MiB in chunks, to be closed then", { mebibytes: 40, connection: "close", isChunked: true }],
    ["40 MiB in HTTP/1.0", { mebibytes: 40, version: "1.0" }],
    ["40 MiB in HTTP/1.0 that is kept", { mebibytes: 40, version: "1.0", connection: "keep-alive" }],
    ["60 MiB in chunks", { mebibytes: 60, isChunked: true }],
  ];
  test.each(senders)("%s, as JSON and as a document", async (_name, sender) => {
    expect(await sendThenRead("POST /api/v1/stock-legends", sender)).toBe(REFUSED);
    if (sender.mebibytes < 25) return;
    expect(await sendThenRead(`PUT /api/v1/documents/${documentId}/content`, sender)).toBe(REFUSED);
  });

  test("also where it announces more than there is memory", async () => {
    const sender = { mebibytes: 1, declared: 1e15 };
    expect(await sendThenRead("POST /api/v1/stock-legends", sender)).toBe(REFUSED);
  });
});

test("a client that reads while it sends is told at once", async () => {
  const socket = begin("POST /api/v1/stock-legends", { mebibytes: 0, declared: 1e9 });
  expect(await readProblem(socket)).toBe(REFUSED);
});

test("a client that never ends is cut off", async () => {
  const socket = begin("POST /api/v1/stock-legends", { mebibytes: 0, declared: 1e12 });
  const closed = new Promise<void>((resolve) => socket.on("close", () => resolve()));
  socket.on("error", () => undefined).resume();
  const piece = Buffer.alloc(MEBIBYTE, "a");
  const send = () => void socket.write(piece, (failure) => failure || send());
  send();
  await closed;
  expect(socket.bytesWritten).toBeGreaterThan(60 * MEBIBYTE);
});

describe("what is thrown away", () => {
  const text = '{"status":413}';
  /** A body that gives `bytes` at each look, until it is let go of. */
  function endless(bytes: number) {
    const ended = Promise.withResolvers<{ done: true; value: undefined }>();
    const seen = { looks: 0, isLetGo: false };
    const rest = {
      read() {
        seen.looks++;
        return bytes > 0 ? Promise.resolve({ done: false as const, value: new Uint8Array(bytes) }) : ended.promise;
      },
      async cancel() {
        seen.isLetGo = true;
        ended.resolve({ done: true, value: undefined });
      },
    };
    return { rest, seen };
  }

  test("ends after so many bytes", async () => {
    const { rest, seen } = endless(100);
    expect(await new Response(sayAndThrowAway(text, rest, { bytes: 1000, ms: 1e6 })).text()).toBe(text);
    expect(seen.looks).toBe(10);
  });

  test("or after a while", async () => {
    const { rest, seen } = endless(0);
    expect(await new Response(sayAndThrowAway(text, rest, { bytes: 1000, ms: 5 })).text()).toBe(text);
    expect(seen.isLetGo).toBe(true);
  });

  test("or when the client is gone, before or while it is read", async () => {
    const gone = { read: () => Promise.reject(new Error("gone")), cancel: async () => undefined };
    expect(await new Response(sayAndThrowAway(text, gone, { bytes: 1, ms: 1e6 })).text()).toBe(text);
    const { rest, seen } = endless(0);
    await sayAndThrowAway(text, rest, { bytes: 1000, ms: 1e6 }).cancel();
    expect(seen.isLetGo).toBe(true);
  });
});
