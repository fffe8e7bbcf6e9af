// A served program that a test watches from outside for as long as it likes: its memory and its open files.
import { readdirSync, readFileSync } from "node:fs";
import { AS_IT_SHIPS, type Served, serveProgram } from "../../kit/program.ts";

/** A served data directory and its process. */
export interface Watched extends Served {
  /** Resident memory in MiB. */
  memoryMb(): number;
  /** How many files and connections are open. */
  files(): number;
}

const PAGE_BYTES = 4096;
const MEBIBYTE = 2 ** 20;

/** Starts `serve` with its log on and waits until it answers; without a rate limit unless told otherwise. */
export async function serveWatched(dataDir: string, environment: Record<string, string> = {}): Promise<Watched> {
  const served = await serveProgram(dataDir, { ...AS_IT_SHIPS, CAPTABLE_LOG: "json", ...environment });
  const resident = () => Number(readFileSync(`/proc/${served.pid}/statm`, "utf8").split(" ")[1]) * PAGE_BYTES;
  return {
    ...served,
    memoryMb: () => Math.round(resident() / MEBIBYTE),
    files: () => readdirSync(`/proc/${served.pid}/fd`).length,
  };
}
