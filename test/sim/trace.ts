// What happened in a simulation, event by event. Two runs are the same when their digests are.

const SHOWN = 60;

/** The record of one simulation. */
export class Trace {
  readonly #hash = new Bun.CryptoHasher("sha256");
  /** The newest lines, for a reader of a failure. */
  readonly lines: string[] = [];
  /** How often each kind of event happened, by the line's first word. */
  readonly counts = new Map<string, number>();
  /** How often the service crashed at each kind of point. */
  readonly crashes = new Map<string, number>();

  note(line: string): void {
    this.#hash.update(`${line}\n`);
    const [kind = ""] = line.split(" ");
    this.counts.set(kind, (this.counts.get(kind) ?? 0) + 1);
    this.lines.push(line);
    if (this.lines.length > SHOWN && process.env.CAPTABLE_SIM_TRACE !== "all") this.lines.shift();
  }

  /** A crash, counted by the point at which it came. */
  noteCrash(point: string, detail = ""): void {
    this.crashes.set(point, (this.crashes.get(point) ?? 0) + 1);
    this.note(`crash ${point}${detail}`);
  }

  digest(): string {
    return this.#hash.copy().digest("hex");
  }
}

/** A guarantee that did not hold in a simulation. */
export class Violation extends Error {
  override readonly name = "Violation";
}
