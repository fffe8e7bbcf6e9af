// Limited process: runs work on untrusted input in a process of its own and ends it beyond a limit of time or memory. A
// watch from outside enforces both; behind it stands the system's limit of private memory (`ulimit -d`). A limit of the
// address space would end every run, since JavaScriptCore reserves far more than it uses.
import { existsSync, readFileSync } from "node:fs";
import { getPriority, setPriority } from "node:os";

const SHELL = "/bin/sh";
const LOOK_MS = 20;
/** How often processor time is counted in a second, on every Linux (`USER_HZ`). */
const TICKS = 100;

/** The limits of a process. */
export interface Limits {
  /** Resident memory. */
  readonly bytes: number;
  /** The system's own limit of private memory, for growth between two looks of the watch; by default `bytes`. */
  readonly privateBytes?: number;
  /** Milliseconds from its start. */
  readonly ms?: number;
  /** Milliseconds of processor time, of all its threads together. */
  readonly processorMs?: number;
}

/** Why a process was ended. */
export type Exceeded = "time" | "memory";

/** The result of a process; `exceeded` says why it was ended, null if it ended by itself. */
export interface LimitedEnd {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly exceeded: Exceeded | null;
}

/** A process that is being watched. */
export interface Watched {
  /** Why it was ended; null while it runs, and if it ended by itself. */
  readonly exceeded: () => Exceeded | null;
  /** The most resident memory seen. */
  readonly mostBytes: () => number;
  /** Settles when it has ended. */
  readonly ended: Promise<void>;
}

/** Watches a process until it ends, and ends it beyond the limits. */
export function watch(child: Bun.Subprocess, { bytes, ms, processorMs }: Limits): Watched {
  let exceeded: Exceeded | null = null;
  let mostBytes = 0;
  const end = (why: Exceeded) => {
    exceeded ??= why;
    child.kill("SIGKILL");
  };
  const take = (usage: Usage | null) => {
    if (usage === null) return;
    mostBytes = Math.max(mostBytes, usage.bytes);
    if (usage.bytes > bytes) end("memory");
    else if (processorMs !== undefined && usage.processorMs > processorMs) end("time");
  };
  let isLooking = false;
  const look = async () => {
    if (isLooking) return;
    isLooking = true;
    take(await usageOf(child.pid));
    isLooking = false;
  };
  const looks = setInterval(() => void look(), LOOK_MS);
  const timer = ms === undefined ? null : setTimeout(() => end("time"), ms);
  const ended = child.exited.then(() => {
    clearInterval(looks);
    if (timer !== null) clearTimeout(timer);
  });
  return { exceeded: () => exceeded, mostBytes: () => mostBytes, ended };
}

/**
 * Has a process that was just begun give way to others: it gets the processor where they leave it. One that does so
 * more already, as a service that was begun with `nice` has it, stays as it is.
 */
export function runBehindOthers(pid: number, priority: number): void {
  try {
    setPriority(pid, Math.max(priority, getPriority(pid)));
  } catch {
    // It has ended already, or the system has no priorities.
  }
}

/** Runs a command to its end, within the limits. */
export async function runLimited(command: readonly string[], limits: Limits): Promise<LimitedEnd> {
  const child = Bun.spawn(underLimit(command, limits), { stdin: "ignore", stdout: "pipe", stderr: "pipe" });
  const watched = watch(child, limits);
  const [stdout, stderr] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  await watched.ended;
  return { status: child.exitCode, stdout, stderr, exceeded: watched.exceeded() };
}

/** The command, started under the system's limit of private memory if it has one. */
export function underLimit(command: readonly string[], limits: Limits): string[] {
  const { bytes, privateBytes = bytes, processorMs } = limits;
  if (!existsSync(SHELL)) return [...command];
  // Limits a process that outlives its watch.
  const seconds = processorMs === undefined ? "" : `ulimit -t ${Math.ceil((2 * processorMs) / 1000)} 2>/dev/null; `;
  // A lower limit that is set already stays.
  const script = `${seconds}ulimit -d ${Math.floor(privateBytes / 1024)} 2>/dev/null; exec "$@"`;
  return [SHELL, "-c", script, SHELL, ...command];
}

/** The current use of a process. */
interface Usage {
  /** Resident memory: the peak, if the system reports it. */
  readonly bytes: number;
  readonly processorMs: number;
}

/** Whether the system reports processes as Linux does. */
const hasProc = existsSync("/proc/self/stat");

/** Null if the process has ended. */
async function usageOf(pid: number): Promise<Usage | null> {
  if (hasProc) return usageInProc(pid);
  const said = Bun.spawn(["ps", "-o", "rss=,time=", "-p", String(pid)], { stdout: "pipe", stderr: "ignore" });
  const [rss = "", time = ""] = (await new Response(said.stdout).text()).trim().split(/\s+/);
  return rss === "" ? null : { bytes: Number(rss) * 1024, processorMs: secondsOf(time) * 1000 };
}

function usageInProc(pid: number): Usage | null {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    const kilobytes = /^VmHWM:\s+(\d+)/m.exec(status)?.[1] ?? /^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0;
    // The program's name, the second field, may contain any character.
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const ticks = Number(fields[11]) + Number(fields[12]);
    return { bytes: Number(kilobytes) * 1024, processorMs: (ticks * 1000) / TICKS };
  } catch {
    return null;
  }
}

/** Parses `[days-]hours:minutes:seconds` or `minutes:seconds`. */
function secondsOf(time: string): number {
  const [clock = "", days = "0"] = time.split("-").reverse();
  return clock.split(":").reduce((sum, part) => sum * 60 + Number(part), 0) + Number(days) * 86_400;
}
