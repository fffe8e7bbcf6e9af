// Threads and processes of a service, besides those that answer and write.
import type { FileReader } from "../../exchange/reading/reading-protocol.ts";
import { toTimestamp } from "../../kernel/runtime.ts";
import { READ_TURNS } from "../http/read-turns.ts";
import { ImportThread } from "../threads/import/import-thread-client.ts";
import { REPORT_TIMES, ReadThreads } from "../threads/read/pool.ts";
import { ServiceFileReader } from "./file-reader.ts";
import { intervalsOf } from "./intervals.ts";
import type { ServiceParts } from "./parts.ts";

/** How long a running report may continue when the service stops. */
const REPORT_STOP_MS = 10_000;

/** The threads for long reads, and the one of imports. */
export class BackgroundThreads {
  readonly reads: ReadThreads;
  readonly reports: ReadThreads;
  readonly imports: ImportThread;
  /** Reads uploaded files. */
  readonly files: FileReader;

  constructor({ config, ports, data, onTrouble }: ServiceParts) {
    const database = data.reader.sqlite.name;
    const circumstances = { database, ...intervalsOf(config), fontDir: config.fontDir };
    const { startReading: start, startImporting } = ports;
    this.reads = new ReadThreads(circumstances, READ_TURNS.atOnce, { start });
    this.reports = new ReadThreads(circumstances, READ_TURNS.reports, { ...REPORT_TIMES, start });
    const trouble = (message: string, thrown: unknown) =>
      onTrouble({ time: toTimestamp(ports.runtime.nowMs()), message }, thrown);
    this.files = new ServiceFileReader({
      program: ports.program ?? null,
      threads: this.reads,
      onEnded: (error) => trouble(`a file was not read: ${String(error.cause)}`, error.cause),
    });
    this.imports = new ImportThread({ database, files: this.files, onTrouble: trouble, start: startImporting });
  }

  /** Ends them once the server has stopped; a running report gets a while to finish. */
  async stopAfter(stopServer: () => Promise<unknown>): Promise<void> {
    const patience = setTimeout(() => this.reports.close(), REPORT_STOP_MS);
    await stopServer();
    await this.imports.stop();
    clearTimeout(patience);
    this.reports.close();
    this.reads.close();
  }
}
