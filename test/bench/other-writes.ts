// Another client's writes beside an act, asked one after the other, so that the longest of them says how long the writer
// was held.
import type { Service } from "./programs.ts";

/** A client that writes all the time, one write after the other, until it is asked how long the longest took. */
export class OtherWrites {
  #isOver = false;
  readonly #writing: Promise<number>;

  constructor(service: Service) {
    this.#writing = this.#write(service);
  }

  async #write(service: Service): Promise<number> {
    let longest = 0;
    while (!this.#isOver) {
      const started = performance.now();
      await service.call("POST", "/stock-legends", { name: "Legend", text: "Text" });
      longest = Math.max(longest, performance.now() - started);
    }
    return longest;
  }

  longestMs(): Promise<number> {
    this.#isOver = true;
    return this.#writing;
  }
}
