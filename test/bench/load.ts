// The load generator, in a process of its own: `bun test/bench/load.ts <json>` keeps a number of connections busy for a
// while and prints what it saw. Raw sockets, one request at a time on each, so that it costs less than what it measures;
// what it does cost it says, because it shares the machine with the program.

/** What to send and for how long. `{n}` in headers and body becomes a number that is used once. */
export interface Requests {
  readonly connections: number;
  readonly seconds: number;
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Where the numbering starts, so that two loads never repeat a number. */
  readonly from: number;
  readonly expect: number;
}

/** Requests, and the server on this machine that they are for. */
export interface Load extends Requests {
  readonly port: number;
}

/** What came back. */
export interface LoadResult {
  readonly perSecond: number;
  readonly count: number;
  /** Answers with another status than expected. */
  readonly unexpected: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly worstMs: number;
  /** What share of one core the generator itself took. */
  readonly cpu: number;
}

/** Runs a load in a child process. */
export async function runLoad(load: Load): Promise<LoadResult> {
  const child = Bun.spawn([process.execPath, import.meta.path, JSON.stringify(load)], { stdout: "pipe" });
  const result: LoadResult = JSON.parse(await new Response(child.stdout).text());
  if (result.unexpected > 0) throw new Error(`${load.method} ${load.path}: ${result.unexpected} unexpected answers`);
  return result;
}

/** Makes the bytes of each request; the same every time where nothing is numbered. */
function requestMaker({ method, path, headers, body, from }: Load): () => Buffer {
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const fill = (text: string, n: number) => text.replaceAll("{n}", String(n));
  const make = (n: number) => {
    const content = fill(body ?? "", n);
    const length = body === undefined ? "" : `content-length: ${Buffer.byteLength(content)}\r\n`;
    return Buffer.from(
      `${method} ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n${fill(head.join(""), n)}${length}\r\n${content}`,
    );
  };
  const fixed = make(0);
  let n = from;
  return `${head}${body}`.includes("{n}") ? () => make(n++) : () => fixed;
}

/** Follows the answers on one connection. */
class Answers {
  #head: Buffer = Buffer.alloc(0);
  #missing = 0;

  /** Takes in bytes; returns the status of the answer that they complete, or null when more must arrive. */
  take(chunk: Buffer): number | null {
    if (this.#missing > 0) {
      this.#missing -= chunk.length;
    } else {
      this.#head = this.#head.length === 0 ? chunk : Buffer.concat([this.#head, chunk]);
      const end = this.#head.indexOf("\r\n\r\n");
      if (end < 0) return null;
      const length = /\r\ncontent-length: *(\d+)/i.exec(this.#head.toString("latin1", 0, end))?.[1] ?? 0;
      this.#missing = end + 4 + Number(length) - this.#head.length;
    }
    if (this.#missing > 0) return null;
    const status = Number(this.#head.toString("latin1", 9, 12));
    this.#head = Buffer.alloc(0);
    this.#missing = 0;
    return status;
  }
}

async function generate(load: Load): Promise<LoadResult> {
  const times: number[] = [];
  const nextRequest = requestMaker(load);
  const cpuBefore = process.cpuUsage();
  const started = performance.now();
  const until = started + load.seconds * 1000;
  const { promise, resolve } = Promise.withResolvers<void>();
  let unexpected = 0;
  let open = load.connections;
  for (let i = 0; i < load.connections; i++) {
    const answers = new Answers();
    let sentAt = 0;
    const send = (socket: Bun.Socket) => {
      sentAt = performance.now();
      if (sentAt < until) socket.write(nextRequest());
      else socket.end();
    };
    await Bun.connect({
      hostname: "127.0.0.1",
      port: load.port,
      socket: {
        open: send,
        data(socket, chunk) {
          const status = answers.take(chunk);
          if (status === null) return;
          times.push(performance.now() - sentAt);
          if (status !== load.expect) unexpected++;
          send(socket);
        },
        close() {
          if (--open === 0) resolve();
        },
      },
    });
  }
  await promise;
  const elapsedMs = performance.now() - started;
  const { user, system } = process.cpuUsage(cpuBefore);
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
  return {
    perSecond: (times.length / elapsedMs) * 1000,
    count: times.length,
    unexpected,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    worstMs: at(1),
    cpu: (user + system) / 1000 / elapsedMs,
  };
}

if (import.meta.main) process.stdout.write(JSON.stringify(await generate(JSON.parse(process.argv[2] ?? "{}"))));
