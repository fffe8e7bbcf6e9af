// Runs work that may be led astray by what it reads in a process of its own, which is ended when it takes too long or too
// much memory. The memory limit is the system's own for private memory (`ulimit -d`): one for the address space, of which
// JavaScriptCore reserves far more than it uses, would end every run. Where the system does not heed it, what the process
// holds is watched as well.
import { existsSync, readFileSync } from "node:fs";

const SHELL = "/bin/sh";
const LOOK_MS = 250;
const PAGE_BYTES = 4096;

/** How much a process may take. */
export interface Limits {
  readonly ms: number;
  readonly bytes: number;
}

/** What a process left behind; `exceeded` says why it was ended, null when it ended by itself. */
export interface LimitedEnd {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly exceeded: "time" | "memory" | null;
}

/** Runs a command to its end, within the limits. */
export async function runLimited(command: readonly string[], { ms, bytes }: Limits): Promise<LimitedEnd> {
  const child = Bun.spawn(underLimit(command, bytes), { stdin: "ignore", stdout: "pipe", stderr: "pipe" });
  let exceeded: LimitedEnd["exceeded"] = null;
  const end = (why: "time" | "memory") => {
    exceeded ??= why;
    child.kill("SIGKILL");
  };
  const timer = setTimeout(() => end("time"), ms);
  const watch = setInterval(() => {
    if (bytesHeld(child.pid) > bytes) end("memory");
  }, LOOK_MS);
  try {
    const [stdout, stderr] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
    await child.exited;
    return { status: child.exitCode, stdout, stderr, exceeded };
  } finally {
    clearTimeout(timer);
    clearInterval(watch);
  }
}

function underLimit(command: readonly string[], bytes: number): string[] {
  if (!existsSync(SHELL)) return [...command];
  // A lower limit that is set already stays.
  const script = `ulimit -d ${Math.floor(bytes / 1024)} 2>/dev/null; exec "$@"`;
  return [SHELL, "-c", script, SHELL, ...command];
}

/** How much memory a process holds at this moment; 0 where that cannot be told. */
function bytesHeld(pid: number): number {
  const status = `/proc/${pid}/statm`;
  try {
    if (existsSync(status)) return Number(readFileSync(status, "utf8").split(" ")[1]) * PAGE_BYTES;
    const said = Bun.spawnSync(["ps", "-o", "rss=", "-p", String(pid)]).stdout.toString();
    return Number(said) * 1024 || 0;
  } catch {
    return 0;
  }
}
