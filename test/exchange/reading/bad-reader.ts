// Stands in for the reading process, and is what it must never be: each word of its first argument is a way to go wrong,
// but for one that says how it was begun.
import { writeSync } from "node:fs";
import { getPriority } from "node:os";

const held: Uint8Array[] = [];

const WAYS: Readonly<Record<string, () => Promise<void> | void>> = {
  /** Takes memory without end. */
  async grows() {
    for (;;) {
      held.push(new Uint8Array(32 * 1024 ** 2).fill(1));
      await Bun.sleep(1);
    }
  },
  /** Computes without end. */
  spins() {
    for (let at = 0; ; at++) if (at < 0) return;
  },
  /** Ends as a crash does. */
  dies() {
    process.kill(process.pid, "SIGSEGV");
  },
  /** Answers one line without end. */
  talks() {
    const piece = Buffer.alloc(64 * 1024, "x");
    for (;;) writeSync(1, piece);
  },
  /** Answers how urgent it is. */
  ranks() {
    writeSync(1, `{"sheet":{"name":"${getPriority()}","isHidden":false}}\n{"end":{"objects":0}}\n`);
  },
  /** Ends well, without an end of its answer. */
  stops() {
    writeSync(1, '{"sheet":{"name":"x","isHidden":false}}\n');
  },
};

await WAYS[process.argv[2] ?? ""]?.();
