// What a program does to its files and says to others, as strace saw it: every write, flush and new name below one
// folder, with its bytes, and every answer. One log a thread, joined by time, so that several processes fit together.
import { mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

/** A system call that succeeded, or was cut off by the process's end (`result` null). */
export interface SystemCall {
  /** Which process made it; file descriptors belong to it. */
  readonly process: string;
  readonly name: string;
  readonly args: readonly string[];
  readonly result: string | null;
  /** Nanoseconds since the trace began: when it was called, and when it returned. */
  readonly at: number;
  readonly end: number;
}

/** Calls that change files, tell that they are on disk, or speak to others. */
const TRACED = [
  "openat,lseek,write,writev,pwrite64,pwritev,pwritev2,fsync,fdatasync,sync_file_range,ftruncate,truncate,fallocate",
  "copy_file_range,sendfile,rename,renameat,renameat2,link,linkat,unlink,unlinkat,mkdir,mkdirat,rmdir,sendto,sendmsg",
].join();
const OPTIONS = "-D -ff -q -y -xx -s 20000000 -e signal=none --absolute-timestamps=format:unix,precision:ns";
const LINE = /^(\d+)\.(\d{9}) (\w+)\((.*)\) += (\S+)(?: (?!<\d).*?)?(?: <(\d+\.\d+)>)?$/;
/** What is of use besides calls on the folder: answers over sockets, and what a command prints. */
const SPOKEN = /^\S+ (sendto|sendmsg|writev|write\(1<)/;

/** A recording of what processes do to files below `folder`. */
export class Trace {
  readonly #folder: string;
  readonly #logs: string;
  #processes = 0;

  /** The logs go to `logs`, which must not be below `folder`. */
  constructor(folder: string, logs: string) {
    this.#folder = folder;
    this.#logs = logs;
    mkdirSync(logs, { recursive: true });
  }

  /** The command line that goes before a program's to record it. */
  under(): string[] {
    const log = join(this.#logs, `process-${++this.#processes}`);
    return ["strace", ...OPTIONS.split(" "), "--syscall-times=ns", "-e", `trace=${TRACED}`, "-o", log];
  }

  /** Everything recorded so far, in the order of time. The processes must have ended. */
  async calls(): Promise<SystemCall[]> {
    const calls: SystemCall[] = [];
    const folder = escaped(this.#folder);
    const isOfUse = (line: string) => line.includes(folder) || SPOKEN.test(line);
    for (const { name, text } of await readLogs(this.#logs)) {
      const process = name.slice(0, name.lastIndexOf("."));
      for (const line of text.split("\n")) {
        if (isOfUse(line)) calls.push(...parse(process, line));
      }
    }
    return calls.sort((one, other) => one.at - other.at);
  }
}

/** Reads the logs once strace, which is a little behind the processes, writes no more. */
async function readLogs(folder: string): Promise<{ name: string; text: string }[]> {
  const sizes = () => readdirSync(folder).map((name) => statSync(join(folder, name)).size);
  for (let before = ""; before !== sizes().join(); await Bun.sleep(300)) before = sizes().join();
  return readdirSync(folder).map((name) => ({ name, text: readFileSync(join(folder, name), "latin1") }));
}

/** A text as strace writes it: every byte as `\x…`. */
function escaped(text: string): string {
  return Buffer.from(text).toString("hex").replace(/../g, "\\x$&");
}

/** The bytes of a quoted argument. */
export function bytesOf(quoted = ""): Buffer {
  return Buffer.from(quoted.replace(/[^0-9a-f]/g, ""), "hex");
}

function* parse(process: string, line: string): Generator<SystemCall> {
  const [, seconds, nanoseconds, name, args, result, lasted] = LINE.exec(line) ?? [];
  if (seconds === undefined || name === undefined || args === undefined) {
    if (line !== "" && !line.endsWith("+++"))
      throw new Error(`strace wrote what this does not understand: ${line.slice(0, 300)}`);
    return;
  }
  if (result?.startsWith("-")) return;
  // Within a day, in nanoseconds: exact in a double.
  const at = (Number(seconds) % 86_400) * 1e9 + Number(nanoseconds);
  const isCutOff = result === "?" || lasted === undefined;
  const end = isCutOff ? Number.POSITIVE_INFINITY : at + Number(lasted) * 1e9;
  yield { process, name, args: args.split(", "), result: isCutOff ? null : (result ?? null), at, end };
}
