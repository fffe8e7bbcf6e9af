// A thread that imports: spreadsheets are read and committed here, one at a time, with a connection of its own, so that no
// request waits for one. It is an entry point of its own: `Bun.build` must be given this file beside the program's.
import { openWritable } from "../database/open.ts";
import { Writer } from "../database/writer.ts";
import { present } from "../kernel/assert.ts";
import { Problem } from "../kernel/problem.ts";
import { systemRuntime, toTimestamp } from "../kernel/runtime.ts";
import { listWaiting } from "../spreadsheet/imports-store.ts";
import { tellError } from "../threads/told-error.ts";
import { nextImport, type WaitingImport } from "./next.ts";
import { commitImport, fail, readImport, takeBack } from "./perform.ts";
import type { FromThread, ToThread } from "./protocol.ts";

declare const self: Worker;

const WORK_MS_MAX = 120_000;

/** The service stops: what is under way is undone, and done again at its next start. */
class Stopped extends Error {}

/** An import takes longer than one may. */
class TookTooLong extends Error {
  constructor() {
    super(`The import took longer than ${WORK_MS_MAX / 1000} seconds, and was broken off. Import it in parts.`);
  }
}

/** What the thread has open. */
class Importer {
  readonly #writer: Writer;
  readonly #stop: Int32Array;
  /** When each organization's last import ended. */
  readonly #endedAt = new Map<string, string>();

  constructor({ database, stop }: Extract<ToThread, { kind: "open" }>) {
    const onBroken = (error: Error) => say({ kind: "trouble", message: error.message, error: tellError(error) });
    this.#writer = new Writer(openWritable(database), onBroken);
    this.#stop = stop;
  }

  /** Does all that waits. */
  async work(): Promise<void> {
    for (let next = this.#next(); next !== null && !this.#isStopped(); next = this.#next()) {
      say({ kind: "begins", import: next });
      try {
        await this.#perform(next);
      } catch (error) {
        if (error instanceof Stopped) return;
        await this.#giveUp(next, error);
      }
      this.#endedAt.set(next.orgId, toTimestamp(systemRuntime.nowMs()));
    }
  }

  /** Gives up what the thread before this one ended over, unless it had just done it. */
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
    const until = performance.now() + WORK_MS_MAX;
    const pulse = () => {
      if (this.#isStopped()) throw new Stopped();
      if (performance.now() > until) throw new TookTooLong();
    };
    const bench = { writer: this.#writer, runtime: systemRuntime, pulse };
    await (state === "READING" ? readImport(bench, key) : commitImport(bench, key));
  }

  /** Says in the import that it came to nothing, and why as far as that is for people. */
  async #giveUp({ state, since: _, ...key }: WaitingImport, error: unknown): Promise<void> {
    const isTold = error instanceof TookTooLong || error instanceof Problem;
    const failure = isTold ? error.message : "The server failed over it, and nothing was written. Its log says more.";
    if (!isTold) say({ kind: "trouble", message: `an import failed: ${String(error)}`, error: tellError(error) });
    if (state === "COMMITTING") {
      await takeBack({ writer: this.#writer, runtime: systemRuntime }, key, { failure, report: null });
    } else {
      await this.#writer.submit((tx) => fail(tx, key, toTimestamp(systemRuntime.nowMs()), failure));
    }
  }
}

let importer: Importer | null = null;

function say(message: FromThread): void {
  self.postMessage(message);
}

async function take(message: ToThread): Promise<void> {
  if (message.kind === "open") importer = new Importer(message);
  else if (message.kind === "recover") await present(importer, "an opened thread").recover(message.import);
  else {
    await present(importer, "an opened thread").work();
    say({ kind: "idle" });
  }
}

let last: Promise<void> = Promise.resolve();

self.onmessage = ({ data: message }: MessageEvent<ToThread>) => {
  // One at a time, whatever is asked meanwhile. Where even giving up fails, nothing more can be done before a restart.
  last = last
    .then(() => take(message))
    .catch((error) => {
      say({ kind: "trouble", message: `imports wait: ${String(error)}`, error: tellError(error) });
      say({ kind: "idle" });
    });
};
