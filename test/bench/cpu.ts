// What processor time another process has taken, threads that have ended included, to the nanosecond: on a machine that
// others work on as well it says what a program costs, where the wall clock says how busy the machine is. Linux only.
import { dlopen, type Pointer, ptr } from "bun:ffi";

const CLOCK_OF_PROCESS = 2;
const library = process.platform === "linux" ? "libc.so.6" : null;
const clock =
  library === null
    ? null
    : dlopen(library, { clock_gettime: { args: ["i32", "ptr"], returns: "i32" } }).symbols.clock_gettime;

/** In milliseconds; not a number on another system than Linux. Throws where there is no such process. */
export function cpuMsOf(pid: number): number {
  if (clock === null) return Number.NaN;
  const time = new BigInt64Array(2);
  // As clock_getcpuclockid(3) makes the clock of a process.
  const status = clock((~pid << 3) | CLOCK_OF_PROCESS, ptr(time) as Pointer);
  if (status !== 0) throw new Error(`no process ${pid}`);
  return Number(time[0]) * 1000 + Number(time[1]) / 1e6;
}
