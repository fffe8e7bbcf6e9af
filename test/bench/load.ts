// A load generator in a process of its own: `bun test/bench/load.ts <json>` keeps a number of connections busy for a
// while and prints what it saw. Raw sockets, one request at a time on each, so that it costs less than what it measures.

/** What to send and for how long. `{n}` in path and body becomes a number that is used once. */
export interface Load {
  readonly port: number;
  readonly connections: number;
  readonly seconds: number;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Where the numbering starts, so that two loads never repeat a number. */
  readonly from: number;
  readonly expect: number;
}

/** What came back. */
export interface LoadResult {
  readonly perSecond: number;
  readonly count: number;
  readonly unexpected: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** Runs a load in a child process. */
export async function runLoad(load: Load): Promise<LoadResult> {
  const child = Bun.spawn([process.execPath, import.meta.path, JSON.stringify(load)], { stdout: "pipe" });
  return JSON.parse(await new Response(child.stdout).text());
}

function requestText(load: Load, n: number): string {
  const body = load.body?.replaceAll("{n}", String(n)) ?? "";
  const headers = Object.entries(load.headers).map(
    ([name, value]) => `${name}: ${value.replaceAll("{n}", String(n))}\r\n`,
  );
  const length = load.body === undefined ? "" : `content-length: ${Buffer.byteLength(body)}\r\n`;
  const path = load.path.replaceAll("{n}", String(n));
  return `${load.method} ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n${headers.join("")}${length}\r\n${body}`;
}

/** The length of a complete answer at the start of `text` and its status, or null when more must arrive. */
function readAnswer(text: string): { readonly length: number; readonly status: number } | null {
  const end = text.indexOf("\r\n\r\n");
  if (end < 0) return null;
  const contentLength = Number(/\r\ncontent-length: *(\d+)/i.exec(text.slice(0, end + 2))?.[1] ?? 0);
  const length = end + 4 + contentLength;
  return text.length < length ? null : { length, status: Number(text.slice(9, 12)) };
}

async function generate(load: Load): Promise<LoadResult> {
  const times: number[] = [];
  let [n, unexpected] = [load.from, 0];
  const started = performance.now();
  const until = started + load.seconds * 1000;
  const { promise, resolve } = Promise.withResolvers<void>();
  let open = load.connections;
  for (let i = 0; i < load.connections; i++) {
    let [buffered, sentAt] = ["", 0];
    const send = (socket: Bun.Socket) => {
      if (performance.now() >= until) {
        socket.end();
        if (--open === 0) resolve();
        return;
      }
      sentAt = performance.now();
      socket.write(requestText(load, n++));
    };
    await Bun.connect({
      hostname: "127.0.0.1",
      port: load.port,
      socket: {
        open: send,
        data(socket, chunk) {
          buffered += chunk.toString("latin1");
          const answer = readAnswer(buffered);
          if (!answer) return;
          buffered = buffered.slice(answer.length);
          times.push(performance.now() - sentAt);
          if (answer.status !== load.expect) unexpected++;
          send(socket);
        },
      },
    });
  }
  await promise;
  const seconds = (performance.now() - started) / 1000;
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
  return { perSecond: times.length / seconds, count: times.length, unexpected, p50Ms: at(0.5), p99Ms: at(0.99) };
}

if (import.meta.main) process.stdout.write(JSON.stringify(await generate(JSON.parse(process.argv[2] ?? "{}"))));
