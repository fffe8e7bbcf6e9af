// What every part of the benchmark is given.
import type { LoadResult, Requests } from "./load.ts";
import type { Server } from "./programs.ts";
import type { Report } from "./report.ts";

/** One run of the benchmark. */
export class Bench {
  constructor(
    /** A temporary folder, of this part alone. */
    readonly folder: string,
    readonly report: Report,
    /** How often everything is measured, in turns. */
    readonly rounds: number,
    /** How long one load lasts. */
    readonly seconds: number,
    /** By how much the large cap tables and packages are smaller in a quick run. */
    readonly shrink: number,
  ) {}

  /** A size as this run takes it. */
  size(full: number): number {
    return Math.max(1, Math.round(full / this.shrink));
  }

  /** Puts a load on a server that is paused before and after. */
  async load(server: Server, requests: Requests): Promise<LoadResult> {
    await server.resume();
    const result = await server.load(requests);
    server.pause();
    this.report.noteGenerator(result.cpu, `${requests.method} ${requests.path} at ${requests.connections}`);
    return result;
  }
}
