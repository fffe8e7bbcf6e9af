// The connection to an endpoint against receivers of every kind: what each comes to, that nothing holds it longer than it
// may take, and that it goes to no other address than the one that was judged.
import { afterEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import https from "node:https";
import net, { type AddressInfo } from "node:net";
import { Connection, type Resolve, type Sent } from "../../../src/exchange/webhooks/connection.ts";
import { type AllowedAddresses, PUBLIC_ADDRESSES, readRange } from "../../../src/kernel/text/network-address.ts";
import { CERTIFICATE, CERTIFICATE_KEY, ROOT } from "./certificates.ts";
import { startReceiver, status } from "./receiver.ts";

setDefaultTimeout(30_000);

const LOOPBACK: AllowedAddresses = {
  isPublic: true,
  ranges: [readRange("127.0.0.0/8")].filter((range) => range !== null),
};
const stops: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

const nowMs = () => 1_790_000_000_000;

function connect(given: Partial<ConstructorParameters<typeof Connection>[0]> = {}): Connection {
  const connection = new Connection({ allowed: LOOPBACK, nowMs, requestMs: 400, ...given });
  stops.push(() => connection.close());
  return connection;
}

/** A server that does as it is told with each connection; how many it had, and how many bytes it could write. */
async function startRaw(serve: (socket: net.Socket) => void) {
  const open = new Set<net.Socket>();
  const seen = { connections: 0, requests: 0 };
  const server = net.createServer((socket) => {
    seen.connections++;
    open.add(socket);
    socket.on("error", () => undefined);
    socket.on("close", () => open.delete(socket));
    socket.on("data", (bytes) => {
      if (!bytes.toString().startsWith("POST")) return;
      seen.requests++;
      serve(socket);
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  stops.push(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, seen };
}

const send = (connection: Connection, url: string): Promise<Sent> =>
  connection.send({ url, headers: { "webhook-id": "evt_1" }, body: '{"a":1}' });

/** What it comes to, and that it does so in time. */
async function outcome(connection: Connection, url: string): Promise<string> {
  const began = performance.now();
  const { error, responseStatus } = await send(connection, url);
  expect(performance.now() - began).toBeLessThan(5000);
  return `${responseStatus} ${error}`;
}

describe("a receiver that answers", () => {
  test("with 2xx has it; anything else is told by its status, and no redirect is followed", async () => {
    const receiver = await startReceiver();
    const elsewhere = await startReceiver();
    stops.push(
      () => receiver.stop(),
      () => elsewhere.stop(),
    );
    const connection = connect();
    for (const [code, error] of [
      ...[
        [200, null],
        [201, null],
        [204, null],
        [299, null],
        [400, "status"],
        [404, "status"],
        [410, "status"],
      ],
      ...[
        [429, "status"],
        [500, "status"],
        [503, "status"],
        [599, "status"],
      ],
      ...[
        [301, "redirect"],
        [302, "redirect"],
        [307, "redirect"],
        [308, "redirect"],
        [304, "redirect"],
      ],
    ] as [number, string | null][]) {
      receiver.answer = status(code, { location: elsewhere.url });
      expect(await outcome(connection, receiver.url)).toBe(`${code} ${error}`);
    }
    expect(elsewhere.received).toEqual([]);
    expect(receiver.received.every(({ body, method }) => body === '{"a":1}' && method === "POST")).toBe(true);
  });

  test("may ask to wait by 429 and 503, for a day at most; by no other status", async () => {
    const receiver = await startReceiver();
    stops.push(() => receiver.stop());
    const connection = connect();
    const wait = async (code: number, text: string) => {
      receiver.answer = status(code, { "retry-after": text });
      return (await send(connection, receiver.url)).retryAfterMs;
    };
    expect(await wait(429, "7")).toBe(7000);
    expect(await wait(503, "999999999")).toBe(86_400_000);
    expect(await wait(503, new Date(nowMs() + 60_000).toUTCString())).toBe(60_000);
    expect(await wait(503, new Date(nowMs() - 60_000).toUTCString())).toBe(0);
    expect(await wait(429, "-5")).not.toBe(-5000);
    expect(await wait(429, "soon")).toBeNull();
    expect(await wait(500, "7")).toBeNull();
  });

  test("keeps one connection, which is made again when it was closed", async () => {
    let answers = 0;
    const raw = await startRaw((socket) => {
      socket.write("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok");
      if (++answers % 3 === 0) socket.end();
    });
    const connection = connect({ requestMs: 4000 });
    for (let each = 0; each < 9; each++) {
      expect(await outcome(connection, raw.url)).toBe("200 null");
      await Bun.sleep(20);
    }
    expect(raw.seen).toEqual({ connections: 3, requests: 9 });
  });

  test("too much is let go after 64 KiB, however it comes", async () => {
    let written = 0;
    const flood = (head: string) => (socket: net.Socket) => {
      socket.write(head);
      const piece = Buffer.alloc(65_536, "a");
      const pour = () => {
        while (!socket.destroyed && written < 2 ** 30) {
          written += piece.length;
          if (!socket.write(piece)) return void socket.once("drain", pour);
        }
      };
      pour();
    };
    for (const head of ["content-length: 1073741824", "x: y"]) {
      const raw = await startRaw(flood(`HTTP/1.1 200 OK\r\n${head}\r\n\r\n`));
      expect(await outcome(connect({ requestMs: 4000 }), raw.url)).toBe("200 response-too-large");
    }
    expect(written).toBeLessThan(64 * 2 ** 20);
    const receiver = await startReceiver();
    stops.push(() => receiver.stop());
    receiver.answer = (_received, response) => void response.end("a".repeat(64 * 1024));
    expect(await outcome(connect({ requestMs: 4000 }), receiver.url)).toBe("200 null");
  });

  test("nothing, half a header, a body without end, or a drop at a time is given up in time", async () => {
    const drip = (text: string) => (socket: net.Socket) => {
      socket.write(text);
      const dripping = setInterval(() => socket.write("a"), 20);
      socket.on("close", () => clearInterval(dripping));
    };
    for (const serve of [
      () => undefined,
      (socket: net.Socket) => socket.write("HTTP/1.1 200 OK\r\ncontent-len"),
      (socket: net.Socket) => socket.write("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n"),
      drip("HTTP/1.1 200 OK\r\nx: "),
      drip("HTTP/1.1 200 OK\r\ncontent-length: 9999\r\n\r\n"),
      (socket: net.Socket) => socket.write("HTTP/1.1 100 Continue\r\n\r\n".repeat(50)),
    ]) {
      const raw = await startRaw(serve as (socket: net.Socket) => void);
      expect(await outcome(connect(), raw.url)).toMatch(/^(?:null|200) timeout$/);
      expect(raw.seen.requests).toBe(1);
    }
  });

  test("what is no answer is a failed connection, once", async () => {
    for (const serve of [
      (socket: net.Socket) => socket.destroy(),
      (socket: net.Socket) => socket.end("SSH-2.0-OpenSSH_9\r\n"),
      (socket: net.Socket) => socket.end("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf"),
    ]) {
      const raw = await startRaw(serve);
      expect(await outcome(connect(), raw.url)).toMatch(/^(?:null|200) (?:connect|timeout)$/);
      expect(raw.seen.requests).toBe(1);
    }
    const nowhere = await startReceiver();
    await nowhere.stop();
    expect(await outcome(connect(), nowhere.url)).toBe("null connect");
  });

  test("a header without end is let go", async () => {
    const raw = await startRaw((socket) => void socket.write(`HTTP/1.1 200 OK\r\n${"x: y\r\n".repeat(200_000)}\r\n`));
    expect(await outcome(connect({ requestMs: 4000 }), raw.url)).toMatch(/^null (?:response-too-large|connect)$/);
  });
});

describe("a name", () => {
  /** Resolves to each of these lists in turn. */
  function resolving(...answers: readonly (readonly string[])[]): Resolve & { count(): number } {
    let count = 0;
    const resolve: Resolve = (_name, done) => {
      const found = answers[Math.min(count++, answers.length - 1)] ?? [];
      const addresses = found.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
      done(addresses.length === 0 ? new Error("no such name") : null, addresses);
    };
    return Object.assign(resolve, { count: () => count });
  }

  test("is sent to at the address that was judged, and resolved anew with each connection", async () => {
    const receiver = await startReceiver();
    stops.push(() => receiver.stop());
    const resolve = resolving(["127.0.0.1"]);
    const connection = connect({ resolve });
    const url = `http://hooks.example.test:${receiver.port}/hook`;
    for (let each = 0; each < 3; each++) expect(await outcome(connection, url)).toBe("200 null");
    expect(resolve.count()).toBe(1);
    connection.close();
    expect(await outcome(connection, url)).toBe("200 null");
    expect(resolve.count()).toBe(2);
    expect(receiver.received[0]?.headers.host).toBe(`hooks.example.test:${receiver.port}`);
  });

  test("that is another machine of ours at the second look is not sent to", async () => {
    const receiver = await startReceiver();
    stops.push(() => receiver.stop());
    // Only the first answer is allowed: the control shows that the other would have been reached.
    const allowed = { isPublic: false, ranges: [readRange("127.0.0.2/32")].filter((range) => range !== null) };
    const url = `http://hooks.example.test:${receiver.port}/hook`;
    const resolve = resolving(["127.0.0.2"], ["127.0.0.1"]);
    const connection = connect({ allowed, resolve });
    expect(await outcome(connection, url)).toBe("null connect");
    expect(await outcome(connection, url)).toBe("null address-not-allowed");
    expect([resolve.count(), receiver.received.length]).toEqual([2, 0]);
    expect(await outcome(connect({ resolve: resolving(["127.0.0.1"]) }), url)).toBe("200 null");
  });

  test("of which one address is not allowed is not sent to at all", async () => {
    const receiver = await startReceiver();
    stops.push(() => receiver.stop());
    const url = `http://hooks.example.test:${receiver.port}/hook`;
    for (const found of [
      ["127.0.0.1", "10.0.0.1"],
      ["10.0.0.1", "127.0.0.1"],
      ["127.0.0.1", "::1"],
      ["::ffff:10.0.0.1"],
    ]) {
      expect(await outcome(connect({ resolve: resolving(found) }), url)).toBe("null address-not-allowed");
    }
    expect(await outcome(connect({ resolve: resolving([]) }), url)).toBe("null dns");
    expect(receiver.received).toEqual([]);
  });

  test("and an address in a URL are judged without a resolver, too", async () => {
    const receiver = await startReceiver();
    stops.push(() => receiver.stop());
    const connection = connect({ allowed: PUBLIC_ADDRESSES });
    for (const host of ["127.0.0.1", "2130706433", "0x7f.1", "[::ffff:127.0.0.1]", "[::1]", "localhost"]) {
      expect(await outcome(connection, `http://${host}:${receiver.port}/`)).toBe("null address-not-allowed");
    }
    expect(receiver.received).toEqual([]);
  });
});

describe("by TLS", () => {
  async function startTls(): Promise<{ readonly port: number; readonly received: string[] }> {
    const received: string[] = [];
    const server = https.createServer({ key: CERTIFICATE_KEY, cert: CERTIFICATE }, (request, response) => {
      received.push(request.headers.host ?? "");
      request.resume();
      response.end("taken");
    });
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    stops.push(() => {
      server.closeAllConnections();
      server.close();
    });
    return { port: (server.address() as AddressInfo).port, received };
  }
  const resolve: Resolve = (_name, done) => done(null, [{ address: "127.0.0.1", family: 4 }]);

  test("the certificate must be for the name, and of a root that is trusted", async () => {
    const { port, received } = await startTls();
    const url = (name: string) => `https://${name}:${port}/hook`;
    expect(await outcome(connect({ resolve, ca: ROOT, requestMs: 4000 }), url("hooks.example.test"))).toBe("200 null");
    expect(await outcome(connect({ resolve, ca: ROOT, requestMs: 4000 }), url("other.example.test"))).toBe("null tls");
    expect(await outcome(connect({ resolve, ca: ROOT, requestMs: 4000 }), url("127.0.0.1"))).toBe("null tls");
    expect(await outcome(connect({ resolve, requestMs: 4000 }), url("hooks.example.test"))).toBe("null tls");
    expect(received).toEqual([`hooks.example.test:${port}`]);
  });

  test("what is no TLS fails", async () => {
    const receiver = await startReceiver();
    stops.push(() => receiver.stop());
    const url = `https://hooks.example.test:${receiver.port}/`;
    expect(await outcome(connect({ resolve, requestMs: 4000 }), url)).toMatch(/^null (?:tls|connect)$/);
    expect(receiver.received).toEqual([]);
  });
});

test("variables that name a proxy change nothing", async () => {
  const proxy = await startReceiver();
  const receiver = await startReceiver();
  stops.push(
    () => proxy.stop(),
    () => receiver.stop(),
  );
  const names = ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY"];
  const before = names.map((name) => [name, Bun.env[name]] as const);
  for (const name of names) Bun.env[name] = proxy.url;
  try {
    expect(await outcome(connect(), receiver.url)).toBe("200 null");
  } finally {
    for (const [name, value] of before) {
      if (value === undefined) delete Bun.env[name];
      else Bun.env[name] = value;
    }
  }
  expect([proxy.received.length, receiver.received.length]).toEqual([0, 1]);
});
