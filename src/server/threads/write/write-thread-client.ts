// The writing thread's client, in the thread of the requests.

import type { TellImport } from "../../../exchange/ocf/import/under-way.ts";
import { gathered } from "../../../exchange/reading/answer-lines.ts";
import { Questions } from "../../../kernel/threads/questions.ts";
import { toldError } from "../../../kernel/threads/serialized-error.ts";
import { startsWorker, type ThreadLine } from "../../../kernel/threads/thread.ts";
import type { KeyEnvironment } from "../../../resources/api-keys/key.ts";
import type { WriterStatistics } from "../../../storage/database/writer.ts";
import type { WireAnswer } from "../../changes/answer.ts";
import type { Changes, CommandTask, ExportTask, SeriesTask, UploadTask, Use, WriteTask } from "../../changes/task.ts";
import type { Config } from "../../config.ts";
import type { FromThread, Order, Outcome, Outcomes, ToThread } from "./write-protocol.ts";

const startThread = startsWorker<ToThread, FromThread>(
  "the writing thread",
  () => new Worker(new URL("./write-thread.ts", import.meta.url).href),
);

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
  readonly onTrouble: (line: { readonly time: string; readonly message: string }, thrown: unknown) => void;
  readonly tellImport: TellImport;
}

/**
 * Makes changes in a thread that does nothing else; it begins when there is work, for it takes memory. Orders of one
 * turn of the event loop are sent together.
 */
export class RemoteChanges implements Changes {
  #line: ThreadLine<ToThread> | null = null;
  readonly #parts: RemoteParts;
  readonly #questions = new Questions<WireAnswer | null>();
  readonly #stopped = Promise.withResolvers<void>();
  #orders: Order[] = [];
  #isStopping = false;
  #statistics: WriterStatistics = { commits: 0, items: 0, commitSeconds: 0, lastBatch: 0 };

  constructor(parts: RemoteParts) {
    this.#parts = parts;
  }

  /** Whether there is a thread. */
  get isBegun(): boolean {
    return this.#line !== null;
  }

  /** Begins the thread, and with it the background work; the first order does so by itself. */
  begin(): ThreadLine<ToThread> {
    if (this.#line) return this.#line;
    const line = startThread(
      (message) => this.#take(message),
      (error) => this.#end(error),
    );
    this.#line = line;
    const { config, environment, lastRequest, publicUrl } = this.#parts;
    const { timeOrigin } = performance;
    this.#tell({ kind: "open", config, environment, publicUrl: publicUrl(), lastRequest, timeOrigin });
    return line;
  }

  get statistics(): Readonly<WriterStatistics> {
    return this.#statistics;
  }

  write(task: WriteTask): Promise<WireAnswer> {
    return this.#questions.ask((id) => this.#order({ id, kind: "write", task })) as Promise<WireAnswer>;
  }

  upload(task: UploadTask): Promise<WireAnswer> {
    return this.#questions.ask((id) => this.#tell({ kind: "upload", id, task })) as Promise<WireAnswer>;
  }

  async series({ pieces, ...task }: SeriesTask): Promise<WireAnswer> {
    let of = 0;
    const answer = this.#questions.ask((id) => {
      of = id;
      this.#tell({ kind: "series", id, task });
    });
    // It may be refused before all pieces were sent.
    answer.catch(() => undefined);
    let isWhole = false;
    try {
      for await (const bytes of gathered(pieces)) {
        await this.#questions.ask((id) => this.#tell({ kind: "piece", id, of, bytes }));
      }
      isWhole = true;
    } finally {
      this.#tell({ kind: "pieces-end", of, isWhole });
    }
    return (await answer) as WireAnswer;
  }

  async tryToWrite(): Promise<void> {
    await this.#questions.ask((id) => this.#order({ id, kind: "try" }));
  }

  execute(task: CommandTask): Promise<WireAnswer> {
    return this.#questions.ask((id) => this.#order({ id, kind: "command", task })) as Promise<WireAnswer>;
  }

  async recordExport(task: ExportTask): Promise<void> {
    await this.#questions.ask((id) => this.#order({ id, kind: "export", task }));
  }

  noteUse(use: Use, at: string): void {
    this.#order({ kind: "use", use, at });
  }

  /** Finishes the orders, and ends the thread. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    // Orders of this turn of the event loop are not sent yet, and may be the thread's first.
    this.#send();
    if (!this.#line) return;
    this.#tell({ kind: "stop" });
    await this.#stopped.promise;
    this.#line.end();
  }

  #order(order: Order): void {
    if (this.#orders.push(order) === 1) setImmediate(() => this.#send());
  }

  #send(): void {
    if (this.#orders.length === 0) return;
    this.#tell({ kind: "orders", orders: JSON.stringify(this.#orders) });
    this.#orders = [];
  }

  #tell(message: ToThread): void {
    this.begin().send(message, givenWith(message));
  }

  #take(message: FromThread): void {
    if (message.kind === "outcomes") {
      const { outcomes, statistics }: Outcomes = JSON.parse(message.outcomes);
      this.#statistics = statistics;
      for (const outcome of outcomes) this.#settle(outcome);
    } else if (message.kind === "broken") this.#parts.onBroken(toldError(message.error));
    else if (message.kind === "import") this.#parts.tellImport(message.news);
    else if (message.kind === "trouble") this.#parts.onTrouble(message.line, toldError(message.error));
    else this.#stopped.resolve();
  }

  #settle(outcome: Outcome): void {
    if ("error" in outcome) this.#questions.refuse(outcome.id, toldError(outcome.error));
    else this.#questions.answer(outcome.id, outcome.answer);
  }

  /** It is unknown which of its last orders are on disk. */
  #end(error: Error): void {
    this.#stopped.resolve();
    this.#questions.fail(error);
    if (!this.#isStopping) this.#parts.onBroken(error);
  }
}

/** Buffers that are moved to the thread: to copy many megabytes would hold every other request meanwhile. */
function givenWith(message: ToThread): ArrayBuffer[] {
  const content =
    message.kind === "upload" ? message.task.content : message.kind === "piece" ? message.bytes : undefined;
  if (content === undefined) return [];
  const { buffer, byteLength } = content;
  // Short ones may share their buffer with others.
  return buffer instanceof ArrayBuffer && byteLength === buffer.byteLength ? [buffer] : [];
}
