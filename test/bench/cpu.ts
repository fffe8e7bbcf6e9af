// What processor time another process has taken, threads that have ended included, to the nanosecond: on a machine that
// others work on as well it says what a program costs, where the wall clock says how busy the machine is. Linux only.
import { dlopen, type Pointer, ptr } from "bun:ffi";

const CLOCK_OF_PROCESS = 2;
const CLOCK_OF_THREAD = 3;
const library = process.platform === "linux" ? "libc.so.6" : null;
const clock =
  library === null
    ? null
    : dlopen(library, { clock_gettime: { args: ["i32", "ptr"], returns: "i32" } }).symbols.clock_gettime;

/** In milliseconds; not a number on another system than Linux. Throws where there is no such process. */
export function cpuMsOf(pid: number): number {
  // As clock_getcpuclockid(3) makes the clock of a process.
  const read = readClock((~pid << 3) | CLOCK_OF_PROCESS);
  if (read === null) throw new Error(`no process ${pid}`);
  return read;
}

/** Of the thread that asks, in milliseconds; not a number on another system than Linux. */
export function cpuMsOfThread(): number {
  return readClock(CLOCK_OF_THREAD) ?? Number.NaN;
}

/** Null where there is no such clock. */
function readClock(id: number): number | null {
  if (clock === null) return Number.NaN;
  const time = new BigInt64Array(2);
  return clock(id, ptr(time) as Pointer) === 0 ? Number(time[0]) * 1000 + Number(time[1]) / 1e6 : null;
}
