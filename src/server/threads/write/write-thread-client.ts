// The writing thread's client, in the thread of the requests.

import type { TellImport } from "../../../exchange/ocf/import/under-way.ts";
import { gathered } from "../../../exchange/reading/answer-lines.ts";
import { toldError } from "../../../kernel/threads/serialized-error.ts";
import { startsWorker, Thread } from "../../../kernel/threads/thread.ts";
import type { KeyEnvironment } from "../../../resources/api-keys/key.ts";
import type { WriterStatistics } from "../../../storage/database/writer.ts";
import type { WireAnswer } from "../../changes/answer.ts";
import type {
  Changes,
  CommandTask,
  ExportTask,
  FollowTaskData,
  SeriesTask,
  UploadTask,
  Use,
  WriteTask,
} from "../../changes/task.ts";
import type { Config } from "../../config.ts";
import { isGatheredQuestion, type TroubleLine, type WriteNews, type WriteQuestions } from "./write-questions.ts";

const startThread = startsWorker(
  "the writing thread",
  () => new Worker(new URL("./write-thread.ts", import.meta.url).href),
);

type WriteThread = Thread<WriteQuestions, WriteNews>;

/** What the client needs. */
export interface RemoteParts {
  readonly config: Config;
  readonly environment: KeyEnvironment;
  /** The service's URL, once it listens. */
  readonly publicUrl: () => string;
  /** Shared with the requests, which note in it when one last came. */
  readonly lastRequest: Float64Array;
  /** Called with an unreliable disk, or a thread that ended by itself: the process should end. */
  readonly onBroken: (error: Error) => void;
  readonly onTrouble: (line: TroubleLine, thrown: unknown) => void;
  readonly tellImport: TellImport;
}

/**
 * Makes changes in a thread that does nothing else; it begins when there is work, for it takes memory. Changes of one
 * turn of the event loop are sent together.
 */
export class RemoteChanges implements Changes {
  #thread: WriteThread | null = null;
  readonly #parts: RemoteParts;
  #series = 0;
  #isStopping = false;
  #statistics: WriterStatistics = { commits: 0, items: 0, commitSeconds: 0, lastBatch: 0 };

  constructor(parts: RemoteParts) {
    this.#parts = parts;
  }

  /** Whether there is a thread. */
  get isBegun(): boolean {
    return this.#thread !== null;
  }

  /** Begins the thread, and with it the background work; the first question does so by itself. */
  begin(): WriteThread {
    if (this.#thread) return this.#thread;
    const { config, environment, lastRequest, publicUrl, onBroken, onTrouble, tellImport } = this.#parts;
    const thread: WriteThread = new Thread<WriteQuestions, WriteNews>({
      start: startThread,
      sending: { gathering: { isGathered: isGatheredQuestion, later: setImmediate } },
      own: {
        statistics: (statistics) => {
          this.#statistics = statistics;
        },
        broken: (error) => onBroken(toldError(error)),
        import: tellImport,
        trouble: ({ line, error }) => onTrouble(line, toldError(error)),
      },
      // It is unknown which of its last changes are on disk.
      onLost: (error) => {
        if (!this.#isStopping) onBroken(error);
      },
    });
    this.#thread = thread;
    const { timeOrigin } = performance;
    thread.tell("open", { config, environment, publicUrl: publicUrl(), lastRequest, timeOrigin });
    return thread;
  }

  get statistics(): Readonly<WriterStatistics> {
    return this.#statistics;
  }

  write(task: WriteTask): Promise<WireAnswer> {
    return this.begin().ask("write", task);
  }

  upload(task: UploadTask): Promise<WireAnswer> {
    return this.begin().ask("upload", task, givenWith(task.content));
  }

  async series({ pieces, ...task }: SeriesTask): Promise<WireAnswer> {
    const thread = this.begin();
    const of = ++this.#series;
    const answer = thread.ask("series", { of, task });
    // It may be refused before all pieces were sent.
    answer.catch(() => undefined);
    let isWhole = false;
    try {
      for await (const bytes of gathered(pieces)) await thread.ask("piece", { of, bytes }, givenWith(bytes));
      isWhole = true;
    } finally {
      thread.tell("endPieces", { of, isWhole });
    }
    return answer;
  }

  async tryToWrite(): Promise<void> {
    await this.begin().ask("try", null);
  }

  execute(task: CommandTask): Promise<WireAnswer> {
    return this.begin().ask("command", task);
  }

  follow(task: FollowTaskData): Promise<unknown> {
    return this.begin().ask("follow", task);
  }

  async recordExport(task: ExportTask): Promise<void> {
    await this.begin().ask("export", task);
  }

  noteUse(use: Use, at: string): void {
    this.begin().tell("use", { use, at });
  }

  /** Finishes what it was given, and ends the thread. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    if (!this.#thread) return;
    // Changes of this turn of the event loop are not sent yet.
    this.#thread.flush();
    await this.#thread.ask("stop", null).catch(() => undefined);
    this.#thread.end();
  }
}

/** The buffer that is moved to the thread: to copy many megabytes would hold every other request meanwhile. */
function givenWith({ buffer, byteLength }: Uint8Array): ArrayBuffer[] {
  // Short ones may share their buffer with others.
  return buffer instanceof ArrayBuffer && byteLength === buffer.byteLength ? [buffer] : [];
}
