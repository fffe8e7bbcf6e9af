// Background loops: rounds of work one after the other, with a wait in between, until the loop is stopped.

/** Runs `round` again and again; each one answers how many milliseconds to wait for the next. It never rejects. */
export class BackgroundLoop {
  readonly #round: () => Promise<number>;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #running: Promise<void> | null = null;
  #isStopping = false;

  constructor(round: () => Promise<number>) {
    this.#round = round;
  }

  /** Whether the loop is to stop: a round that takes several steps takes no other. */
  get isStopping(): boolean {
    return this.#isStopping;
  }

  /** Begins, in a turn of the event loop of its own. */
  start(): void {
    this.#schedule(0);
  }

  /** Waits for the round under way, and begins no other. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    if (this.#timer) clearTimeout(this.#timer);
    await this.#running;
  }

  #schedule(waitMs: number): void {
    if (this.#isStopping) return;
    this.#timer = setTimeout(() => {
      this.#running = this.#round().then((nextMs) => this.#schedule(nextMs));
    }, waitMs);
  }
}
