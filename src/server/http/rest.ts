// The rest of a body of which enough was read to refuse it. Whoever sends it may look at the answer only when all is
// sent, and a connection that is closed under a sender takes the answer with it: so the rest is read and thrown away for
// a while, and the connection closed then.

const MEBIBYTE = 1024 * 1024;
const MOST: Bounds = { bytes: 64 * MEBIBYTE, ms: 5000 };

/** What comes of a request's body. */
export type Rest = Pick<ReadableStreamDefaultReader<Uint8Array>, "read" | "cancel">;

/** How much of it is read. */
interface Bounds {
  readonly bytes: number;
  readonly ms: number;
}

/** An answer's body: `text` at once, and its end when the rest of the request's has been thrown away, or enough of it. */
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
    }
  } catch {
    // Whoever sent it has gone.
  } finally {
    clearTimeout(timer);
  }
}
