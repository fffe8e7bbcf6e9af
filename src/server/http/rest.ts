// The rest of a refused body. A client may look at the answer only after it has sent everything, and a connection that
// is closed under a sender loses the answer: so the rest is read and discarded for a while, and the connection closed
// then.
import { giveWay } from "../../kernel/threads/give-way.ts";

const MEBIBYTE = 1024 * 1024;
const MOST: Bounds = { bytes: 64 * MEBIBYTE, ms: 5000 };

/** The stream of a request's body. */
export type Rest = Pick<ReadableStreamDefaultReader<Uint8Array>, "read" | "cancel">;

/** How much of it is read. */
interface Bounds {
  readonly bytes: number;
  readonly ms: number;
}

/**
 * An answer's body: `text` at once, and its end when the rest of the request's body has been discarded, or enough of
 * it.
 */
export function sayAndThrowAway(text: string, rest: Rest, most: Bounds = MOST): ReadableStream<Uint8Array> {
  let isGone = false;
  return new ReadableStream<Uint8Array>({
    async start(controller) {
      controller.enqueue(new TextEncoder().encode(text));
      await throwAway(rest, most);
      if (!isGone) controller.close();
    },
    cancel() {
      isGone = true;
      return rest.cancel();
    },
  });
}

async function throwAway(rest: Rest, { bytes, ms }: Bounds): Promise<void> {
  const timer = setTimeout(() => void rest.cancel().catch(() => undefined), ms);
  try {
    for (let left = bytes; left > 0; ) {
      const { done, value } = await rest.read();
      if (done) return;
      left -= value.byteLength;
      await giveWay();
    }
  } catch {
    // The client has gone.
  } finally {
    clearTimeout(timer);
  }
}
