// How slowly a file may be taken. Each that is on its way holds memory, a connection and perhaps a file; who takes next
// to nothing of it does not want it.

/** The least that is to be taken in so much time. */
export interface Pace {
  readonly bytes: number;
  readonly ms: number;
}

/** A thousand bytes a second, looked at each minute. */
const SLOWEST: Pace = { bytes: 60_000, ms: 60_000 };
/** Handed on at once: what is taken shows only when more is asked for. */
const PIECE_BYTES = 32 * 1024;

/** How much was taken since somebody last looked. */
export class Taken {
  readonly #least: number;
  #bytes = 0;

  /** `least` is what must be taken from one look to the next; a piece that is only half handed on counts as handed on. */
  constructor(least: number) {
    this.#least = least - PIECE_BYTES;
  }

  add(bytes: number): void {
    this.#bytes += bytes;
  }

  /** Whether it was too little; begins to count anew. */
  isTooLittle(): boolean {
    const isTooLittle = this.#bytes < this.#least;
    this.#bytes = 0;
    return isTooLittle;
  }
}

/**
 * The same bytes, broken off where less is taken than `slowest` says, which is looked at from one span of time to the
 * next. Taken is what the system has: it keeps some of it ready for the one who reads.
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
