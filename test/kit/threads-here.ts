// The work of a service's threads, done in the test's own process: each thread would load the whole program, and its
// fonts, once more. Messages are copied and arrive in a later turn, as they do in a thread.
import type { StartImporting } from "../../src/server/threads/import/import-thread-client.ts";
import { importing } from "../../src/server/threads/import/importing.ts";
import type { StartReading } from "../../src/server/threads/read/pool.ts";
import { reader } from "../../src/server/threads/read/reading.ts";

/** Hands copies of messages on, in their order, until it is closed; then calls `end`, after the one under way. */
function line<T>(hand: (message: T) => unknown, end: () => void): { send(message: T): void; end(): void } {
  let last: Promise<unknown> = Promise.resolve();
  let isOver = false;
  return {
    send(message) {
      const copy = structuredClone(message);
      last = last.then(async () => {
        await Bun.sleep(0);
        if (!isOver) await hand(copy);
      });
    },
    end() {
      isOver = true;
      void last.then(end);
    },
  };
}

/** Computes long reads here. */
export const readsHere: StartReading = (take) => {
  const { take: answer, end } = reader();
  return line(async (message) => {
    const reply = await answer(message);
    if (reply !== null) take(reply);
  }, end);
};

/** Does imports here. */
export const importsHere: StartImporting = (take) => {
  let isOver = false;
  const { take: work, end } = importing((message) => {
    if (!isOver) take(structuredClone(message));
  });
  const { send, end: close } = line(work, end);
  return {
    send,
    end() {
      isOver = true;
      close();
    },
  };
};
