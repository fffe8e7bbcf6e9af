// Long writes: finishes writes of more rows than one commit takes, one piece a commit, so that another writer waits for
// a few rows and never for all of them. After a restart the process continues with the next piece.

import { callWithoutRequest } from "../../kernel/call.ts";
import { type Runtime, toTimestamp } from "../../kernel/runtime.ts";
import { BackgroundLoop } from "../../kernel/threads/background-loop.ts";
import { continueLongWrite, findLongWrite } from "../../storage/database/long-writes.ts";
import { dataVersion } from "../../storage/database/open.ts";
import type { Reader } from "../../storage/database/sql.ts";
import type { Writer } from "../../storage/database/writer.ts";
import { PIECES } from "./kinds.ts";

const LOOK_MS = 50;
/** The delay after a failure, such as a full disk. */
const TROUBLE_MS = 5000;

/** What the loop needs. */
export interface LongWritesParts {
  /** A connection of its own, which sees what others commit. */
  readonly db: Reader;
  readonly writer: Writer;
  readonly runtime: Runtime;
  /** Whether requests are writing now: they then get as much time as the pieces. */
  readonly isBusy: () => boolean;
  readonly onTrouble: (line: { readonly time: string; readonly message: string }, thrown: unknown) => void;
}

/** The loop over unfinished long writes. */
export class LongWrites {
  readonly #parts: LongWritesParts;
  readonly #loop = new BackgroundLoop(() => this.#work());
  #seenVersion = -1;

  constructor(parts: LongWritesParts) {
    this.#parts = parts;
  }

  /** Begins to look for unfinished writes. */
  start(): void {
    this.#loop.start();
  }

  /** Finishes the current piece and takes no other. */
  stop(): Promise<void> {
    return this.#loop.stop();
  }

  /** Does the next piece of the oldest write; false if there is no write. */
  async step(): Promise<boolean> {
    const { db, writer, runtime } = this.#parts;
    const write = findLongWrite(db);
    if (write === null) return false;
    const call = callWithoutRequest(runtime, write.orgId, "job");
    await writer.submit((tx) => continueLongWrite(tx, call, write, PIECES[write.kind]), "repeatable");
    return true;
  }

  async #work(): Promise<number> {
    const { db, runtime, onTrouble } = this.#parts;
    const version = dataVersion(db);
    if (version === this.#seenVersion) return LOOK_MS;
    try {
      while (await this.#takeTurn());
      if (!this.#loop.isStopping) this.#seenVersion = version;
      return LOOK_MS;
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      onTrouble({ time: toTimestamp(runtime.nowMs()), message }, error);
      return TROUBLE_MS;
    }
  }

  /** Does a piece and rests; false if there is nothing more to do. */
  async #takeTurn(): Promise<boolean> {
    const started = performance.now();
    if (this.#loop.isStopping || !(await this.step())) return false;
    await Bun.sleep(this.#parts.isBusy() ? performance.now() - started : 0);
    return true;
  }
}
