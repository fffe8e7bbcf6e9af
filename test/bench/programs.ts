// Everything that is measured runs in a process of its own: the service, the static server, commands and bare scripts.
// What is not being measured at the moment is paused, so that its work in the background disturbs no measurement.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cpuMsOf } from "./cpu.ts";
import { type LoadResult, type Requests, runLoad } from "./load.ts";

/** The checkout. */
export const ROOT = join(import.meta.dir, "../..");
const SETTLING_MS = 100;

/** How to start the program: the built one where BENCH_BINARY names it, else from its sources. */
export const PROGRAM: readonly string[] = process.env.BENCH_BINARY
  ? [process.env.BENCH_BINARY]
  : [process.execPath, join(ROOT, "cli/main.ts")];

/** Loads may say that they come from several addresses. */
const FROM_ANYWHERE = { CAPTABLE_TRUSTED_PROXY: "loopback" };
const ENVIRONMENT = { ...process.env, ...FROM_ANYWHERE, CAPTABLE_RATE_LIMIT: "0", CAPTABLE_LOG: "off" };

const servers = new Set<Bun.Subprocess>();
process.on("exit", () => {
  for (const child of servers) child.kill("SIGKILL");
});

/** A server in a process of its own; disposing of it ends it. */
export class Server implements AsyncDisposable {
  readonly #child: Bun.Subprocess;

  constructor(
    child: Bun.Subprocess,
    readonly port: number,
  ) {
    this.#child = child;
    servers.add(child);
  }

  /** Stops the process's clock, as it were. */
  pause(): void {
    this.#child.kill("SIGSTOP");
  }

  /** Lets a paused process go on, and gives it a moment to settle. */
  async resume(): Promise<void> {
    this.#child.kill("SIGCONT");
    await Bun.sleep(SETTLING_MS);
  }

  /** Runs a load against the server. */
  load(requests: Requests): Promise<LoadResult> {
    return runLoad({ ...requests, port: this.port });
  }

  /** What processor time the process has taken so far, in milliseconds. */
  cpuMs(): number {
    return cpuMsOf(this.#child.pid);
  }

  /** How much memory the process holds now, in MB. */
  megabytes(): number {
    const said = Bun.spawnSync(["ps", "-o", "rss=", "-p", String(this.#child.pid)]).stdout.toString();
    return (Number(said) * 1024) / 1e6;
  }

  /** The most memory that the process ever held, in MB; of Linux alone. */
  peakMegabytes(): number {
    return this.#status("VmHWM");
  }

  /** How much memory is the process's own, in MB: the rest are pages of files, which the system takes back. */
  ownMegabytes(): number {
    return this.#status("RssAnon");
  }

  #status(name: string): number {
    const status = readFileSync(`/proc/${this.#child.pid}/status`, "utf8");
    const [, kilobytes] = new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(status) ?? [];
    return (Number(kilobytes) * 1024) / 1e6;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill("SIGCONT");
    this.#child.kill("SIGTERM");
    await this.#child.exited;
    servers.delete(this.#child);
  }
}

/** The service on a data directory whose first key is in its `admin.key`. */
export class Service extends Server {
  readonly headers: Readonly<Record<string, string>>;

  constructor(child: Bun.Subprocess, port: number, key: string) {
    super(child, port);
    this.headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  }

  /** Calls the API; throws unless it succeeds. Returns the body as text. */
  async call(method: string, path: string, body?: unknown): Promise<string> {
    const init: RequestInit = { method };
    if (body !== undefined) init.body = JSON.stringify(body);
    return (await this.fetch(path, init)).text();
  }

  /** Asks the API as it is told, with the key besides; throws unless it succeeds. The body is still to be read. */
  async fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers({ ...this.headers, ...(init.headers as Record<string, string> | undefined) });
    const answer = await fetch(`http://127.0.0.1:${this.port}/api/v1${path}`, { ...init, headers });
    if (!answer.ok) throw new Error(`${init.method ?? "GET"} ${path}: ${answer.status} ${await answer.text()}`);
    return answer;
  }

  /** How long a call takes, in milliseconds. */
  async timed(method: string, path: string, body?: unknown): Promise<number> {
    const started = performance.now();
    await this.call(method, path, body);
    return performance.now() - started;
  }
}

/** Where the first key of a data directory stands. */
export const KEY_FILE = "admin.key";

/** The first key of a data directory. */
export function keyOf(dataDir: string): string {
  return readFileSync(join(dataDir, KEY_FILE), "utf8").trim();
}

/** Gives a data directory that no service made a first key. */
export async function makeKey(dataDir: string, program = PROGRAM): Promise<void> {
  const create = ["keys", "create", "--name", "Bench", "--role", "ADMIN", "--data-dir", dataDir];
  const { stdout } = await run([...program, ...create]);
  writeFileSync(join(dataDir, KEY_FILE), stdout);
}

/** A port that was free a moment ago. */
export function freePort(): number {
  const listener = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data: () => undefined } });
  listener.stop(true);
  return listener.port;
}

/** Starts the service and waits until it says that it listens; on any free port unless one is given. */
export async function startService(
  dataDir: string,
  port = 0,
  program = PROGRAM,
  environment: Record<string, string> = {},
): Promise<Service> {
  const child = Bun.spawn([...program, "serve", "--data-dir", dataDir, "--port", String(port)], {
    env: { ...ENVIRONMENT, ...environment },
    stdout: "ignore",
    stderr: "pipe",
  });
  let said = "";
  for await (const text of child.stderr.pipeThrough(new TextDecoderStream())) {
    said += text;
    if (/serving http\S+,/.test(said)) break;
  }
  const listening = /serving http:\S+:(\d+),/.exec(said)?.[1];
  if (listening === undefined) throw new Error(`serve ended: ${said}`);
  return new Service(child, Number(listening), keyOf(dataDir));
}

/** Starts the static server, which says `text` to everybody. */
export async function startStatic(text: string): Promise<Server> {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "static.ts"), text], { stdout: "pipe" });
  let said = "";
  for await (const part of child.stdout.pipeThrough(new TextDecoderStream())) {
    said += part;
    if (said.endsWith("\n")) break;
  }
  return new Server(child, Number(said));
}

/** What a command did. */
export interface Done {
  readonly stdout: string;
  readonly seconds: number;
  /** What processor time it took, in milliseconds. */
  readonly cpuMs: number;
  /** The most memory it held, in MB. */
  readonly peakMegabytes: number;
}

/** Runs a command to its end; throws unless it succeeds. */
export async function run(command: readonly string[], environment: Record<string, string> = {}): Promise<Done> {
  const started = performance.now();
  const child = Bun.spawn([...command], { env: { ...ENVIRONMENT, ...environment }, stdout: "pipe", stderr: "inherit" });
  const stdout = await new Response(child.stdout).text();
  const status = await child.exited;
  if (status !== 0) throw new Error(`${command.join(" ")} ended with status ${status}`);
  const seconds = (performance.now() - started) / 1000;
  const used = child.resourceUsage();
  const cpuMs = Number(used?.cpuTime.total ?? Number.NaN) / 1000;
  return { stdout, seconds, cpuMs, peakMegabytes: (used?.maxRSS ?? Number.NaN) / 1e6 };
}

/** Runs a command of the program. */
export function captable(...args: string[]): Promise<Done> {
  return run([...PROGRAM, ...args]);
}

/** Runs a script of this folder and returns the JSON that it prints. */
export async function script(name: string, ...args: string[]) {
  return JSON.parse((await run([process.execPath, join(import.meta.dir, name), ...args])).stdout);
}
