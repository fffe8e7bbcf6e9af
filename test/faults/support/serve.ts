// The program under a fault: its system calls fail, its disk is small, its limits are low. Faults come from strace
// (on a data directory's files only), prlimit and tmpfs; what a machine does not allow is told, so that tests can skip.
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { A_WHILE, BRIEFLY, PROGRAM, programEnvironment } from "../../kit/program.ts";

/** Whether strace may trace here. */
export const canTrace = Bun.which("strace") !== null && succeeds("strace", "-o", "/dev/null", "true");

const PATIENCE_MS = 60_000;
/** How long any process may live: a test that hangs fails with words and leaves nothing behind. */
const LIFE_MAX_MS = 600_000;
/** What ends a program that strace was too late to attach to, on a busy machine: it never began. */
const NEVER_BEGAN = "SIGALRM";
/** The names of what a data directory's databases consist of. */
const DATABASE_FILES = ["captable.db", "captable.db-wal", "captable.db-journal"];

function succeeds(...command: string[]): boolean {
  return Bun.spawnSync(command, { stdout: "ignore", stderr: "ignore" }).exitCode === 0;
}

/** A fault in system calls on a data directory's files. */
export interface CallFault {
  /** The calls, for instance `fsync,fdatasync`. */
  readonly calls: string;
  /** What happens, in strace's words: `error=EIO` or `signal=SIGKILL`. */
  readonly fault: string;
  /** Which calls of a thread, in strace's words: `7` the seventh alone, `7+` from then on, `7..20` up to the twentieth. */
  readonly when: string;
  /** Files in the data directory; by default the ledger database's. */
  readonly files?: readonly string[];
}

/** The command line before the program's, which makes calls fail. The program keeps its process id and exit status. */
export function failing(dataDir: string, ...faults: readonly CallFault[]): string[] {
  const files = new Set(faults.flatMap((fault) => fault.files ?? DATABASE_FILES));
  const paths = [...files].flatMap((name) => ["-P", join(dataDir, name)]);
  const trace = `trace=${faults.map(({ calls }) => calls).join(",")}`;
  const injected = faults.flatMap(({ calls, fault, when }) => ["-e", `inject=${calls}:${fault}:when=${when}`]);
  return ["strace", "-D", "-f", "-qqq", "-o", "/dev/null", ...paths, "-e", trace, ...injected];
}

/** How a process ended; `signal` where one ended it. */
export interface End {
  readonly status: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** What a fault test calls the API with. An answer that does not come is null. */
export type Call = (method: string, path: string, body?: unknown, key?: string) => Promise<Reply | null>;

/** An answer, read whole. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** A server that was started under a fault. */
export interface Running {
  /** Null where it ended before it served. */
  readonly url: string | null;
  readonly pid: number;
  readonly call: Call;
  readonly ended: Promise<End>;
  /** Sends a signal and waits for the end. */
  end(signal?: "SIGTERM" | "SIGKILL"): Promise<End>;
}

function start(under: readonly string[], args: readonly string[], program: readonly string[]) {
  return Bun.spawn([...under, ...program, ...args], {
    // Bun's cache of compiled sources would be written through the same calls.
    env: programEnvironment({
      ...(args[0] === "serve" ? A_WHILE : BRIEFLY),
      CAPTABLE_RATE_LIMIT: "0",
      CAPTABLE_LOG: "off",
      BUN_RUNTIME_TRANSPILER_CACHE_PATH: "0",
    }),
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
}

type Child = ReturnType<typeof start>;

async function endOf(child: Child, stdout: Promise<string>, stderr: Promise<string>): Promise<End> {
  const timer = setTimeout(() => child.kill("SIGKILL"), LIFE_MAX_MS);
  await child.exited;
  clearTimeout(timer);
  const signal = child.signalCode === null ? null : String(child.signalCode);
  const status = signal === null ? child.exitCode : null;
  return { status, signal, stdout: await stdout, stderr: await stderr };
}

/** Runs a command of the program to its end, under a fault. */
export async function runUnder(
  under: readonly string[],
  args: readonly string[],
  program: readonly string[] = PROGRAM,
): Promise<End> {
  const child = start(under, args, program);
  const end = await endOf(child, new Response(child.stdout).text(), new Response(child.stderr).text());
  return end.signal === NEVER_BEGAN ? await runUnder(under, args, program) : end;
}

/** Starts `serve` under a fault, and waits until it serves or has ended. */
export async function serveUnder(
  under: readonly string[],
  dataDir: string,
  key: string,
  program: readonly string[] = PROGRAM,
): Promise<Running> {
  const child = start(under, ["serve", "--data-dir", dataDir, "--port", "0"], program);
  const listening = Promise.withResolvers<string | null>();
  const stderr = (async () => {
    let said = "";
    for await (const text of child.stderr.pipeThrough(new TextDecoderStream())) {
      said += text;
      const url = /serving (http:\/\/\S+?),/.exec(said)?.[1];
      if (url !== undefined) listening.resolve(url);
    }
    return said;
  })();
  const ended = endOf(child, new Response(child.stdout).text(), stderr);
  void ended.then(() => listening.resolve(null));
  const url = await listening.promise;
  if (url === null && (await ended).signal === NEVER_BEGAN) return await serveUnder(under, dataDir, key, program);
  const running: Running = {
    url,
    pid: child.pid,
    ended,
    async call(method, path, body, idempotencyKey) {
      const headers: Record<string, string> = { authorization: `Bearer ${key}`, "content-type": "application/json" };
      if (idempotencyKey !== undefined) headers["idempotency-key"] = idempotencyKey;
      const init: RequestInit = { method, headers, signal: AbortSignal.timeout(PATIENCE_MS) };
      if (body !== undefined) init.body = body instanceof Uint8Array ? Buffer.from(body) : JSON.stringify(body);
      try {
        const answer = await fetch(
          `${url}${path.startsWith("/api/") || path.startsWith("/readyz") ? "" : "/api/v1"}${path}`,
          init,
        );
        return { status: answer.status, headers: answer.headers, text: await answer.text() };
      } catch (error) {
        if (error instanceof Error && error.name === "TimeoutError") throw error;
        return null;
      }
    },
    end(signal = "SIGTERM") {
      child.kill(signal);
      return ended;
    },
  };
  alive.add(running);
  void ended.then(() => alive.delete(running));
  return running;
}

/** The servers that have not ended. */
const alive = new Set<Running>();

/** A disk of its own in memory, or null where this user may not mount one. */
export interface SmallDisk {
  readonly path: string;
  /** Makes it larger or smaller. */
  resize(bytes: number): void;
  unmount(): void;
}

/** Mounts a disk of `bytes` bytes. */
export function mountSmallDisk(bytes: number): SmallDisk | null {
  const path = mkdtempSync(join(tmpdir(), "captable-disk-"));
  if (!succeeds("mount", "-t", "tmpfs", "-o", `size=${bytes}`, "none", path)) {
    rmSync(path, { recursive: true });
    return null;
  }
  return {
    path,
    resize(size) {
      if (!succeeds("mount", "-o", `remount,size=${size}`, path)) throw new Error(`${path} cannot be ${size} bytes`);
    },
    unmount() {
      Bun.spawnSync(["umount", "-l", path]);
      rmSync(path, { recursive: true, force: true });
    },
  };
}

/** A copy of a data directory, which `remove` takes away again. */
export function copyOf(template: string): { readonly dataDir: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), "captable-fault-"));
  const dataDir = join(folder, "data");
  cpSync(template, dataDir, { recursive: true });
  return { dataDir, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Runs `work` on each item, a few at once: a fault test mostly waits. Where one throws, what all of them served is ended. */
export async function eachOf<T>(items: readonly T[], work: (item: T) => Promise<void>, atOnce = 3): Promise<void> {
  const before = new Set(alive);
  const waiting = [...items];
  const lane = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item);
  };
  try {
    await Promise.all(Array.from({ length: atOnce }, lane));
  } catch (error) {
    waiting.length = 0;
    for (const each of alive) if (!before.has(each)) await each.end("SIGKILL");
    throw error;
  }
}

/** How many of these calls on the ledger database's files a server makes until it serves. */
export async function countCalls(dataDir: string, calls: string, key: string): Promise<number> {
  const log = join(dataDir, "calls");
  const paths = DATABASE_FILES.flatMap((name) => ["-P", join(dataDir, name)]);
  const under = ["strace", "-D", "-f", "-qqq", "-o", log, ...paths, "-e", `trace=${calls}`];
  const running = await serveUnder(under, dataDir, key);
  const count = readFileSync(log, "utf8").split("\n").length - 1;
  await running.end("SIGKILL");
  return count;
}
