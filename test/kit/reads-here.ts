// Long reads computed in this process: a thread of each service would load the whole program, and its fonts, once more.
import type { StartReading } from "../../src/server/threads/read/pool.ts";
import { reader } from "../../src/server/threads/read/reading.ts";

/** Computes them here, of a copy of each message, and replies in a later turn as a thread does. */
export const readsHere: StartReading = (take) => {
  const { take: answer, end } = reader();
  let last: Promise<unknown> = Promise.resolve();
  let isOver = false;
  return {
    send(message) {
      const copy = structuredClone(message);
      last = last.then(async () => {
        await Bun.sleep(0);
        if (isOver) return;
        const reply = await answer(copy);
        if (reply !== null && !isOver) take(reply);
      });
    },
    end() {
      isOver = true;
      void last.then(end);
    },
  };
};
