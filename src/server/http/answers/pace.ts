// Slow downloads: disconnects a client that reads slower than 1 kB/s. Each download holds memory, a connection and
// perhaps a file.

/** The fewest bytes that a client must read in a span of time. */
export interface Pace {
  readonly bytes: number;
  readonly ms: number;
}

/** A thousand bytes a second, checked each minute. */
const SLOWEST: Pace = { bytes: 60_000, ms: 60_000 };
/** Handed on in small pieces: reading shows only when the client asks for more. */
const PIECE_BYTES = 32 * 1024;

/** Counts what the client has read since the last check. */
export class Taken {
  readonly #least: number;
  #bytes = 0;

  /**
   * `least` is what the client must read between two checks; a piece that is only half handed on counts as handed on.
   */
  constructor(least: number) {
    this.#least = least - PIECE_BYTES;
  }

  add(bytes: number): void {
    this.#bytes += bytes;
  }

  /** Whether it was too little; starts counting anew. */
  isTooLittle(): boolean {
    const isTooLittle = this.#bytes < this.#least;
    this.#bytes = 0;
    return isTooLittle;
  }
}

/**
 * The same bytes, broken off if the client reads less than `slowest` says, checked once per span of time. Bytes count
 * as read once the system has them: it buffers some for the client.
 */
export function paced(content: ReadableStream<Uint8Array>, slowest: Pace = SLOWEST): ReadableStream<Uint8Array> {
  const reader = content.getReader();
  let rest: Uint8Array = new Uint8Array();
  const taken = new Taken(slowest.bytes);
  let timer: ReturnType<typeof setInterval> | undefined;
  const look = (controller: ReadableStreamDefaultController<Uint8Array>) => {
    if (!taken.isTooLittle()) return;
    clearInterval(timer);
    controller.error(new Error("the file was taken too slowly"));
    reader.cancel().catch(() => undefined);
  };
  const next = async () => {
    try {
      return rest.length > 0 ? { done: false as const, value: rest } : await reader.read();
    } catch (error) {
      clearInterval(timer);
      throw error;
    }
  };
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        timer = setInterval(() => look(controller), slowest.ms);
      },
      async pull(controller) {
        const { done, value } = await next();
        if (done) {
          clearInterval(timer);
          return controller.close();
        }
        const piece = value.subarray(0, PIECE_BYTES);
        rest = value.subarray(PIECE_BYTES);
        taken.add(piece.length);
        controller.enqueue(piece);
      },
      cancel(reason) {
        clearInterval(timer);
        return reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}
