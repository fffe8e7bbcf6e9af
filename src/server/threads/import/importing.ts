// Importing: reads and commits spreadsheets, one at a time, with a connection of its own, as the import thread's client
// asks.

import { takeLines } from "../../../exchange/reading/answer-lines.ts";
import type { Grid } from "../../../exchange/spreadsheet/file/grid.ts";
import { type SheetLine, SheetLines } from "../../../exchange/spreadsheet/file/sheet-lines.ts";
import { countAttempt, listWaiting } from "../../../exchange/spreadsheet/imports-store.ts";
import { present } from "../../../kernel/assert.ts";
import { Problem } from "../../../kernel/problem.ts";
import { systemRuntime, toTimestamp } from "../../../kernel/runtime.ts";
import { Channel } from "../../../kernel/threads/channel.ts";
import type { Peer } from "../../../kernel/threads/peer.ts";
import { tellError } from "../../../kernel/threads/serialized-error.ts";
import type { ThreadWork } from "../../../kernel/threads/thread.ts";
import { openWritable } from "../../../storage/database/open.ts";
import { Writer } from "../../../storage/database/writer.ts";
import type { ImportAsks, ImportCircumstances, ImportQuestions } from "./import-questions.ts";
import { nextImport, type WaitingImport } from "./next.ts";
import { commitImport, type FileOfImport, fail, readImport, takeBack } from "./perform.ts";

const WORK_MS_MAX = 120_000;

/** The service stops: the import under way is undone, and done again at its next start. */
class Stopped extends Error {}

/** An import exceeded its time limit. */
class TookTooLong extends Error {
  constructor() {
    super(`The import took longer than ${WORK_MS_MAX / 1000} seconds, and was broken off. Import it in parts.`);
  }
}

/** Asks the client. */
type Asker = Pick<Peer<ImportAsks, ImportQuestions>, "ask" | "tell">;

/** What an open import thread has. */
class Importer {
  readonly #writer: Writer;
  readonly #asker: Asker;
  readonly #stop: Int32Array;
  /** When each organization's last import ended. */
  readonly #endedAt = new Map<string, string>();
  #pieces: Channel<Uint8Array> | null = null;

  constructor({ database, stop }: ImportCircumstances, asker: Asker) {
    this.#asker = asker;
    const onBroken = (error: Error) => asker.tell("trouble", { message: error.message, error: tellError(error) });
    this.#writer = new Writer(openWritable(database), onBroken);
    this.#stop = stop;
  }

  /** Does all imports that wait. */
  async work(): Promise<void> {
    for (let next = this.#next(); next !== null && !this.#isStopped(); next = this.#next()) {
      this.#asker.tell("begins", next);
      try {
        await this.#perform(next);
      } catch (error) {
        if (error instanceof Stopped) {
          // The file did not cause the end.
          await this.#writer.submit((tx) => countAttempt(tx, { orgId: next.orgId, id: next.id, by: -1 }));
          return;
        }
        await this.#giveUp(next, error);
      }
      this.#endedAt.set(next.orgId, toTimestamp(systemRuntime.nowMs()));
    }
  }

  /** Gives up the import over which the thread before this one ended, unless it had just finished it. */
  async recover(lost: WaitingImport): Promise<void> {
    const isWaiting = ({ orgId, id, state }: WaitingImport) =>
      orgId === lost.orgId && id === lost.id && state === lost.state;
    if (this.#waiting().some(isWaiting)) await this.#giveUp(lost, new Error("the importing thread ended"));
  }

  close(): void {
    this.#writer.db.sqlite.close();
  }

  #next(): WaitingImport | null {
    return nextImport(this.#waiting(), this.#endedAt);
  }

  #waiting(): readonly WaitingImport[] {
    return listWaiting.all(this.#writer.db, {}) as readonly WaitingImport[];
  }

  #isStopped(): boolean {
    return Atomics.load(this.#stop, 0) !== 0;
  }

  async #perform({ state, since: _, ...key }: WaitingImport): Promise<void> {
    // Reading the file has limits of its own, and may wait for its turn.
    let until = Number.POSITIVE_INFINITY;
    const pulse = () => {
      if (this.#isStopped()) throw new Stopped();
      if (performance.now() > until) throw new TookTooLong();
    };
    const read = async (file: FileOfImport) => {
      const grids = await this.#read(file, pulse);
      until = performance.now() + WORK_MS_MAX;
      return grids;
    };
    const bench = { writer: this.#writer, runtime: systemRuntime, pulse, read };
    await (state === "READING" ? readImport(bench, key) : commitImport(bench, key));
  }

  /** Has a file read elsewhere. */
  async #read(file: FileOfImport, pulse: () => void): Promise<readonly Grid[]> {
    const sheets = new SheetLines(pulse);
    const pieces = new Channel<Uint8Array>();
    this.#pieces = pieces;
    this.#asker.ask("read", file).then(
      () => pieces.end(),
      (error) => pieces.fail(error),
    );
    try {
      await takeLines(pieces, (line) => sheets.take(line as SheetLine));
      return sheets.grids;
    } catch (error) {
      throw this.#isStopped() ? new Stopped() : error;
    } finally {
      this.#pieces = null;
    }
  }

  /** Takes a piece of the file that is being read. */
  async takePiece(bytes: Uint8Array): Promise<void> {
    await this.#pieces?.put(bytes);
  }

  /** Records in the import that it failed, and why as far as users may know. */
  async #giveUp({ state, since: _, ...key }: WaitingImport, error: unknown): Promise<void> {
    const isTold = error instanceof TookTooLong || error instanceof Problem;
    const failure = isTold
      ? error.message
      : "The server failed during this import. Nothing was written; the server's log has the cause.";
    if (!isTold)
      this.#asker.tell("trouble", { message: `an import failed: ${String(error)}`, error: tellError(error) });
    if (state === "COMMITTING") {
      await takeBack({ writer: this.#writer, runtime: systemRuntime }, key, { failure, report: null });
    } else {
      await this.#writer.submit((tx) => fail(tx, key, toTimestamp(systemRuntime.nowMs()), { failure }));
    }
  }
}

/** What answers the questions of one client, and ends it. */
export function importing(): { readonly work: ThreadWork<ImportAsks, ImportQuestions>; end(): void } {
  let importer: Importer | null = null;
  const opened = () => present(importer, "an opened thread");
  let last: Promise<void> = Promise.resolve();
  return {
    work(asker) {
      // One at a time, however many questions come meanwhile. If even giving up fails, nothing more can be done before a
      // restart.
      const inTurn = (work: () => Promise<void> | void) => {
        last = last.then(work).catch((error) => {
          asker.tell("trouble", { message: `imports wait: ${String(error)}`, error: tellError(error) });
        });
        return last;
      };
      return {
        open: (circumstances) =>
          inTurn(() => {
            importer = new Importer(circumstances, asker);
          }),
        recover: (lost) => inTurn(() => opened().recover(lost)),
        look: () => inTurn(() => opened().work()),
        piece: (bytes) => importer?.takePiece(bytes),
      };
    },
    end: () => void last.then(() => importer?.close()),
  };
}
