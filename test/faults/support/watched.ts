// A served program that a test watches from outside for as long as it likes: its memory and its open files.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { PROGRAM } from "../../support/program.ts";

/** A served data directory and its process. */
export interface Watched {
  readonly url: string;
  readonly key: string;
  readonly pid: number;
  /** Resident memory in MiB. */
  memoryMb(): number;
  /** How many files and connections are open. */
  files(): number;
  /** Asks it to stop; its exit status. */
  end(): Promise<number>;
}

const PAGE_BYTES = 4096;
const MEBIBYTE = 2 ** 20;

/** Starts `serve` and waits until it answers; without a rate limit unless told otherwise. */
export async function serveWatched(dataDir: string, environment: Record<string, string> = {}): Promise<Watched> {
  const child = Bun.spawn([...PROGRAM, "serve", "--data-dir", dataDir, "--port", "0"], {
    env: { ...process.env, CAPTABLE_RATE_LIMIT: "0", CAPTABLE_LOG: "json", ...environment },
    stdout: "ignore",
    stderr: "pipe",
  });
  let said = "";
  for await (const text of child.stderr.pipeThrough(new TextDecoderStream())) {
    said += text;
    if (/serving http\S+/.test(said)) break;
  }
  const url = /serving (http:\/\/\S+?),/.exec(said)?.[1];
  if (url === undefined) throw new Error(`serve ended: ${said}`);
  const { pid } = child;
  return {
    url,
    key: readFileSync(join(dataDir, "admin.key"), "utf8").trim(),
    pid,
    memoryMb: () =>
      Math.round((Number(readFileSync(`/proc/${pid}/statm`, "utf8").split(" ")[1]) * PAGE_BYTES) / MEBIBYTE),
    files: () => readdirSync(`/proc/${pid}/fd`).length,
    end() {
      child.kill("SIGTERM");
      return child.exited;
    },
  };
}
